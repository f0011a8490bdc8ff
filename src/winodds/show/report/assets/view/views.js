// What is to be shown: the rows of the file, or those of a refit, against a reference.
//
// A view has `board` (its number), `chosen` (players and rounds, null for all), `rows`, `off` (players
// that are not rated, with the reason), `refitted`, `reference` (an index, null for the average),
// `averaged` (over how many players that is, null for all),
// `newTournaments` (whether intervals are for such), `notes` and `said`.

import { count, listNames } from "../shared/english.js";
import { averagePlayer } from "./words.js";

// A note has `kind`, `name` (which one it is, by which it is known) and `text`, all from Python.
const OPEN_ENDS = ["open_above", "open_below"];

/** Whether a row's note is about an end of its interval. */
export function isOnOpenEnd(note) {
  return OPEN_ENDS.includes(note.name);
}

/** The rows as the file gave them. */
export function originalView(board, number) {
  const { columns, reference } = board;
  const rows = columns.player.map((_, index) => {
    const row = rowOf(columns, columns, index);
    return { ...row, index, order: index, shown: shownOf(row) };
  });
  return { board: number, chosen: null, rows, off: new Map(), refitted: false, reference, averaged: board.averaged, newTournaments: board.new_tournaments, notes: [], said: "" };
}

/** The rows without what is switched off; `ask` asks the engine about the board. */
export async function refittedView(board, number, state, ask) {
  const { columns } = board;
  const names = columns.player;
  const chosen = {
    players: names.map((_, k) => !state.players.has(k)),
    rounds: board.schedule ? board.schedule.rounds.map((_, k) => !state.rounds.has(k)) : null,
  };
  const found = await ask("fit", { chosen });
  const rows = found.player.map((index, order) => {
    const row = rowOf(columns, found.columns, order);
    const kept = { player: names[index], family: columns.family[index], mean_score: state.rounds.size ? null : columns.mean_score[index] };
    return { ...row, ...kept, index, order, notes: withOpenEnds(row.notes, row, board), shown: shownOf(row) };
  });
  const off = new Map([
    ...[...state.players].map((index) => [index, "switched off"]),
    ...found.unmatched.map((index) => [index, `met nobody in these ${board.nouns.round[1]}`]),
  ]);
  const best = listNames(found.couldBeBest.map((index) => names[index]));
  // Of pooled tournaments, one may be left: then rounds are drawn anew.
  const newTournaments = board.new_tournaments && !found.byRounds;
  return {
    board: number, chosen, rows, off, refitted: true, reference: null, averaged: found.averaged, newTournaments, notes: refitNotes(found, board),
    said: `Rated anew: ${count(rows.length, ...board.nouns.player)}. ${best} could truly be the best.`,
  };
}

/** One row of some columns; null in those of the board that are not among them. */
function rowOf(declared, columns, k) {
  return Object.fromEntries(Object.keys(declared).map((key) => [key, columns[key]?.[k] ?? null]));
}

/** What is shown of a row's own rating. */
function shownOf({ epp, se, low, high }) {
  return { value: epp, se, low, high };
}

const AFTER_OPEN_ENDS = ["few_clusters_of_row", "seldom_lost", "seldom_won"];

/** The notes of a row with those on open ends that fit an interval, where Python puts them. */
function withOpenEnds(notes, { low, high }, { open_ends: ends }) {
  const others = notes.filter((note) => !isOnOpenEnd(note));
  const few = others.findIndex((note) => AFTER_OPEN_ENDS.includes(note.name));
  const open = [...(high === null ? [ends.above] : []), ...(low === null ? [ends.below] : [])];
  return others.toSpliced(few < 0 ? others.length : few, 0, ...open);
}

function refitNotes(found, board) {
  const notes = [...found.doubts];
  if (found.unmatched.length) {
    const names = listNames(found.unmatched.map((index) => board.columns.player[index]));
    notes.push({ kind: "reading", name: "players_without_match", text: `Without a match, and so not rated: ${names}.` });
  }
  return notes;
}

/** Show ratings against another player, or, with null, against the average. */
export async function relate(view, board, reference, ask) {
  if (view.off.has(reference)) {
    view.said = `${board.columns.player[reference]} ${view.off.get(reference)}: ratings are against ${averagePlayer(view.averaged, board)}. ${view.said}`;
    return;
  }
  if (reference === view.reference) return;
  const { chosen } = view;
  const found = reference === null ? await ask("fit", { chosen }) : await ask("compare", { chosen, reference });
  const place = new Map(Array.from(found.player ?? found.players, (index, k) => [index, k]));
  const own = found.columns ?? found;
  const values = own.epp ?? own.difference;
  for (const row of view.rows) {
    const k = place.get(row.index);
    row.shown = { value: values[k], se: own.se[k], low: own.low[k], high: own.high[k] };
    row.notes = withOpenEnds(row.notes, row.shown, board);
  }
  view.reference = reference;
}
