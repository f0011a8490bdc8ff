// Ratings → standard errors, interval ends and p-values: the rules of intervals.py and contrasts.py.
//
// Both kinds of state, that of a refit and that of a board as it was shipped, have beta and bias (m,),
// influence (m, columns), clustering, contributions, modelScale, level, and robust: whether intervals
// are.
//
// A contrast (a rating, or the difference of two) carries the degrees of freedom of its error.
// Whoever needs these takes them from there.

import { EQUAL } from "./arrays.js";
import { inflationOf, pairVarianceOf } from "./clusters.js";
import { condense } from "./counting.js";
import { biasScore, solveInformation } from "./information.js";
import { normalQuantile, normalTail, studentQuantile, studentTail } from "./laws.js";
import { eigen, multiply, outer, transpose } from "./linear.js";
import { canDecide, statisticOf } from "./signs.js";

/** Influences of the clusters (m, columns), scaled so that B Bᵀ is the robust covariance of clusters
 * of equal size, and the bias (m,) that the estimator leaves, where `wantsBias`.
 */
export function quantify(counted, fitted, { overlap, wantsBias }) {
  const { at } = fitted;
  const root = Math.sqrt(inflationOf(counted.clusters) ** counted.power);
  const residuals = counted.residuals(at.chances).map((own) => own * root);
  const columns = residuals.length / at.m;
  const influence = multiply(at.inverse, residuals, at.m, at.m, columns);
  const bias = wantsBias ? remainingBias(counted, at, residuals, influence) : new Float64Array(at.m);
  const widen = Math.sqrt(overlap);
  return { influence: influence.map((own) => own * widen), bias };
}

/** (m,) first-order bias of the ratings, given what their variance has beyond the model's. */
function remainingBias(counted, at, allResiduals, allInfluence) {
  // Any root of the same outer product gives the same bias; a small one is faster.
  const residuals = condense(allResiduals, at.m);
  const columns = residuals.length / at.m;
  const influence = residuals === allResiduals ? allInfluence : multiply(at.inverse, residuals, at.m, at.m, columns);
  const turned = transpose(residuals, at.m, columns);
  const ratio = multiply(turned, influence, columns, at.m, columns);
  const { values, vectors } = eigen(ratio, columns);
  const beyond = [];
  values.forEach((own, k) => own > 1 && beyond.push([k, Math.sqrt(1 - 1 / own)]));
  const directions = new Float64Array(columns * beyond.length);
  beyond.forEach(([k, scale], q) => {
    for (let c = 0; c < columns; c++) {
      directions[c * beyond.length + q] = scale * vectors[k * columns + c];
    }
  });
  const excess = multiply(influence, directions, at.m, columns, beyond.length);
  const score = biasScore(at, outer(excess, at.m, beyond.length));
  const reduction = biasScore(at, at.inverse);
  const total = score.map((own, i) => own + counted.wins[i] - at.expected[i] + reduction[i]);
  return solveInformation(at, total).map((own) => -own);
}

/** Errors of a contrast: by the model, by clusters (null where not wanted), the larger of the two
 * (`se`), and the degrees of freedom of those by clusters.
 */
export function errorsOf(state, modelVariance, robustVariance, df) {
  const model = Math.sqrt(state.modelScale * Math.max(modelVariance, 0));
  if (robustVariance === null) return { model, robust: null, df, se: model };
  const robust = Math.sqrt(Math.max(robustVariance, 0));
  return { model, robust, df, se: Math.max(model, robust) };
}

/** The difference of players i and j with its errors, its p-value and what was tested (`by`).
 *
 * `modelVariance` is that of the inverse information, `cut` whether an end is open, `robust` whether
 * clusters count.
 */
export function contrastOf(state, i, j, { modelVariance, cut, robust, level }) {
  const { beta, influence, clustering, contributions } = state;
  const value = beta[i] - beta[j];
  if (!robust) {
    const errors = errorsOf(state, modelVariance, null, null);
    return { value, errors, pValue: pOfInterval(value, errors, cut), by: "wald" };
  }
  const df = Math.min(clustering.df[i], clustering.df[j]);
  const variance = i === j ? 0 : pairVarianceOf(clustering, influence, i, j);
  const errors = errorsOf(state, modelVariance, variance, df);
  if (contributions === null || !canDecide(df, level)) {
    return { value, errors, pValue: pOfInterval(value, errors, cut), by: "wald" };
  }
  const t = statisticOf(contributions, clustering, influence, variance, df, i, j);
  return { value, errors, pValue: pOfSigns(t, df), by: "signs" };
}

/** A function that gives the ends of an interval, null where they are open. */
export function intervalsAt(level) {
  const tail = 0.5 + 0.5 * level;
  const normal = normalQuantile(tail);
  const student = new Map();
  const quantile = (df) => {
    if (!student.has(df)) student.set(df, studentQuantile(tail, df));
    return student.get(df);
  };
  return (value, bias, errors, known) => {
    let half = normal * errors.model;
    if (errors.robust !== null) {
      const cut = !(known.low && known.high);
      const t = quantile(errors.df);
      half = cut ? t * errors.se : Math.max(half, t * errors.robust);
    }
    const middle = value - bias;
    return {
      low: known.low ? Math.min(middle - half, value) : null,
      high: known.high ? Math.max(middle + half, value) : null,
    };
  };
}

/** The ends of an interval of a difference, moved so that they agree with its test. */
export function agreeWithTest({ low, high }, value, apart) {
  if (!apart) return { low: low === null ? null : Math.min(low, 0), high: high === null ? null : Math.max(high, 0) };
  return value > 0 ? { low: Math.max(low ?? 0, 0), high } : { low, high: Math.min(high ?? 0, 0) };
}

/** Two-sided p-value by the signs of clusters: never below the least that so many signs can give. */
function pOfSigns(t, df) {
  return t === 0 ? 1 : Math.max(2 * studentTail(Math.abs(t), df), 0.5 ** df);
}

/** Two-sided p-value by the rule of intervals; 1 where there is no difference. */
function pOfInterval(value, errors, cut) {
  const size = Math.abs(value);
  if (size < EQUAL) return 1;
  if (errors.robust === null) return 2 * normalTail(size / errors.model);
  if (cut) return 2 * studentTail(size / errors.se, errors.df);
  const byModel = 2 * normalTail(size / errors.model);
  return Math.max(byModel, 2 * studentTail(size / errors.robust, errors.df));
}
