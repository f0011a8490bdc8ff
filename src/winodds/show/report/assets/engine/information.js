// The Fisher information at given ratings, with (m, m) arrays: the formulas of dense.py.

import { dot, factorise, invertFactorised, multiplyVector, solveFactorised } from "./linear.js";
import { singularInformation } from "./sentences.js";

const NEGLIGIBLE = 0.02;
const WIDEST = 300;

/** Chances (m, m) that the row beats the column, information (m, m) beside the diagonal, expected
 * wins (m,), and the pseudo-inverse (m, m) of the information with `ridge` on its diagonal.
 */
export function informationAt(beta, met, ridge) {
  const m = beta.length;
  const chances = chancesAt(beta);
  const information = new Float64Array(m * m);
  const expected = new Float64Array(m);
  for (let i = 0; i < m; i++) {
    let sum = 0;
    for (let j = 0; j < m; j++) {
      const at = i * m + j;
      const won = met[at] * chances[at];
      sum += won;
      // 1 − p would lose its digits where p is nearly 1; the other chance keeps them.
      information[at] = won * chances[j * m + i];
    }
    expected[i] = sum;
  }
  return { m, chances, information, expected, inverse: pseudoInverse(information, m, ridge) };
}

/** (m, m) chance that the row's player beats the column's; ½ on the diagonal. */
function chancesAt(beta) {
  const m = beta.length;
  const chances = new Float64Array(m * m);
  const far = beta.some((own) => Math.abs(own) > WIDEST);
  const powers = beta.map(Math.exp);
  for (let i = 0; i < m; i++) {
    chances[i * m + i] = 0.5;
    for (let j = 0; j < i; j++) {
      // Where powers would overflow, an exponential for every pair takes their place.
      const one = far ? Math.exp(Math.min(0, beta[i] - beta[j])) : powers[i];
      const two = far ? Math.exp(Math.min(0, beta[j] - beta[i])) : powers[j];
      const scale = 1 / (one + two);
      chances[i * m + j] = one * scale;
      chances[j * m + i] = two * scale;
    }
  }
  return chances;
}

/** A function that gives the chances (m,) of one player against everybody, in an array that it uses again. */
export function chancesByPlayer(beta) {
  const far = largestSize(beta) > WIDEST;
  const powers = beta.map(Math.exp);
  const row = new Float64Array(beta.length);
  return (i) => {
    const own = powers[i];
    for (let j = 0; j < row.length; j++) row[j] = far ? 1 / (1 + Math.exp(beta[j] - beta[i])) : own / (own + powers[j]);
    return row;
  };
}

/** The Cholesky factor of the Laplacian of `weights` plus ridge and c on every entry, and c. */
function factoriseLaplacian(weights, m, ridge) {
  const matrix = new Float64Array(m * m);
  const degree = new Float64Array(m).fill(ridge);
  for (let i = 0; i < m; i++) for (let j = 0; j < m; j++) degree[i] += weights[i * m + j];
  const scale = degree.reduce((a, b) => a + b, 0) / (m * m);
  for (let k = 0; k < matrix.length; k++) matrix[k] = scale - weights[k];
  for (let i = 0; i < m; i++) matrix[i * m + i] += degree[i];
  if (!factorise(matrix, m)) throw singularInformation(m);
  return { factor: matrix, scale };
}

function pseudoInverse(weights, m, ridge) {
  const { factor, scale } = factoriseLaplacian(weights, m, ridge);
  const inverse = invertFactorised(factor, m);
  const level = 1 / (m * (ridge + scale * m));
  for (let k = 0; k < inverse.length; k++) inverse[k] -= level;
  return inverse;
}

/** (m,) pseudo-inverse of the information times a vector. */
export function solveInformation(at, right) {
  return multiplyVector(at.inverse, right, at.m, at.m);
}

/** (m,) Σⱼ kᵢⱼ·Var(βᵢ − βⱼ), k the kernel of the bias reduction, for any covariance (m, m). */
export function biasScore(at, covariance) {
  const { m, chances, information } = at;
  const score = new Float64Array(m);
  for (let i = 0; i < m; i++) {
    const own = covariance[i * m + i];
    for (let j = 0; j < i; j++) {
      const k = i * m + j;
      const spread = own + covariance[j * m + j] - 2 * covariance[k];
      const amount = information[k] * spread * (0.5 - chances[k]);
      score[i] += amount;
      score[j] -= amount;
    }
  }
  return score;
}

/** The Newton step to the root of the bias-reduced `score`, with the leverages held fixed. */
export function biasReducedStep(at, score) {
  const { m, chances, information, inverse } = at;
  const total = new Float64Array(m * m);
  let negligible = true;
  for (let i = 0; i < m; i++) {
    for (let j = 0; j < i; j++) {
      const k = i * m + j;
      const back = j * m + i;
      const spread = inverse[i * m + i] + inverse[j * m + j] - 2 * inverse[k];
      const extra = information[k] * spread * chances[k] * chances[back];
      if (extra > NEGLIGIBLE * information[k]) negligible = false;
      total[k] = total[back] = information[k] + extra;
    }
  }
  if (negligible) return solveInformation(at, score);
  const step = solveFactorised(factoriseLaplacian(total, m, 0).factor, score, m);
  const mean = step.reduce((a, b) => a + b, 0) / m;
  return step.map((own) => own - mean);
}

/** Largest absolute value. */
export function largestSize(values) {
  return values.reduce((most, own) => Math.max(most, Math.abs(own)), 0);
}

/** (m,) total weight of each player's matches. */
export function weightOfMatches(met, m) {
  const ones = new Float64Array(m).fill(1);
  return Float64Array.from({ length: m }, (_, i) => dot(met, i * m, ones, 0, m));
}
