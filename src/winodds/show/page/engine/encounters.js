// The matches of one pair of players.

import { FAILED } from "./counting.js";

/** How many matches player a won, lost and tied against player b. */
export function countDuel(selected, kind, a, b) {
  const counts = { won: 0, lost: 0, tied: 0 };
  if (kind === "battles") {
    countDuelOfBattles(selected.entries, a, b, counts);
    return counts;
  }
  const { tournament } = selected;
  const place = (round) => (kind === "across" ? tournament[round] : round);
  const others = listScores(selected, b);
  for (const one of listScores(selected, a)) {
    for (const two of others) {
      if (place(one.round) !== place(two.round)) continue;
      if (one.code === FAILED && two.code === FAILED) continue;
      if (two.code < one.limit) counts.won++;
      else if (one.code < two.limit) counts.lost++;
      else counts.tied++;
    }
  }
  return counts;
}

function listScores({ cells }, player) {
  const found = [];
  for (let r = 0; r + 1 < cells.start.length; r++) {
    for (let k = cells.start[r]; k < cells.start[r + 1]; k++) {
      if (cells.player[k] !== player) continue;
      found.push({ round: r, code: cells.code[k], limit: cells.limit[k] });
    }
  }
  return found;
}

function countDuelOfBattles({ first, second, outcome, count }, a, b, counts) {
  for (let k = 0; k < first.length; k++) {
    const straight = first[k] === a && second[k] === b;
    const swapped = first[k] === b && second[k] === a;
    if (!straight && !swapped) continue;
    const won = straight ? outcome[k] : 1 - outcome[k];
    counts[won === 1 ? "won" : won === 0 ? "lost" : "tied"] += count[k];
  }
}
