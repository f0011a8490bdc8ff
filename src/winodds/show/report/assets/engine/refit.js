// Ratings of some of the players in some of the rounds, by the same rules as Python.
//
//   const model = loadGames(shipped, names);
//   const state = fitGames(model, { players: [true, false, …], rounds: null });
//   summarise(state); compareWith(state, 3); duel(state, 0, 3);
//
// Players are known by their place on the shipped board, 0 is the first.

import { countAcross } from "./across.js";
import { unpack, unpackAll } from "./arrays.js";
import { aroundAverage, findAveraged } from "./average.js";
import { countBattles, selectBattles } from "./battles.js";
import { includes } from "./bits.js";
import { isToldApart } from "./claims.js";
import { varianceOf, weighClusters } from "./clusters.js";
import { outcomesOf } from "./counting.js";
import { areAllTied, areIdentical, countDuel, pairUp } from "./encounters.js";
import { fitRatings } from "./fit.js";
import { weightOfMatches } from "./information.js";
import { placeInOrder, rankPlayers } from "./placing.js";
import { closeReach, findComponents, findSets, reachOf } from "./reach.js";
import { judgeRecord } from "./record.js";
import { selectScores } from "./selection.js";
import { averageOfSet, neverMet, openEnds, separated } from "./sentences.js";
import { contributionsOf } from "./signs.js";
import { agreeWithTest, contrastOf, errorsOf, intervalsAt, quantify } from "./uncertainty.js";
import { countWithin } from "./within.js";

/** What a refit needs, from a shipped component that may be refitted, and the names of its players. */
export function loadGames(shipped, names) {
  const { kind, estimator, ridge, interval, level, center, nouns, units, pooled, seed, ranks, notes } = shipped;
  const games = unpackAll(shipped.games);
  const nameRank = new Int32Array(names.length);
  unpack(shipped.by_name).forEach((place, rank) => (nameRank[place] = rank));
  return {
    ...{ kind, estimator, ridge, interval, level, center, nouns, units, pooled, seed, ranks, notes },
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
  const { influence, bias } = quantify(counted, fitted, { overlap, wantsBias });
  const clustering = weighClusters(counted, influence, weightOfMatches(counted.met, m));
  const { few_clusters, few_rounds } = model.notes;
  return {
    names: model.names,
    nouns: model.nouns,
    nameRank: selected.players.map((place) => model.nameRank[place]),
    players: selected.players,
    unmatched: selected.unmatched,
    rounds: selected.rounds ?? null,
    roundsPlayed: selected.cells ? countRounds(selected) : null,
    counted,
    beta,
    iterations,
    inverse,
    bias,
    influence,
    fillInfluence: () => {},
    clustering,
    contributions: contributionsOf(counted, beta, influence, clustering, overlap),
    robust,
    level: model.level,
    seed: model.seed,
    ranks: model.ranks,
    modelScale: counted.designEffect * overlap,
    clusters: counted.clusters,
    byRounds: selected.byRounds,
    reach: counted.reach,
    averaged: findAveraged(counted.reach, model.center),
    variances: Float64Array.from({ length: m }, (_, i) => inverse[i * m + i]),
    columnOf: (r) => inverse.subarray(r * m, (r + 1) * m),
    reachesOf: (r) => reachOf(counted.reach, r),
    countDuel: (a, b) => countDuel(selected, model.kind, a, b),
    meetings: pairUp(selected, model.kind, counted.matchWeight),
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
    throw neverMet(members.map((own) => own.map(nameOf)), model.nouns);
  }
  closeReach(reach);
  if (model.estimator !== "mle") return;
  const share = shareOfWins(counted);
  const { sets, ...links } = cutSets(counted, (a, b) => share[b] - share[a] || byName(a, b));
  if (sets.length > 1) throw separated(sets.map((own) => own.map(nameOf)), links, model.nouns);
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
 * letters, and so are `sets`, between which all matches went one way. `adjust` is how claims about all
 * pairs are adjusted, "max-t" by flips or "holm"; `averaged` is over how many players the average is
 * taken, null for all. `doubts` are notes.
 */
export function summarise(state) {
  const { order, rank } = rankPlayers(state.beta, state.nameRank);
  const place = placeInOrder(state, order);
  const own = aroundAverage(state);
  const ends = ratingIntervals(state, own);
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
      epp: pick(own.beta),
      se: pick(ends.se),
      low: pick(ends.low),
      high: pick(ends.high),
      p_average: pick(own.beta).map((beta) => 1 / (1 + Math.exp(-beta))),
      letters: place.letters,
      wins: pick(state.counted.rawWins),
      matches: pick(state.counted.rawMatches),
      rounds: state.roundsPlayed && pick(state.roundsPlayed),
      notes: pick(notesOnRows(state, own.known)),
    },
    averaged: state.averaged && state.averaged.length,
    alike: place.alike.map((members) => members.map((k) => player[k])),
    adjust: place.adjust,
    couldBeBest: player.filter((_, k) => place.rankLow[k] === 1),
    byRounds: state.byRounds,
    unmatched: state.unmatched,
    sets: cuts.sets.map((own) => own.map((k) => state.players[k])),
    doubts: doubtsAbout(state, cuts, order),
  };
}

/** Notes on players who won or lost every match, or played in few clusters, unless everybody did, or lost or
 * won in few of many while the end of their interval is `known`.
 */
function notesOnRows({ counted, notes: { won_all, lost_all, rare_share }, few }, known) {
  const { played } = counted;
  const most = Math.max(...played);
  const outcomes = outcomesOf(counted);
  const rare = (end, counts, notes, k) => {
    const own = counts[k];
    return known[end][k] && own > 0 && own < notes.length && own <= rare_share * played[k] ? [notes[own]] : [];
  };
  return Array.from(played, (own, k) => [
    ...(counted.rawWins[k] === counted.rawMatches[k] ? [won_all] : []),
    ...(counted.rawWins[k] === 0 ? [lost_all] : []),
    ...(own < most && own < few.of_row.length ? [few.of_row[own]] : []),
    ...(outcomes === null ? [] : rare("high", outcomes.lost, few.lost, k)),
    ...(outcomes === null ? [] : rare("low", outcomes.won, few.won, k)),
  ]);
}

/** Notes on gaps that are open, on whose average is 0, on matches that say nothing and on few clusters. */
function doubtsAbout(state, { sets, ...links }, order) {
  const nameOf = (k) => state.names[state.players[k]];
  const { no_information } = state.notes;
  const { of_board: few } = state.few;
  return [
    ...(sets.length > 1 ? [openEnds(sets.map((own) => own.map(nameOf)), links, state.nouns)] : []),
    ...(state.averaged === null ? [] : [describeAverage(state, order, nameOf)]),
    ...(state.allTied ? [no_information] : []),
    ...(state.robust && state.clusters < few.length ? [few[state.clusters]] : []),
  ];
}

function describeAverage({ averaged, counted, nouns }, order, nameOf) {
  const inside = new Set(averaged);
  const others = order.filter((k) => !inside.has(k));
  const lost = others.every((k) => counted.rawWins[k] === 0);
  const won = others.every((k) => counted.rawWins[k] === counted.rawMatches[k]);
  return averageOfSet(averaged.length, others.map(nameOf), lost ? "lost" : won ? "won" : null, nouns);
}

function ratingIntervals(state, own) {
  const { known } = own;
  const interval = intervalsAt(state.level);
  const found = { se: [], low: [], high: [] };
  own.beta.forEach((beta, i) => {
    const robust = state.robust ? varianceOf(state.clustering, own.influence, i) : null;
    const errors = errorsOf(state, own.variances[i], robust, state.clustering.df[i]);
    const open = { low: known.low[i], high: known.high[i] };
    const { low, high } = interval(beta, own.bias[i], errors, open);
    found.se.push(errors.se);
    found.low.push(low);
    found.high.push(high);
  });
  return found;
}

/** Every player of the state against the one at `place`: how much higher they are rated.
 *
 * Columns in the order of `players`: difference, se, low and high (null where open), pValue, whether
 * the test tells the two apart, with which the ends agree, and what was tested (`by`).
 */
export function compareWith(state, place, level = state.level) {
  const r = numberOf(state, place);
  const columns = { difference: [], se: [], low: [], high: [], pValue: [], apart: [], by: [] };
  const found = { players: state.players, ...columns };
  for (const own of compareSome(state, [...state.players.keys()], r, level)) {
    for (const name of Object.keys(own)) found[name].push(own[name]);
  }
  return found;
}

/** The number of a rated player among those who are, from its place on the shipped board. */
function numberOf(state, place) {
  const number = state.players.indexOf(place);
  if (number < 0) throw new RangeError(`player ${place} is not rated`);
  return number;
}

/** Some players, by their numbers, against player r. */
function compareSome(state, numbers, r, level) {
  if (state.robust) state.fillInfluence([...numbers, r]);
  const against = { column: state.columnOf(r), reaches: state.reachesOf(r), interval: intervalsAt(level), level };
  return numbers.map((i) => compareOne(state, i, r, against));
}

function compareOne(state, i, r, { column, reaches, interval, level }) {
  const modelVariance = i === r ? 0 : state.variances[i] + state.variances[r] - 2 * column[i];
  const known = { low: reaches.to[i], high: reaches.from[i] };
  const cut = !(known.low && known.high);
  const found = contrastOf(state, i, r, { modelVariance, cut, robust: state.robust, level });
  const { value: difference, errors, pValue, by } = found;
  const apart = isToldApart(pValue, level);
  const ends = interval(difference, state.bias[i] - state.bias[r], errors, known);
  return { difference, se: errors.se, ...agreeWithTest(ends, difference, apart), pValue, apart, by };
}

/** One player against another, with the matches between them among the chosen rounds.
 *
 * `matches` has won, lost and tied, `record` the share that was won, with an interval for the pair
 * itself, and `identical` says whether all their scores are the same; all are null for a board that
 * is too large to bring its scores along.
 */
export function duel(state, place, other, level = state.level) {
  const [i, j] = [numberOf(state, place), numberOf(state, other)];
  const [found] = compareSome(state, [i], j, level);
  return {
    ...found,
    level,
    matches: state.countDuel(i, j),
    record: recordOf(state, i, j, level),
    identical: state.areIdentical(i, j),
  };
}

function recordOf(state, i, j, level) {
  if (state.meetings === null) return null;
  const expected = 1 / (1 + Math.exp(state.beta[j] - state.beta[i]));
  return judgeRecord(state.meetings(i, j), level, expected);
}

/** Pairs of some players whose record is not what their ratings say; null where there are no scores. */
export function surprises(state, places) {
  if (state.meetings === null) return null;
  const numbers = places.map((place) => state.players.indexOf(place));
  const found = [];
  numbers.forEach((i, k) => {
    numbers.slice(k + 1).forEach((j, more) => {
      if (recordOf(state, i, j, state.level)?.differs) found.push([places[k], places[k + 1 + more]]);
    });
  });
  return found;
}
