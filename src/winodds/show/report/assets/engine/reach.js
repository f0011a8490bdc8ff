// Chains of wins and ties: who reaches whom, components that never met, sets that won every match.

import { include, includes, makeSets, unite } from "./bits.js";

/** An empty graph of wins and ties among so many players. */
export function makeReach(players) {
  return makeSets(players, players);
}

/** Note that of the entries begin … end − 1 each reaches those that did not beat it.
 *
 * `cells` has player, code (1 is a failed run) and limit of each entry; a score beats the codes
 * below its limit.
 */
export function reachWithin(reach, cells, begin, end) {
  const { player, code, limit } = cells;
  const byLimit = sortBy(limit, begin, end);
  const byCode = sortBy(code, begin, end);
  const unbeaten = makeSets(1, reach.size);
  let next = 0;
  for (const entry of byCode) {
    while (next < byLimit.length && limit[byLimit[next]] <= code[entry]) {
      include(unbeaten, 0, player[byLimit[next]]);
      next++;
    }
    if (code[entry] > 1) unite(reach, player[entry], unbeaten, 0);
  }
}

/** The entries begin … end − 1 by their rising key; keys are small, so they are counted. */
function sortBy(key, begin, end) {
  let largest = 0;
  for (let k = begin; k < end; k++) largest = Math.max(largest, key[k]);
  const next = new Int32Array(largest + 2);
  for (let k = begin; k < end; k++) next[key[k] + 1]++;
  for (let c = 1; c < next.length; c++) next[c] += next[c - 1];
  const sorted = new Int32Array(end - begin);
  for (let k = begin; k < end; k++) sorted[next[key[k]]++] = k;
  return sorted;
}

/** Numbers of the components within which all are linked by wins or ties in any direction. */
export function findComponents(reach) {
  const players = reach.size;
  const label = Array.from({ length: players }, (_, k) => k);
  const root = (k) => {
    let own = k;
    while (label[own] !== own) own = label[own] = label[label[own]];
    return own;
  };
  for (let i = 0; i < players; i++) {
    for (let j = 0; j < players; j++) {
      if (includes(reach, i, j)) label[root(i)] = root(j);
    }
  }
  return label.map((_, k) => root(k));
}

/** Follow chains of any length, in place (Warshall); everyone reaches themselves. */
export function closeReach(reach) {
  const players = reach.size;
  for (let k = 0; k < players; k++) include(reach, k, k);
  for (let k = 0; k < players; k++) {
    for (let i = 0; i < players; i++) {
      if (i !== k && includes(reach, i, k)) unite(reach, i, reach, k);
    }
  }
}

/** Who reaches a player, and whom the player reaches, (m,) each. */
export function reachOf(reach, player) {
  const size = reach.size;
  return {
    to: Uint8Array.from({ length: size }, (_, other) => includes(reach, other, player)),
    from: Uint8Array.from({ length: size }, (_, other) => includes(reach, player, other)),
  };
}

/** Whether each player reaches everyone, and whether everyone reaches the player. */
export function findEnds(reach) {
  const size = reach.size;
  const all = new Uint8Array(size).fill(1);
  const byAll = new Uint8Array(size).fill(1);
  for (let i = 0; i < size; i++) {
    for (let j = 0; j < size; j++) if (!includes(reach, i, j)) all[i] = byAll[j] = 0;
  }
  return { low: all, high: byAll };
}

/** Sets of players who reach each other, by falling mean of their share of wins. */
export function findSets(reach, share) {
  const sets = [];
  const taken = new Uint8Array(reach.size);
  for (let i = 0; i < reach.size; i++) {
    if (taken[i]) continue;
    const own = [];
    for (let j = i; j < reach.size; j++) {
      if (includes(reach, i, j) && includes(reach, j, i)) own.push(j);
    }
    for (const player of own) taken[player] = 1;
    sets.push(own);
  }
  const mean = (own) => own.reduce((sum, player) => sum + share[player], 0) / own.length;
  return sets.sort((a, b) => mean(b) - mean(a));
}
