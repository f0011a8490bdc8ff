// Sets of players as rows of bits, 32 to a word.

/** Rows of bits for `rows` sets of up to `size` players, all empty. */
export function makeSets(rows, size) {
  const words = Math.ceil(size / 32);
  return { size, words, bits: new Uint32Array(rows * words) };
}

export function include(sets, row, player) {
  sets.bits[row * sets.words + (player >>> 5)] |= 1 << (player & 31);
}

export function includes(sets, row, player) {
  return (sets.bits[row * sets.words + (player >>> 5)] >>> (player & 31)) & 1;
}

/** Add the set in row `from` of `others` to the set in row `row`. */
export function unite(sets, row, others, from) {
  const at = row * sets.words;
  const to = from * others.words;
  for (let k = 0; k < sets.words; k++) sets.bits[at + k] |= others.bits[to + k];
}

/** The lowest player in a set (an array of words) from `first` on, or −1. */
export function lowest(words, first) {
  for (let k = first >>> 5; k < words.length; k++) {
    const word = k === first >>> 5 ? words[k] & (-1 << (first & 31)) : words[k];
    if (word) return 32 * k + 31 - Math.clz32(word & -word);
  }
  return -1;
}

/** The highest player in a set (an array of words), or −1. */
export function highest(words) {
  for (let k = words.length - 1; k >= 0; k--) {
    if (words[k]) return 32 * k + 31 - Math.clz32(words[k]);
  }
  return -1;
}
