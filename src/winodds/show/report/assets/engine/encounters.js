// The matches of one pair of players, and scores that tell nobody apart.

import { FAILED } from "./counting.js";
import { meetInBattles, meetWithScores } from "./record.js";

/** How many matches player a won, lost and tied against player b. */
export function countDuel(selected, kind, a, b) {
  if (kind === "battles") return countBattlesOf(selected.entries, 1, a, b);
  const { cells, tournament } = selected;
  return countScores(listCells(cells, a), listCells(cells, b), kind === "across" ? tournament : null);
}

/** The same from the games of a board that is not refitted, with its number of players. */
export function countDuelOf(games, players, kind, a, b) {
  if (kind === "battles") return countBattlesOf(games, 2, a, b);
  const [one, two] = [a, b].map((player) => listScores(games, players, player));
  return countScores(one, two, kind === "across" ? games.tournament : null);
}

/** A function that gives the meetings of two players; `weight` is that of a match in each round. */
export function pairUp(selected, kind, weight) {
  if (kind === "battles") return (a, b) => meetInBattles(selected.entries, 1, a, b);
  const { cells, cluster, tournament } = selected;
  const scores = remember((player) => listCells(cells, player));
  return (a, b) => meetWithScores(scores(a), scores(b), { kind, cluster, tournament, weight });
}

/** The same from the games of a board that is not refitted. */
export function pairUpOf(games, players, kind, weight) {
  if (kind === "battles") return (a, b) => meetInBattles(games, 2, a, b);
  const { cluster, tournament } = games;
  const scores = remember((player) => listScores(games, players, player));
  return (a, b) => meetWithScores(scores(a), scores(b), { kind, cluster, tournament, weight });
}

/** The same function, which finds nothing twice. */
export function remember(find) {
  const known = new Map();
  return (key) => {
    if (!known.has(key)) known.set(key, find(key));
    return known.get(key);
  };
}

/** Whether two players have the same score in every round in which either took part. */
export function areIdentical({ cells }, kind, a, b) {
  return kind !== "battles" && sameScores(listCells(cells, a), listCells(cells, b));
}

/** The same from the games of a board that is not refitted. */
export function areIdenticalOf(games, players, kind, a, b) {
  return kind !== "battles" && sameScores(listScores(games, players, a), listScores(games, players, b));
}

/** Codes are equal just where scores are: a tolerance shows in the limits only. */
function sameScores(own, others) {
  return own.length === others.length && own.every(({ round, code }, k) => round === others[k].round && code === others[k].code);
}

/** Whether nobody won anything: all matches are ties. */
export function areAllTied({ cells, entries, tournament }, kind) {
  if (kind === "battles") return entries.outcome.every((own) => own === 0.5);
  // Of the scores that meet, the best beats the worst if any beats any.
  const best = new Map();
  const worst = new Map();
  for (let r = 0; r + 1 < cells.start.length; r++) {
    const place = kind === "across" ? tournament[r] : r;
    for (let k = cells.start[r]; k < cells.start[r + 1]; k++) {
      best.set(place, Math.max(best.get(place) ?? 0, cells.limit[k]));
      worst.set(place, Math.min(worst.get(place) ?? Infinity, cells.code[k]));
    }
  }
  return [...best].every(([place, limit]) => limit <= worst.get(place));
}

function countScores(own, others, tournament) {
  const counts = { won: 0, lost: 0, tied: 0 };
  const place = (round) => (tournament ? tournament[round] : round);
  for (const one of own) {
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

function listScores({ rounds, code, limit }, players, player) {
  const found = [];
  for (let round = 0; round < rounds; round++) {
    const at = round * players + player;
    if (code[at]) found.push({ round, code: code[at], limit: (limit ?? code)[at] });
  }
  return found;
}

function listCells(cells, player) {
  const found = [];
  for (let r = 0; r + 1 < cells.start.length; r++) {
    for (let k = cells.start[r]; k < cells.start[r + 1]; k++) {
      if (cells.player[k] !== player) continue;
      found.push({ round: r, code: cells.code[k], limit: cells.limit[k] });
    }
  }
  return found;
}

/** `win` is the outcome of a battle that the first player won; a lost one has 0. */
function countBattlesOf({ first, second, outcome, count }, win, a, b) {
  const counts = { won: 0, lost: 0, tied: 0 };
  for (let k = 0; k < first.length; k++) {
    const straight = first[k] === a && second[k] === b;
    const swapped = first[k] === b && second[k] === a;
    if (!straight && !swapped) continue;
    const own = straight ? outcome[k] : win - outcome[k];
    counts[own === win ? "won" : own === 0 ? "lost" : "tied"] += count[k];
  }
  return counts;
}
