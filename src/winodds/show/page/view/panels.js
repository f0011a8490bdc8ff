// Parts of the page that only show what they are given.

import { byId, make, makeTable } from "./dom.js";
import { withMenu } from "./saving.js";
import { count, listNames } from "./words.js";

/** The answer in words, and what to doubt. */
export function drawAnswer(page) {
  const { board, view } = page;
  byId("headline").textContent = board.headline;
  byId("sentences").replaceChildren(...board.sentences.map((sentence) => make("p", {}, sentence)));
  const notes = view.refitted ? [...view.notes, ...board.notes.map((note) => `All players and rounds: ${note}`)] : board.notes;
  byId("notes").replaceChildren(...notes.map((note) => make("li", {}, note)));
  byId("doubts").hidden = notes.length === 0;
  byId("answer").classList.toggle("before", view.refitted);
  byId("answer-title").textContent = view.refitted ? "The answer of all players and rounds" : "The answer";
}

/** Say loudly that the numbers are not those of the file. */
export function drawRefitted(page) {
  const { board, state, view } = page;
  const box = byId("refitted");
  box.hidden = !view.refitted;
  byId("leaderboard").classList.toggle("is-refitted", view.refitted);
  box.replaceChildren();
  if (!view.refitted) return;
  const names = [...state.players].map((k) => board.columns.player[k]);
  const parts = [
    ...(names.length ? [`${count(names.length, "player")} (${listNames(names)})`] : []),
    ...withoutRounds(board, state),
  ];
  box.append(
    make("strong", {}, "Refitted in this browser"), ` without ${parts.join(" and ")}. `,
    make("button", { type: "button", "data-focus": "restore", onclick: () => page.restore() }, "Restore all"));
}

/** Rounds that are switched off, whole tournaments by their names. */
function withoutRounds(board, { rounds }) {
  if (!rounds.size) return [];
  const { full, tournaments, tournament_of } = board.schedule;
  const gone = tournaments.map((_, t) => tournament_of.every((number, k) => number !== t || rounds.has(k)));
  const whole = tournaments.filter((_, t) => gone[t]);
  const single = [...rounds].filter((k) => !gone[tournament_of[k]]).map((k) => full[k]);
  return [
    ...(whole.length ? [`${count(whole.length, "tournament")} (${listNames(whole)})`] : []),
    ...(single.length ? [`${count(single.length, "round")} (${listNames(single)})`] : []),
  ];
}

/** How well the ratings explain who beat whom. */
export function drawQuality(page) {
  const { quality } = page.board;
  const box = byId("quality-found");
  if (!quality) {
    box.replaceChildren(make("p", { class: "hint" }, "The quality of the fit was left out when this page was made; --details computes it."));
    return;
  }
  const before = page.view.refitted ? make("p", { class: "hint" }, "Of all players and rounds, not refitted.") : null;
  const doubts = quality.doubts.length
    ? [make("h3", {}, "Where the ratings fit worst"), make("ul", {}, ...quality.doubts.map((line) => make("li", {}, line)))]
    : [];
  const grid = quality.calibration.rows.length
    ? [savedTable(page, quality.calibration, "How often the favourite won, and should have", "calibration")]
    : [];
  box.replaceChildren(...[before, make("p", {}, quality.text), quality.law ? make("p", {}, quality.law) : null, ...grid, ...doubts].filter(Boolean));
}

/** Scores that are missing. */
export function drawGaps(page) {
  const { gaps } = page.board;
  const tables = gaps.tables.map((table) => savedTable(page, table, table.caption, `${table.header[0]}s-with-gaps`));
  byId("gaps-found").replaceChildren(...gaps.sentences.map((sentence) => make("p", {}, sentence)), ...tables);
}

function savedTable(page, content, caption, name) {
  const words = new Set([0]);
  const table = makeTable(content.header, content.rows, words, caption);
  return withMenu(table, { ...content, words }, page.data.title, page.board.name, name);
}

/** Options, versions, the input and a command that makes the page again. */
export function drawHow(page) {
  const { how } = page.board;
  const facts = make("dl", { class: "facts" }, ...how.facts.flatMap(([term, text]) => [make("dt", {}, term), make("dd", {}, text)]));
  const code = how.commands.flatMap(([title, text]) => [make("h3", {}, title), make("pre", { tabindex: 0, "aria-label": title }, make("code", {}, text))]);
  byId("how-found").replaceChildren(facts, ...code);
}
