// What the ways of counting matches share: standings, weights, clusters. The rules of matches/within.py.
//
// Every way of counting gives the same things:
//   met (m, m) total weight of each pair's matches; wins (m,) weighted wins;
//   rawWins, rawMatches (m,) each match counted once; played (m,) clusters of each player;
//   clusters; power of (G/(G − 1)) in the robust variance; designEffect of unequal weights;
//   reach, the graph of wins and ties; complete, whether everyone played every round;
//   matchWeight (R,) of a match in each round; of battles, the entries have theirs;
//   level, whether everyone met everyone equally often;
//   kept, whether clusters are kept one by one; if so,
//   matchesByCluster() and winsByCluster(): (m, G) weight of each player's matches and wins in each;
//   residuals(chances): (m, G) wins minus expected wins by cluster at (m, m) chances, or where
//   clusters are not kept (m, m) a square root of the sum over clusters of their outer products;
//   lostIn and wonIn (m,): in how many battles a player lost and won, where each is its own cluster;
//   clusterShares (G,) of all matches, for clusters that are not kept, null for single battles.

import { EQUAL } from "./arrays.js";
import { dot, outer, squareRoot } from "./linear.js";

/** The code of a failed run, below those of all scores. */
export const FAILED = 1;

/** How many entries of begin … end − 1 each of them beats, and how many beat it.
 *
 * An entry beats the codes below its limit; a failed run's code and limit are both the lowest.
 */
export function countStanding(cells, begin, end, beaten, beatenBy) {
  const { code, limit } = cells;
  let largest = 0;
  for (let k = begin; k < end; k++) largest = Math.max(largest, code[k], limit[k]);
  const below = new Int32Array(largest + 2);
  const reached = new Int32Array(largest + 2);
  for (let k = begin; k < end; k++) {
    below[code[k] + 1]++;
    reached[limit[k]]++;
  }
  for (let c = 1; c < below.length; c++) {
    below[c] += below[c - 1];
    reached[c] += reached[c - 1];
  }
  for (let k = begin; k < end; k++) {
    beaten[k] = below[limit[k]];
    beatenBy[k] = end - begin - reached[code[k]];
  }
}

/** Weights of rounds, those of one tournament divided by their sum: a pair counts once there. */
export function shareWeights(weight, tournament, tournaments) {
  const largest = new Float64Array(tournaments);
  weight.forEach((own, r) => (largest[tournament[r]] = Math.max(largest[tournament[r]], own)));
  const scaled = weight.map((own, r) => own / largest[tournament[r]]);
  const total = new Float64Array(tournaments);
  scaled.forEach((own, r) => (total[tournament[r]] += own));
  return scaled.map((own, r) => own / total[tournament[r]]);
}

/** A mean weight of one for a match. */
export function normaliseWeights(weight, matches) {
  if (weight.every((own) => own === weight[0])) return weight.map(() => 1);
  const factor = matches.reduce((a, b) => a + b, 0) / dot(weight, 0, matches, 0, weight.length);
  return weight.map((own) => own * factor);
}

/** Kish's design effect: how much unequal weights inflate a variance. */
export function kish(weight, matches) {
  const squares = weight.map((own) => own * own);
  const size = weight.length;
  return dot(squares, 0, matches, 0, size) / dot(weight, 0, matches, 0, size);
}

/** (m,) number of clusters in which each player has a score or a failed run. */
export function countClusters(selected) {
  const { cells, cluster, clusters, players } = selected;
  const seen = new Uint8Array(players.length * clusters);
  const played = new Int32Array(players.length);
  for (let r = 0; r < cluster.length; r++) {
    for (let k = cells.start[r]; k < cells.start[r + 1]; k++) {
      const at = cells.player[k] * clusters + cluster[r];
      if (!seen[at]) played[cells.player[k]]++;
      seen[at] = 1;
    }
  }
  return played;
}

/** (m,) in how many clusters each player lost anything, and won anything; null where these are not kept. */
export function outcomesOf(counted) {
  if (counted.lostIn) return { lost: counted.lostIn, won: counted.wonIn };
  if (!counted.kept) return null;
  const [matches, gained] = [counted.matchesByCluster(), counted.winsByCluster()];
  const least = EQUAL * matches.reduce((most, own) => Math.max(most, own), 0);
  const G = counted.clusters;
  const [lost, won] = [0, 1].map(() => new Int32Array(matches.length / G));
  matches.forEach((own, k) => {
    if (own - gained[k] > least) lost[Math.floor(k / G)]++;
    if (gained[k] > least) won[Math.floor(k / G)]++;
  });
  return { lost, won };
}

/** A root of the same outer product with no more columns than players. */
export function condense(residuals, players) {
  const clusters = residuals.length / players;
  if (clusters <= players) return residuals;
  return squareRoot(outer(residuals, players, clusters), players);
}

/** (m, G) sums over the rounds of each cluster of what the entries have, times their round's weight. */
export function sumByCluster({ cells, cluster, clusters, players }, weight, amount) {
  const sums = new Float64Array(players.length * clusters);
  for (let r = 0; r < weight.length; r++) {
    for (let k = cells.start[r]; k < cells.start[r + 1]; k++) {
      sums[cells.player[k] * clusters + cluster[r]] += weight[r] * amount[k];
    }
  }
  return sums;
}

export function countFailures(cells, begin, end) {
  let failures = 0;
  for (let k = begin; k < end; k++) if (cells.code[k] === FAILED) failures++;
  return failures;
}
