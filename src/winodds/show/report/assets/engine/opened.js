// A board too large to refit: comparisons with any one player from what Python shipped.
//
// The variance of a difference needs one column of the pseudo-inverse of the information, which
// conjugate gradients find without the whole matrix.

import { unpackAll } from "./arrays.js";
import { areIdenticalOf, countDuelOf, pairUpOf } from "./encounters.js";
import { largestSize } from "./information.js";
import { dot } from "./linear.js";
import { notConverged } from "./sentences.js";
import { deviateFrom } from "./signs.js";

const RELATIVE = 1e-10;
const MOST_STEPS = 2000;
const FARTHEST = 300;

/** A state for `compareWith`, from a shipped component that may be compared but not refitted and the
 * names of its players.
 */
export function openBoard(shipped, names) {
  const own = unpackAll(shipped.fitted);
  const design = unpackAll(shipped.fitted.design);
  const games = shipped.games && unpackAll(shipped.games);
  const m = names.length;
  const clusters = own.clusters && unpackAll(own.clusters);
  let weights = null;
  const slopes = () => (weights ??= pairSlopes(own.beta, design, m));
  return {
    names,
    players: Array.from({ length: m }, (_, k) => k),
    beta: own.beta,
    bias: own.bias,
    variances: own.variances,
    influence: own.influence,
    ...(clusters && openClusters(clusters, own)),
    robust: shipped.interval === "robust",
    level: shipped.level,
    modelScale: own.model_scale,
    columnOf: (r) => solveColumn(slopes(), m, r, shipped.ridge),
    reachesOf: (r) => reachesBySets(own, r),
    countDuel: (a, b) => games && countDuelOf(games, m, shipped.kind, a, b),
    meetings: games && pairUpOf(games, m, shipped.kind, own.match_weight),
    areIdentical: (a, b) => games && areIdenticalOf(games, m, shipped.kind, a, b),
  };
}

/** What the clusters carry, and what they contribute to differences. */
function openClusters({ df, amount, factor, lift, share, wins, won, widen, unit, kept }, { beta, influence }) {
  const m = beta.length;
  const clustering = {
    columns: influence.length / m,
    rows: lift !== null && lift.length === influence.length ? m : 1,
    ...{ df, amount, factor, lift, share },
  };
  if (!kept) return { clustering, contributions: null };
  if (won === null) return { clustering, contributions: { value: beta, deviation: influence, unit: 0 } };
  // Twice the wins are shipped, because those are whole numbers.
  const half = Float64Array.from(won, (own) => 0.5 * own);
  return { clustering, contributions: { value: wins, deviation: deviateFrom(half, share, widen), unit } };
}

/** Who reaches a player and whom the player reaches, from the sets that players belong to. */
function reachesBySets({ part, parts, sets }, r) {
  // Without a table of sets these are a chain: each won every match against those after it.
  const reaches = (a, b) => {
    const bit = a * parts + b;
    return sets ? (sets[bit >> 3] >> (bit & 7)) & 1 : a <= b ? 1 : 0;
  };
  return {
    to: Uint8Array.from(part, (own) => reaches(own, part[r])),
    from: Uint8Array.from(part, (own) => reaches(part[r], own)),
  };
}

/** Nᵢⱼ σ'(βᵢ − βⱼ) of the pairs (1, 0), (2, 0), (2, 1), …; single precision is ample. */
function pairSlopes(beta, design, m) {
  const weights = new Float32Array((m * (m - 1)) / 2);
  if ("first" in design) {
    design.first.forEach((i, k) => (weights[pairIndex(i, design.second[k])] += design.weight[k]));
  } else {
    design.weight.forEach((weight, q) => addClique(weights, shareOf(design, q, m), weight));
  }
  const far = largestSize(beta) > FARTHEST;
  const powers = beta.map(Math.exp);
  for (let i = 1, k = 0; i < m; i++) {
    for (let j = 0; j < i; j++, k++) {
      const one = far ? Math.exp(-Math.abs(beta[i] - beta[j])) : powers[i];
      const two = far ? 1 : powers[j];
      const scale = 1 / (one + two);
      weights[k] *= one * scale * (two * scale);
    }
  }
  return weights;
}

function pairIndex(i, j) {
  return i > j ? (i * (i - 1)) / 2 + j : (j * (j - 1)) / 2 + i;
}

/** (m,) how many scores each player has in clique q. */
function shareOf({ shares, bits }, q, m) {
  if (shares) return shares.subarray(q * m, (q + 1) * m);
  if (!bits) return new Uint8Array(m).fill(1);
  return Uint8Array.from({ length: m }, (_, i) => {
    const bit = q * m + i;
    return (bits[bit >> 3] >> (bit & 7)) & 1;
  });
}

function addClique(weights, share, weight) {
  const members = Int32Array.from([...share.keys()].filter((i) => share[i]));
  for (let a = 1; a < members.length; a++) {
    const i = members[a];
    const row = (i * (i - 1)) / 2;
    const amount = weight * share[i];
    for (let b = 0; b < a; b++) weights[row + members[b]] += amount * share[members[b]];
  }
}

/** (m,) column r of the pseudo-inverse of the Laplacian plus ridge, by conjugate gradients. */
function solveColumn(weights, m, r, ridge) {
  const diagonal = degrees(weights, m, ridge);
  const residual = new Float64Array(m).fill(-1 / m);
  residual[r] += 1;
  const x = new Float64Array(m);
  const direction = new Float64Array(m);
  const image = new Float64Array(m);
  const goal = RELATIVE * Math.sqrt(dot(residual, 0, residual, 0, m));
  let before = 0;
  for (let step = 0; step < MOST_STEPS; step++) {
    const scaled = residual.map((own, i) => own / diagonal[i]);
    const now = dot(residual, 0, scaled, 0, m);
    const kept = before ? now / before : 0;
    for (let i = 0; i < m; i++) direction[i] = scaled[i] + kept * direction[i];
    applyLaplacian(weights, m, ridge, direction, image);
    const length = now / dot(direction, 0, image, 0, m);
    for (let i = 0; i < m; i++) {
      x[i] += length * direction[i];
      residual[i] -= length * image[i];
    }
    before = now;
    if (Math.sqrt(dot(residual, 0, residual, 0, m)) < goal) return centred(x);
  }
  throw notConverged(MOST_STEPS, Math.sqrt(dot(residual, 0, residual, 0, m)));
}

function centred(x) {
  const mean = x.reduce((a, b) => a + b, 0) / x.length;
  return x.map((own) => own - mean);
}

function degrees(weights, m, ridge) {
  const degree = new Float64Array(m).fill(ridge);
  for (let i = 1, k = 0; i < m; i++) {
    for (let j = 0; j < i; j++, k++) {
      degree[i] += weights[k];
      degree[j] += weights[k];
    }
  }
  return degree;
}

function applyLaplacian(weights, m, ridge, x, image) {
  for (let i = 0; i < m; i++) image[i] = ridge * x[i];
  for (let i = 1, k = 0; i < m; i++) {
    const own = x[i];
    let sum = 0;
    for (let j = 0; j < i; j++, k++) {
      const flow = weights[k] * (own - x[j]);
      sum += flow;
      image[j] -= flow;
    }
    image[i] += sum;
  }
}
