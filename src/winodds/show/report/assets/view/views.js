// What is to be shown: the rows of the file, or those of a refit, against a reference.
//
// A view has `board` (its number), `chosen` (players and rounds, null for all), `rows`, `off` (players
// that are not rated, with the reason), `refitted`, `reference` (an index, null for the average),
// `averaged` (over how many players that is, null for all),
// `newTournaments` (whether intervals are for such), `notes` and `said`.

import { averagePlayer, count, listNames } from "./words.js";

// A note has `kind`, `name` (which one it is, by which it is known) and `text`, as in Python.
const WON_ALL = { kind: "doubt", name: "won_all", text: "won every match" };
const LOST_ALL = { kind: "doubt", name: "lost_all", text: "lost every match" };
const OPEN_ENDS = [
  { kind: "doubt", name: "open_above", text: "upper end open" },
  { kind: "doubt", name: "open_below", text: "lower end open" },
];

/** Whether a row's note is about an end of its interval. */
export function isOnOpenEnd(note) {
  return OPEN_ENDS.some(({ name }) => name === note.name);
}

/** The rows as the file gave them. */
export function originalView(board, number) {
  const { columns, reference } = board;
  const rows = columns.player.map((player, index) => {
    const row = Object.fromEntries(Object.entries(columns).map(([key, cells]) => [key, cells[index]]));
    return { ...row, index, order: index, player, shown: { value: row.epp, se: row.se, low: row.low, high: row.high } };
  });
  return { board: number, chosen: null, rows, off: new Map(), refitted: false, reference, averaged: board.averaged, newTournaments: board.new_tournaments, notes: [], said: "" };
}

/** The rows without what is switched off; `ask` asks the engine about the board. */
export async function refittedView(board, number, state, ask) {
  const names = board.columns.player;
  const chosen = {
    players: names.map((_, k) => !state.players.has(k)),
    rounds: board.schedule ? board.schedule.rounds.map((_, k) => !state.rounds.has(k)) : null,
  };
  const found = await ask("fit", { chosen });
  const rows = found.player.map((index, order) => ({
    ...centredRow(found, order),
    index, order, player: names[index], family: board.columns.family[index], p_best: null, quasi_se: null,
    mean_score: state.rounds.size ? null : board.columns.mean_score[index],
  }));
  const off = new Map([
    ...[...state.players].map((index) => [index, "switched off"]),
    ...found.unmatched.map((index) => [index, "met nobody in these rounds"]),
  ]);
  const best = listNames(found.couldBeBest.map((index) => names[index]));
  // Of pooled tournaments, one may be left: then rounds are drawn anew.
  const newTournaments = board.new_tournaments && !found.byRounds;
  return {
    board: number, chosen, rows, off, refitted: true, reference: null, averaged: found.averaged, newTournaments, notes: refitNotes(found, board),
    said: `Rated anew: ${count(rows.length, "player")}. ${best} could truly be the best.`,
  };
}

function centredRow(found, k) {
  const [low, high] = [found.low[k], found.high[k]];
  const notes = [];
  if (found.wins[k] === found.matches[k]) notes.push(WON_ALL);
  if (found.wins[k] === 0) notes.push(LOST_ALL);
  return {
    rank: found.rank[k], rank_low: found.rankLow[k], rank_high: found.rankHigh[k],
    epp: found.epp[k], se: found.se[k], low, high, p_average: found.pAverage[k], letters: found.letters[k],
    wins: found.wins[k], matches: found.matches[k], rounds: found.rounds === null ? null : found.rounds[k],
    notes: withOpenEnds(notes, low, high),
    shown: { value: found.epp[k], se: found.se[k], low, high },
  };
}

/** The notes of a row with those on open ends that fit an interval, where Python puts them. */
function withOpenEnds(notes, low, high) {
  const others = notes.filter((note) => !isOnOpenEnd(note));
  const few = others.findIndex((note) => note.name === "few_clusters_of_row");
  const open = OPEN_ENDS.filter((_, k) => [high, low][k] === null);
  return others.toSpliced(few < 0 ? others.length : few, 0, ...open);
}

function refitNotes(found, board) {
  const notes = [...found.doubts];
  if (found.clusters < 10 && board.interval_kind === "robust") {
    const unit = found.byRounds ? { one: "round", many: "rounds" } : board.cluster;
    const text = `The intervals rest on only ${count(found.clusters, unit.one, unit.many)}; below about 10 they are rough.`;
    notes.push({ kind: "doubt", name: "few_clusters", text });
  }
  if (found.unmatched.length) {
    const names = listNames(found.unmatched.map((index) => board.columns.player[index]));
    notes.push({ kind: "reading", name: "players_without_match", text: `Without a match, and so not rated: ${names}.` });
  }
  return notes;
}

/** Show ratings against another player, or, with null, against the average. */
export async function relate(view, board, reference, ask) {
  if (view.off.has(reference)) {
    view.said = `${board.columns.player[reference]} ${view.off.get(reference)}: ratings are against ${averagePlayer(view.averaged)}. ${view.said}`;
    return;
  }
  if (reference === view.reference) return;
  const { chosen } = view;
  const found = reference === null ? await ask("fit", { chosen }) : await ask("compare", { chosen, reference });
  const place = new Map(Array.from(found.player ?? found.players, (index, k) => [index, k]));
  const values = found.epp ?? found.difference;
  for (const row of view.rows) {
    const k = place.get(row.index);
    row.shown = { value: values[k], se: found.se[k], low: found.low[k], high: found.high[k] };
    row.notes = withOpenEnds(row.notes, row.shown.low, row.shown.high);
  }
  view.reference = reference;
}
