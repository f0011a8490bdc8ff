// Controls above the leaderboard and the duel: they show what is chosen, and change it.

import { freshState, readAddress } from "./address.js";
import { boardTable, helpOf } from "./board_table.js";
import { byId, fileName, make } from "./dom.js";
import { tableButtons } from "./saving.js";
import { averagePlayer, labelOf } from "./words.js";
import { matrixTable } from "./win_matrix.js";

const TYPING = 120;
const offered = new WeakMap();

/** Set the controls to what is chosen. */
export function drawControls(page) {
  const { state, board } = page;
  const names = board.columns.player.map((name, k) => [k, name]);
  if (document.activeElement !== byId("search")) byId("search").value = state.search;
  byId("scale").value = state.scale;
  offer(byId("board"), page.data.boards.map((own, k) => [k, labelOf(own)]), state.board);
  const averages = board.reference === null || page.mayRefit() ? [["average", averagePlayer(page.view.averaged, board)]] : [];
  const chosen = page.view.reference ?? "average";
  offer(byId("reference"), [...averages, ...(page.mayCompare() ? names : [])], chosen);
  offer(byId("duel-a"), names, page.duel[0]);
  offer(byId("duel-b"), names, page.duel[1]);
  byId("columns").replaceChildren(...page.columns.filter((column) => column.label && column.key !== "player").map((column) =>
    make("label", { title: helpOf(column, page) },
      make("input", { type: "checkbox", value: column.key, checked: page.isShown(column), "data-focus": `column-${column.key}` }), column.label)));
}

/** Fill a choice, unless it offers just that already, and choose. */
function offer(select, options, chosen) {
  const key = JSON.stringify(options);
  if (offered.get(select) !== key) {
    select.replaceChildren(...options.map(([value, text]) => make("option", { value }, text)));
    offered.set(select, key);
  }
  select.value = String(chosen);
}

/** Let the controls do what they say. */
export function equipControls(page) {
  const on = (id, kind, act) => byId(id).addEventListener(kind, (event) => act(event.target));
  on("board", "change", (own) => changeBoard(page, Number(own.value)));
  let typing;
  on("search", "input", (own) => {
    page.state.search = own.value;
    clearTimeout(typing);
    typing = setTimeout(() => page.redraw(), page.view.rows.length > 200 ? TYPING : 0);
  });
  on("scale", "change", (own) => { page.state.scale = own.value; page.redraw(); });
  on("reference", "change", (own) => {
    const value = own.value === "average" ? "average" : Number(own.value);
    page.state.reference = value === (page.board.reference ?? "average") ? null : value;
    page.update();
  });
  on("duel-a", "change", (own) => page.setDuel(Number(own.value), other(own, "duel-b", page)));
  on("duel-b", "change", (own) => page.setDuel(other(own, "duel-a", page), Number(own.value)));
  on("duel-swap", "click", () => page.setDuel(Number(byId("duel-b").value), Number(byId("duel-a").value)));
  on("duel-close", "click", () => { page.chosenByName = false; byId("duel-bar").hidden = true; });
  on("more", "click", () => { page.state.all = true; page.redraw(); });
  on("print", "click", () => window.print());
  on("theme", "change", (own) => { document.documentElement.dataset.theme = own.value; });
  page.narrow.addEventListener("change", () => { page.redraw(); drawControls(page); });
  byId("columns").addEventListener("change", () => pickColumns(page));
  addEventListener("hashchange", () => followAddress(page));
  for (const menu of document.querySelectorAll("[data-download]")) equipDownload(page, menu);
  closeMenus();
  keepAddress();
  openBoards(page);
}

/** The other side of the duel; the two change places when the reader chooses the same player twice. */
function other(own, id, page) {
  const value = Number(byId(id).value);
  if (value !== Number(own.value)) return value;
  const [first, second] = page.duel;
  return first === value ? second : first;
}

/** Another tournament: search, columns, order and scale stay. */
function changeBoard(page, board) {
  const { search, columns, sort, down, scale } = page.state;
  page.open({ ...freshState(page.data.boards), board, search, columns, sort, down, scale });
  page.update();
}

/** The boxes that are checked; columns that are empty just now stay as they were. */
function pickColumns(page) {
  const boxes = [...byId("columns").querySelectorAll("input")];
  const seen = new Set(boxes.map((box) => box.value));
  const before = page.state.columns ?? page.allColumns.filter((column) => column.usual).map((column) => column.key);
  page.state.columns = [...boxes.filter((box) => box.checked).map((box) => box.value), ...before.filter((key) => !seen.has(key))];
  page.redraw();
}

function followAddress(page) {
  const asked = location.hash.replace(/^#/, "");
  if (byId(asked) || asked === page.written) return;
  page.open(readAddress(location.hash, page.data.boards, page.allColumns));
  page.update();
}

function equipDownload(page, menu) {
  const [name, build] = menu.dataset.download === "matrix" ? ["win-matrix", matrixTable] : ["leaderboard", boardTable];
  const file = () => fileName(page.data.title, labelOf(page.board), name, page.view.refitted ? "refitted" : "");
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
    goTo(part);
  });
}

/** Links of the season's tables open the board of a data set, and go to its answer. */
function openBoards(page) {
  byId("season")?.addEventListener("click", (event) => {
    const link = event.target.closest("a");
    // Whoever wants another tab or window gets it.
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    const { board } = readAddress(link.hash, page.data.boards, page.allColumns);
    if (board !== page.state.board) changeBoard(page, board);
    goTo(byId("answer"));
  });
}

function goTo(part) {
  part.scrollIntoView();
  part.tabIndex = -1;
  part.focus({ preventScroll: true });
}
