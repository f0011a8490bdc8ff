// The leaderboard: columns, sorting, searching, and a small picture of each interval.

import { byId, make, makeSvg } from "./dom.js";
import { notesOf, withoutWords } from "./panels.js";
import { isOnOpenEnd } from "./views.js";
import { errorWords, fixed, inNewRound, intervalWords, labelOf, onScale, percent, rankRange, ratingWords, whole } from "./words.js";

const ROWS_AT_FIRST = 100;
const MOST_LETTERS = 12;
const NOTHING = "–";
const CHART = { width: 170, height: 18, margin: 8 };
const STEPS = [0.01, 0.02, 0.05, 0.1, 0.2, 0.25, 0.5, 1, 2, 5, 10, 20, 50, 100, 200, 500, 1000];

/** The columns; `help` texts are the leaderboard's own. On narrow screens `spare` ones give way. */
export function defineColumns(help) {
  const number = (key, label, text, options = {}) => ({
    key, label, text, numeric: true, usual: true, sort: (row) => row[key], help: help[key], ...options,
  });
  return [
    number("rank", "rank", (row) => String(row.rank), { sort: (row) => row.order }),
    number("rank_low", "could be", (row) => rankRange(row.rank_low, row.rank_high), { spare: true }),
    { key: "player", label: "player", usual: true, sort: (row) => row.player.toLowerCase(), help: help.player },
    { key: "family", label: "family", usual: true, spare: true, text: (row) => row.family ?? "", sort: (row) => row.family, help: help.family },
    number("epp", "EPP", (row, page) => ratingWords(row.shown.value, page.state.scale), { sort: (row) => row.shown.value }),
    number("low", "interval", (row, page) => (isReference(row, page) ? NOTHING : intervalWords(row.shown.low, row.shown.high, page.state.scale)), {
      sort: (row) => row.shown.low ?? -Infinity,
      help: "How sure the rating is: of many such intervals, so many hold the true rating. ∞ is an end that the data leave open.",
    }),
    { key: "chart", label: "", usual: true, sort: null, help: "The rating and its interval. An arrow is an open end." },
    number("p_average", "P(>avg)", (row) => percent(row.p_average)),
    number("p_best", "P(best)", (row) => (row.p_best === null ? "" : percent(row.p_best))),
    { key: "letters", label: "letters", usual: true, text: (row) => shortLetters(row.letters ?? ""), sort: (row) => row.letters, help: help.letters },
    number("se", "error", (row, page) => (isReference(row, page) ? NOTHING : errorWords(row.shown.se, page.state.scale)), {
      usual: false, sort: (row) => row.shown.se, help: errorHelp,
    }),
    number("wins", "wins", (row) => row.wins.toLocaleString("en-US"), { usual: false }),
    number("matches", "matches", (row) => whole(row.matches), { usual: false }),
    number("rounds", "rounds", (row) => (row.rounds === null ? "" : whole(row.rounds)), { usual: false }),
    number("mean_score", "mean score", (row) => (row.mean_score === null ? "" : row.mean_score.toPrecision(5)), { usual: false }),
    { key: "notes", label: "notes", usual: true, text: (row) => doubtsOf(row).map((note) => note.text).join("; "), sort: (row) => doubtsOf(row).length, help: help.notes },
  ];
}

/** As many letters as fit into one line; laying out all of it would take seconds. */
function shortLetters(text) {
  return text.length <= MOST_LETTERS ? text : `${text.slice(0, MOST_LETTERS - 1)}…`;
}

/** Whether a row is that of the player whose rating is 0, which nothing is uncertain about. */
function isReference(row, page) {
  return row.index === page.view.reference;
}

function errorHelp(page) {
  const against = page.referenceName() ?? "the average player";
  return {
    epp: `Standard error of the EPP against ${against}.`,
    elo: `Standard error of the Elo rating against ${against}, in Elo points.`,
    probability: "A probability has no one standard error: it is not as sure upwards as downwards. The interval says both.",
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
    if (["player", "chart", "epp", "low"].includes(column.key)) return true;
    if (column.key === "notes") return rows.some((row) => doubtsOf(row).length);
    return rows.some((row) => !empty(row[column.key]));
  }).map((column) => (column.key === "letters" && rows.some((row) => row.letters?.length > MOST_LETTERS) ? { ...column, usual: false } : column));
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
  more.textContent = `Show all ${whole(rows.length)} players`;
  page.listed = rows;
}

/** What the ratings mean. */
function captionOf(page) {
  const { state, board, view } = page;
  const against = page.referenceName();
  const words = {
    epp: against === null ? "EPP: log-odds of beating the average player" : `EPP: log-odds of beating ${against}`,
    elo: against === null ? "Elo: the average player has 1500" : `Elo: ${against} has 1500`,
    probability: against === null ? "Probability of beating the average player" : `Probability of beating ${against}`,
  }[state.scale];
  return `${words}, ${inNewRound(board, view)}; ${board.level_words} intervals.`;
}

function countWords({ search }, found, shown) {
  const all = search ? ` ${whole(found)} found.` : "";
  return shown < found ? `${all} The first ${whole(shown)} of ${whole(found)} are shown.` : all;
}

/** The heading of a column. */
function labelFor(column, page) {
  if (column.key === "epp") return { epp: "EPP", elo: "Elo", probability: "P(win)" }[page.state.scale];
  return column.key === "low" ? `${page.board.level_words} interval` : column.label;
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
      if (column.key === "player") return nameCell(page, row, chosen);
      if (column.key === "chart") return make("td", { class: "chart" }, rowPicture(row, axis, page.state.scale));
      const text = column.text(row, page);
      // What may be cut off can be read in whole.
      const uncut = ["family", "letters"].includes(column.key) ? row[column.key] : null;
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
  if (scale === "probability") return { low: 0, high: 1 };
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
  const words = (tick) => (scale === "probability" ? `${fixed(100 * tick, 0)}%` : String(Number(tick.toFixed(2))));
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

const KEYS = [
  "rank", "rank_low", "rank_high", "player", "family", "epp", "se", "low", "high", "p_average", "p_best", "letters", "quasi_se",
  "wins", "matches", "rounds", "mean_score", "notes", "reference",
];
const WORDS = ["player", "family", "letters", "notes", "reference"];

/** The rows that are listed as a table to be saved: every digit in CSV and JSON, else for readers. */
export function boardTable(page, format) {
  return format === "CSV" || format === "JSON" ? exactTable(page) : readTable(page);
}

/** The columns of Python's CSV, and the player whose rating is 0. */
function exactTable(page) {
  const reference = page.referenceName();
  const cellsOf = (row) => ({
    ...row, epp: row.shown.value, se: row.shown.se, low: row.shown.low, high: row.shown.high,
    notes: row.notes.map((note) => note.text).join("; "), reference,
  });
  const rows = page.listed.map(cellsOf).map((cells) => KEYS.map((key) => cells[key]));
  return { header: KEYS, rows, words: new Set(WORDS.map((key) => KEYS.indexOf(key))) };
}

/** The columns that are shown, as on a wide screen, with what was rated above and the doubts below. */
function readTable(page) {
  const { board, view } = page;
  const shown = page.columns.filter((column) => column.key !== "chart" && page.isShown(column, false));
  const text = (row, column) => (column.key === "player" ? row.player : column.text(row, page));
  const said = view.refitted ? [`Of these, refitted in a browser ${withoutWords(page)}.`] : board.sentences;
  return {
    header: shown.map((column) => labelFor(column, page)),
    rows: page.listed.map((row) => shown.map((column) => text(row, column))),
    words: new Set(shown.flatMap((column, k) => (column.numeric ? [] : [k]))),
    title: labelOf(board),
    lines: [`${board.rated}.`, ...said, captionOf(page)],
    notes: notesOf(page).map((note) => note.text),
  };
}
