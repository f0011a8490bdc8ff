// Where players could truly stand: ranks, rank sets and letters, by the rules of placing.py.

import { EQUAL } from "./arrays.js";
import { include, includes, makeSets } from "./bits.js";
import { isToldApart, judgePairs } from "./claims.js";
import { assignLetters, findAlike } from "./letters.js";
import { contrastOf } from "./uncertainty.js";

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
 * Players are those of `order`, from the best down. Claims are robust also where intervals are not.
 */
export function placeInOrder(state, order) {
  const m = order.length;
  const claims = judgePairs(state, pairValues(state));
  const apart = (i, j) => isToldApart(claims.p[order[i] * m + order[j]], state.level);
  const together = makeSets(m, m);
  for (let i = 1; i < m; i++) {
    for (let j = 0; j < i; j++) {
      if (apart(i, j)) continue;
      include(together, i, j);
      include(together, j, i);
    }
  }
  const alike = findAlike(together);
  const { adjust } = claims;
  return { ...rankEnds(state, order, claims, apart), adjust, alike, letters: assignLetters(alike, m) };
}

/** Best and worst rank that each player could truly have: each end alone, or all of them at once. */
function rankEnds(state, order, { better, worse }, apart) {
  const m = order.length;
  if (state.ranks === "marginal") {
    const rankLow = Int32Array.from(order, (k) => 1 + better[k]);
    // Nobody is the first for certain while another could be.
    const least = rankLow.filter((low) => low === 1).length > 1 ? 2 : 1;
    return { rankLow, rankHigh: Int32Array.from(order, (k) => Math.max(m - worse[k], least)) };
  }
  const [rankLow, rankHigh] = [new Int32Array(m).fill(1), new Int32Array(m).fill(m)];
  for (let i = 1; i < m; i++) {
    for (let j = 0; j < i; j++) {
      if (!apart(i, j)) continue;
      const [above, below] = state.beta[order[i]] > state.beta[order[j]] ? [i, j] : [j, i];
      rankLow[below]++;
      rankHigh[above]--;
    }
  }
  return { rankLow, rankHigh };
}

/** (m, m) p-values of all pairs; 1 on the diagonal. */
export function pairValues(state) {
  const { inverse, level } = state;
  const m = state.beta.length;
  const values = new Float64Array(m * m).fill(1);
  for (let i = 1; i < m; i++) {
    for (let j = 0; j < i; j++) {
      const modelVariance = spreadOf(inverse, m, i, j);
      const cut = !(includes(state.reach, i, j) && includes(state.reach, j, i));
      const { pValue } = contrastOf(state, i, j, { modelVariance, cut, robust: true, level });
      values[i * m + j] = values[j * m + i] = pValue;
    }
  }
  return values;
}

/** Variance of the difference of two players, given the covariance (m, m) of all. */
function spreadOf(covariance, m, a, b) {
  return a === b ? 0 : covariance[a * m + a] + covariance[b * m + b] - 2 * covariance[a * m + b];
}
