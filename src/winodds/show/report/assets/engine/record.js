// What two players did against each other: the rules of meetings.py and record.py.
//
// The meetings of a pair are sums over the clusters in which the two met: `total` weight of the
// matches, weighted wins of the first (`won`), `squares` of the clusters' weights, how many
// `clusters` and `matches`, and on how many clusters a match hangs (`hung`). variation(p) is the sum
// of squares of wins minus p times the weight.

import { EQUAL } from "./arrays.js";
import { dfOf, inflationOf } from "./clusters.js";
import { FAILED } from "./counting.js";
import { studentQuantile } from "./laws.js";

const SURPRISE = 2;

/** The meetings of two players from their scores, lists of { round, code, limit } in ascending rounds.
 *
 * `rules` has `kind`, and for each round its `cluster`, `tournament` and `weight` (null for all alike).
 */
export function meetWithScores(own, others, rules) {
  return rules.kind === "across" ? meetByTournament(own, others, rules) : meetByRound(own, others, rules);
}

function outcomeOf(one, two) {
  if (two.code < one.limit) return 1;
  return one.code < two.limit ? 0 : 0.5;
}

function areBothFailed(one, two) {
  return one.code === FAILED && two.code === FAILED;
}

function meetByRound(own, others, { cluster, weight }) {
  const sums = new Map();
  const theirs = new Map(others.map((score) => [score.round, score]));
  let matches = 0;
  for (const one of own) {
    const two = theirs.get(one.round);
    if (two === undefined || areBothFailed(one, two)) continue;
    const amount = weight ? weight[one.round] : 1;
    addTo(sums, cluster[one.round], amount * outcomeOf(one, two), amount);
    matches++;
  }
  return addTogether(sums, matches, 1);
}

/** Every score of the one meets every score of the other in the same tournament. */
function meetByTournament(own, others, { cluster, tournament, weight }) {
  const sums = new Map();
  // Where clusters are whole tournaments, both halves of a match are in one of them.
  const hung = tournament.every((label) => label === tournament[0]) ? 2 : 1;
  let matches = 0;
  for (const one of own) {
    for (const two of others) {
      if (tournament[one.round] !== tournament[two.round] || areBothFailed(one, two)) continue;
      const amount = (weight ? weight[one.round] : 1) * 0.5 * hung;
      const won = amount * outcomeOf(one, two);
      addTo(sums, cluster[one.round], won, amount);
      addTo(sums, cluster[two.round], won, amount);
      matches++;
    }
  }
  return addTogether(sums, matches, hung);
}

/** The meetings of two players from battles that were added up; `win` is the outcome of a won one. */
export function meetInBattles({ first, second, outcome, count, weight, square, cluster }, win, a, b) {
  const sums = new Map();
  const alone = [];
  let matches = 0;
  for (let k = 0; k < first.length; k++) {
    const straight = first[k] === a && second[k] === b;
    if (!straight && !(first[k] === b && second[k] === a)) continue;
    const share = (straight ? outcome[k] : win - outcome[k]) / win;
    const [amount, squared] = [(weight ?? count)[k], (square ?? count)[k]];
    matches += count[k];
    if (cluster) addTo(sums, cluster[k], amount * share, amount);
    else alone.push({ share, amount, squared });
  }
  return cluster ? addTogether(sums, matches, 1) : addUpAlone(alone, matches);
}

/** Without clusters each battle is its own; those with one outcome come together. */
function addUpAlone(entries, matches) {
  const sum = (amount) => entries.reduce((total, own) => total + amount(own), 0);
  return {
    total: sum(({ amount }) => amount),
    won: sum(({ amount, share }) => amount * share),
    squares: sum(({ squared }) => squared),
    clusters: matches,
    matches,
    hung: 1,
    variation: (p) => sum(({ share, squared }) => squared * (share - p) ** 2),
  };
}

function addTo(sums, cluster, won, met) {
  const own = sums.get(cluster) ?? { won: 0, met: 0 };
  own.won += won;
  own.met += met;
  sums.set(cluster, own);
}

function addTogether(sums, matches, hung) {
  const parts = [...sums.values()];
  const sum = (amount) => parts.reduce((total, own) => total + amount(own), 0);
  return {
    total: sum(({ met }) => met),
    won: sum(({ won }) => won),
    squares: sum(({ met }) => met * met),
    clusters: parts.length,
    matches,
    hung,
    variation: (p) => sum(({ won, met }) => (won - p * met) ** 2),
  };
}

/** The share that the first player won, with its interval; null for two who never met.
 *
 * `expected` is the share by their ratings; `differs` says whether the two disagree.
 */
export function judgeRecord(met, level, expected) {
  if (met.matches === 0) return null;
  const won = met.won / met.total;
  const effective = effectiveMatches(met, won);
  const [low, high] = met.clusters === 1 ? [0, 1] : wilson(won, effective, quantileOf(met, level));
  const error = Math.sqrt((expected * (1 - expected)) / effective);
  const differs = Math.abs(won - expected) > SURPRISE * error + EQUAL;
  return { won, low, high, matches: met.matches, effective, expected, differs };
}

/** Clusters of equal weight that would carry as much. */
function equalClusters({ total, squares }) {
  return (total * total) / squares;
}

function quantileOf(met, level) {
  return studentQuantile(0.5 + 0.5 * level, dfOf(equalClusters(met)));
}

function effectiveMatches(met, share) {
  const { matches, clusters } = met;
  const largest = Math.max(matches / equalClusters(met), 1);
  const rare = Math.min(share, 1 - share);
  if (rare < EQUAL || clusters === 1) return matches / largest;
  const variance = (inflationOf(clusters) * met.variation(share)) / (met.total / met.hung) ** 2;
  const seen = Math.max((variance * dfOf(matches)) / (share * (1 - share)), 1);
  const known = (matches * rare) / seen;
  return (matches * (known + 1)) / (known * seen + largest);
}

function wilson(share, matches, quantile) {
  const more = (quantile * quantile) / matches;
  const middle = (share + 0.5 * more) / (1 + more);
  const half = Math.sqrt(more * share * (1 - share) + 0.25 * more * more) / (1 + more);
  return [Math.max(middle - half, 0), Math.min(middle + half, 1)];
}
