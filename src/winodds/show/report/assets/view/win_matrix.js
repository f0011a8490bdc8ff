// Probabilities that the row's player beats the column's, for the first of the listed players.

import { count, whole } from "../shared/english.js";
import { byId, make } from "./dom.js";
import { inNewRound, ofHundred, percent, sigmoid } from "./words.js";

const MOST = 25;
const MOST_SAVED = 500;
// From here on black is less readable than white on a light page, and white than black on a dark one.
const STRONG = 79;

/** Draw the matrix of the players that the leaderboard lists. */
export function drawMatrix(page) {
  const rows = page.listed.slice(0, MOST);
  const left = page.listed.length - rows.length;
  byId("matrix-hint").textContent =
    `Chance, in percent, that the ${page.board.nouns.player[0]} of the row beats that of the column ${inNewRound(page.board, page.view)}. ` +
    (page.board.ties ? "A tie counts half. " : "") +
    (left > 0 ? `The first ${rows.length} of the ${whole(page.listed.length)} ${page.board.nouns.player[1]} as the leaderboard lists them. ` : "") +
    (page.listed.length > MOST_SAVED ? `Downloads hold the first ${whole(MOST_SAVED)}. ` : "") +
    "Choose a cell, with the mouse or with arrow keys and Enter, for the duel.";
  byId("matrix-legend").textContent = "";
  const table = make("table", { class: "matrix", role: "grid", "aria-label": "Win matrix" },
    make("thead", {}, make("tr", { role: "row" },
      make("td", { role: "gridcell" }),
      ...rows.map((row, k) => make("th", { scope: "col", role: "columnheader", title: row.player, "aria-label": row.player }, String(k + 1))))),
    make("tbody", {}, ...rows.map((row, k) => matrixRow(page, row, k, rows))));
  table.addEventListener("keydown", (event) => move(event, table));
  (table.querySelector("tbody td:not(.own)") ?? table.querySelector("tbody td"))?.setAttribute("tabindex", "0");
  byId("matrix-box").replaceChildren(table);
  markSurprises(page, table, rows);
}

/** Mark the cells of pairs whose record is not what their ratings say. */
async function markSurprises(page, table, rows) {
  const asked = page.question("surprises");
  let pairs;
  try {
    const players = rows.map((row) => row.index);
    pairs = await page.ask(page.view.board, "surprises", { chosen: page.view.chosen, players });
  } catch {
    // A board that is not compared has no records here; the duel says why.
    return;
  }
  if (!asked() || pairs === null) return;
  for (const [one, two] of pairs.flatMap(([a, b]) => [[a, b], [b, a]])) {
    const own = table.querySelector(`[data-focus="cell-${one}-${two}"]`);
    own.classList.add("surprise");
    own.setAttribute("aria-label", `${own.getAttribute("aria-label")}; the record of the two says otherwise`);
  }
  const legend = pairs.length
    ? `${count(pairs.length, "pair")} with a corner: what the two did against each other is more than two standard errors from what their ratings say (one pair in 20 is, by chance alone).`
    : "No pair did anything else against each other than their ratings say.";
  byId("matrix-legend").textContent = legend;
}

function matrixRow(page, row, place, rows) {
  return make("tr", { role: "row" },
    make("th", { scope: "row", role: "rowheader" }, `${place + 1} ${row.player}`),
    ...rows.map((other) => {
      if (other === row) return emptyCell(`${row.player} against itself`);
      if (!page.comparable(row, other)) return emptyCell(`${row.player} and ${other.player} cannot be compared`);
      return cell(page, row, other);
    }));
}

function emptyCell(label) {
  return make("td", { role: "gridcell", class: "own", "aria-label": label, tabindex: -1 }, "");
}

function cell(page, row, other) {
  const chance = sigmoid(row.epp - other.epp);
  const strength = Math.round(100 * Math.abs(2 * chance - 1));
  const element = make("td", {
    role: "gridcell",
    class: `${chance >= 0.5 ? "ahead" : "behind"}${strength >= STRONG ? " strong" : ""}`,
    tabindex: -1,
    "data-focus": `cell-${row.index}-${other.index}`,
    "aria-label": `${row.player} beats ${other.player} in ${ofHundred(chance)}`,
    onclick: () => page.setDuel(row.index, other.index),
  }, percent(chance).replace("%", ""));
  element.style.setProperty("--strength", `${strength}%`);
  return element;
}

const MOVES = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0] };

function move(event, table) {
  const own = event.target.closest("tbody td");
  if (!own) return;
  if (event.key === "Enter" || event.key === " ") {
    event.preventDefault();
    own.click();
    return;
  }
  const by = MOVES[event.key];
  if (!by) return;
  event.preventDefault();
  const next = table.tBodies[0].rows[own.parentElement.sectionRowIndex + by[0]]?.cells[own.cellIndex + by[1]];
  if (!next || next.tagName !== "TD") return;
  own.tabIndex = -1;
  next.tabIndex = 0;
  next.focus();
}

/** The matrix of all listed players as a table to be saved. */
export function matrixTable(page, format) {
  const exact = format === "CSV" || format === "JSON";
  const rows = page.listed.slice(0, exact ? MOST_SAVED : MOST);
  const chance = (row, other) => {
    if (!page.comparable(row, other)) return null;
    if (row === other) return exact ? 0.5 : "";
    const value = sigmoid(row.epp - other.epp);
    return exact ? value : percent(value);
  };
  const players = rows.map((row) => row.player);
  const probability = rows.map((row) => rows.map((other) => chance(row, other)));
  return {
    header: ["player", ...players],
    rows: rows.map((row, k) => [row.player, ...probability[k]]),
    words: new Set([0]),
    json: { players, probability },
  };
}
