// The letters, or numbers, of groups of players who cannot be told apart.

/** The groups that a text such as "abc" or "1–3,7" names. */
function groupsIn(text) {
  if (!/\d/.test(text)) return [...text];
  return text.split(",").flatMap((range) => {
    const [from, to = from] = range.split("–").map(Number);
    return Array.from({ length: to - from + 1 }, (_, k) => from + k);
  });
}

/** Whether two players have a group in common. */
export function sharesGroup(text, other) {
  const groups = new Set(groupsIn(text));
  return groupsIn(other).some((group) => groups.has(group));
}
