// The normal and Student's t distribution: tails that stay exact when they are tiny, and quantiles.

const ROOT_TWO = Math.SQRT2;
const ROOT_PI = Math.sqrt(Math.PI);
const MOST_TERMS = 100000;
const EPSILON = 2 ** -52;

/** P(Z > x) of a standard normal Z, with small relative error also far out. */
export function normalTail(x) {
  if (x < 0) return 1 - normalTail(-x);
  const scaled = x / ROOT_TWO;
  return scaled < 2 ? 0.5 - 0.5 * errorSeries(scaled) : 0.5 * errorFraction(scaled);
}

/** erf(x) by a series whose terms all have one sign, for x up to about 2. */
function errorSeries(x) {
  let term = x;
  let sum = x;
  for (let n = 1; term > sum * 1e-17; n++) {
    term *= (2 * x * x) / (2 * n + 1);
    sum += term;
  }
  return (2 / ROOT_PI) * Math.exp(-x * x) * sum;
}

/** 1 − erf(x) by Laplace's continued fraction, from its far end, for x from about 2 on. */
function errorFraction(x) {
  const terms = Math.ceil(10 + 200 / (x * x));
  let below = x;
  for (let n = terms; n > 0; n--) below = x + (0.5 * n) / below;
  return Math.exp(-x * x) / (ROOT_PI * below);
}

/** The z with P(Z ≤ z) = p, for 0 < p < 1. */
export function normalQuantile(p) {
  if (p === 0.5) return 0;
  const tail = Math.min(p, 1 - p);
  const t = Math.sqrt(-2 * Math.log(tail));
  // Abramowitz & Stegun 26.2.23, right to 4.5e-4; Halley's steps treble the digits.
  const top = 2.515517 + t * (0.802853 + t * 0.010328);
  let z = t - top / (1 + t * (1.432788 + t * (0.189269 + t * 0.001308)));
  for (let step = 0; step < 3; step++) {
    const density = Math.exp(-0.5 * z * z) / Math.sqrt(2 * Math.PI);
    const miss = (normalTail(z) - tail) / density;
    z += miss / (1 - 0.5 * z * miss);
  }
  return p < 0.5 ? -z : z;
}

/** P(T > t) of Student's T with df ≥ 1 degrees of freedom. */
export function studentTail(t, df) {
  if (t < 0) return 1 - studentTail(-t, df);
  if (t === Infinity) return 0;
  const square = (t / df) * t;
  const a = 0.5 * df;
  if (square === 0) return 0.5;
  // Far out, t² overflows before the tail vanishes.
  const logX = square < Infinity ? -Math.log1p(square) : Math.log(df) - 2 * Math.log(t);
  const x = Math.exp(logX);
  const y = square < Infinity ? square / (1 + square) : 1;
  const front = Math.exp(a * logX) * Math.sqrt(y) * (gammaRatio(a) / ROOT_PI);
  if (x < (a + 1) / (a + 2.5)) return (0.5 * front * betaFraction(x, a, 0.5)) / a;
  return 0.5 - front * betaFraction(y, 0.5, a);
}

/** Γ(a + ½)/Γ(a), by its series in 1/a where that is exact, and by recurrence below. */
function gammaRatio(a) {
  let factor = 1;
  let top = a;
  for (; top < 40; top++) factor *= top / (top + 0.5);
  const u = 1 / top;
  const tail = 5 / 1024 + u * (-21 / 32768 + u * (-399 / 262144 + (u * 869) / 4194304));
  return factor * Math.sqrt(top) * (1 + u * (-1 / 8 + u * (1 / 128 + u * tail)));
}

/** The continued fraction of the incomplete beta function, by Lentz's method. */
function betaFraction(x, a, b) {
  let c = 1;
  let d = 1 / (1 - ((a + b) * x) / (a + 1));
  let value = d;
  for (let n = 1; n < MOST_TERMS; n++) {
    const even = (n * (b - n) * x) / ((a + 2 * n - 1) * (a + 2 * n));
    d = 1 / (1 + even * d);
    c = 1 + even / c;
    value *= d * c;
    const odd = (-(a + n) * (a + b + n) * x) / ((a + 2 * n) * (a + 2 * n + 1));
    d = 1 / (1 + odd * d);
    c = 1 + odd / c;
    const change = d * c;
    value *= change;
    if (Math.abs(change - 1) < EPSILON) break;
  }
  return value;
}

/** The t with P(T ≤ t) = p for Student's T with df ≥ 1 degrees of freedom, 0 < p < 1. */
export function studentQuantile(p, df) {
  if (p === 0.5) return 0;
  const tail = Math.min(p, 1 - p);
  const size = df === 1 ? 1 / Math.tan(Math.PI * tail) : solveStudent(tail, df);
  return p < 0.5 ? -size : size;
}

/** The t > 0 with P(T > t) = tail, by Newton's steps on the logarithm inside a bracket. */
function solveStudent(tail, df) {
  let low = 0;
  let high = 1;
  while (studentTail(high, df) > tail) {
    low = high;
    high *= 2;
  }
  let t = 0.5 * (low + high);
  for (let step = 0; step < 200; step++) {
    const found = studentTail(t, df);
    if (found > tail) low = t;
    else high = t;
    const next = t + (found * Math.log(found / tail)) / studentDensity(t, df);
    const inside = next > low && next < high;
    const change = (inside ? next : 0.5 * (low + high)) - t;
    t += change;
    if (Math.abs(change) <= 4 * EPSILON * t) break;
  }
  return t;
}

function studentDensity(t, df) {
  const power = Math.exp(-0.5 * (df + 1) * Math.log1p((t / df) * t));
  return (gammaRatio(0.5 * df) * power) / Math.sqrt(Math.PI * df);
}
