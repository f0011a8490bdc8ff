// Numbers as people read them, by the rules of the terminal's tables.

import { whole } from "../shared/english.js";

const ELO_ZERO = 1500;
const ELO_PER_LOGIT = 400 / Math.LN10;
const MOST_ODDS = 1000;
const LOW_OPEN = "-∞";
const HIGH_OPEN = "∞";

/** Letters that fit into a column. */
export const MOST_LETTERS = 12;

/** Probability of winning that belongs to a difference in EPP. */
export function sigmoid(x) {
  return x >= 0 ? 1 / (1 + Math.exp(-x)) : Math.exp(x) / (1 + Math.exp(x));
}

/** A computed number without the digits that are rounding, as in Python. */
function settle(value) {
  return Number(value.toPrecision(10));
}

/** A number with so many decimals, and no minus before a zero. */
export function fixed(value, digits) {
  return roundToEven(settle(value), digits);
}

/** The same of a settled number; halves go to the even digit, as in Python. */
function roundToEven(value, digits) {
  const scaled = value * 10 ** digits;
  // Only multiples of a power of ½ can lie exactly halfway; toFixed rounds these up.
  const halfway = Number.isInteger(value * 2 ** (digits + 1)) && Math.abs(scaled % 1) === 0.5;
  const text = (halfway ? (2 * Math.round(scaled / 2)) / 10 ** digits : value).toFixed(digits);
  return /^-0(\.0*)?$/.test(text) ? text.slice(1) : text;
}

/** The player at 0: the average of all, or of so many who can be compared with each other. */
export function averagePlayer(averaged, { nouns }) {
  const [one, many] = nouns.player;
  return averaged === null ? `the average ${one}` : `the average of ${whole(averaged)} comparable ${many}`;
}

/** A chance in percent, never rounded to certainty. */
export function percent(chance) {
  const settled = settle(chance);
  if (settled < 0.01) return "<1%";
  return settled > 0.99 ? ">99%" : `${roundToEven(100 * settled, 0)}%`;
}

/** A rating on one of the scales: "epp", "elo" or "win-rate". */
export function ratingWords(value, scale) {
  if (scale === "elo") return fixed(ELO_ZERO + ELO_PER_LOGIT * value, 0);
  return scale === "win-rate" ? percent(sigmoid(value)) : fixed(value, 2);
}

/** A rating as a number on one of the scales. */
export function onScale(value, scale) {
  if (scale === "elo") return ELO_ZERO + ELO_PER_LOGIT * value;
  return scale === "win-rate" ? sigmoid(value) : value;
}

/** The standard error of a rating; that of a chance would not be the same on both sides. */
export function errorWords(se, scale) {
  if (scale === "elo") return fixed(ELO_PER_LOGIT * se, 1);
  return scale === "win-rate" ? "" : fixed(se, 3);
}

/** An interval, whose ends are null where they are open. */
export function intervalWords(low, high, scale) {
  if (scale === "win-rate") return `${endOfHundred(low, "0")}–${endOfHundred(high, "100")}%`;
  const [below, above] = [LOW_OPEN, HIGH_OPEN];
  const from = low === null ? below : ratingWords(low, scale);
  return `${from} … ${high === null ? above : ratingWords(high, scale)}`;
}

/** Ranks from one to another. */
export function rankRange(low, high) {
  if (low === null || low === undefined) return "";
  return low === high ? `${low}` : `${low}–${high}`;
}

/** As many letters as fit into one line; laying out all of it would take seconds. */
export function shortLetters(letters) {
  return letters.length <= MOST_LETTERS ? letters : `${letters.slice(0, MOST_LETTERS - 1)}…`;
}

/**
 * How a value becomes a cell, by the format that Python declares for its column. `end` is the value of the column that
 * shares the cell, `scale` that of ratings. What is missing is an empty cell, but for an interval, whose ends may be open.
 */
export const CELLS = {
  rank: (value) => String(value),
  ranks: (value, { end }) => rankRange(value, end),
  name: (value) => value,
  words: (value) => value,
  rating: (value, { scale }) => ratingWords(value, scale),
  interval: (value, { end, scale }) => intervalWords(value, end, scale),
  error: (value, { scale }) => errorWords(value, scale),
  chance: (value) => percent(value),
  letters: (value) => shortLetters(value),
  number: (value) => value.toLocaleString("en-US"),
  count: (value) => whole(value),
  score: (value) => value.toPrecision(5),
  mean: (value) => value.toPrecision(5),
  notes: (value) => value.map((note) => note.text).join("; "),
};

/** A chance as so many of 100, never all of them. */
export function ofHundred(chance) {
  const settled = settle(chance);
  if (settled >= 0.01 && settled <= 0.99) return `${fixed(100 * settled, 0)} of 100`;
  return settled > 0.5 ? "more than 99 of 100" : "fewer than 1 of 100";
}

/** An end of an interval as so many of 100; only an open one, which is null, is none or all. */
export function endOfHundred(end, open) {
  return end === null ? open : endOfShares(sigmoid(end), true);
}

/** The same of a share; 0 and 1 are ends that are open, unless it is `inside`. */
export function endOfShares(share, inside = false) {
  const settled = settle(share);
  if (!inside && (settled === 0 || settled === 1)) return `${100 * settled}`;
  if (settled < 0.01) return "<1";
  return settled > 0.99 ? ">99" : fixed(100 * settled, 0);
}

/** Odds as people say them. */
export function oddsWords(odds) {
  if (odds > 0.95 && odds < 1.05) return "1 to 1";
  if (odds > MOST_ODDS) return `more than ${whole(MOST_ODDS)} to 1`;
  if (odds < 1 / MOST_ODDS) return `less than 1 to ${whole(MOST_ODDS)}`;
  return odds < 1 ? `1 to ${shortOdds(1 / odds)}` : `${shortOdds(odds)} to 1`;
}

/** Odds across a gap that is open: what the end that is known says of them, if anything. */
export function openOddsWords(low, high) {
  if (low !== null && low > 0) return beyond("more", Math.exp(low));
  if (high !== null && high < 0) return beyond("less", Math.exp(high));
  return "not known: all matches went one way";
}

/** More or less than these odds; of extreme ones their words say that already. */
function beyond(more, odds) {
  const extreme = odds > MOST_ODDS || odds < 1 / MOST_ODDS;
  return extreme ? oddsWords(odds) : `${more} than ${oddsWords(odds)}`;
}

function shortOdds(value) {
  if (value >= 99.95) return whole(value);
  return value.toLocaleString("en-US", { minimumFractionDigits: 1, maximumFractionDigits: 1 });
}

/** A p-value, never rounded to 0. */
export function pWords(p) {
  if (p < 0.001) return "p < 0.001";
  return p < 0.0995 ? `p = ${fixed(p, 3)}` : `p = ${fixed(p, 2)}`;
}

/** The name of a board for people; of a single one, nothing. */
export function labelOf(board) {
  return board.label ?? board.name ?? "";
}

/** What a board was made of: "all models and splits". */
export function everythingOf({ nouns, match_kind: kind }) {
  return `all ${nouns.player[1]} and ${kind === "battles" ? "battles" : nouns.round[1]}`;
}

/** What ratings are about: "in a new split of a new data set". */
export function inNewRound(board, view) {
  return `in a new ${board.won.one}${view.newTournaments ? ` of a new ${board.nouns.tournament[0]}` : ""}`;
}
