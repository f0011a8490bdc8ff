// Claims about all players at once: who is told apart, and how many are better or worse. The rules of claims.py.

import { EQUAL } from "./arrays.js";
import { canDecide, makeFlips } from "./signs.js";

/** Where p-values tell that there is a difference. */
export function isToldApart(p, level) {
  return p * (1 - EQUAL) <= 1 - level;
}

/** Who is better than whom, by p-values (m, m) of single pairs: `p` (m, m) adjusted for all pairs, how
 * many others are `better` or `worse` (m,) than a player for certain, and how it was `adjust`ed.
 *
 * The state has beta, level, seed, clustering and contributions.
 */
export function judgePairs(state, p) {
  const { beta, clustering, contributions, level } = state;
  if (contributions !== null && canDecide(median(clustering.df), level)) {
    return claimByFlips(makeFlips(contributions, clustering, state.seed), p, level);
  }
  return claimByHolm(beta, p, level);
}

function median(values) {
  const sorted = Float64Array.from(values).sort();
  const half = sorted.length >> 1;
  return sorted.length % 2 ? sorted[half] : 0.5 * (sorted[half - 1] + sorted[half]);
}

// By Holm

function claimByHolm(beta, p, level) {
  const m = beta.length;
  const pairs = [];
  for (let i = 1; i < m; i++) for (let j = 0; j < i; j++) pairs.push([i, j]);
  const adjusted = new Float64Array(m * m).fill(1);
  holm(pairs.map(([i, j]) => p[i * m + j])).forEach((own, k) => {
    const [i, j] = pairs[k];
    adjusted[i * m + j] = adjusted[j * m + i] = own;
  });
  const count = (sign) => Int32Array.from(beta, (_, i) => countByHolm(beta, p, level, sign, i));
  return { p: adjusted, better: count(-1), worse: count(1), adjust: "holm" };
}

/** Of how many others it is certain that the player is ahead of them, or with a negative sign behind. */
function countByHolm(beta, p, level, sign, player) {
  const m = beta.length;
  const others = [...beta.keys()].filter((j) => j !== player);
  const oneSided = others.map((j) => {
    const half = 0.5 * p[player * m + j];
    return sign * (beta[player] - beta[j]) > 0 ? half : 1 - half;
  });
  const claimed = holm(oneSided).map((own) => isToldApart(own, level));
  return others.filter((j, k) => claimed[k] && isToldApart(p[player * m + j], level)).length;
}

/** Holm's adjusted p-values: the chance of any false claim stays below the level. */
function holm(p) {
  const order = [...p.keys()].sort((a, b) => p[a] - p[b]);
  const adjusted = new Float64Array(p.length);
  let least = 0;
  order.forEach((k, rank) => {
    least = Math.max(least, Math.min(p[k] * (p.length - rank), 1));
    adjusted[k] = least;
  });
  return adjusted;
}

// By flips

/** Claims by the law of the largest statistic when clusters change their signs.
 *
 * Nothing is claimed of a pair that the single p-values (m, m) do not tell apart.
 */
function claimByFlips(flips, p, level) {
  const { players: m, number: F } = flips;
  const [better, worse] = [new Int32Array(m), new Int32Array(m)];
  const observed = new Float64Array(m * m);
  const largest = new Float64Array(F);
  const changes = Array.from({ length: m }, () => new Float64Array(F));
  for (let player = 0; player < m; player++) {
    changes.forEach((row, i) => flips.fill(row, i, player));
    const [most, least] = [new Float64Array(F), new Float64Array(F)];
    changes.forEach((row, i) => {
      observed[i * m + player] = Math.abs(row[0]);
      for (let f = 0; f < F; f++) {
        if (row[f] > most[f]) most[f] = row[f];
        else if (-row[f] > least[f]) least[f] = -row[f];
      }
    });
    raise(largest, most);
    raise(largest, least);
    const apart = changes.map((_, i) => i !== player && isToldApart(p[i * m + player], level));
    better[player] = countClaims(changes, most, apart, level, 1);
    worse[player] = countClaims(changes, least, apart, level, -1);
  }
  return { p: stepDown(flips, observed, largest, p, level), better, worse, adjust: "max-t" };
}

function raise(target, values) {
  for (let f = 0; f < target.length; f++) if (values[f] > target[f]) target[f] = values[f];
}

/** How many rows begin beyond what the largest of those left reaches by chance.
 *
 * `extreme` (F,) is the largest of all rows, or with a negative sign of what they are below 0.
 */
function countClaims(changes, extreme, apart, level, sign) {
  const F = extreme.length;
  const place = F - 1 - Math.floor((1 - level) * F * (1 + EQUAL));
  let possible = [...changes.keys()].filter((i) => apart[i] && sign * changes[i][0] > 0);
  const left = new Set(changes.keys());
  let largest = extreme;
  while (possible.length) {
    const limit = orderStatistic(Float64Array.from(largest), place);
    const fresh = possible.filter((i) => sign * changes[i][0] > limit + EQUAL * Math.max(limit, 1));
    if (!fresh.length) break;
    for (const i of fresh) left.delete(i);
    possible = possible.filter((i) => left.has(i));
    if (possible.length) largest = largestOfRows(changes, left, F, sign);
  }
  return changes.length - left.size;
}

/** (F,) the largest of some rows times the sign; the player's own row of zeros is among them. */
function largestOfRows(changes, rows, F, sign) {
  const largest = new Float64Array(F);
  for (const i of rows) {
    const row = changes[i];
    if (sign > 0) raise(largest, row);
    else for (let f = 0; f < F; f++) if (-row[f] > largest[f]) largest[f] = -row[f];
  }
  return largest;
}

/** The number that would stand at a place if they were sorted (Hoare's quickselect); moves them. */
function orderStatistic(values, place) {
  let [low, high] = [0, values.length - 1];
  while (low < high) {
    const pivot = values[place];
    let [i, j] = [low, high];
    while (i <= j) {
      while (values[i] < pivot) i++;
      while (values[j] > pivot) j--;
      if (i > j) break;
      const own = values[i];
      values[i++] = values[j];
      values[j--] = own;
    }
    if (j < place) low = i;
    if (place < i) high = j;
  }
  return values[place];
}

/** (m, m) adjusted p-values; `first` (F,) are the largest statistics of all pairs. */
function stepDown(flips, observed, first, p, level) {
  const { players: m, number: F } = flips;
  const adjusted = Float64Array.from(p);
  let left = [];
  for (let i = 1; i < m; i++) for (let j = 0; j < i; j++) left.push(i * m + j);
  let [least, largest] = [0, first];
  for (;;) {
    const sorted = Float64Array.from(largest).sort();
    for (const at of left) {
      const limit = observed[at] - EQUAL * Math.max(observed[at], 1);
      const own = Math.max(1 - countBelow(sorted, limit) / F, least, p[at]);
      adjusted[at] = adjusted[(at % m) * m + Math.floor(at / m)] = own;
    }
    const fresh = left.filter((at) => isToldApart(adjusted[at], level));
    if (!fresh.length) return adjusted;
    for (const at of fresh) least = Math.max(least, adjusted[at]);
    left = left.filter((at) => !isToldApart(adjusted[at], level));
    largest = largestOfPairs(flips, left);
  }
}

/** How many of the sorted numbers are below a limit. */
function countBelow(sorted, limit) {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (sorted[middle] < limit) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** (F,) largest statistic, in either direction, of some pairs. */
function largestOfPairs(flips, pairs) {
  const { players: m, number: F } = flips;
  const largest = new Float64Array(F);
  const row = new Float64Array(F);
  for (const at of pairs) {
    flips.fill(row, Math.floor(at / m), at % m);
    for (let f = 0; f < F; f++) {
      const size = Math.abs(row[f]);
      if (size > largest[f]) largest[f] = size;
    }
  }
  return largest;
}
