// Ratings of some of the players in some of the rounds, by the same rules as Python.
//
//   const model = loadGames(shipped, names);
//   const state = fitGames(model, { players: [true, false, …], rounds: null });
//   summarise(state); compareWith(state, 3); duel(state, 0, 3);
//
// Players are known by their place on the shipped board, 0 is the first.

import { countAcross } from "./across.js";
import { unpack, unpackAll } from "./arrays.js";
import { countBattles, selectBattles } from "./battles.js";
import { includes } from "./bits.js";
import { areAllTied, areIdentical, countDuel } from "./encounters.js";
import { fitRatings } from "./fit.js";
import { placeInOrder, rankPlayers } from "./placing.js";
import { closeReach, findComponents, findEnds, findSets, reachOf } from "./reach.js";
import { selectScores } from "./selection.js";
import { neverMet, openEnds, separated } from "./sentences.js";
import { errorsOf, intervalsAt, pValue, quantify } from "./uncertainty.js";
import { countWithin } from "./within.js";

/** What a refit needs, from a shipped component that may be refitted, and the names of its players. */
export function loadGames(shipped, names) {
  const { kind, estimator, ridge, interval, level, units, pooled, notes } = shipped;
  const games = unpackAll(shipped.games);
  const nameRank = new Int32Array(names.length);
  unpack(shipped.by_name).forEach((place, rank) => (nameRank[place] = rank));
  return {
    ...{ kind, estimator, ridge, interval, level, units, pooled, notes },
    testFraction: shipped.test_fraction,
    names,
    players: names.length,
    nameRank,
    ...(kind === "battles" ? { entries: games } : games),
  };
}

/** Rate the chosen players in the chosen rounds.
 *
 * `chosen` has `players` and `rounds`, a boolean for each in the order of the board and of the
 * rounds; null for all. A `previous` state makes it faster. Throws a RefitError where Python's
 * `rate` would raise.
 *
 * The state has `players`, the places of those who are rated, in ascending order; all arrays are in
 * that order. `unmatched` are places of chosen players who met nobody.
 */
export function fitGames(model, chosen, previous = null) {
  const battles = model.kind === "battles";
  const selected = battles ? selectBattles(model, chosen) : selectScores(model, chosen);
  const count = battles ? countBattles : model.kind === "across" ? countAcross : countWithin;
  const counted = count(selected);
  checkReach(model, selected, counted);
  const start = previous && startFrom(previous, selected.players);
  const { estimator, ridge } = model;
  const fitted = fitRatings(counted.wins, counted.met, { estimator, ridge, start });
  return describeState(model, selected, counted, fitted);
}

function describeState(model, selected, counted, fitted) {
  const overlap = overlapFactor(model.testFraction, counted.clusters);
  const robust = model.interval === "robust";
  const wantsBias = robust && model.estimator !== "ridge";
  const { at, beta, iterations } = fitted;
  const { m, inverse } = at;
  const { few_clusters, few_rounds } = model.notes;
  return {
    names: model.names,
    nameRank: selected.players.map((place) => model.nameRank[place]),
    players: selected.players,
    unmatched: selected.unmatched,
    rounds: selected.rounds ?? null,
    roundsPlayed: selected.cells ? countRounds(selected) : null,
    counted,
    beta,
    iterations,
    inverse,
    ...quantify(counted, fitted, { overlap, wantsBias }),
    robust,
    level: model.level,
    modelScale: counted.designEffect * overlap,
    clusters: counted.clusters,
    byRounds: selected.byRounds,
    played: counted.played,
    power: counted.power,
    reach: counted.reach,
    variances: Float64Array.from({ length: m }, (_, i) => inverse[i * m + i]),
    columnOf: (r) => inverse.subarray(r * m, (r + 1) * m),
    reachesOf: (r) => reachOf(counted.reach, r),
    countDuel: (a, b) => countDuel(selected, model.kind, a, b),
    areIdentical: (a, b) => areIdentical(selected, model.kind, a, b),
    allTied: areAllTied(selected, model.kind),
    notes: model.notes,
    few: selected.byRounds ? few_rounds : few_clusters,
  };
}

/** Follow the chains of wins; refuse components that never met and, for mle, sets that always won. */
function checkReach(model, selected, counted) {
  const { reach } = counted;
  const nameRank = selected.players.map((place) => model.nameRank[place]);
  const byName = (a, b) => nameRank[a] - nameRank[b];
  const nameOf = (k) => model.names[selected.players[k]];
  const components = new Map();
  findComponents(reach).forEach((label, k) => components.set(label, [...(components.get(label) ?? []), k]));
  if (components.size > 1) {
    const members = [...components.values()].map((own) => own.sort(byName));
    members.sort((a, b) => b.length - a.length || byName(a[0], b[0]));
    throw neverMet(members.map((own) => own.map(nameOf)));
  }
  closeReach(reach);
  if (model.estimator !== "mle") return;
  const share = shareOfWins(counted);
  const { sets, ...links } = cutSets(counted, (a, b) => share[b] - share[a] || byName(a, b));
  if (sets.length > 1) throw separated(sets.map((own) => own.map(nameOf)), links);
}

function shareOfWins({ rawWins, rawMatches }) {
  return rawWins.map((wins, k) => wins / rawMatches[k]);
}

/** Sets between which all matches went one way, from the best down, and how they hang together. */
function cutSets(counted, byRank) {
  const { reach, complete } = counted;
  const sets = findSets(reach, shareOfWins(counted));
  for (const own of sets) own.sort(byRank);
  const linked = sets.length > 1 && Boolean(includes(reach, sets[0][0], sets[1][0]));
  return { sets, chain: complete, linked };
}

/** Earlier ratings as a start, for those who had one. */
function startFrom(previous, players) {
  const known = new Map(previous.players.map((place, k) => [place, previous.beta[k]]));
  return Float64Array.from(players, (place) => known.get(place) ?? 0);
}

/** Factor on variances of splits that share training data (Nadeau & Bengio 2003). */
function overlapFactor(testFraction, splits) {
  return testFraction === null ? 1 : 1 + (splits * testFraction) / (1 - testFraction);
}

function countRounds({ players, cells }) {
  const rounds = new Int32Array(players.length);
  for (const player of cells.player) rounds[player]++;
  return rounds;
}

/** The players of a refit, from the best down.
 *
 * `player` are places on the shipped board; `columns` have the names and the cells that Python's
 * rows have, as far as a refit knows them: ends are null where open, `rounds` is null for battles,
 * and `notes` are without those on open ends. `alike` are lists of places, in the order of the
 * letters, and so are `sets`, between which all matches went one way. `doubts` are notes.
 */
export function summarise(state) {
  const { order, rank } = rankPlayers(state.beta, state.nameRank);
  const place = placeInOrder(state, order);
  const ends = ratingIntervals(state);
  const pick = (column) => order.map((k) => column[k]);
  const player = pick(state.players);
  const position = new Map(order.map((k, at) => [k, at]));
  const cuts = cutSets(state.counted, (a, b) => position.get(a) - position.get(b));
  return {
    player,
    columns: {
      rank,
      rank_low: [...place.rankLow],
      rank_high: [...place.rankHigh],
      epp: pick(state.beta),
      se: pick(ends.se),
      low: pick(ends.low),
      high: pick(ends.high),
      p_average: pick(state.beta).map((beta) => 1 / (1 + Math.exp(-beta))),
      letters: place.letters,
      wins: pick(state.counted.rawWins),
      matches: pick(state.counted.rawMatches),
      rounds: state.roundsPlayed && pick(state.roundsPlayed),
      notes: pick(notesOnRows(state)),
    },
    alike: place.alike.map((members) => members.map((k) => player[k])),
    couldBeBest: player.filter((_, k) => place.rankLow[k] === 1),
    byRounds: state.byRounds,
    unmatched: state.unmatched,
    sets: cuts.sets.map((own) => own.map((k) => state.players[k])),
    doubts: doubtsAbout(state, cuts),
  };
}

/** Notes on players who won or lost every match, or played in few clusters, unless everybody did. */
function notesOnRows({ counted, played, notes: { won_all, lost_all }, few }) {
  const most = Math.max(...played);
  return Array.from(played, (own, k) => [
    ...(counted.rawWins[k] === counted.rawMatches[k] ? [won_all] : []),
    ...(counted.rawWins[k] === 0 ? [lost_all] : []),
    ...(own < most && own < few.of_row.length ? [few.of_row[own]] : []),
  ]);
}

/** Notes on gaps that are open, on matches that say nothing and on few clusters. */
function doubtsAbout(state, { sets, ...links }) {
  const nameOf = (k) => state.names[state.players[k]];
  const { no_information } = state.notes;
  const { of_board: few } = state.few;
  return [
    ...(sets.length > 1 ? [openEnds(sets.map((own) => own.map(nameOf)), links)] : []),
    ...(state.allTied ? [no_information] : []),
    ...(state.robust && state.clusters < few.length ? [few[state.clusters]] : []),
  ];
}

function ratingIntervals(state) {
  const known = findEnds(state.reach);
  const interval = intervalsAt(state.level);
  const found = { se: [], low: [], high: [] };
  state.beta.forEach((beta, i) => {
    const robust = state.robust ? squaredDistance(state, i, null) : null;
    const errors = errorsOf(state, state.variances[i], robust, state.played[i]);
    const open = { low: known.low[i], high: known.high[i] };
    const { low, high } = interval(beta, state.bias[i], errors, open);
    found.se.push(errors.se);
    found.low.push(low);
    found.high.push(high);
  });
  return found;
}

/** Squared length of a player's influences, or of their difference from another player's. */
function squaredDistance({ influence, columns }, i, r) {
  let sum = 0;
  for (let c = 0; c < columns; c++) {
    const change = influence[i * columns + c] - (r === null ? 0 : influence[r * columns + c]);
    sum += change * change;
  }
  return sum;
}

/** Every player of the state against the one at `place`: how much higher they are rated.
 *
 * Columns in the order of `players`: difference, se, low and high (null where open) and pValue.
 */
export function compareWith(state, place, level = state.level) {
  const r = state.players.indexOf(place);
  if (r < 0) throw new RangeError(`player ${place} is not rated`);
  const column = state.columnOf(r);
  const reaches = state.reachesOf(r);
  const interval = intervalsAt(level);
  const found = { players: state.players, difference: [], se: [], low: [], high: [], pValue: [] };
  state.players.forEach((_, i) => {
    const own = compareOne(state, i, r, column, reaches, interval);
    for (const name of Object.keys(own)) found[name].push(own[name]);
  });
  return found;
}

function compareOne(state, i, r, column, reaches, interval) {
  const difference = state.beta[i] - state.beta[r];
  const model = i === r ? 0 : state.variances[i] + state.variances[r] - 2 * column[i];
  const robust = state.robust ? squaredDistance(state, i, r) : null;
  const errors = errorsOf(state, model, robust, Math.min(state.played[i], state.played[r]));
  const known = { low: reaches.to[i], high: reaches.from[i] };
  const { low, high } = interval(difference, state.bias[i] - state.bias[r], errors, known);
  const cut = !(known.low && known.high);
  return { difference, se: errors.se, low, high, pValue: pValue(difference, errors, cut) };
}

/** One player against another, with the matches between them among the chosen rounds.
 *
 * `matches` has won, lost and tied, and `identical` says whether all their scores are the same;
 * both are null for a board that is too large to bring its scores along.
 */
export function duel(state, place, other, level = state.level) {
  const all = compareWith(state, other, level);
  const [i, j] = [state.players.indexOf(place), state.players.indexOf(other)];
  if (i < 0) throw new RangeError(`player ${place} is not rated`);
  return {
    difference: all.difference[i],
    se: all.se[i],
    low: all.low[i],
    high: all.high[i],
    pValue: all.pValue[i],
    level,
    matches: state.countDuel(i, j),
    identical: state.areIdentical(i, j),
  };
}
