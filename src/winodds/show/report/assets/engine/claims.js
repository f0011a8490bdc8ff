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
  const count = (sign) => Int32Array.from(beta, (_, i) => countByHolm(beta, p, adjusted, level, sign, i));
  return { p: adjusted, better: count(-1), worse: count(1), adjust: "holm" };
}

/** Of how many others it is certain that the player is ahead of them, or with a negative sign behind: from
 * the player's view, or among all pairs by their `adjusted` p-values.
 */
function countByHolm(beta, p, adjusted, level, sign, player) {
  const m = beta.length;
  const others = [...beta.keys()].filter((j) => j !== player);
  const ahead = others.map((j) => sign * (beta[player] - beta[j]) > 0);
  const oneSided = others.map((j, k) => (ahead[k] ? 0.5 * p[player * m + j] : 1 - 0.5 * p[player * m + j]));
  const claimed = holm(oneSided).map((own) => isToldApart(own, level));
  return others.filter((j, k) => {
    const alone = claimed[k] && isToldApart(p[player * m + j], level);
    return alone || (ahead[k] && isToldApart(adjusted[player * m + j], level));
  }).length;
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
//
// The largest statistic of each flip is kept with its owner: when claims are set aside, only flips
// that one of them owned change.

/** Claims by the law of the largest statistic when clusters change their signs.
 *
 * Nothing is claimed of a pair that the single p-values (m, m) do not tell apart.
 */
function claimByFlips(flips, p, level) {
  const m = flips.players;
  const { observed, above, below } = lookAtAll(flips);
  const largest = largestOfAll(flips, above);
  const claimed = above.map((_, player) => {
    const apart = [...above.keys()].filter((i) => i !== player && isToldApart(p[i * m + player], level));
    const views = [turned(flips, player, above[player], below[player], 1), turned(flips, player, below[player], above[player], -1)];
    return views.map((view) => claim(flips, view, apart.map((i) => [i, view.sign * observed[i * m + player]]), level));
  });
  const adjusted = stepDown(flips, observed, largest, p, level);
  const count = (side, sign) =>
    Int32Array.from(claimed, (own, player) => {
      const together = (i) => isToldApart(adjusted[i * m + player], level) && sign * observed[i * m + player] > 0;
      return claimed.filter((_, i) => own[side].has(i) || together(i)).length;
    });
  return { p: adjusted, better: count(0, 1), worse: count(1, -1), adjust: "max-t" };
}

/** The largest statistics of others minus the player, or with a negative sign of the player minus others:
 * in every flip (`own`), and then in its mirror image (`mirrored`). A single direction is judged, so a
 * flip and its mirror image are two.
 */
function turned(flips, player, own, mirrored, sign) {
  const F = flips.number;
  const join = (name, Kind) => Kind.from([...own[name], ...mirrored[name]]);
  const difference = (row, i, chosen, way) =>
    way > 0 ? flips.fill(row, i, player, chosen) : flips.fill(row, player, i, chosen);
  const fill = (row, i, chosen) => {
    const half = chosen.findIndex((f) => f >= F);
    const middle = half < 0 ? chosen.length : half;
    difference(row.subarray(0, middle), i, chosen.subarray(0, middle), sign);
    difference(row.subarray(middle), i, chosen.subarray(middle).map((f) => f - F), -sign);
  };
  return { sign, largest: { value: join("value", Float64Array), owner: join("owner", Int32Array) }, fill };
}

function noneOf(size) {
  return { value: new Float64Array(size), owner: new Int32Array(size).fill(-1) };
}

/** Statistics `observed` (m, m) of row minus column and, for each player, the largest of others minus
 * the player (`above`) and of the player minus others (`below`) in every flip.
 */
function lookAtAll(flips) {
  const { players: m, number: F } = flips;
  const observed = new Float64Array(m * m);
  const [above, below] = [0, 1].map(() => Array.from({ length: m }, () => noneOf(F)));
  const row = new Float64Array(F);
  for (let i = 1; i < m; i++) {
    for (let j = 0; j < i; j++) {
      flips.fill(row, i, j, null);
      observed[i * m + j] = row[0];
      observed[j * m + i] = -row[0];
      raise(above[j], row, i);
      raise(below[i], row, j);
      for (let f = 0; f < F; f++) row[f] = -row[f];
      raise(above[i], row, j);
      raise(below[j], row, i);
    }
  }
  return { observed, above, below };
}

/** Make the largest statistics those of a row where they are smaller. */
function raise({ value, owner }, row, own) {
  for (let f = 0; f < row.length; f++) {
    if (row[f] > value[f]) {
      value[f] = row[f];
      owner[f] = own;
    }
  }
}

/** The largest statistics of all pairs; a pair i, j is i · m + j with i > j. */
function largestOfAll({ players: m, number: F }, above) {
  const largest = noneOf(F);
  above.forEach(({ value, owner }, player) => {
    for (let f = 0; f < F; f++) {
      if (!(value[f] > largest.value[f])) continue;
      largest.value[f] = value[f];
      largest.owner[f] = Math.max(player, owner[f]) * m + Math.min(player, owner[f]);
    }
  });
  return largest;
}

/** Look again, among those that are `left`, for the largest statistics that others owned.
 *
 * `fill(row, own, chosen)` writes the statistics of one of them in the flips that are chosen.
 */
function lookAgain({ value, owner }, left, fill) {
  const kept = new Set(left);
  const chosen = Int32Array.from([...owner.keys()].filter((f) => owner[f] >= 0 && !kept.has(owner[f])));
  const found = noneOf(chosen.length);
  const row = new Float64Array(chosen.length);
  for (const own of left) {
    fill(row, own, chosen);
    raise(found, row, own);
  }
  chosen.forEach((f, k) => {
    value[f] = found.value[k];
    owner[f] = found.owner[k];
  });
}

/** Which others are beyond what the largest of those left reaches by chance.
 *
 * `apart` are those who are told apart if taken alone, each with its statistic.
 */
function claim({ players }, { largest, fill }, apart, level) {
  const size = largest.value.length;
  const place = size - 1 - Math.floor((1 - level) * size * (1 + EQUAL));
  let possible = apart.filter(([, statistic]) => statistic > 0);
  const left = new Set(Array.from({ length: players }, (_, i) => i));
  const found = new Set();
  while (possible.length) {
    const limit = orderStatistic(Float64Array.from(largest.value), place);
    const beyond = limit + EQUAL * Math.max(limit, 1);
    const fresh = possible.filter(([, statistic]) => statistic > beyond);
    if (!fresh.length) break;
    for (const [i] of fresh) {
      left.delete(i);
      found.add(i);
    }
    possible = possible.filter(([i]) => left.has(i));
    if (possible.length) lookAgain(largest, left, fill);
  }
  return found;
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

/** (m, m) adjusted p-values; `largest` are the largest statistics of all pairs. */
function stepDown(flips, observed, largest, p, level) {
  const { players: m, number: F } = flips;
  const adjusted = Float64Array.from(p);
  let left = [];
  for (let i = 1; i < m; i++) for (let j = 0; j < i; j++) left.push(i * m + j);
  for (let least = 0; ; ) {
    const sorted = Float64Array.from(largest.value).sort();
    for (const at of left) {
      const size = Math.abs(observed[at]);
      const reached = 1 - countBelow(sorted, size - EQUAL * Math.max(size, 1)) / F;
      adjusted[at] = adjusted[(at % m) * m + Math.floor(at / m)] = Math.max(reached, least, p[at]);
    }
    const rest = left.filter((at) => !isToldApart(adjusted[at], level));
    if (rest.length === left.length) return adjusted;
    for (const at of left) if (isToldApart(adjusted[at], level)) least = Math.max(least, adjusted[at]);
    left = rest;
    lookAgain(largest, left, (row, at, chosen) => {
      flips.fill(row, Math.floor(at / m), at % m, chosen);
      for (let k = 0; k < row.length; k++) row[k] = Math.abs(row[k]);
    });
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
