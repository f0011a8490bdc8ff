// Parts of the page that only show what they are given.

import { count, listNames } from "../shared/english.js";
import { splitRounds } from "./address.js";
import { byId, make, makeTable } from "./dom.js";
import { withMenu } from "./saving.js";
import { everythingOf, labelOf } from "./words.js";

/** The answer in words, and what to doubt. */
export function drawAnswer(page) {
  const { board, view } = page;
  byId("headline").textContent = board.name ? `${board.name}: ${board.rated}` : board.rated;
  byId("sentences").replaceChildren(...board.sentences.map((sentence) => make("p", {}, sentence)));
  const notes = notesOf(page);
  byId("notes").replaceChildren(...notes.map((note) => make("li", { class: note.kind }, note.text)));
  byId("doubts").hidden = notes.length === 0;
  byId("answer").classList.toggle("before", view.refitted);
  byId("answer-title").textContent = view.refitted ? `The answer of ${everythingOf(board)}` : "The answer";
}

/** What to doubt of what is shown; what was said of the whole file is marked after a refit. */
export function notesOf({ board, view }) {
  if (!view.refitted) return board.notes;
  const everything = everythingOf(board);
  const start = everything[0].toUpperCase() + everything.slice(1);
  // The same sentence need not stand twice; the same note about other numbers is another.
  const said = new Set(view.notes.map((note) => note.text));
  const before = board.notes.filter((note) => !said.has(note.text));
  return [...view.notes, ...before.map((note) => ({ ...note, text: `${start}: ${note.text}` }))];
}

/** Say loudly that the numbers are not those of the file. */
export function drawRefitted(page) {
  const { view } = page;
  const box = byId("refitted");
  box.hidden = !view.refitted;
  for (const part of ["leaderboard", "duel", "matrix"]) byId(part).classList.toggle("is-refitted", view.refitted);
  const mark = view.refitted ? " (refitted)" : "";
  byId("duel-title").textContent = `Duel${mark}`;
  byId("matrix-title").textContent = `Win matrix${mark}`;
  box.replaceChildren();
  if (!view.refitted) return;
  const chances = page.board.columns.p_best.some((own) => own !== null)
    ? "Chances of being best are not computed anew: who could be best is told by tests of pairs alone. "
    : "";
  box.append(
    make("strong", {}, "Refitted in this browser"), ` ${withoutWords(page)}. ${chances}`,
    make("button", { type: "button", "data-focus": "restore", onclick: () => page.restore() }, "Restore all"));
}

/** What the ratings that are shown leave out: players, whole tournaments and single rounds. */
export function withoutWords({ board, shown }) {
  const gone = splitRounds(board.schedule, shown.rounds);
  const parts = [
    [board.nouns.player, [...shown.players].map((k) => board.columns.player[k])],
    [board.nouns.tournament, gone.tournaments],
    [board.nouns.round, gone.rounds],
  ];
  const said = parts.filter(([, names]) => names.length).map(([noun, names]) => `${count(names.length, ...noun)} (${listNames(names)})`);
  return `without ${said.join(" and ")}`;
}

/** A word that a part of the page is not refitted, where others are. */
function notRefitted({ board, view }) {
  return view.refitted ? [make("p", { class: "hint" }, `Of ${everythingOf(board)}, not refitted.`)] : [];
}

/** How well the ratings explain who beat whom. */
export function drawQuality(page) {
  const { quality } = page.board;
  const box = byId("quality-found");
  if (!quality) {
    box.replaceChildren(make("p", { class: "hint" }, "The quality of the fit was left out when this page was made; --details computes it."));
    return;
  }
  const doubts = quality.doubts.length
    ? [make("h3", {}, "Where the ratings fit worst"), make("ul", {}, ...quality.doubts.map((line) => make("li", {}, line)))]
    : [];
  const grid = quality.calibration ? [savedTable(page, quality.calibration)] : [];
  const law = quality.law ? [make("p", {}, quality.law)] : [];
  box.replaceChildren(...notRefitted(page), make("p", {}, quality.text), ...law, ...grid, ...doubts);
}

/** Scores that are missing. */
export function drawGaps(page) {
  const { gaps } = page.board;
  const tables = gaps.tables.map((table) => savedTable(page, table));
  byId("gaps-found").replaceChildren(...notRefitted(page), ...gaps.sentences.map((sentence) => make("p", {}, sentence)), ...tables);
}

/** A table with a menu; programs get its `exact` numbers, where it has them. */
function savedTable(page, { name, caption, header, rows, exact }) {
  const words = new Set([0]);
  const build = (format) => (exact && ["CSV", "JSON"].includes(format) ? { ...exact, words } : { header, rows, words });
  return withMenu(makeTable(header, rows, words, caption), build, page.data.title, labelOf(page.board), name);
}

/** Options, versions, the input and a command that makes the page again. */
export function drawHow(page) {
  const { how } = page.board;
  const facts = make("dl", { class: "facts" }, ...how.facts.flatMap(([term, text]) => [make("dt", {}, term), make("dd", {}, text)]));
  const code = how.commands.flatMap(([title, text]) => [make("h3", {}, title), make("pre", { tabindex: 0, "aria-label": title }, make("code", {}, text))]);
  byId("how-found").replaceChildren(...notRefitted(page), facts, ...code);
}
