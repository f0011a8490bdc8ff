// The page: what the reader chose, what follows from it, and who draws what.

import { readAddress, writeAddress } from "./address.js";
import { boardTable, defineColumns, drawBoard, usedColumns } from "./board_table.js";
import { startEngine } from "./client.js";
import { byId, fileName, make } from "./dom.js";
import { drawFigures, equipFigures } from "./drawings.js";
import { drawDuel } from "./duel.js";
import { drawAnswer, drawGaps, drawHow, drawQuality, drawRefitted } from "./panels.js";
import { tableButtons } from "./saving.js";
import { drawSwitches } from "./switches.js";
import { drawMatrix, matrixTable } from "./win_matrix.js";
import { count, listNames } from "./words.js";

const DETAILS_KEPT = ["family"];

/** Everything the parts of the page share. */
export class Page {
  constructor(data) {
    this.data = data;
    this.engine = startEngine(data.boards);
    this.allColumns = defineColumns(data.help);
    this.questions = new Map();
    this.chosenByName = false;
    this.lastChosen = null;
    this.warmed = false;
    this.fitted = new Set();
    this.state = readAddress(location.hash, data.boards, this.allColumns);
    this.good = { players: new Set(), rounds: new Set() };
    this.written = location.hash.replace(/^#/, "");
  }

  get board() {
    return this.data.boards[this.state.board];
  }

  /** Ask the engine about the board that is shown. */
  ask(call, question) {
    if (!this.board.shipped.compare) return Promise.reject(new Error(this.board.shipped.whyNotCompare));
    return this.engine(this.state.board, call, question);
  }

  /** A function that tells whether a question of this kind is still the last one asked. */
  question(kind) {
    const number = (this.questions.get(kind) ?? 0) + 1;
    this.questions.set(kind, number);
    return () => this.questions.get(kind) === number;
  }

  mayRefit() {
    return this.board.shipped.refit;
  }

  isShown(column) {
    return this.state.columns === null ? column.usual : this.state.columns.includes(column.key) || column.key === "player";
  }

  referenceName() {
    const reference = this.view.reference;
    return reference === null ? null : this.board.columns.player[reference];
  }

  // What follows from the choices ------------------------------------------------------------------

  /** Work out what is to be shown, and show it. */
  async update() {
    const current = this.question("update");
    this.remember();
    const status = byId("status");
    const slow = setTimeout(() => { status.textContent = "Computing …"; }, 150);
    try {
      const view = await this.compute();
      if (!current()) return;
      this.view = view;
      this.good = { players: new Set(this.state.players), rounds: new Set(this.state.rounds) };
      status.textContent = view.said;
    } catch (error) {
      if (!current()) return;
      this.goBack();
      status.textContent = error.message;
    } finally {
      clearTimeout(slow);
    }
    this.draw();
  }

  /** What was asked for cannot be had: back to what is shown, or to a fresh board. */
  goBack() {
    if (!this.view || this.view.board !== this.state.board) {
      this.view = originalView(this);
      this.good = { players: new Set(), rounds: new Set() };
    }
    this.state.players = new Set(this.good.players);
    this.state.rounds = new Set(this.good.rounds);
    this.state.reference = this.view.asked;
    this.remember();
  }

  async compute() {
    const { state } = this;
    const wanted = state.players.size + state.rounds.size > 0 && this.mayRefit();
    if (wanted) this.fitted.add(state.board);
    else if (this.fitted.delete(state.board)) await this.ask("reset", null);
    const view = wanted ? await refittedView(this) : originalView(this);
    view.asked = state.reference;
    const own = this.board.reference;
    const asked = state.reference === "average" ? null : state.reference ?? own;
    if (wanted || asked !== own) await this.relate(view, asked, wanted);
    return view;
  }

  /** Ratings against another player than the board's own reference, or against the average. */
  async relate(view, reference, refitted) {
    if (reference === null) {
      if (!refitted) showCentred(view, await this.ask("fit", { players: null, rounds: null }));
      return;
    }
    if (this.state.players.has(reference)) {
      view.said = `${this.board.columns.player[reference]} is switched off: ratings are against the average player. ${view.said}`;
      return;
    }
    const found = await this.ask("compare", { reference });
    const place = new Map(Array.from(found.players, (index, k) => [index, k]));
    for (const row of view.rows) {
      const k = place.get(row.index);
      row.shown = { value: found.difference[k], se: found.se[k], low: found.low[k], high: found.high[k] };
    }
    view.reference = reference;
  }

  draw() {
    this.columns = usedColumns(this.allColumns, this.view.rows);
    for (const part of [drawAnswer, drawRefitted, drawBoard, drawMatrix, drawQuality, drawFigures, drawGaps, drawHow, drawSwitches, drawControls]) part(this);
    drawDuel(this);
    document.body.dataset.ready = "true";
    if (!this.warmed && this.board.shipped.refit) this.ask("warm", null);
    this.warmed = true;
  }

  remember() {
    this.written = writeAddress(this.state);
    const address = this.written ? `#${this.written}` : "#";
    byId("permalink").href = address;
    history.replaceState(null, "", this.written ? address : location.pathname + location.search);
  }

  // What the reader can do -------------------------------------------------------------------------

  sortBy(key) {
    const again = this.state.sort === key;
    const number = this.columns.find((column) => column.key === key).numeric;
    const first = number && !["rank", "rank_low"].includes(key);
    this.state.down = again ? !this.state.down : first;
    this.state.sort = key;
    this.redraw(`button[data-sort="${key}"]`);
  }

  /** Draw what hangs on the table only, and keep the focus. */
  redraw(focus) {
    this.remember();
    drawBoard(this);
    drawMatrix(this);
    if (focus) document.querySelector(focus)?.focus();
  }

  /** Put a player into the duel, against the one chosen before, or against the first. */
  choose(index) {
    const { duel } = this.state;
    if (duel !== null && duel.includes(index)) this.state.duel = [duel[1], duel[0]];
    else if (this.lastChosen !== null) this.state.duel = [this.lastChosen, index];
    else this.state.duel = [index, this.view.rows.find((row) => row.index !== index).index];
    this.chosenByName = true;
    this.lastChosen = index;
    this.redraw(`tr[data-player="${index}"] button.name`);
    drawControls(this);
    drawDuel(this);
  }

  setDuel(first, second) {
    this.state.duel = first === second ? this.state.duel : [first, second];
    this.redraw();
    drawControls(this);
    drawDuel(this);
    byId("duel").scrollIntoView({ block: "nearest" });
  }

  switchPlayer(index, on) {
    this.switchPlayers([index], on);
  }

  switchPlayers(numbers, on) {
    for (const number of numbers) this.state.players[on ? "delete" : "add"](number);
    this.update();
  }

  switchRounds(numbers, on) {
    for (const number of numbers) this.state.rounds[on ? "delete" : "add"](number);
    this.update();
  }

  restore() {
    this.state.players.clear();
    this.state.rounds.clear();
    this.update();
  }
}

/** The rows as the file gave them. */
export function originalView(page) {
  const { columns, reference } = page.board;
  const rows = columns.player.map((player, index) => {
    const row = Object.fromEntries(Object.entries(columns).map(([key, cells]) => [key, cells[index]]));
    const shown = { value: row.epp, se: row.se, low: row.low, high: row.high };
    return { ...row, index, order: index, player, shown };
  });
  return { rows, off: [], refitted: false, reference, notes: [], said: "", asked: null, board: page.state.board };
}

/** The rows without what is switched off. */
async function refittedView(page) {
  const { state, board } = page;
  const names = board.columns.player;
  const chosen = {
    players: names.map((_, k) => !state.players.has(k)),
    rounds: board.schedule ? board.schedule.rounds.map((_, k) => !state.rounds.has(k)) : null,
  };
  const found = await page.ask("fit", chosen);
  const rows = found.player.map((index, order) => ({
    ...Object.fromEntries(DETAILS_KEPT.map((key) => [key, board.columns[key][index]])),
    ...centredRow(found, order),
    index, order, player: names[index], p_best: null,
    mean_score: state.rounds.size ? null : board.columns.mean_score[index],
  }));
  const best = found.couldBeBest.map((index) => names[index]);
  return {
    rows, off: [...state.players, ...found.unmatched], refitted: true, reference: null, notes: refitNotes(found, board),
    said: `Rated anew: ${count(rows.length, "player")}. ${listNames(best)} could truly be the best.`,
    asked: null, board: state.board,
  };
}

function centredRow(found, k) {
  const [low, high] = [found.low[k], found.high[k]];
  const notes = [];
  if (found.wins[k] === found.matches[k]) notes.push("won every match");
  if (found.wins[k] === 0) notes.push("lost every match");
  if (high === null) notes.push("upper end open");
  if (low === null) notes.push("lower end open");
  return {
    rank: found.rank[k], rank_low: found.rankLow[k], rank_high: found.rankHigh[k],
    epp: found.epp[k], se: found.se[k], low, high, p_average: found.pAverage[k], group: found.group[k],
    wins: found.wins[k], matches: found.matches[k], rounds: found.rounds === null ? null : found.rounds[k], notes,
    shown: { value: found.epp[k], se: found.se[k], low, high },
  };
}

function showCentred(view, found) {
  const place = new Map(found.player.map((index, k) => [index, k]));
  for (const row of view.rows) row.shown = centredRow(found, place.get(row.index)).shown;
  view.reference = null;
}

function refitNotes(found, board) {
  const notes = [];
  if (found.clusters < 10 && board.interval_kind === "robust") {
    notes.push(`The intervals rest on only ${count(found.clusters, board.cluster.one, board.cluster.many)}; below about 10 they are rough.`);
  }
  if (found.unmatched.length) {
    notes.push(`Without a match, and so not rated: ${listNames(found.unmatched.map((index) => board.columns.player[index]))}.`);
  }
  return notes;
}

// Controls -----------------------------------------------------------------------------------------

/** Set the controls to what is chosen. */
export function drawControls(page) {
  const { state, board } = page;
  byId("search").value = state.search;
  byId("scale").value = state.scale;
  const names = board.columns.player;
  offer(byId("board"), page.data.boards.map((own, k) => [k, own.name ?? ""]), state.board);
  const own = board.reference;
  const centred = own === null || page.mayRefit();
  const averages = centred ? [["average", "the average player"]] : [];
  const chosen = state.reference ?? (own === null ? "average" : own);
  const comparable = board.shipped.compare;
  offer(byId("reference"), [...averages, ...(comparable ? names.map((name, k) => [k, name]) : [])], chosen);
  const duel = state.duel ?? [0, Math.min(1, names.length - 1)];
  offer(byId("duel-a"), names.map((name, k) => [k, name]), duel[0]);
  offer(byId("duel-b"), names.map((name, k) => [k, name]), duel[1]);
  byId("columns").replaceChildren(...page.columns.filter((column) => column.label && column.key !== "player").map((column) =>
    make("label", { title: column.help },
      make("input", { type: "checkbox", value: column.key, checked: page.isShown(column) }), column.label)));
}

/** Fill a choice, unless it offers the same already, and choose. */
function offer(select, options, chosen) {
  const key = `${select.id}:${options.length}:${options[0]?.[1]}:${options.at(-1)?.[1]}`;
  if (select.dataset.offers !== key) {
    select.replaceChildren(...options.map(([value, text]) => make("option", { value }, text)));
    select.dataset.offers = key;
  }
  select.value = String(chosen);
}

/** Let the controls do what they say. */
export function equipControls(page) {
  const on = (id, kind, act) => byId(id).addEventListener(kind, (event) => act(event.target));
  on("board", "change", (own) => {
    page.state = { ...readAddress("", page.data.boards, page.allColumns), board: Number(own.value), scale: page.state.scale };
    page.chosenByName = false;
    page.lastChosen = null;
    page.update();
  });
  on("search", "input", (own) => { page.state.search = own.value; page.redraw(); });
  on("scale", "change", (own) => { page.state.scale = own.value; page.redraw(); drawAnswer(page); });
  on("reference", "change", (own) => {
    page.state.reference = own.value === "average" ? "average" : Number(own.value);
    if (page.state.reference === (page.board.reference ?? "average")) page.state.reference = null;
    page.update();
  });
  on("duel-a", "change", (own) => page.setDuel(Number(own.value), Number(byId("duel-b").value)));
  on("duel-b", "change", (own) => page.setDuel(Number(byId("duel-a").value), Number(own.value)));
  on("duel-swap", "click", () => page.setDuel(Number(byId("duel-b").value), Number(byId("duel-a").value)));
  on("duel-close", "click", () => { page.chosenByName = false; byId("duel-bar").hidden = true; });
  on("more", "click", () => { page.state.all = true; page.redraw(); });
  on("print", "click", () => window.print());
  on("theme", "change", (own) => { document.documentElement.dataset.theme = own.value; });
  byId("columns").addEventListener("change", () => {
    page.state.columns = [...byId("columns").querySelectorAll("input:checked")].map((own) => own.value).concat("player", "chart");
    page.redraw();
  });
  addEventListener("hashchange", () => {
    const asked = location.hash.replace(/^#/, "");
    if (document.getElementById(asked) || asked === page.written) return;
    page.state = readAddress(location.hash, page.data.boards, page.allColumns);
    page.update();
  });
  for (const menu of document.querySelectorAll("[data-download]")) equipDownload(page, menu);
  closeMenus();
  keepAddress();
}

function equipDownload(page, menu) {
  const [name, build] = menu.dataset.download === "matrix" ? ["win-matrix", matrixTable] : ["leaderboard", boardTable];
  const file = () => fileName(page.data.title, page.board.name, name, page.view.refitted ? "refitted" : "");
  menu.append(make("div", {}, ...tableButtons((format) => build(page, format), file)));
}

/** A menu closes when the reader leaves it or presses Escape. */
function closeMenus() {
  addEventListener("keydown", (event) => {
    const menu = event.key === "Escape" ? event.target.closest?.("details.menu[open]") : null;
    if (!menu) return;
    menu.open = false;
    menu.querySelector("summary").focus();
  });
  addEventListener("click", (event) => {
    for (const menu of document.querySelectorAll("details.menu[open]")) if (!menu.contains(event.target)) menu.open = false;
  });
}

/** Links to parts of the page go there, and leave the address to what is chosen. */
function keepAddress() {
  document.addEventListener("click", (event) => {
    const link = event.target.closest?.('a[href^="#"]');
    const part = link && link.id !== "permalink" ? byId(link.hash.slice(1)) : null;
    if (!part) return;
    event.preventDefault();
    part.scrollIntoView();
    part.tabIndex = -1;
    part.focus({ preventScroll: true });
  });
}

/** Begin. */
export function startPage() {
  const data = JSON.parse(byId("data").textContent);
  const page = new Page(data);
  byId("board-choice").hidden = data.boards.length < 2;
  equipFigures(page, data);
  equipControls(page);
  page.update();
}

startPage();
