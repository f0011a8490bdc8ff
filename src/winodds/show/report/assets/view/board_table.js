// The leaderboard: columns, sorting, searching, and a small picture of each interval.

import { whole } from "../shared/english.js";
import { byId, make, makeSvg } from "./dom.js";
import { notesOf, withoutWords } from "./panels.js";
import { isOnOpenEnd } from "./views.js";
import { CELLS, MOST_LETTERS, averagePlayer, fixed, inNewRound, labelOf, onScale } from "./words.js";

const ROWS_AT_FIRST = 100;
const NOTHING = "–";
const CHART = { width: 170, height: 18, margin: 8 };
const STEPS = [0.01, 0.02, 0.05, 0.1, 0.2, 0.25, 0.5, 1, 2, 5, 10, 20, 50, 100, 200, 500, 1000];

const CHART_COLUMN = {
  key: "chart", format: "chart", label: "", usual: true, sort: null, help: "The rating and its interval. An arrow is an open end.",
};

/** Columns whose values follow the reference, and where a row keeps them. */
const SHOWN = { epp: "value", se: "se", low: "low", high: "high" };

/** By what a column is sorted, if not by its values. */
const SORTED = {
  rank: (row) => row.order,
  name: (row, key) => row[key].toLowerCase(),
  interval: (row, key) => valueOf(row, key) ?? -Infinity,
  notes: (row) => doubtsOf(row).length,
};

/** The columns that Python declares and that have a cell of their own, with the picture of the interval. */
export function defineColumns(declared) {
  const joined = new Set(declared.map(({ joins }) => joins));
  return inReadingOrder(declared.filter(({ key }) => !joined.has(key))).flatMap((column) => {
    const { key, format } = column;
    const defined = {
      ...column,
      help: format === "error" ? errorHelp : column.help,
      sort: (row) => (SORTED[format] ?? valueOf)(row, key),
      text: (row, page) => cellText(column, row, page),
    };
    return format === "interval" ? [defined, CHART_COLUMN] : [defined];
  });
}

/** Columns with those that stand beside others behind these, as in Python's tables. */
function inReadingOrder(columns) {
  const ordered = columns.filter(({ beside }) => beside === null);
  for (const own of columns.filter(({ beside }) => beside !== null)) {
    ordered.splice(ordered.findIndex(({ key }) => key === own.beside) + 1, 0, own);
  }
  return ordered;
}

/** The value of a column; ratings are those against the reference. */
function valueOf(row, key) {
  return key in SHOWN ? row.shown[SHOWN[key]] : row[key];
}

/** What a cell says. On a narrow screen columns that are `spare` give way. */
function cellText({ key, format, joins }, row, page) {
  if (["interval", "error"].includes(format) && isReference(row, page)) return NOTHING;
  const value = format === "notes" ? doubtsOf(row) : valueOf(row, key);
  if (format !== "interval" && (value === null || value === undefined)) return "";
  return CELLS[format](value, { end: joins === null ? null : valueOf(row, joins), scale: page.state.scale });
}

/** Whether a row is that of the player whose rating is 0, which nothing is uncertain about. */
function isReference(row, page) {
  return row.index === page.view.reference;
}

function errorHelp(page) {
  const against = page.referenceName() ?? averagePlayer(page.view.averaged, page.board);
  return {
    epp: `Standard error of the EPP against ${against}.`,
    elo: `Standard error of the Elo rating against ${against}, in Elo points.`,
    "win-rate": "A win rate has no one standard error: it is not as sure upwards as downwards. The interval says both.",
  }[page.state.scale];
}

/** The notes of a row, but for open ends, which the interval shows. */
function doubtsOf(row) {
  return row.notes.filter((note) => !isOnOpenEnd(note));
}

/** Columns that hold anything on this board; long lists of letters are not among the usual ones. */
export function usedColumns(columns, rows) {
  const empty = (value) => value === null || value === undefined || value === "";
  return columns.filter((column) => {
    if (["name", "chart", "rating", "interval"].includes(column.format)) return true;
    if (column.format === "notes") return rows.some((row) => doubtsOf(row).length);
    return rows.some((row) => !empty(row[column.key]));
  }).map((column) => (column.format === "letters" && rows.some((row) => row[column.key]?.length > MOST_LETTERS) ? { ...column, usual: false } : column));
}

/** Whether a text is searched for; capitals do not matter. */
function matches(text, { search }) {
  return text.toLowerCase().includes(search.trim().toLowerCase());
}

/** The rows that are searched for, in the order that is asked for. */
export function arrange(rows, columns, state) {
  const found = rows.filter((row) => matches(`${row.player}\n${row.family ?? ""}`, state));
  const column = columns.find((own) => own.key === state.sort);
  if (!column || !column.sort) return found;
  const sign = state.down ? -1 : 1;
  const missing = (value) => value === null || value === undefined;
  return found.sort((a, b) => {
    const [x, y] = [column.sort(a), column.sort(b)];
    if (missing(x) || missing(y)) return missing(x) - missing(y) || a.order - b.order;
    if (x === y) return a.order - b.order;
    return (x < y ? -1 : 1) * sign;
  });
}

/** Draw the table for the current view. */
export function drawBoard(page) {
  const { state, view } = page;
  const shown = page.columns.filter((column) => page.isShown(column));
  const rows = arrange([...view.rows], page.columns, state);
  const cut = state.all ? rows : rows.slice(0, ROWS_AT_FIRST);
  const table = byId("board-table");
  const axis = chartAxis(view.rows, state.scale);
  table.tHead.replaceChildren(headRow(page, shown, axis));
  table.tBodies[0].replaceChildren(
    ...cut.map((row) => bodyRow(page, row, shown, axis)),
    ...[...view.off.keys()].filter((index) => matches(page.board.columns.player[index], state))
      .map((index) => offRow(page, index, shown.length)),
  );
  byId("board-caption").textContent = `${captionOf(page)}${countWords(state, rows.length, cut.length)}`;
  const more = byId("more");
  more.hidden = cut.length === rows.length;
  more.textContent = `Show all ${whole(rows.length)} ${page.board.nouns.player[1]}`;
  page.listed = rows;
}

/** What the ratings mean. */
function captionOf(page) {
  const { state, board, view } = page;
  const against = page.referenceName() ?? averagePlayer(view.averaged, board);
  const words = {
    epp: `EPP: log-odds of beating ${against}`,
    elo: `Elo: ${against} has 1500`,
    "win-rate": `Win rate: how often ${against} would be beaten`,
  }[state.scale];
  return `${words}, ${inNewRound(board, view)}; ${board.level_words} intervals.`;
}

function countWords({ search }, found, shown) {
  const all = search ? ` ${whole(found)} found.` : "";
  return shown < found ? `${all} The first ${whole(shown)} of ${whole(found)} are shown.` : all;
}

/** The heading of a column. */
export function labelFor(column, page) {
  if (column.format === "rating") return { epp: column.label, elo: "Elo", "win-rate": "win rate" }[page.state.scale];
  if (column.format === "name") return page.board.nouns.player[0];
  if (column.format === "mean") return page.board.score_label;
  return column.format === "interval" ? `${page.board.level_words} ${column.label}` : column.label;
}

/** What the heading of a column explains, here and in the menu of columns. */
export function helpOf(column, page) {
  return typeof column.help === "function" ? column.help(page) : column.help;
}

function headRow(page, shown, axis) {
  const { state } = page;
  return make("tr", {}, ...shown.map((column) => {
    if (!column.sort) return make("th", { scope: "col", class: "chart", title: column.help }, axisPicture(axis, state.scale));
    const sorted = state.sort === column.key ? (state.down ? "descending" : "ascending") : null;
    const arrow = sorted === null ? "" : sorted === "ascending" ? " ▲" : " ▼";
    const button = make("button", { type: "button", title: helpOf(column, page), "data-sort": column.key, "data-focus": `sort-${column.key}`, onclick: () => page.sortBy(column.key) },
      labelFor(column, page), make("span", { "aria-hidden": "true" }, arrow));
    return make("th", { scope: "col", class: classOf(column), "aria-sort": sorted }, button);
  }));
}

/** Numbers to the right; the first columns stay in sight, and words have a style each. */
function classOf({ key, numeric }) {
  return [numeric ? "number" : "", key === "player" ? "who" : key].join(" ").trim();
}

function bodyRow(page, row, shown, axis) {
  const place = page.state.duel === null ? -1 : page.state.duel.indexOf(row.index);
  const chosen = place < 0 ? null : ["first", "second"][place];
  return make("tr", { "data-player": row.index, class: chosen },
    ...shown.map((column) => {
      if (column.format === "name") return nameCell(page, row, chosen);
      if (column.key === "chart") return make("td", { class: "chart" }, rowPicture(row, axis, page.state.scale));
      const text = column.text(row, page);
      // What may be cut off can be read in whole.
      const uncut = ["words", "letters"].includes(column.format) ? row[column.key] : null;
      return make("td", { class: classOf(column), title: uncut }, text);
    }));
}

function nameCell(page, row, chosen) {
  const box = page.mayRefit()
    ? make("input", { type: "checkbox", checked: true, "aria-label": `Rate ${row.player}`, "data-focus": `rate-${row.index}`, onchange: () => page.switchPlayers([row.index], false) })
    : null;
  const pressed = chosen === null ? "false" : "true";
  const button = make("button", { type: "button", class: "name", "data-focus": `name-${row.index}`, "aria-pressed": pressed, title: "Choose for the duel", onclick: () => page.choose(row.index) }, row.player);
  return make("th", { scope: "row", class: "who" }, make("span", { class: "player" }, box, button));
}

function offRow(page, index, columns) {
  const name = page.board.columns.player[index];
  const gone = page.state.players.has(index);
  const box = gone
    ? make("input", { type: "checkbox", "aria-label": `Rate ${name}`, "data-focus": `rate-${index}`, onchange: () => page.switchPlayers([index], true) })
    : null;
  return make("tr", { class: "off", "data-player": index },
    make("th", { scope: "row", colspan: columns }, make("span", { class: "player" }, box, make("span", {}, `${name} (${page.view.off.get(index)})`))));
}

// Small pictures -----------------------------------------------------------------------------------

/** The range that the pictures of all rows share. */
export function chartAxis(rows, scale) {
  if (scale === "win-rate") return { low: 0, high: 1 };
  const ends = rows.flatMap((row) => [row.shown.value, row.shown.low, row.shown.high]);
  const known = ends.filter((end) => end !== null).map((end) => onScale(end, scale));
  const low = known.reduce((a, b) => Math.min(a, b), onScale(0, scale));
  const high = known.reduce((a, b) => Math.max(a, b), onScale(0, scale));
  const room = 0.03 * (high - low) || 1;
  return { low: low - room, high: high + room };
}

function placeOn(axis, value) {
  const inner = CHART.width - 2 * CHART.margin;
  return CHART.margin + (inner * (value - axis.low)) / (axis.high - axis.low);
}

function axisPicture(axis, scale) {
  const span = axis.high - axis.low;
  const step = STEPS.find((one) => span / one <= 4) ?? span;
  const ticks = [];
  for (let k = Math.ceil(axis.low / step); k * step <= axis.high + 1e-9; k += 1) ticks.push(k * step);
  const words = (tick) => (scale === "win-rate" ? `${fixed(100 * tick, 0)}%` : String(Number(tick.toFixed(2))));
  return makeSvg("svg", { width: CHART.width, height: CHART.height, role: "img", "aria-label": "Scale of the pictures" },
    ...ticks.map((tick) => makeSvg("text", { x: placeOn(axis, tick), y: 13, "text-anchor": "middle" }, words(tick))));
}

function rowPicture(row, axis, scale) {
  const { value, low, high } = row.shown;
  const middle = CHART.height / 2;
  const from = low === null ? 1 : placeOn(axis, onScale(low, scale));
  const to = high === null ? CHART.width - 1 : placeOn(axis, onScale(high, scale));
  const zero = placeOn(axis, onScale(0, scale));
  const tip = (x, sign) => makeSvg("path", { class: "tip", d: `M${x},${middle}l${6 * sign},-4v8z` });
  return makeSvg("svg", { width: CHART.width, height: CHART.height, "aria-hidden": "true" },
    makeSvg("line", { class: "zero", x1: zero, x2: zero, y1: 0, y2: CHART.height }),
    makeSvg("line", { class: "reach", x1: from, x2: to, y1: middle, y2: middle }),
    low === null ? tip(1, 1) : null,
    high === null ? tip(CHART.width - 1, -1) : null,
    makeSvg("circle", { class: "dot", cx: placeOn(axis, onScale(value, scale)), cy: middle, r: 4 }));
}

// Saving -------------------------------------------------------------------------------------------

/** The rows that are listed as a table to be saved: every digit in CSV and JSON, else for readers. */
export function boardTable(page, format) {
  return format === "CSV" || format === "JSON" ? exactTable(page) : readTable(page);
}

/** The columns of Python's CSV, and the player whose rating is 0. */
function exactTable(page) {
  const declared = page.data.column_list;
  const cellOf = (row, { key, format }) =>
    (format === "notes" ? row[key].map((note) => note.text).join("; ") : valueOf(row, key));
  return {
    header: [...declared.map(({ key }) => key), "reference"],
    rows: page.listed.map((row) => [...declared.map((column) => cellOf(row, column)), page.referenceName()]),
    words: new Set([...declared.flatMap(({ numeric }, k) => (numeric ? [] : [k])), declared.length]),
  };
}

/** The columns that are shown, as on a wide screen, with what was rated above and the doubts below. */
function readTable(page) {
  const { board, view } = page;
  const shown = page.columns.filter((column) => column.key !== "chart" && page.isShown(column, false));
  const said = view.refitted ? [`Of these, refitted in a browser ${withoutWords(page)}.`] : board.sentences;
  return {
    header: shown.map((column) => labelFor(column, page)),
    rows: page.listed.map((row) => shown.map((column) => column.text(row, page))),
    words: new Set(shown.flatMap((column, k) => (column.numeric ? [] : [k]))),
    title: labelOf(board),
    lines: [`${board.rated}.`, ...said, captionOf(page)],
    notes: notesOf(page).map((note) => note.text),
  };
}
