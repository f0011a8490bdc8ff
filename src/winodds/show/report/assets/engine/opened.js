// A board too large to refit: comparisons with any one player from what Python shipped.
//
// The variance of a difference needs one column of the pseudo-inverse of the information, which
// conjugate gradients find without the whole matrix. So do the influences of clusters, which are shipped
// only where they do not follow from the scores.

import { unpackAll } from "./arrays.js";
import { shareOut } from "./clusters.js";
import { areIdenticalOf, countDuelOf, pairUpOf, remember } from "./encounters.js";
import { chancesByPlayer, largestSize } from "./information.js";
import { dot } from "./linear.js";
import { selectScores } from "./selection.js";
import { notConverged } from "./sentences.js";
import { deviateFrom } from "./signs.js";
import { tallyWithin } from "./within.js";

const RELATIVE = 1e-10;
const RELATIVE_OF_INFLUENCE = 1e-8;
const MOST_STEPS = 2000;
const FARTHEST = 300;

/** A state for `compareWith`, from a shipped component that may be compared but not refitted, and the
 * names and ratings of its players. Only differences of ratings count, so they may be against anybody.
 */
export function openBoard(shipped, names, ratings) {
  const own = unpackAll(shipped.fitted);
  const design = unpackAll(shipped.fitted.design);
  const games = shipped.games && unpackAll(shipped.games);
  const m = names.length;
  const beta = Float64Array.from(ratings);
  const clusters = own.clusters && unpackAll(own.clusters);
  let known = null;
  const laplacian = () => (known ??= makeLaplacian(pairSlopes(beta, design, m), m, shipped.ridge));
  const solve = (right, relative = RELATIVE) => solveCentred(laplacian(), right, relative);
  const columnOf = remember((r) => solve(Float64Array.from({ length: m }, (_, i) => (i === r ? 1 : 0))));
  const derived = clusters !== null && own.influence === null;
  return {
    names,
    players: Array.from({ length: m }, (_, k) => k),
    beta,
    bias: own.bias,
    variances: own.variances,
    ...(derived ? deriveClusters(tallyGames(shipped, games, names), beta, clusters, { solve, columnOf }) : openClusters(clusters, own.influence, beta)),
    robust: shipped.interval === "robust",
    level: shipped.level,
    modelScale: own.model_scale,
    columnOf,
    reachesOf: (r) => reachesBySets(own, r),
    countDuel: (a, b) => games && countDuelOf(games, m, shipped.kind, a, b),
    meetings: games && pairUpOf(games, m, shipped.kind, own.match_weight),
    areIdentical: (a, b) => games && areIdenticalOf(games, m, shipped.kind, a, b),
  };
}

/** What the clusters do to ratings, carry, and contribute to differences, as it was shipped; nulls for model-based intervals. */
function openClusters(clusters, influence, beta) {
  const fillInfluence = () => {};
  if (clusters === null) return { influence, fillInfluence, clustering: null, contributions: null };
  const { df, amount, factor, lift, share, wins, won, widen, unit, kept } = clusters;
  const m = beta.length;
  const clustering = {
    columns: influence.length / m,
    rows: lift !== null && lift.length === influence.length ? m : 1,
    ...{ df, amount, factor, lift, share },
  };
  const opened = { influence, fillInfluence, clustering };
  if (!kept) return { ...opened, contributions: null };
  if (won === null) return { ...opened, contributions: { value: beta, deviation: influence, unit: 0 } };
  // Twice the wins are shipped, because those are whole numbers.
  const half = Float64Array.from(won, (own) => 0.5 * own);
  return { ...opened, contributions: { value: wins, deviation: deviateFrom(half, share, widen), unit } };
}

/** All matches within the rounds of a board, counted. */
function tallyGames({ kind, pooled, units }, games, names) {
  return tallyWithin(selectScores({ kind, pooled, units, names, players: names.length, ...games }, { players: null, rounds: null }));
}

/** The same from the scores. Influences (m, G) are there after `fillInfluence` was asked for their players. */
function deriveClusters(tally, beta, { df, amount, factor, widen, unit }, { solve, columnOf }) {
  const m = beta.length;
  const G = tally.clusters;
  const { share, rows, lift } = shareOut(tally, m);
  const clustering = { columns: G, rows, df, amount, factor, lift, share };
  const influence = new Float64Array(m * G);
  const filled = new Uint8Array(m);
  let residuals = null;
  const fillInfluence = (players) => {
    const empty = players.filter((i) => !filled[i]);
    if (empty.length === 0) return;
    residuals ??= tally.residualsOf(chancesByPlayer(beta)).map((own) => widen * own);
    if (empty.length > G) fillColumns(influence, residuals, m, G, solve);
    else for (const i of empty) fillRow(influence, residuals, G, i, columnOf(i));
    for (const i of empty.length > G ? beta.keys() : empty) filled[i] = 1;
  };
  const contributions = tally.level
    ? { value: tally.wins, deviation: deviateFrom(tally.winsByCluster(), share, widen), unit }
    : { value: beta, deviation: influence, unit: 0 };
  return { influence, fillInfluence, clustering, contributions };
}

/** What every cluster does to all ratings: the inverse information times its residuals. */
function fillColumns(influence, residuals, m, G, solve) {
  for (let c = 0; c < G; c++) {
    const right = Float64Array.from({ length: m }, (_, i) => residuals[i * G + c]);
    solve(right, RELATIVE_OF_INFLUENCE).forEach((own, i) => (influence[i * G + c] = own));
  }
}

/** What every cluster does to one rating: its residuals times that player's column of the inverse. */
function fillRow(influence, residuals, G, player, column) {
  const row = new Float64Array(G);
  for (let i = 0; i < column.length; i++) for (let c = 0; c < G; c++) row[c] += column[i] * residuals[i * G + c];
  influence.set(row, player * G);
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

/** (m,) the pseudo-inverse of the Laplacian plus ridge times a vector, by conjugate gradients. */
function solveCentred({ weights, m, ridge, diagonal }, right, relative) {
  const residual = centred(right);
  const x = new Float64Array(m);
  const direction = new Float64Array(m);
  const image = new Float64Array(m);
  const goal = relative * Math.sqrt(dot(residual, 0, residual, 0, m));
  if (goal === 0) return x;
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

/** The weights of the pairs, and what stands on the diagonal. */
function makeLaplacian(weights, m, ridge) {
  return { weights, m, ridge, diagonal: degrees(weights, m, ridge) };
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
