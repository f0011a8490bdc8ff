// Battles → matches: the rules of battles in matches/battles.py, from battles added up beforehand.
//
// An entry stands for `count` battles of `first` and `second` with one outcome (0 lost, 1 tied,
// 2 won by the first) and in one cluster; `weight` and `square` are the sums of their weights and
// squared weights.

import { include } from "./bits.js";
import { areKept, liftsOf } from "./clusters.js";
import { squareRoot } from "./linear.js";
import { makeReach } from "./reach.js";
import { countLabels, listChosen, renumber } from "./selection.js";
import { noMatches, tooFewClusters } from "./sentences.js";

/** The entries of the chosen players among themselves, players and clusters numbered anew. */
export function selectBattles(model, chosen) {
  const wanted = listChosen(chosen.players, model.players);
  const inside = new Uint8Array(model.players);
  for (const p of wanted) inside[p] = 1;
  const { first, second } = model.entries;
  const kept = listChosen(first.map((own, k) => inside[own] && inside[second[k]]), first.length);
  if (!kept.length) throw noMatches(model.nouns);
  const present = new Uint8Array(model.players);
  for (const k of kept) present[first[k]] = present[second[k]] = 1;
  const players = wanted.filter((p) => present[p]);
  const entries = takeEntries(model, kept, players);
  const battles = entries.count.reduce((a, b) => a + b, 0);
  const clusters = entries.cluster ? countLabels(entries.cluster) : battles;
  if (clusters < 2) throw tooFewClusters(model.units);
  return { players, unmatched: wanted.filter((p) => !present[p]), entries, battles, clusters, byRounds: false };
}

function takeEntries(model, kept, players) {
  const number = new Int32Array(model.players);
  players.forEach((p, k) => (number[p] = k));
  const { first, second, outcome, count, weight, square, cluster } = model.entries;
  return {
    first: Int32Array.from(kept, (k) => number[first[k]]),
    second: Int32Array.from(kept, (k) => number[second[k]]),
    outcome: Float64Array.from(kept, (k) => 0.5 * outcome[k]),
    count: Float64Array.from(kept, (k) => count[k]),
    weight: Float64Array.from(kept, (k) => (weight ?? count)[k]),
    square: Float64Array.from(kept, (k) => (square ?? count)[k]),
    cluster: cluster && renumber(kept.map((k) => cluster[k])),
  };
}

/** The same things as in counting.js. */
export function countBattles(selected) {
  const size = selected.players.length;
  const { first, second, outcome, count, weight, square } = selected.entries;
  const scale = selected.battles / weight.reduce((a, b) => a + b, 0);
  const [met, wins] = [new Float64Array(size * size), new Float64Array(size)];
  const [rawWins, rawMatches] = [new Float64Array(size), new Int32Array(size)];
  const reach = makeReach(size);
  for (let k = 0; k < first.length; k++) {
    const [i, j, won] = [first[k], second[k], outcome[k]];
    met[i * size + j] += scale * weight[k];
    met[j * size + i] += scale * weight[k];
    wins[i] += scale * weight[k] * won;
    wins[j] += scale * weight[k] * (1 - won);
    rawWins[i] += count[k] * won;
    rawWins[j] += count[k] * (1 - won);
    rawMatches[i] += count[k];
    rawMatches[j] += count[k];
    if (won > 0) include(reach, i, j);
    if (won < 1) include(reach, j, i);
  }
  return {
    met,
    wins,
    rawWins,
    rawMatches,
    played: selected.entries.cluster ? countOwnClusters(selected) : rawMatches,
    clusters: selected.clusters,
    power: 1,
    designEffect: (scale * scale * square.reduce((a, b) => a + b, 0)) / selected.battles,
    reach,
    complete: false,
    level: false,
    ...byClusters(selected, scale),
    ...(selected.entries.cluster ? {} : countOutcomes(selected)),
  };
}

/** (m,) in how many battles each player lost, `lostIn`, and won, `wonIn`; a tie is both. */
function countOutcomes({ entries, players }) {
  const [lostIn, wonIn] = [new Int32Array(players.length), new Int32Array(players.length)];
  entries.outcome.forEach((own, k) => {
    const [first, second, count] = [entries.first[k], entries.second[k], entries.count[k]];
    if (own > 0) {
      wonIn[first] += count;
      lostIn[second] += count;
    }
    if (own < 1) {
      lostIn[first] += count;
      wonIn[second] += count;
    }
  });
  return { lostIn, wonIn };
}

/** What hangs on each cluster, where there are any and they are kept one by one. */
function byClusters(selected, scale) {
  const { entries, clusters } = selected;
  const size = selected.players.length;
  const kept = entries.cluster !== null && areKept(clusters, size);
  const surprise = (chances) => (k) => entries.outcome[k] - chances[entries.first[k] * size + entries.second[k]];
  if (!kept) {
    const clusterShares = entries.cluster && sharesOf(entries, clusters);
    const meat = (chances) => battleMeat(selected, scale, surprise(chances), clusterShares);
    return { kept, clusterShares, residuals: (chances) => squareRoot(meat(chances), size) };
  }
  const sums = (own, others) => {
    const table = new Float64Array(size * clusters);
    entries.weight.forEach((weight, k) => {
      table[entries.first[k] * clusters + entries.cluster[k]] += scale * weight * own(k);
      table[entries.second[k] * clusters + entries.cluster[k]] += scale * weight * others(k);
    });
    return table;
  };
  return {
    kept,
    matchesByCluster: () => sums(() => 1, () => 1),
    winsByCluster: () => sums((k) => entries.outcome[k], (k) => 1 - entries.outcome[k]),
    residuals: (chances) => sums(surprise(chances), (k) => -surprise(chances)(k)),
  };
}

/** (G,) share of all matches that each cluster holds. */
function sharesOf({ weight, cluster }, clusters) {
  const share = new Float64Array(clusters);
  weight.forEach((own, k) => (share[cluster[k]] += own));
  const total = weight.reduce((a, b) => a + b, 0);
  return share.map((own) => own / total);
}

function countOwnClusters(selected) {
  const { first, second, cluster } = selected.entries;
  const seen = Array.from(selected.players, () => new Set());
  for (let k = 0; k < first.length; k++) {
    seen[first[k]].add(cluster[k]);
    seen[second[k]].add(cluster[k]);
  }
  return Int32Array.from(seen, (own) => own.size);
}

/** (m, m) sum over the clusters of outer products of wins minus expected wins, by their shares of all matches. */
function battleMeat(selected, scale, surprise, clusterShares) {
  const size = selected.players.length;
  const { first, second, weight, square, cluster } = selected.entries;
  const meat = new Float64Array(size * size);
  if (cluster) {
    const root = liftsOf(clusterShares).map(Math.sqrt);
    const amount = Float64Array.from(weight, (own, k) => root[cluster[k]] * scale * own * surprise(k));
    addClusters(meat, size, selected.entries, amount);
    return meat;
  }
  for (let k = 0; k < first.length; k++) {
    addSquare(meat, size, first[k], second[k], square[k] * (scale * surprise(k)) ** 2);
  }
  return meat;
}

function addSquare(meat, size, i, j, amount) {
  meat[i * size + i] += amount;
  meat[j * size + j] += amount;
  meat[i * size + j] -= amount;
  meat[j * size + i] -= amount;
}

/** Add the outer product of each cluster's residuals; the entries are sorted by cluster. */
function addClusters(meat, size, entries, amount) {
  const { first, second, cluster } = entries;
  const residual = new Float64Array(size);
  for (let begin = 0, end = 0; begin < first.length; begin = end) {
    const touched = new Set();
    for (end = begin; end < first.length && cluster[end] === cluster[begin]; end++) {
      residual[first[end]] += amount[end];
      residual[second[end]] -= amount[end];
      touched.add(first[end]).add(second[end]);
    }
    const players = [...touched];
    for (const i of players) {
      for (const j of players) meat[i * size + j] += residual[i] * residual[j];
    }
    for (const i of players) residual[i] = 0;
  }
}
