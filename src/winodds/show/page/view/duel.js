// Two players against each other, in words and as a bar.

import { byId, make, makeSvg } from "./dom.js";
import { count, fixed, intervalWords, oddsWords, ofHundred, pWords, pluralOf, sigmoid, whole } from "./words.js";

/** What is said of a duel: sentences and figures, from what the engine found. */
export function describeDuel(found, names, board) {
  const [a, b] = names;
  const chance = sigmoid(found.difference);
  const low = found.low === null ? 0 : 100 * sigmoid(found.low);
  const high = found.high === null ? 100 : 100 * sigmoid(found.high);
  const where = board.new_tournaments ? " of new tournaments" : "";
  const kind = pluralOf(board.won);
  const half = found.matches?.tied ? "a tie counts half; " : "";
  const range = `${half}${board.level_words} interval ${fixed(low, 0)} to ${fixed(high, 0)}`;
  const sentence = `${a} beats ${b} in ${ofHundred(chance)} new ${kind}${where} (${range})`;
  const apart = low > 50 || high < 50;
  return { chance, low, high, sentence: apart ? `${sentence}.` : `${sentence}; the data cannot tell them apart.` };
}

/** The matches that the two played, in words. */
export function describeRecord(found, names, board) {
  if (found.matches === null) return "";
  const { won, lost, tied } = found.matches;
  const total = won + lost + tied;
  if (total === 0) return "They never met; the comparison goes through others.";
  const ties = tied ? ` and tied ${whole(tied)}` : "";
  const joint = tied ? ", " : " and ";
  const kind = count(total, board.won, pluralOf(board.won));
  return `${names[0]} won ${whole(won)}${joint}lost ${whole(lost)}${ties} of their ${kind}.`;
}

/** Show the duel that is chosen, or a word why there is none. */
export async function drawDuel(page) {
  const asked = page.question("duel");
  const box = byId("duel-found");
  const bar = byId("duel-bar");
  if (page.state.duel === null) {
    box.replaceChildren();
    bar.hidden = true;
    return;
  }
  const [a, b] = page.state.duel;
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
  const said = describeDuel(found, names, page.board);
  box.replaceChildren(
    make("p", { class: "lead" }, said.sentence),
    chanceBar(said, names),
    make("p", {}, describeRecord(found, names, page.board)),
    facts(found, said, page),
  );
  byId("duel-short").textContent = said.sentence;
  bar.hidden = !page.chosenByName;
}

function tell(box, bar, sentence) {
  box.replaceChildren(make("p", { class: "hint" }, sentence));
  bar.hidden = true;
}

function chanceBar(said, names) {
  const label = `${names[0]} wins ${ofHundred(said.chance)}, ${names[1]} the rest`;
  const at = (share) => 4 + 592 * share;
  return makeSvg("svg", { class: "chance", viewBox: "0 0 600 44", role: "img", "aria-label": label },
    makeSvg("rect", { class: "first", x: 4, y: 6, width: 592 * said.chance, height: 14 }),
    makeSvg("rect", { class: "second", x: at(said.chance), y: 6, width: 592 * (1 - said.chance), height: 14 }),
    makeSvg("line", { class: "half", x1: 300, x2: 300, y1: 2, y2: 24 }),
    makeSvg("line", { class: "reach", x1: at(said.low / 100), x2: at(said.high / 100), y1: 30, y2: 30 }),
    makeSvg("circle", { class: "dot", cx: at(said.chance), cy: 30, r: 4 }));
}

function facts(found, said, page) {
  const refitted = page.view.refitted ? " (refitted)" : "";
  const entries = [
    ["Difference in EPP", `${fixed(found.difference, 3)} (${intervalWords(found.low, found.high, "epp")})`],
    ["Standard error", fixed(found.se, 3)],
    ["Odds", oddsWords(Math.exp(found.difference))],
    [`Wald test${refitted}`, pWords(found.pValue)],
  ];
  return make("dl", { class: "facts" }, ...entries.flatMap(([term, text]) => [make("dt", {}, term), make("dd", {}, text)]));
}
