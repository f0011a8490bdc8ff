// Ratings → standard errors, interval ends and p-values: the rules of inference.py.
//
// Both kinds of state, that of a refit and that of a board as it was shipped, have beta, bias and
// played (m,), modelScale, clusters, power, level, and robust: whether intervals are.

import { biasScore, solveInformation } from "./information.js";
import { normalQuantile, normalTail, studentQuantile, studentTail } from "./laws.js";
import { eigen, multiply, outer, transpose } from "./linear.js";

/** Influences of the clusters (m, k), scaled so that B Bᵀ is the robust covariance, and the bias
 * (m,) that the estimator leaves, where `wantsBias`.
 */
export function quantify(counted, fitted, { overlap, wantsBias }) {
  const { at } = fitted;
  const factor = (counted.clusters / (counted.clusters - 1)) ** counted.power;
  const root = Math.sqrt(factor);
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

/** Standard errors of estimates: by the model, by clusters (null where not wanted), and the units
 * that the latter rest on.
 */
export function errorsOf(state, modelVariance, robustVariance, played) {
  const model = Math.sqrt(state.modelScale * Math.max(modelVariance, 0));
  const units = Math.max(played, 2);
  if (robustVariance === null) return { model, robust: null, units, se: model };
  const fewer = units / (units - 1) / (state.clusters / (state.clusters - 1));
  const robust = Math.sqrt(Math.max(robustVariance, 0) * fewer ** state.power);
  return { model, robust, units, se: Math.max(model, robust) };
}

/** A function that gives the ends of an interval, null where they are open. */
export function intervalsAt(level) {
  const tail = 0.5 + 0.5 * level;
  const normal = normalQuantile(tail);
  const student = new Map();
  const quantile = (units) => {
    if (!student.has(units)) student.set(units, studentQuantile(tail, units - 1));
    return student.get(units);
  };
  return (value, bias, errors, known) => {
    let half = normal * errors.model;
    if (errors.robust !== null) {
      const cut = !(known.low && known.high);
      const t = quantile(errors.units);
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
  if (size === 0) return 1;
  if (errors.robust === null) return 2 * normalTail(size / errors.model);
  if (cut) return 2 * studentTail(size / errors.se, errors.units - 1);
  const byModel = 2 * normalTail(size / errors.model);
  return Math.max(byModel, 2 * studentTail(size / errors.robust, errors.units - 1));
}
