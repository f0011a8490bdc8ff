// Two players against each other, in words and as a bar.

import { count, whole } from "../shared/english.js";
import { byId, make, makeSvg } from "./dom.js";
import { sharesLetter } from "./letters.js";
import { endOfHundred, fixed, intervalWords, oddsWords, ofHundred, openOddsWords, pWords, sigmoid } from "./words.js";

const EQUAL = 1e-9;

/** The outcome of a duel in a sentence, from what the engine found. */
export function describeDuel(found, names, board, view) {
  const [a, b] = names;
  if (found.identical) {
    return `${a} and ${b} are identical: they have the same score in every round in which either took part, and nothing in the data tells them apart.`;
  }
  if (Math.abs(found.difference) < EQUAL) return `${a} and ${b} are rated equal.`;
  const where = view.newTournaments ? " of new tournaments" : "";
  const half = board.ties ? "a tie counts half; " : "";
  const range = `${half}${board.level_words} interval ${endOfHundred(found.low, "0")} to ${endOfHundred(found.high, "100")}`;
  const sentence = `${a} beats ${b} in ${ofHundred(sigmoid(found.difference))} new ${board.won.many}${where} (${range})`;
  return isToldApart(found) ? `${sentence}.` : `${sentence}; the data cannot tell them apart.`;
}

/** Whether the interval of the difference leaves 0 out. */
function isToldApart({ low, high }) {
  return (low !== null && low > 0) || (high !== null && high < 0);
}

/** What a test of this pair alone does not say: what holds among all pairs, and what bias does. */
export function describeCaution(found, rows, view, board) {
  const said = [];
  const apart = isToldApart(found);
  if (!apart && found.pValue <= 1 - found.level) said.push("The interval, which allows for the bias of few rounds, holds 0.");
  const [one, two] = rows.map((row) => row.letters);
  // Components that never met have letters of their own.
  if (board.component_of === null && view.rows.length > 2 && one && two) {
    const pairs = (view.rows.length * (view.rows.length - 1)) / 2;
    const verdict = sharesLetter(one, two) ? "they cannot be told apart" : apart ? "they can be told apart, too" : "they can be told apart";
    said.push(`Among all ${count(pairs, "pair")} at once (Holm's adjustment) ${verdict}.`);
  }
  return said.join(" ");
}

/** The matches that the two played, in words. */
export function describeRecord(found, names, board) {
  if (found.matches === null) return "";
  const { won, lost, tied } = found.matches;
  const total = won + lost + tied;
  if (total === 0) return "They never met; the comparison goes through others.";
  const ties = tied ? ` and tied ${whole(tied)}` : "";
  const joint = tied ? ", " : " and ";
  const kind = count(total, board.won.one, board.won.many);
  return `${names[0]} won ${whole(won)}${joint}lost ${whole(lost)}${ties} of their ${kind}.`;
}

/** Show the duel that is chosen, or a word why there is none. */
export async function drawDuel(page) {
  const asked = page.question("duel");
  const box = byId("duel-found");
  const bar = byId("duel-bar");
  const [a, b] = page.duel;
  const names = [a, b].map((index) => page.board.columns.player[index]);
  const off = [a, b].find((index) => page.view.off.has(index));
  if (off !== undefined) {
    tell(box, bar, `${page.board.columns.player[off]}: ${page.view.off.get(off)}.`);
    return;
  }
  let found;
  try {
    found = await page.ask(page.view.board, "duel", { chosen: page.view.chosen, first: a, second: b });
  } catch (error) {
    if (asked()) tell(box, bar, error.message);
    return;
  }
  if (!asked()) return;
  const sentence = describeDuel(found, names, page.board, page.view);
  const rows = [a, b].map((index) => page.view.rows.find((row) => row.index === index));
  const details = found.identical ? [] : [
    chanceBar(found, names),
    ...[describeRecord(found, names, page.board), describeCaution(found, rows, page.view, page.board)]
      .filter(Boolean).map((text) => make("p", {}, text)),
    facts(found, page.board),
  ];
  box.replaceChildren(make("p", { class: "lead" }, sentence), ...details);
  byId("duel-short").textContent = sentence;
  bar.hidden = !page.chosenByName;
}

function tell(box, bar, sentence) {
  box.replaceChildren(make("p", { class: "hint" }, sentence));
  bar.hidden = true;
}

function chanceBar(found, names) {
  const chance = sigmoid(found.difference);
  const low = found.low === null ? 0 : sigmoid(found.low);
  const high = found.high === null ? 1 : sigmoid(found.high);
  const label = `${names[0]} wins ${ofHundred(chance)}, ${names[1]} the rest`;
  const at = (share) => 4 + 592 * share;
  return makeSvg("svg", { class: "chance", viewBox: "0 0 600 44", role: "img", "aria-label": label },
    makeSvg("rect", { class: "first", x: 4, y: 6, width: 592 * chance, height: 14 }),
    makeSvg("rect", { class: "second", x: at(chance), y: 6, width: 592 * (1 - chance), height: 14 }),
    makeSvg("line", { class: "half", x1: 300, x2: 300, y1: 2, y2: 24 }),
    makeSvg("line", { class: "reach", x1: at(low), x2: at(high), y1: 30, y2: 30 }),
    makeSvg("circle", { class: "dot", cx: at(chance), cy: 30, r: 4 }));
}

function facts(found, board) {
  const open = found.low === null || found.high === null;
  const basis = board.interval_kind === "robust" ? "cluster-robust" : "model-based";
  const entries = [
    ["Difference in EPP", `${fixed(found.difference, 2)} (${intervalWords(found.low, found.high, "epp")})`],
    ["Standard error", fixed(found.se, 3)],
    ["Odds", open ? openOddsWords(found.low, found.high) : oddsWords(Math.exp(found.difference))],
    [`Wald test (${basis})`, pWords(found.pValue)],
  ];
  return make("dl", { class: "facts" }, ...entries.flatMap(([term, text]) => [make("dt", {}, term), make("dd", {}, text)]));
}
