// Who is better, by the signs of clusters: the rules of signs.py. The same flips, bit by bit.
//
// Contributions have value (m,), wins or ratings whose differences are tested, deviation (m, G), what
// each cluster does to them, scale, which makes deviations parts of the value, and unit, of which all
// contributions are whole multiples, 0 where there is none.

import { EQUAL } from "./arrays.js";
import { inflationOf, pairVarianceOf, weightOf } from "./clusters.js";

const FEWEST_DF = 5;
const FLIPS = [[100, 2000], [300, 1000]];
const FEWEST_FLIPS = 500;
const FINEST = 1e-3;
const LISTED = 12;
const GOLDEN = 0x9e3779b9;
const TINY = 2 ** -1022;

/** What clusters contribute to differences, or null where they are not kept one by one. */
export function contributionsOf(counted, beta, influence, clustering, overlap) {
  if (clustering.share === null) return null;
  const factor = inflationOf(counted.clusters) ** counted.power;
  const scale = 1 / Math.sqrt(factor);
  if (!counted.level) return { value: beta, deviation: influence, scale, unit: 0 };
  const won = counted.winsByCluster();
  const deviation = deviateFrom(won, clustering.share, Math.sqrt(factor * overlap));
  const unit = counted.power === 1 ? unitOf(won, counted.clusters) : 0;
  return { value: counted.wins, deviation, scale, unit };
}

/** The largest number of which the differences of wins (m, G) are whole multiples; 0 where it is tiny. */
function unitOf(won, G) {
  const sizes = won.slice(G).map((own, k) => Math.abs(own - won[k % G]));
  const largest = sizes.reduce((most, own) => Math.max(most, own), 0);
  let left = Array.from(sizes).filter((own) => own > EQUAL * largest);
  let unit = 0;
  while (left.length) {
    unit = left.reduce((least, own) => Math.min(least, own));
    if (unit < FINEST * largest) return 0;
    const rest = left.map((own) => Math.abs(own - unit * Math.round(own / unit)));
    const apart = rest.filter((own) => own > Math.sqrt(EQUAL) * largest);
    left = apart.length ? [...apart, unit] : apart;
  }
  return unit;
}

/** (m, G) wins by cluster minus the cluster's share (G,) of a player's wins, times `widen`. */
export function deviateFrom(won, share, widen) {
  const G = share.length;
  const deviation = new Float64Array(won.length);
  for (let at = 0; at < won.length; at += G) {
    let total = 0;
    for (let c = 0; c < G; c++) total += won[at + c];
    for (let c = 0; c < G; c++) deviation[at + c] = widen * (won[at + c] - share[c] * total);
  }
  return deviation;
}

/** Whether signs of clusters with so many degrees of freedom can decide at the level. */
export function canDecide(df, level) {
  return df >= FEWEST_DF - EQUAL && 0.5 ** df < 1 - level;
}

/** t of the difference of two players, one unit nearer to 0; infinite where all clusters agree and there
 * is no unit. `known` is the variance of the influences' difference, which that of the contributions
 * may be.
 */
export function statisticOf({ value, deviation, unit }, clustering, influence, known, df, i, j) {
  const difference = value[i] - value[j];
  if (Math.abs(difference) < EQUAL * Math.max(Math.abs(difference), 1)) return 0;
  const variance = deviation === influence ? known : pairVarianceOf(clustering, deviation, i, j);
  // A variance that is nothing but rounding beside the difference is none.
  const clear = variance >= (EQUAL * difference) ** 2 ? variance : 0;
  const t = difference / Math.sqrt(clear);
  if (unit === 0) return t;
  // Sums whose signs are flipped lie two units apart, and t is the law of numbers without gaps.
  const size = Math.abs(difference);
  const kept = Math.max(size - unit, 0) / size;
  const square = kept ** 2 * (clear === 0 ? 1 : t ** 2 / (t ** 2 + df)) * (df + 1);
  return Math.sign(difference) * Math.sqrt((df * square) / (df + 1 - square));
}

/** Differences of all pairs when whole clusters change their sign; the first flip changes none.
 *
 * `fill(row, i, j, chosen)` writes into a row the statistics S/√Q of i minus j in every flip, or in those
 * that are chosen, with S the sum of the pair's contributions and Q that of their squares; 0 for copies.
 */
export function makeFlips(contributions, clustering, seed) {
  const { value, deviation, scale } = contributions;
  const { columns: G, share } = clustering;
  const m = value.length;
  const common = clustering.rows === 1;
  const part = deviation.map((own, k) => own * scale + (common ? value[Math.floor(k / G)] * share[k % G] : 0));
  const signs = drawSigns(G, m, seed);
  const sums = flipSums(part, m, G, signs);
  const held = common ? null : flipSums(share, m, G, signs);
  const roots = common ? rootsOf(part, m, G) : rootsWithShares(part, value, clustering, m, G);
  const F = signs.number;
  const fill = (row, i, j, chosen) => {
    const [root, a, b] = [roots[i * m + j], i * F, j * F];
    if (chosen === null) for (let f = 0; f < F; f++) row[f] = (sums[a + f] - sums[b + f]) * root;
    else for (let k = 0; k < row.length; k++) row[k] = (sums[a + chosen[k]] - sums[b + chosen[k]]) * root;
    if (common) return;
    const own = weightOf(clustering, i, j);
    const apart = (value[i] - value[j]) * root;
    const [mine, theirs] = [apart * own, apart * (1 - own)];
    for (let k = 0; k < row.length; k++) {
      const f = chosen === null ? k : chosen[k];
      row[k] += mine * held[a + f] + theirs * held[b + f];
    }
  };
  return { players: m, number: F, fill };
}

/** (m, m) 1/√Q of each pair, 0 for copies, from a pair's squared contributions. */
function collectRoots(part, m, G, squareOf) {
  const size = Float64Array.from({ length: m }, (_, i) => {
    let sum = TINY;
    for (let k = i * G; k < (i + 1) * G; k++) sum += part[k] * part[k];
    return sum;
  });
  const roots = new Float64Array(m * m);
  for (let i = 1; i < m; i++) {
    for (let j = 0; j < i; j++) {
      const square = squareOf(i, j);
      const moved = square > EQUAL ** 2 * (size[i] + size[j]);
      roots[i * m + j] = roots[j * m + i] = moved ? 1 / Math.sqrt(square) : 0;
    }
  }
  return roots;
}

/** Where all have the same shares in clusters, contributions are differences of two numbers. */
function rootsOf(part, m, G) {
  return collectRoots(part, m, G, (i, j) => {
    let sum = 0;
    for (let a = i * G, b = j * G, end = a + G; a < end; a++, b++) {
      const own = part[a] - part[b];
      sum += own * own;
    }
    return sum;
  });
}

function rootsWithShares(part, value, clustering, m, G) {
  const { share } = clustering;
  return collectRoots(part, m, G, (i, j) => {
    const own = weightOf(clustering, i, j);
    const apart = value[i] - value[j];
    let sum = 0;
    for (let a = i * G, b = j * G, end = a + G; a < end; a++, b++) {
      const change = part[a] - part[b] + apart * (own * share[a] + (1 - own) * share[b]);
      sum += change * change;
    }
    return sum;
  });
}

/** How many flips there are, and for every eight clusters a byte for each flip: a bit is a changed sign.
 *
 * All that differ by more than their direction, if these are few.
 */
export function drawSigns(clusters, players, seed) {
  const listed = clusters <= LISTED;
  const drawn = (FLIPS.find(([most]) => players <= most) ?? [0, FEWEST_FLIPS])[1];
  const number = listed ? 2 ** (clusters - 1) : drawn;
  const start = mix(seed);
  const flips = Uint32Array.from({ length: number }, (_, f) => (listed ? f : mix((f + start) >>> 0)));
  const bytes = [];
  for (let first = 0; first < clusters; first += 8) {
    const codes = new Uint8Array(number);
    for (let bit = 0; bit < 8 && first + bit < clusters; bit++) {
      const label = Math.imul(first + bit, GOLDEN);
      for (let f = 0; f < number; f++) {
        const random = listed ? flips[f] >>> (first + bit) : mix(flips[f] ^ label);
        codes[f] |= (random & 1) << bit;
      }
    }
    codes[0] = 0;
    bytes.push(codes);
  }
  return { number, bytes };
}

/** A hash of 32 bits in which every bit of the input moves every bit of the output. */
function mix(bits) {
  let own = Math.imul(bits ^ (bits >>> 16), 0x21f0aaad);
  own = Math.imul(own ^ (own >>> 15), 0x735a2d97);
  return (own ^ (own >>> 15)) >>> 0;
}

/** (m, F) sums of the numbers (m, G) with the signs of each flip.
 *
 * Eight clusters at a time: of their 256 sums each is another with one sign changed.
 */
function flipSums(numbers, m, G, { number, bytes }) {
  const sums = new Float64Array(m * number);
  const table = new Float64Array(256);
  bytes.forEach((codes, block) => {
    const width = Math.min(8, G - 8 * block);
    for (let i = 0; i < m; i++) {
      const at = i * G + 8 * block;
      table[0] = 0;
      for (let c = 0; c < width; c++) table[0] += numbers[at + c];
      for (let code = 1; code < 1 << width; code++) {
        table[code] = table[code & (code - 1)] - 2 * numbers[at + 31 - Math.clz32(code & -code)];
      }
      const to = i * number;
      for (let f = 0; f < number; f++) sums[to + f] += table[codes[f]];
    }
  });
  return sums;
}
