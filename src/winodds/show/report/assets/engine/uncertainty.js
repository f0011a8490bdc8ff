// Ratings → standard errors, interval ends and p-values: the rules of intervals.py and contrasts.py.
//
// Both kinds of state, that of a refit and that of a board as it was shipped, have beta, bias and
// played (m,), modelScale, clusters, power, level, and robust: whether intervals are.
//
// A contrast (a rating, or the difference of two) rests on so many clusters, and carries the degrees
// of freedom that follow from them. Whoever needs these takes them from there.

import { EQUAL } from "./arrays.js";
import { biasScore, solveInformation } from "./information.js";
import { normalQuantile, normalTail, studentQuantile, studentTail } from "./laws.js";
import { eigen, multiply, outer, transpose } from "./linear.js";

/** Influences of the clusters (m, k), scaled so that B Bᵀ is the robust covariance, and the bias
 * (m,) that the estimator leaves, where `wantsBias`.
 */
export function quantify(counted, fitted, { overlap, wantsBias }) {
  const { at } = fitted;
  const root = Math.sqrt(inflationOf(counted.clusters) ** counted.power);
  const residuals = counted.residuals(at.chances).map((own) => own * root);
  const columns = residuals.length / at.m;
  const influence = multiply(at.inverse, residuals, at.m, at.m, columns);
  const bias = wantsBias
    ? remainingBias(counted, at, residuals, influence, columns)
    : new Float64Array(at.m);
  const widen = Math.sqrt(overlap);
  return { influence: influence.map((own) => own * widen), columns, bias };
}

/** (m,) first-order bias of the ratings, given what their variance has beyond the model's. */
function remainingBias(counted, at, residuals, influence, columns) {
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

/** Degrees of freedom of a contrast that rests on so many clusters. */
export function dfOf(played) {
  return Math.max(played, 2) - 1;
}

/** G/(G − 1) for so many clusters: by this much they vary less around their mean than around the truth. */
export function inflationOf(clusters) {
  const summed = Math.max(clusters, 2);
  return summed / (summed - 1);
}

/** Errors of a contrast: by the model, by clusters (null where not wanted), the larger of the two
 * (`se`), and the degrees of freedom of those by clusters.
 */
export function errorsOf(state, modelVariance, robustVariance, played) {
  const model = Math.sqrt(state.modelScale * Math.max(modelVariance, 0));
  const df = dfOf(played);
  if (robustVariance === null) return { model, robust: null, df, se: model };
  const fewer = inflationOf(played) / inflationOf(state.clusters);
  const robust = Math.sqrt(Math.max(robustVariance, 0) * fewer ** state.power);
  return { model, robust, df, se: Math.max(model, robust) };
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

/** Two-sided p-value of a difference; 1 where there is none. */
export function pValue(value, errors, cut) {
  const size = Math.abs(value);
  if (size < EQUAL) return 1;
  if (errors.robust === null) return 2 * normalTail(size / errors.model);
  if (cut) return 2 * studentTail(size / errors.se, errors.df);
  const byModel = 2 * normalTail(size / errors.model);
  return Math.max(byModel, 2 * studentTail(size / errors.robust, errors.df));
}
