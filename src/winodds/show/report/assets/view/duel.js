// Two players against each other, in words and as a bar.

import { count, whole } from "../shared/english.js";
import { byId, make, makeSvg } from "./dom.js";
import { sharesLetter } from "./letters.js";
import { endOfHundred, endOfShares, fixed, intervalWords, oddsWords, ofHundred, openOddsWords, pWords, sigmoid } from "./words.js";

const EQUAL = 1e-9;
const LOOSE = 1e-6;
const LEVEL = "50 of 100";

/** Whether the record is what to go by: ratings do not explain it, or miss something on this board. */
function leads({ record }, board, view) {
  return record !== null && (record.differs || (board.misfit && !view.refitted));
}

/** The outcome of a duel in a sentence, from what the engine found. */
export function describeDuel(found, names, board, view) {
  const [a, b] = names;
  if (found.identical) {
    return `${a} and ${b} are identical: they have the same score in every ${board.nouns.round[0]} in which either took part, and nothing in the data tells them apart.`;
  }
  const lead = leads(found, board, view);
  if (!lead && Math.abs(found.difference) < EQUAL) return `${a} and ${b} are rated equal.`;
  const sentence = lead ? recordFirst(found, names, board, view) : ratingsOnly(found, names, board, view);
  const both = lead ? "their ratings" : "them";
  return isToldApart(found) ? `${sentence}.` : `${sentence}; the data cannot tell ${both} apart.`;
}

function newMatches(board, view) {
  return `new ${board.won.many}${view.newTournaments ? ` of new ${board.nouns.tournament[1]}` : ""}`;
}

function ratingsOnly(found, [a, b], board, view) {
  const half = board.ties ? "a tie counts half; " : "";
  const range = `${half}${board.level_words} interval ${endOfHundred(found.low, "0")} to ${endOfHundred(found.high, "100")}`;
  const share = ofHundred(sigmoid(found.difference));
  if (share === LEVEL) return `By their ratings, ${a} is level with ${b} in ${newMatches(board, view)} (${share}; ${range})`;
  return `By their ratings, ${a} beats ${b} in ${share} ${newMatches(board, view)} (${range})`;
}

function recordFirst({ record, matches }, [a, b], board, view) {
  const { won, lost, tied } = matches;
  const wins = tied ? `${whole(won)}, lost ${whole(lost)} and tied ${whole(tied)}` : whole(won);
  const kind = count(record.matches, board.won.one, board.won.many);
  const expected = ofHundred(record.expected);
  return `${a} won ${wins} of ${kind} against ${b} (${shareWords(record, matches)}${recordRange(record, board)} of 100 ` +
    `${newMatches(board, view)}); by their ratings ${expected === LEVEL ? `they are level, ${LEVEL}` : expected}`;
}

function recordRange({ low, high }, board) {
  return `${board.level_words} interval ${endOfShares(low)} to ${endOfShares(high)}`;
}

/** What the bare numbers do not say: how ties count, and that matches weigh differently. */
function shareWords(record, { won, tied }) {
  const weighed = Math.abs((won + 0.5 * tied) / record.matches - record.won) > LOOSE;
  return `${tied ? "a tie counts half; " : ""}${weighed ? `by weight ${ofHundred(record.won)}; ` : ""}`;
}

/** Whether the test tells that there is a difference; the interval agrees. */
function isToldApart({ apart }) {
  return apart;
}

/** What a test of this pair alone does not say: what holds among all pairs. */
export function describeCaution(found, rows, view, board) {
  const [one, two] = rows.map((row) => row.letters);
  // Components that never met have letters of their own, and letters are never model-based.
  const lettered = one && two && board.component_of === null && board.interval_kind === "robust";
  if (!isToldApart(found) || view.rows.length === 2 || !lettered) return "";
  const pairs = count((view.rows.length * (view.rows.length - 1)) / 2, "pair");
  if (!sharesLetter(one, two)) return `Among all ${pairs} of the board the data tell them apart, too.`;
  const [better, worse] = (found.difference > 0 ? rows : rows.toReversed()).map((row) => row.player);
  return `Taken alone, the data tell them apart: ${better} is better than ${worse}. Among all ${pairs} of the board they do not.`;
}

/** The matches that the two played, in words, or why these come first. */
export function describeRecord(found, names, board, view) {
  if (found.matches === null) return "";
  if (leads(found, board, view)) {
    const what = found.record.differs ? "the record of this pair, so it comes first" : "all of who beats whom here, so the record comes first";
    return `Ratings do not explain ${what}.`;
  }
  const { won, lost, tied } = found.matches;
  const total = won + lost + tied;
  if (total === 0) return "They never met; the comparison goes through others.";
  const ties = tied ? ` and tied ${whole(tied)}` : "";
  const joint = tied ? ", " : " and ";
  const kind = count(total, board.won.one, board.won.many);
  const itself = `for the pair itself, ${shareWords(found.record, found.matches)}${recordRange(found.record, board)} of 100`;
  return `${names[0]} won ${whole(won)}${joint}lost ${whole(lost)}${ties} of their ${kind} (${itself}).`;
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
    ...[describeRecord(found, names, page.board, page.view), describeCaution(found, rows, page.view, page.board)]
      .filter(Boolean).map((text) => make("p", {}, text)),
    facts(found, page.board, page.view),
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

function facts(found, board, view) {
  const open = found.low === null || found.high === null;
  const entries = [
    ["Difference in EPP", `${fixed(found.difference, 2)} (${intervalWords(found.low, found.high, "epp")})`],
    ["Standard error", fixed(found.se, 3)],
    ["Odds", open ? openOddsWords(found.low, found.high) : oddsWords(Math.exp(found.difference))],
    [testWords(found, board, view), pWords(found.pValue)],
  ];
  return make("dl", { class: "facts" }, ...entries.flatMap(([term, text]) => [make("dt", {}, term), make("dd", {}, text)]));
}

/** What was tested. */
function testWords({ by }, board, view) {
  if (by === "wald") return `Wald test (${board.interval_kind === "robust" ? "cluster-robust" : "model-based"})`;
  // Of pooled tournaments, one may be left: then its rounds decide.
  return `Test by the signs of ${view.newTournaments === board.new_tournaments ? board.cluster.many : board.nouns.round[1]}`;
}
