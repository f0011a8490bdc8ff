// Where players could truly stand: ranks, rank sets and letters, by the rules of placing.py.

import { EQUAL } from "./arrays.js";
import { include, includes, makeSets } from "./bits.js";
import { assignLetters, findAlike } from "./letters.js";
import { outer } from "./linear.js";
import { errorsOf, pValue } from "./uncertainty.js";

/** The players from the best down, equal ones by `nameRank` (m,), and the ranks in that order. */
export function rankPlayers(beta, nameRank) {
  const order = [...beta.keys()].sort((a, b) => beta[b] - beta[a] || nameRank[a] - nameRank[b]);
  const first = order.map((_, k) => k);
  for (let k = 1; k < order.length; k++) {
    const [better, worse] = [beta[order[k - 1]], beta[order[k]]];
    if (!(better - worse > EQUAL * Math.max(Math.abs(worse), 1))) first[k] = first[k - 1];
  }
  const places = order.map((player, k) => [first[k], player]);
  places.sort((a, b) => a[0] - b[0] || nameRank[a[1]] - nameRank[b[1]]);
  return { order: places.map((own) => own[1]), rank: first.map((own) => own + 1) };
}

/** Lowest and highest rank that each player could truly have, and letters.
 *
 * Players are those of `order`, from the best down; claims hold for all pairs at once, and are
 * robust also where intervals are not.
 */
export function placeInOrder(state, order) {
  const m = order.length;
  const p = pairValues(state, order);
  const alpha = 1 - state.level;
  const sorted = p.slice().sort();
  const pairs = p.length;
  const certain = lastClaim(sorted, alpha, (k) => pairs - 0.5 * k);
  const apart = lastClaim(sorted, alpha, (k) => pairs - k);
  const rankLow = new Int32Array(m).fill(1);
  const rankHigh = new Int32Array(m).fill(m);
  const together = makeSets(m, m);
  for (let i = 1, k = 0; i < m; i++) {
    for (let j = 0; j < i; j++, k++) {
      const difference = state.beta[order[i]] - state.beta[order[j]];
      if (p[k] <= certain) addClaim(difference, i, j, rankLow, rankHigh);
      if (p[k] <= apart) continue;
      include(together, i, j);
      include(together, j, i);
    }
  }
  const alike = findAlike(together);
  return { rankLow, rankHigh, alike, letters: assignLetters(alike, m) };
}

function addClaim(difference, i, j, rankLow, rankHigh) {
  if (difference === 0) return;
  const [better, worse] = difference > 0 ? [i, j] : [j, i];
  rankLow[worse]++;
  rankHigh[better]--;
}

/** The largest p-value that a step-down procedure with these factors calls significant, or −1. */
function lastClaim(sorted, alpha, factor) {
  let k = 0;
  while (k < sorted.length && Math.min(sorted[k] * factor(k), 1) * (1 - EQUAL) <= alpha) k++;
  return k ? sorted[k - 1] : -1;
}

/** P-values of all pairs, (1, 0), (2, 0), (2, 1), … in the order given. */
function pairValues(state, order) {
  const m = order.length;
  const { inverse } = state;
  const covariance = outer(state.influence, m, state.columns);
  const values = new Float64Array((m * (m - 1)) / 2);
  for (let i = 1, k = 0; i < m; i++) {
    for (let j = 0; j < i; j++, k++) {
      const a = order[i];
      const b = order[j];
      const errors = errorsOf(
        state,
        spreadOf(inverse, m, a, b),
        spreadOf(covariance, m, a, b),
        Math.min(state.played[a], state.played[b]),
      );
      const cut = !(includes(state.reach, a, b) && includes(state.reach, b, a));
      values[k] = pValue(state.beta[a] - state.beta[b], errors, cut);
    }
  }
  return values;
}

/** Variance of the difference of two players, given the covariance (m, m) of all. */
export function spreadOf(covariance, m, a, b) {
  return a === b ? 0 : covariance[a * m + a] + covariance[b * m + b] - 2 * covariance[a * m + b];
}
