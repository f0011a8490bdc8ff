// Matches within rounds: everyone meets everyone else once in every round where both have a score.

import { FAILED, countClusters, countFailures, countStanding, kish, normaliseWeights, shareWeights, sumByCluster } from "./counting.js";
import { dot } from "./linear.js";
import { makeReach, reachWithin } from "./reach.js";

/** The matches of the selected scores, as counting.js describes them. */
export function countWithin(selected) {
  const { rounds, matchWeight, ...tally } = tallyWithin(selected);
  const { cells, players } = selected;
  const size = players.length;
  const reach = makeReach(size);
  for (let r = 0; r < rounds.size.length; r++) {
    reachWithin(reach, cells, cells.start[r], cells.start[r + 1]);
  }
  return {
    ...tally,
    met: meetWithin(cells, rounds, matchWeight, size),
    played: countClusters(selected),
    designEffect: kish(matchWeight, rounds.matches),
    reach,
    complete: rounds.full.every((own) => own),
    matchWeight,
    kept: true,
    residuals: (chances) => tally.residualsOf((i) => chances.subarray(i * size, (i + 1) * size)),
  };
}

/** What there is to count without an array of all pairs. */
export function tallyWithin(selected) {
  const { cells, players, tournament, tournaments } = selected;
  const size = players.length;
  const rounds = describeRounds(cells, size);
  const share = shareWeights(selected.weight, tournament, tournaments);
  const weight = normaliseWeights(share, rounds.matches);
  const entries = countEntries(cells, rounds);
  return {
    ...sumEntries(cells, entries, weight, size),
    rounds,
    clusters: selected.clusters,
    power: 1,
    matchWeight: weight,
    // A failed run meets everyone, as long as it is the only one of its round.
    level: rounds.size.every((own, r) => own === size && rounds.failures[r] <= 1),
    matchesByCluster: () => sumByCluster(selected, weight, entries.opponents),
    winsByCluster: () => sumByCluster(selected, weight, entries.wins),
    residualsOf: (chancesOf) => roundResiduals(selected, rounds, weight, entries.wins, chancesOf),
  };
}

/** For each round its size, failed runs, matches and whether everyone has a score in it. */
function describeRounds(cells, players) {
  const size = Int32Array.from(cells.start.subarray(1), (end, r) => end - cells.start[r]);
  const failures = size.map((_, r) => countFailures(cells, cells.start[r], cells.start[r + 1]));
  const pairs = (number) => (number * (number - 1)) / 2;
  const matches = Float64Array.from(size, (own, r) => pairs(own) - pairs(failures[r]));
  const full = Uint8Array.from(size, (own, r) => own === players && failures[r] === 0);
  return { size, failures, matches, full };
}

/** (S,) wins and opponents of each score. */
function countEntries(cells, rounds) {
  const scores = cells.player.length;
  const [beaten, beatenBy] = [new Int32Array(scores), new Int32Array(scores)];
  const [wins, opponents] = [new Float64Array(scores), new Int32Array(scores)];
  for (let r = 0; r < rounds.size.length; r++) {
    const [begin, end] = [cells.start[r], cells.start[r + 1]];
    countStanding(cells, begin, end, beaten, beatenBy);
    for (let k = begin; k < end; k++) {
      const absent = cells.code[k] === FAILED ? rounds.failures[r] - 1 : 0;
      opponents[k] = end - begin - 1 - absent;
      wins[k] = 0.5 * (opponents[k] + beaten[k] - beatenBy[k]);
    }
  }
  return { wins, opponents };
}

function sumEntries(cells, entries, weight, players) {
  const wins = new Float64Array(players);
  const rawWins = new Float64Array(players);
  const rawMatches = new Int32Array(players);
  for (let r = 0; r < weight.length; r++) {
    for (let k = cells.start[r]; k < cells.start[r + 1]; k++) {
      wins[cells.player[k]] += weight[r] * entries.wins[k];
      rawWins[cells.player[k]] += entries.wins[k];
      rawMatches[cells.player[k]] += entries.opponents[k];
    }
  }
  return { wins, rawWins, rawMatches };
}

/** (m, m) weight of each pair's matches; rounds in which all played are added all at once. */
function meetWithin(cells, rounds, weight, players) {
  const met = new Float64Array(players * players);
  let everyone = 0;
  for (let r = 0; r < weight.length; r++) {
    if (rounds.full[r]) everyone += weight[r];
    else meetInRound(met, players, cells, cells.start[r], cells.start[r + 1], weight[r]);
  }
  for (let k = 0; k < met.length; k++) met[k] += everyone;
  for (let i = 0; i < players; i++) met[i * players + i] = 0;
  return met;
}

function meetInRound(met, players, cells, begin, end, weight) {
  const { player, code } = cells;
  for (let a = begin; a < end; a++) {
    const row = player[a] * players;
    const failed = code[a] === FAILED;
    for (let b = begin; b < end; b++) {
      if (!(failed && code[b] === FAILED)) met[row + player[b]] += weight;
    }
  }
}

/** (m, G) weighted wins minus expected wins in the matches of each cluster; `chancesOf` gives a player's (m,)
 * chances against everybody, ½ against itself.
 */
function roundResiduals(selected, rounds, weight, wins, chancesOf) {
  const { cells, cluster, clusters } = selected;
  const players = selected.players.length;
  const residuals = new Float64Array(players * clusters);
  const ones = new Float64Array(players).fill(1);
  listByPlayer(cells, players).forEach((own, player) => {
    const chances = chancesOf(player);
    const overall = dot(chances, 0, ones, 0, players);
    for (const [r, k] of own) {
      const expected = rounds.full[r] ? overall - 0.5 : expectedWins(chances, cells, r, k);
      residuals[player * clusters + cluster[r]] += weight[r] * (wins[k] - expected);
    }
  });
  return residuals;
}

/** The rounds of each player's entries, and the entries. */
function listByPlayer({ start, player }, players) {
  const found = Array.from({ length: players }, () => []);
  for (let r = 0; r + 1 < start.length; r++) {
    for (let k = start[r]; k < start[r + 1]; k++) found[player[k]].push([r, k]);
  }
  return found;
}

/** Expected wins of entry `own` against the other entries of round r. */
function expectedWins(chances, { start, player, code }, r, own) {
  const [begin, end] = [start[r], start[r + 1]];
  let sum = -0.5;
  if (code[own] === FAILED) {
    sum = 0;
    for (let k = begin; k < end; k++) if (code[k] > FAILED) sum += chances[player[k]];
    return sum;
  }
  for (let k = begin; k < end; k++) sum += chances[player[k]];
  return sum;
}
