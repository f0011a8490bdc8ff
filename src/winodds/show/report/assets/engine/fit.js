// Matches → ratings β with logit P(i beats j) = βᵢ − βⱼ, by the steps of newton.py.

import { biasReducedStep, biasScore, informationAt, largestSize, solveInformation, weightOfMatches } from "./information.js";
import { dot } from "./linear.js";
import { notConverged } from "./sentences.js";

const TOLERANCE = 1e-11;
const ROUNDING = 64 * 2 ** -52;
const NOISE = 1e-10;
const STALLED = 12;
const MOST_ITERATIONS = 200;
const LONGEST_STEP = 4;

/** Ratings (m,), centred, and the information at them.
 *
 * `wins` (m,) and `met` (m, m) are weighted; `start` are ratings to begin with, or null.
 */
export function fitRatings(wins, met, { estimator, ridge, start }) {
  const m = wins.length;
  let beta = centre(start ?? logOdds(wins, weightOfMatches(met, m)));
  let change = new Float64Array(m);
  let [promised, largest, expected, cap] = [0, 0, Infinity, LONGEST_STEP];
  let [least, since] = [Infinity, 0];
  for (let iteration = 0; iteration < MOST_ITERATIONS; iteration++) {
    const at = informationAt(beta, met, ridge);
    const size = largestSize(beta);
    const stalled = iteration - since > STALLED && largest < NOISE * size;
    if (stalled || expected < Math.max(TOLERANCE, ROUNDING * size)) {
      return { beta, at, iterations: iteration };
    }
    const score = scoreAt(wins, at, beta, estimator, ridge);
    const gained = dot(score, 0, change, 0, m);
    if (gained < -0.5 * promised) {
      const shorter = Math.max(0.1, promised / (promised - gained));
      beta = beta.map((own, i) => own - (1 - shorter) * change[i]);
      change = change.map((own) => shorter * own);
      [promised, cap] = [shorter * promised, LONGEST_STEP];
      continue;
    }
    const solve = estimator === "bias-reduced" ? biasReducedStep : solveInformation;
    const step = solve(at, score);
    const before = largest;
    largest = largestSize(step);
    if (largest < 0.5 * least) [least, since] = [largest, iteration];
    expected = before ? largest * Math.min(1, largest / before) : largest;
    const factor = cap / Math.max(largest, cap);
    change = step.map((own) => own * factor);
    cap *= 2;
    promised = dot(score, 0, change, 0, m);
    beta = centre(beta.map((own, i) => own + change[i]));
  }
  throw notConverged(MOST_ITERATIONS, largest);
}

/** (m,) what the ratings make zero. */
function scoreAt(wins, at, beta, estimator, ridge) {
  const score = wins.map((own, i) => own - at.expected[i] - ridge * beta[i]);
  if (estimator !== "bias-reduced") return score;
  const reduction = biasScore(at, at.inverse);
  return score.map((own, i) => own + reduction[i]);
}

/** Log-odds of a share of wins, with half a win and half a loss more. */
function logOdds(wins, weight) {
  return wins.map((own, i) => Math.log((own + 0.5) / (weight[i] - own + 0.5)));
}

function centre(values) {
  const mean = values.reduce((a, b) => a + b, 0) / values.length;
  return values.map((own) => own - mean);
}
