// The letters, or numbers, that players share who cannot be told apart.

/** The letters of a text such as "abc" or "1–3,7". */
function lettersIn(text) {
  if (!/\d/.test(text)) return [...text];
  return text.split(",").flatMap((range) => {
    const [from, to = from] = range.split("–").map(Number);
    return Array.from({ length: to - from + 1 }, (_, k) => from + k);
  });
}

/** Whether two players have a letter in common. */
export function sharesLetter(text, other) {
  const letters = new Set(lettersIn(text));
  return lettersIn(other).some((letter) => letters.has(letter));
}
