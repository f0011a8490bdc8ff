// How much each cluster carries: what its size does to errors and to their degrees of freedom. The rules of clusters.py.
//
// A clustering has, for m players and G clusters:
//   columns of the influences: the clusters, or as many as players where these are not kept one by one;
//   amount (m,) weight of a player's matches; factor (m,) on variances; df (m,) of a rating's error;
//   rows, 1 or m: whether all players have the same shares in clusters, or each its own;
//   share (rows, G) of a player's matches in each cluster, null where clusters are not kept one by one;
//   lift (rows, G) by which squared influences are multiplied, null where nothing is lifted.

import { EQUAL } from "./arrays.js";

const FEW_CLUSTERS = 500;
const FEW_INFLUENCES = 2000000;
const ABOUT_EQUAL = 0.9;
const MOST_HELD = 0.5;

/** Degrees of freedom of an error that rests on so many clusters. */
export function dfOf(clusters) {
  return Math.max(clusters, 2) - 1;
}

/** G/(G − 1) for so many clusters: by this much they vary less around their mean than around the truth. */
export function inflationOf(clusters) {
  const summed = Math.max(clusters, 2);
  return summed / (summed - 1);
}

/** Whether so many clusters carry about as much each, by the sum of squares of their shares (Kish). */
function isAboutEqual(squares, number) {
  const limit = ABOUT_EQUAL * number;
  return 1 / squares >= limit - EQUAL * Math.max(limit, 1);
}

/** Whether so many clusters are kept one by one. */
export function areKept(clusters, players) {
  return clusters <= Math.max(players, FEW_CLUSTERS) || clusters * players <= FEW_INFLUENCES;
}

/** What the clusters of counted matches carry, by the influences (m, columns) and the weight (m,) of all matches. */
export function weighClusters(counted, influence, amount) {
  if (!counted.kept) return withoutClusters(counted, amount);
  const [m, G] = [amount.length, counted.clusters];
  const { share, rows, about, held, lift } = shareOut(counted, m);
  const variation = variationOf(influence, held, m, G);
  const df = about.map(({ equal, number }, i) => {
    const own = held.subarray(i * G, (i + 1) * G);
    const there = variation.map((size, c) => (share[i * G + c] > 0 ? size : 0));
    return Math.max(equal ? dfOf(number) : satterthwaite(own, there), 1);
  });
  return {
    columns: G,
    amount,
    rows,
    share,
    lift,
    factor: new Float64Array(m).fill(1),
    df: Float64Array.from({ length: m }, (_, i) => df[rows === 1 ? 0 : i]),
  };
}

/** The shares of m players in clusters that are kept, what is known `about` them and what they are taken to be (`held`), and lifts. */
export function shareOut(counted, m) {
  const G = counted.clusters;
  const share = sharesByCluster(counted.matchesByCluster(), m, G);
  const rows = share.length / G;
  const about = Array.from({ length: rows }, (_, i) => describeShares(share.subarray(i * G, (i + 1) * G)));
  const held = holdShares(share, about, G);
  const even = about.every(({ equal, everywhere }) => equal && everywhere);
  const inflation = inflationOf(G);
  return { share, rows, about, held, lift: even ? null : held.map((own) => 1 / ((1 - own) * inflation)) };
}

/** (m, G) which share of a player's matches each cluster holds; (1, G) if it is the same for all. */
function sharesByCluster(matches, m, G) {
  const share = new Float64Array(m * G);
  for (let i = 0; i < m; i++) {
    let total = 0;
    for (let k = i * G; k < (i + 1) * G; k++) total += Math.max(matches[k], 0);
    for (let k = i * G; k < (i + 1) * G; k++) share[k] = Math.max(matches[k], 0) / total;
  }
  for (let c = 0; c < G; c++) {
    let [low, high] = [Infinity, -Infinity];
    for (let k = c; k < share.length; k += G) {
      low = Math.min(low, share[k]);
      high = Math.max(high, share[k]);
    }
    if (!(high - low < EQUAL)) return share;
  }
  return share.slice(0, G);
}

/** In how many clusters a player took part, whether in all, and whether they carry about as much each (Kish). */
function describeShares(share) {
  let [there, squares] = [0, 0];
  for (const own of share) {
    if (own > 0) there++;
    squares += own * own;
  }
  const number = Math.max(there, 2);
  return { number, everywhere: there === share.length, equal: isAboutEqual(squares, number) };
}

/** (rows, G) the shares that clusters are taken to hold: equal ones where they are about equal. */
function holdShares(share, about, G) {
  return share.map((own, k) => {
    const { equal, number } = about[Math.floor(k / G)];
    const typical = own > 0 ? 1 / number : 0;
    return Math.min(equal ? typical : own, MOST_HELD);
  });
}

/** (G,) how much clusters vary, relative to each other, from the influences on all players. */
function variationOf(influence, held, m, G) {
  const variation = new Float64Array(G);
  const shared = held.length === G;
  let moved = 0;
  for (let i = 0; i < m; i++) {
    let total = 0;
    for (let k = i * G; k < (i + 1) * G; k++) total += influence[k] * influence[k];
    if (!(total > 0)) continue;
    moved++;
    for (let c = 0; c < G; c++) {
      const own = influence[i * G + c] / (1 - held[shared ? c : i * G + c]);
      variation[c] += (own * own) / total;
    }
  }
  return moved ? variation.map((own) => own / moved) : variation.fill(1);
}

/** Degrees of freedom of Σ x²/(1 − w), where x = y − w Σ y and Var(y) = `variation`; `held` are the w. */
function satterthwaite(held, variation) {
  let total = 0;
  for (const own of variation) total += own;
  let [trace, aa, bb, ab, dd, daa, dab] = [0, 0, 0, 0, 0, 0, 0];
  for (let c = 0; c < held.length; c++) {
    const [w, s] = [held[c], variation[c]];
    const scale = 1 / (1 - w);
    trace += scale * (s - 2 * w * s + w * w * total);
    aa += scale * w * w;
    bb += scale * s * s;
    ab += scale * w * s;
    dd += (scale * s) ** 2;
    daa += scale * s * scale * w * w;
    dab += scale * s * scale * w * s;
  }
  const square = dd + 2 * (aa * bb + ab * ab) + (total * aa) ** 2 + 2 * total * daa - 4 * (dab + total * aa * ab);
  return square > 0 ? (trace * trace) / square : 1;
}

/** Where only the sum of the clusters' squares is known, or none at all. */
function withoutClusters({ clusters, played, clusterShares }, amount) {
  const inflation = inflationOf(clusters);
  const most = clusterShares ? mostFreedom(clusterShares) : Infinity;
  return {
    columns: amount.length,
    amount,
    rows: 0,
    share: null,
    lift: null,
    factor: Float64Array.from(played, (own) => inflationOf(own) / inflation),
    df: Float64Array.from(played, (own) => Math.min(dfOf(own), most)),
  };
}

/** Degrees of freedom that unequal clusters leave at most; they are taken to vary as a whole. */
function mostFreedom(share) {
  const squares = share.reduce((sum, own) => sum + own * own, 0);
  if (isAboutEqual(squares, share.length)) return Infinity;
  const held = share.map((own) => Math.min(own, MOST_HELD));
  return Math.max(satterthwaite(held, held.map((own) => own * own)), 1);
}

/** (G,) by how much squared residuals are multiplied, relative to equal clusters, by their shares of all matches. */
export function liftsOf(share) {
  const inflation = inflationOf(share.length);
  return share.map((own) => 1 / ((1 - Math.min(own, MOST_HELD)) * inflation));
}

/** How much player i's clusters count in a difference from player j, whose count the rest. */
export function weightOf({ amount }, i, j) {
  return amount[j] / (amount[i] + amount[j]);
}

/** Robust variance of a rating, from influences (m, columns). */
export function varianceOf({ columns, rows, lift, factor }, influence, i) {
  const [at, above] = [i * columns, rows === 1 ? 0 : i * columns];
  let sum = 0;
  for (let c = 0; c < columns; c++) {
    const own = influence[at + c];
    sum += own * own * (lift === null ? 1 : lift[above + c]);
  }
  return sum * factor[i];
}

/** Robust variance of the difference of two players. */
export function pairVarianceOf(clustering, influence, i, j) {
  const { columns, rows, lift, factor } = clustering;
  const [at, by] = [i * columns, j * columns];
  let sum = 0;
  if (lift === null) {
    for (let c = 0; c < columns; c++) {
      const change = influence[at + c] - influence[by + c];
      sum += change * change;
    }
    return sum * Math.max(factor[i], factor[j]);
  }
  const own = rows === 1 ? 1 : weightOf(clustering, i, j);
  const [above, beside] = rows === 1 ? [0, 0] : [at, by];
  for (let c = 0; c < columns; c++) {
    const change = influence[at + c] - influence[by + c];
    sum += change * change * (own * lift[above + c] + (1 - own) * lift[beside + c]);
  }
  return sum;
}
