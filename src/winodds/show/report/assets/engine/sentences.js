// What the page says when a choice cannot be rated, or should be doubted, in the words of Python's
// errors and notes.

import { count, listNames, quoteName, whole } from "../shared/english.js";

const SETS_SHOWN = 5;

/** One and several of each, where nobody says more. */
const HOUSE = { player: ["player", "players"], round: ["round", "rounds"] };

/** A choice of players and rounds that cannot be rated; its message is a plain sentence. */
export class RefitError extends Error {
  constructor(kind, message) {
    super(message);
    this.name = "RefitError";
    this.kind = kind;
  }
}

export function tooFewPlayers(names, { player: [one, many], round } = HOUSE) {
  const have = names.length ? `only ${quoteName(names[0])} has a score` : `no ${one} has one`;
  return new RefitError(
    "TooFewPlayers",
    `A leaderboard needs scores of at least two ${many}; ${have}. Switch more ${many} or ${round[1]} on.`,
  );
}

export function tooFewRounds(rounds, { player, round } = HOUSE) {
  const have = rounds === 1 ? "there is one" : "there is none";
  return new RefitError(
    "TooFewRounds",
    `A leaderboard needs at least two ${round[1]} in which ${player[1]} met; ${have}. Switch more on.`,
  );
}

export function noMatches({ player, round } = HOUSE) {
  return new RefitError(
    "NoMatches",
    `No two ${player[1]} met, so there is nothing to rate. Switch more ${player[1]} or ${round[1]} on.`,
  );
}

export function tooFewClusters(units) {
  return new RefitError(
    "TooFewClusters",
    `The interval comes from the variation between ${units}, and there is only one. Switch more ` +
      "on.",
  );
}

export function neverMet(components, { player, round } = HOUSE) {
  const describe = (names) => `${whole(names.length)} with ${listNames(names, 2)}`;
  const shown = components.slice(0, SETS_SHOWN).map(describe).join("; ");
  const rest = components.length - SETS_SHOWN;
  const more = rest > 0 ? `; and ${whole(rest)} more components` : "";
  return new RefitError(
    "NeverMet",
    `The ${player[1]} form ${whole(components.length)} components that never met: ${shown}${more}. ` +
      `Their ratings cannot be compared. Switch on ${round[1]} or ${player[1]} that link them.`,
  );
}

/** `sets` are names, from the best set down; `chain`: each won every match against those after. */
export function separated(sets, { chain, linked }, nouns = HOUSE) {
  return new RefitError(
    "Separated",
    `No maximum-likelihood rating exists: ${describeCuts(sets, chain, linked, nouns)} Switch more ` +
      `${nouns.round[1]} on, or such ${nouns.player[1]} off.`,
  );
}

/** Why interval ends of these sets are open. */
export function openEnds(sets, { chain, linked }, nouns = HOUSE) {
  const cuts = describeCuts(sets, chain, linked, nouns);
  const text = `${cuts} How wide such a gap is cannot be known: interval ends across it are open.`;
  return { kind: "doubt", name: "open_ends", text };
}

/** Whose average is 0; `outcome` is "won" or "lost" where all matches of all others went so. */
export function averageOfSet(players, others, outcome, { player } = HOUSE) {
  const every = outcome === null ? "" : ` ${outcome} every match and`;
  const text =
    `0 is the average of the largest set of ${player[1]} without such a gap between them ` +
    `(${whole(players)} of ${whole(players + others.length)}); ` +
    `${listNames(others)}${every} ${others.length === 1 ? "is" : "are"} not in it.`;
  return { kind: "scope", name: "average_of_set", text };
}

function describeCuts(sets, chain, linked, nouns) {
  if (sets.length === 2 && linked) return describeTwo(sets, nouns);
  const many = (names) => `${whole(names.length)} with ${listNames(names, 2)}`;
  const one = (names) => (names.length === 1 ? quoteName(names[0]) : many(names));
  const rest = sets.length - SETS_SHOWN;
  const more = rest > 0 ? `; and ${count(rest, "more set")}` : "";
  const shown = sets.slice(0, SETS_SHOWN).map(one).join("; ") + more;
  const start = `The ${nouns.player[1]} fall into ${whole(sets.length)} sets, and`;
  if (chain) return `${start} each won every match against those after it: ${shown}.`;
  const way = "between any two of them all matches, if there were any, went one way";
  return `${start} ${way}: ${shown}.`;
}

function describeTwo([top, bottom], { player }) {
  if (top.length === 1) return `${quoteName(top[0])} won every match.`;
  if (bottom.length === 1) return `${quoteName(bottom[0])} lost every match.`;
  return (
    `${count(top.length, ...player)} (${listNames(top)}) won every match against the other ` +
    `${whole(bottom.length)} (${listNames(bottom)}).`
  );
}

export function notConverged(iterations, step) {
  return new RefitError(
    "NotConverged",
    `The fit did not converge in ${iterations} iterations (the last step was ` +
      `${step.toExponential(1)}), so there are no ratings to report.`,
  );
}

export function singularInformation(players) {
  return new RefitError(
    "SingularInformation",
    `The ratings of the ${count(players, "player")} are so far apart that their uncertainty ` +
      "cannot be computed. Switch off players who lose, or win, nearly every match, or switch " +
      "more rounds on.",
  );
}
