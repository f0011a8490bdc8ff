// The page: what the reader chose, what follows from it, and who draws what.

import { freshState, readAddress, writeAddress } from "./address.js";
import { defineColumns, drawBoard, usedColumns } from "./board_table.js";
import { startEngine } from "./client.js";
import { drawControls, equipControls } from "./controls.js";
import { byId, keepFocus } from "./dom.js";
import { drawFigures, equipFigures } from "./drawings.js";
import { drawDuel } from "./duel.js";
import { drawStrangers, equipLink } from "./link.js";
import { drawAnswer, drawGaps, drawHow, drawQuality, drawRefitted } from "./panels.js";
import { drawSwitches } from "./switches.js";
import { nameBoards, readData } from "./told.js";
import { originalView, refittedView, relate } from "./views.js";
import { drawMatrix } from "./win_matrix.js";

const PARTS = [drawStrangers, drawAnswer, drawRefitted, drawBoard, drawMatrix, drawQuality, drawFigures, drawGaps, drawHow, drawSwitches, drawControls];
const NARROW = "(max-width: 40rem)";
const PATIENCE = 150;
const PAUSE = 250;

/** Everything the parts of the page share. */
export class Page {
  constructor(data) {
    this.data = data;
    this.engine = startEngine(data.boards);
    this.allColumns = defineColumns(data.column_list);
    this.questions = new Map();
    this.narrow = matchMedia(NARROW);
    this.open(readAddress(location.hash, data.boards, this.allColumns));
  }

  get board() {
    return this.data.boards[this.state.board];
  }

  /** Start from other choices, with the board as the file gave it until they are worked out. */
  open(state) {
    this.state = state;
    // Nothing of these choices was written yet: whom they name in vain is still to be told.
    this.written = undefined;
    this.chosenByName = false;
    this.lastChosen = null;
    this.show(originalView(this.board, state.board), { ...freshState(this.data.boards), board: state.board });
    this.refusal = this.refuse(state);
  }

  /** Forget what a link wants switched off on a board that is not rated anew; why, or nothing. */
  refuse(state) {
    if (this.mayRefit() || state.players.size + state.rounds.size === 0) return "";
    state.players.clear();
    state.rounds.clear();
    return this.board.shipped.why_not_refit;
  }

  show(view, shownState) {
    this.view = view;
    this.shown = { players: new Set(shownState.players), rounds: new Set(shownState.rounds), reference: shownState.reference };
    this.columns = usedColumns(this.allColumns, view.rows);
  }

  /** Ask the engine about a board. */
  async ask(number, call, question) {
    const { shipped, component_of: of } = this.data.boards[number];
    if (of !== null && call === "duel") return this.askComponent(number, question);
    if (of !== null && call === "surprises") return this.askComponents(number, question.players);
    if (shipped.why_not_compare !== null) throw new Error(shipped.why_not_compare);
    return this.engine(number, 0, call, question);
  }

  /** Ask about two players of a board whose components never met. */
  askComponent(number, { first, second }) {
    const { shipped, component_of: of } = this.data.boards[number];
    const component = of[first];
    const { why_not_compare: why } = of[second] === component ? shipped.components[component] : shipped;
    if (why !== null) throw new Error(why);
    const place = (index) => of.slice(0, index).filter((own) => own === component).length;
    return this.engine(number, component, "duel", { chosen: null, first: place(first), second: place(second) });
  }

  /** Pairs of some players of such a board whose record is not what their ratings say. */
  async askComponents(number, players) {
    const { shipped, component_of: of } = this.data.boards[number];
    const found = [];
    for (const component of new Set(players.map((index) => of[index]))) {
      const members = of.flatMap((own, index) => (own === component ? [index] : []));
      const asked = players.filter((index) => of[index] === component);
      if (shipped.components[component].why_not_compare !== null) continue;
      const places = asked.map((index) => members.indexOf(index));
      const pairs = await this.engine(number, component, "surprises", { chosen: null, players: places });
      found.push(...(pairs ?? []).map((pair) => pair.map((place) => members[place])));
    }
    return found;
  }

  /** A function that tells whether a question of this kind is still the last one asked. */
  question(kind) {
    const number = (this.questions.get(kind) ?? 0) + 1;
    this.questions.set(kind, number);
    return () => this.questions.get(kind) === number;
  }

  mayRefit() {
    return this.board.shipped.why_not_refit === null;
  }

  /** Whether any two players can be compared. */
  mayCompare() {
    return this.board.shipped.why_not_compare === null;
  }

  /** Whether the players of two rows are of one component, within which all met, if only through others. */
  comparable(row, other) {
    const { component_of: of } = this.board;
    return of === null || of[row.index] === of[other.index];
  }

  /** The two players of the duel: those that were chosen, else the first two. */
  get duel() {
    if (this.state.duel !== null) return this.state.duel;
    const [first, next] = this.view.rows;
    const second = this.view.rows.find((row) => row !== first && this.comparable(first, row)) ?? next;
    return [first.index, second.index];
  }

  /** Whether a column is among those chosen or, without a choice, among those there is room for. */
  isShown(column, narrow = this.narrow.matches) {
    if (this.state.columns === null) return column.usual && !(narrow && column.spare) && !this.saysNothingNew(column);
    return this.state.columns.includes(column.key) || column.key === "player";
  }

  /** Whether a column is the rating once more: the win rate, where 0 is the average. */
  saysNothingNew({ key }) {
    return key === "p_average" && this.state.scale === "win-rate" && this.view.reference === null;
  }

  referenceName() {
    return this.view.reference === null ? null : this.board.columns.player[this.view.reference];
  }

  // What follows from the choices ------------------------------------------------------------------

  /** Work out what is to be shown, and show it. */
  async update() {
    const current = this.question("update");
    document.body.dataset.busy = "true";
    this.remember();
    const status = byId("status");
    const slow = setTimeout(() => { status.textContent = "Computing …"; }, PATIENCE);
    let said;
    try {
      const state = { ...this.state, players: new Set(this.state.players), rounds: new Set(this.state.rounds) };
      const view = await this.compute(state);
      if (!current()) return;
      this.show(view, state);
      said = view.said;
    } catch (error) {
      if (!current()) return;
      this.goBack();
      said = error.message;
    } finally {
      clearTimeout(slow);
    }
    status.textContent = [this.refusal, said].filter(Boolean).join(" ");
    this.refusal = "";
    this.draw();
    document.body.dataset.busy = "false";
  }

  /** What was asked for cannot be had: back to what is shown. */
  goBack() {
    this.state.players = new Set(this.shown.players);
    this.state.rounds = new Set(this.shown.rounds);
    this.state.reference = this.shown.reference;
    this.remember();
  }

  async compute(state) {
    const board = this.data.boards[state.board];
    const ask = (call, question) => this.ask(state.board, call, question);
    const { why_not_refit: noRefit, why_not_compare: noCompare } = board.shipped;
    const wanted = state.players.size + state.rounds.size > 0;
    const view = wanted ? await refittedView(board, state.board, state, ask) : originalView(board, state.board);
    const centred = board.reference === null || noRefit === null;
    const asked = state.reference === "average" && centred ? null : state.reference === "average" ? board.reference : state.reference ?? board.reference;
    if (noCompare === null) await relate(view, board, asked, ask);
    return view;
  }

  draw() {
    keepFocus(() => {
      for (const part of PARTS) part(this);
    });
    drawDuel(this);
    document.body.dataset.ready = "true";
  }

  /** Draw what hangs on the table only. */
  redraw() {
    this.remember();
    keepFocus(() => {
      for (const part of [drawBoard, drawMatrix, drawStrangers]) part(this);
    });
  }

  /** Put the choices into the address, for the link at once and for the browser when there is a pause. */
  remember() {
    const written = writeAddress(this.state, this.data.boards);
    // What a link named in vain is no longer of interest when the reader goes on from there.
    if (this.written !== undefined && written !== this.written) this.state.strangers = freshState(this.data.boards).strangers;
    this.written = written;
    byId("permalink").href = `#${written}`;
    clearTimeout(this.writing);
    this.writing = setTimeout(() => {
      history.replaceState(null, "", written ? `#${written}` : location.pathname + location.search);
    }, PAUSE);
  }

  // What the reader can do -------------------------------------------------------------------------

  sortBy(key) {
    const again = this.state.sort === key;
    const number = this.columns.find((column) => column.key === key).numeric;
    const first = number && !["rank", "rank_low"].includes(key);
    this.state.down = again ? !this.state.down : first;
    this.state.sort = key;
    this.redraw();
  }

  /** Put a player into the duel, against the one chosen before, or against the first. */
  choose(index) {
    const { duel } = this.state;
    const before = this.lastChosen === index ? null : this.lastChosen;
    const first = this.view.rows.find((row) => row.index !== index && this.comparable(row, { index }));
    if (duel !== null && duel.includes(index)) this.setDuel(duel[1], duel[0]);
    else if (before !== null) this.setDuel(before, index);
    else if (first) this.setDuel(index, first.index);
    this.lastChosen = index;
    this.chosenByName = true;
  }

  setDuel(first, second) {
    if (first === second) return;
    this.state.duel = [first, second];
    this.lastChosen = null;
    this.redraw();
    drawControls(this);
    drawDuel(this);
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

/** Begin: the board at once, and what the address asks for as soon as it is worked out. */
export async function startPage() {
  const data = nameBoards(await readData(byId("data")));
  const page = new Page(data);
  byId("board-choice").hidden = data.boards.length < 2;
  page.draw();
  equipFigures(data);
  equipControls(page);
  equipLink();
  page.update();
  if (page.mayRefit()) page.ask(page.state.board, "warm", null);
}

startPage().catch((error) => {
  byId("status").textContent = `This browser does not show the page: ${error.message}`;
  throw error;
});
