// Arrays as they are shipped (base64 of little-endian numbers, or a list where that is shorter), and equality.

const TYPES = {
  u1: Uint8Array,
  u2: Uint16Array,
  u4: Uint32Array,
  f4: Float32Array,
  f8: Float64Array,
};

/** Computed numbers closer than this (by this share of them, if larger than 1) are equal, as in arrays.py. */
export const EQUAL = 1e-9;

/** The typed array that Python's `pack` wrote; null stays null. */
export function unpack(packed) {
  if (!packed) return null;
  const text = atob(packed.data);
  const bytes = new Uint8Array(text.length);
  for (let k = 0; k < bytes.length; k++) bytes[k] = text.charCodeAt(k);
  return packed.type in TYPES ? new TYPES[packed.type](bytes.buffer) : splitBits(bytes, Number(packed.type.slice(1)));
}

/** Natural numbers of 9 to 15 bits, which stand one after the other, the lowest first. */
function splitBits(bytes, width) {
  const found = new Uint16Array(Math.floor((8 * bytes.length) / width));
  for (let k = 0, at = 0; k < found.length; k++, at += width) {
    const from = at >> 3;
    const bits = bytes[from] | (bytes[from + 1] << 8) | (bytes[from + 2] << 16);
    found[k] = (bits >> (at & 7)) & ((1 << width) - 1);
  }
  return found;
}

/** All packed arrays of a record by their names. */
export function unpackAll(record) {
  const isPacked = (value) => value !== null && typeof value === "object" && "data" in value;
  return Object.fromEntries(
    Object.entries(record).map(([name, value]) => [name, isPacked(value) ? unpack(value) : value]),
  );
}
