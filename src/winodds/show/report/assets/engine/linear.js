// Dense matrices, row by row in one Float64Array: products, Cholesky, symmetric eigenvalues.
//
// Inner loops run along rows, four rows at a time: that is what keeps the numbers in the cache.

/** The sum of a[at + k]·b[to + k] for k < size. */
export function dot(a, at, b, to, size) {
  let s0 = 0;
  let s1 = 0;
  let s2 = 0;
  let s3 = 0;
  let k = 0;
  for (; k + 3 < size; k += 4) {
    s0 += a[at + k] * b[to + k];
    s1 += a[at + k + 1] * b[to + k + 1];
    s2 += a[at + k + 2] * b[to + k + 2];
    s3 += a[at + k + 3] * b[to + k + 3];
  }
  for (; k < size; k++) s0 += a[at + k] * b[to + k];
  return s0 + s1 + (s2 + s3);
}

/** Add to row `to` of target (both `width` wide) amount[at + k] times row k of matrix, k < rows.
 *
 * With `triangular`, rows of the matrix end at their diagonal.
 */
function addRows(target, to, matrix, width, amount, at, rows, triangular) {
  let k = 0;
  for (; k + 3 < rows; k += 4) {
    const f0 = amount[at + k];
    const f1 = amount[at + k + 1];
    const f2 = amount[at + k + 2];
    const f3 = amount[at + k + 3];
    const row = k * width;
    const size = triangular ? k + 4 : width;
    for (let j = 0; j < size; j++) {
      const by = row + j;
      target[to + j] +=
        f0 * matrix[by] +
        f1 * matrix[by + width] +
        (f2 * matrix[by + 2 * width] + f3 * matrix[by + 3 * width]);
    }
  }
  for (; k < rows; k++) {
    const factor = amount[at + k];
    const row = k * width;
    const size = triangular ? k + 1 : width;
    for (let j = 0; j < size; j++) target[to + j] += factor * matrix[row + j];
  }
}

/** (n, p) product of a (n, k) and b (k, p). */
export function multiply(a, b, n, k, p) {
  const product = new Float64Array(n * p);
  for (let i = 0; i < n; i++) addRows(product, i * p, b, p, a, i * k, k, false);
  return product;
}

/** (n,) product of a (n, k) and a vector (k,). */
export function multiplyVector(a, vector, n, k) {
  return Float64Array.from({ length: n }, (_, i) => dot(a, i * k, vector, 0, k));
}

/** (n, n) a aᵀ of a (n, k). */
export function outer(a, n, k) {
  const product = new Float64Array(n * n);
  for (let i = 0; i < n; i++) {
    for (let j = 0; j <= i; j++) {
      product[i * n + j] = product[j * n + i] = dot(a, i * k, a, j * k, k);
    }
  }
  return product;
}

/** (p, n) transpose of a (n, p). */
export function transpose(a, n, p) {
  const turned = new Float64Array(n * p);
  for (let i = 0; i < n; i++) for (let j = 0; j < p; j++) turned[j * n + i] = a[i * p + j];
  return turned;
}

/** Overwrite the lower triangle of a symmetric matrix (n, n) by its Cholesky factor.
 *
 * False when the matrix is not positive definite.
 */
export function factorise(matrix, n) {
  for (let i = 0; i < n; i++) {
    const row = i * n;
    for (let j = 0; j < i; j++) {
      const left = matrix[row + j] - dot(matrix, row, matrix, j * n, j);
      matrix[row + j] = left / matrix[j * n + j];
    }
    const square = matrix[row + i] - dot(matrix, row, matrix, row, i);
    if (!(square > 0)) return false;
    matrix[row + i] = Math.sqrt(square);
  }
  return true;
}

/** (n, n) inverse of a matrix from its Cholesky factor. */
export function invertFactorised(factor, n) {
  const root = new Float64Array(n * n);
  const amount = new Float64Array(n);
  for (let i = 0; i < n; i++) {
    const scale = 1 / factor[i * n + i];
    for (let k = 0; k < i; k++) amount[k] = -scale * factor[i * n + k];
    addRows(root, i * n, root, n, amount, 0, i, true);
    root[i * n + i] = scale;
  }
  return gram(root, n);
}

/** (n, n) rootᵀ root of a lower triangular root. */
function gram(root, n) {
  const turned = transpose(root, n, n);
  const product = new Float64Array(n * n);
  for (let i = 0; i < n; i++) {
    for (let j = 0; j <= i; j++) {
      const sum = dot(turned, i * n + i, turned, j * n + i, n - i);
      product[i * n + j] = product[j * n + i] = sum;
    }
  }
  return product;
}

/** (n,) solution of a system with a Cholesky-factorised matrix. */
export function solveFactorised(factor, right, n) {
  const x = Float64Array.from(right);
  for (let i = 0; i < n; i++) x[i] = (x[i] - dot(factor, i * n, x, 0, i)) / factor[i * n + i];
  for (let i = n - 1; i >= 0; i--) {
    x[i] /= factor[i * n + i];
    for (let k = 0; k < i; k++) x[k] -= factor[i * n + k] * x[i];
  }
  return x;
}

/** Eigenvalues (n,) of a symmetric matrix and, in rows, their vectors (n, n).
 *
 * Householder's reduction to a tridiagonal matrix, then QL steps with implicit shifts (Martin,
 * Reinsch & Wilkinson 1968; Dubrulle 1970).
 */
export function eigen(matrix, n) {
  const { diagonal, beside, basis } = tridiagonalise(Float64Array.from(matrix), n);
  iterateQL(diagonal, beside, basis, n);
  return { values: diagonal, vectors: basis };
}

/** The tridiagonal form: its diagonal, what stands beside it, and the basis in rows. */
function tridiagonalise(a, n) {
  const beside = new Float64Array(n);
  const scales = new Float64Array(n);
  const image = new Float64Array(n);
  for (let i = n - 1; i > 1; i--) {
    scales[i] = reflect(a, n, i, beside);
    if (scales[i] === 0) continue;
    applyReflection(a, n, i, scales[i], image);
  }
  if (n > 1) beside[1] = a[n];
  const diagonal = Float64Array.from({ length: n }, (_, i) => a[i * n + i]);
  return { diagonal, beside, basis: collectBasis(a, n, scales) };
}

/** Turn the first i entries of row i into a Householder vector; the return is 2/|v|², or 0. */
function reflect(a, n, i, beside) {
  const row = i * n;
  let largest = 0;
  for (let k = 0; k < i; k++) largest = Math.max(largest, Math.abs(a[row + k]));
  let rest = 0;
  for (let k = 0; k < i - 1; k++) rest += Math.abs(a[row + k]);
  beside[i] = a[row + i - 1];
  if (rest === 0) return 0;
  for (let k = 0; k < i; k++) a[row + k] /= largest;
  const last = a[row + i - 1];
  const length = Math.sqrt(dot(a, row, a, row, i)) * (last > 0 ? -1 : 1);
  beside[i] = largest * length;
  a[row + i - 1] = last - length;
  return 1 / (length * length - last * length);
}

/** A − v qᵀ − q vᵀ on the leading i × i block, lower triangle, with v in row i. */
function applyReflection(a, n, i, scale, image) {
  const row = i * n;
  image.fill(0, 0, i);
  for (let j = 0; j < i; j++) {
    image[j] += dot(a, j * n, a, row, j + 1);
    const own = a[row + j];
    for (let k = 0; k < j; k++) image[k] += a[j * n + k] * own;
  }
  for (let j = 0; j < i; j++) image[j] *= scale;
  const half = 0.5 * scale * dot(a, row, image, 0, i);
  for (let j = 0; j < i; j++) image[j] -= half * a[row + j];
  for (let j = 0; j < i; j++) {
    const v = a[row + j];
    const q = image[j];
    for (let k = 0; k <= j; k++) a[j * n + k] -= v * image[k] + q * a[row + k];
  }
}

/** (n, n) in row k the k-th column of the product of all reflections. */
function collectBasis(a, n, scales) {
  const basis = new Float64Array(n * n);
  for (let i = 0; i < n; i++) basis[i * n + i] = 1;
  for (let i = 2; i < n; i++) {
    if (scales[i] === 0) continue;
    for (let k = 0; k < i; k++) {
      const along = scales[i] * dot(basis, k * n, a, i * n, i);
      for (let j = 0; j < i; j++) basis[k * n + j] -= along * a[i * n + j];
    }
  }
  return basis;
}

/** QL steps until nothing stands beside the diagonal; the rows of the basis turn along. */
function iterateQL(diagonal, beside, basis, n) {
  for (let i = 1; i < n; i++) beside[i - 1] = beside[i];
  if (n) beside[n - 1] = 0;
  for (let low = 0; low < n; low++) {
    for (let step = 0; step < 60; step++) {
      const end = findSplit(diagonal, beside, low, n);
      if (end === low) break;
      shiftedStep(diagonal, beside, basis, n, low, end);
    }
  }
}

/** The first place from low on where what stands beside the diagonal is negligible. */
function findSplit(diagonal, beside, low, n) {
  for (let m = low; m < n - 1; m++) {
    const size = Math.abs(diagonal[m]) + Math.abs(diagonal[m + 1]);
    if (Math.abs(beside[m]) <= 2 ** -53 * size) return m;
  }
  return n - 1;
}

function shiftedStep(d, e, basis, n, low, end) {
  const half = (d[low + 1] - d[low]) / (2 * e[low]);
  const root = Math.hypot(half, 1);
  let g = d[end] - d[low] + e[low] / (half + (half >= 0 ? root : -root));
  let [sine, cosine, shift] = [1, 1, 0];
  for (let i = end - 1; i >= low; i--) {
    const f = sine * e[i];
    const b = cosine * e[i];
    const r = Math.hypot(f, g);
    e[i + 1] = r;
    if (r === 0) {
      d[i + 1] -= shift;
      e[end] = 0;
      return;
    }
    sine = f / r;
    cosine = g / r;
    g = d[i + 1] - shift;
    const turn = (d[i] - g) * sine + 2 * cosine * b;
    shift = sine * turn;
    d[i + 1] = g + shift;
    g = cosine * turn - b;
    rotate(basis, n, i, sine, cosine);
  }
  d[low] -= shift;
  e[low] = g;
  e[end] = 0;
}

/** Rotate rows i and i + 1 of the basis. */
function rotate(basis, n, i, sine, cosine) {
  const one = i * n;
  const two = one + n;
  for (let k = 0; k < n; k++) {
    const f = basis[two + k];
    basis[two + k] = sine * basis[one + k] + cosine * f;
    basis[one + k] = cosine * basis[one + k] - sine * f;
  }
}

/** (n, n) B with B Bᵀ = a, for a symmetric matrix without negative eigenvalues. */
export function squareRoot(a, n) {
  const { values, vectors } = eigen(a, n);
  const root = transpose(vectors, n, n);
  for (let k = 0; k < n; k++) {
    const scale = Math.sqrt(Math.max(values[k], 0));
    for (let i = 0; i < n; i++) root[i * n + k] *= scale;
  }
  return root;
}
