// Whose average is 0: the rules of Python's `Intervals.averaged` and `Uncertainty.of_ratings`.

import { includes } from "./bits.js";
import { findEnds, reachOf } from "./reach.js";

/** Players who reach each other and are more than half; null for the average of all. */
export function findAveraged(reach, center) {
  if (center === "all") return null;
  const everyone = Array.from({ length: reach.size }, (_, k) => k);
  const mates = (i) => everyone.filter((j) => includes(reach, i, j) && includes(reach, j, i));
  const largest = everyone.map(mates).find((own) => 2 * own.length > reach.size);
  return largest === undefined || largest.length === reach.size ? null : largest;
}

/** Ratings, bias, variances and influences of a state around its average, and which ends are known. */
export function aroundAverage(state) {
  const { beta, bias, variances, influence, averaged, reach } = state;
  if (averaged === null) return { beta, bias, variances, influence, known: findEnds(reach) };
  const { to, from } = reachOf(reach, averaged[0]);
  return {
    beta: move(beta, 1, averaged),
    bias: move(bias, 1, averaged),
    variances: variancesAround(state),
    influence: move(influence, state.clustering.columns, averaged),
    known: { low: to, high: from },
  };
}

/** Rows of so many columns, minus the mean of some of the rows. */
function move(values, columns, averaged) {
  const mean = Float64Array.from({ length: columns }, (_, c) => {
    return averaged.reduce((sum, i) => sum + values[i * columns + c], 0) / averaged.length;
  });
  return Float64Array.from(values, (own, k) => own - mean[k % columns]);
}

/** (m,) Hᵢᵢ − 2(Hc)ᵢ + cᵀHc for the average c. */
function variancesAround({ inverse, variances, averaged }) {
  const m = variances.length;
  const along = Float64Array.from({ length: m }, (_, i) => {
    return averaged.reduce((sum, j) => sum + inverse[i * m + j], 0) / averaged.length;
  });
  const itself = averaged.reduce((sum, j) => sum + along[j], 0) / averaged.length;
  return variances.map((own, i) => own - 2 * along[i] + itself);
}
