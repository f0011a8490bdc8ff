// Matches across rounds: every score of a player meets every score of the others. See across.py.

import { FAILED, countClusters, countStanding, kish, normaliseWeights } from "./counting.js";
import { multiplyVector } from "./linear.js";
import { makeReach, reachWithin } from "./reach.js";

/** The matches of the selected scores, as counting.js describes them. */
export function countAcross(selected) {
  const { cells, players, tournament, tournaments } = selected;
  const size = players.length;
  const stretches = splitTournaments(cells, tournament, tournaments);
  const tallies = stretches.map((own) => tallyScores(own, size));
  const matches = Float64Array.from(tallies, (own) => own.matches);
  const ones = new Float64Array(tournaments).fill(1);
  const rounds = new Float64Array(tournaments);
  for (const own of tournament) rounds[own]++;
  // Two players with a score in each of R rounds have R² matches, which count once together.
  const weight = normaliseWeights(rounds.map((own) => 1 / (own * own)), matches);
  const reach = makeReach(size);
  for (const own of stretches) reachWithin(reach, own, 0, own.player.length);
  return {
    wins: addUp(tallies, "wins", weight, size),
    rawWins: addUp(tallies, "wins", ones, size),
    rawMatches: Int32Array.from(addUp(tallies, "opponents", ones, size)),
    met: meetAcross(tallies, weight, size),
    played: countClusters(selected),
    clusters: selected.clusters,
    power: tournaments === 1 ? 3 : 1,
    designEffect: kish(weight, matches),
    reach,
    complete: false,
    matchWeight: Float64Array.from(tournament, (own) => weight[own]),
    kept: true,
    ...byCluster(tournaments === 1 ? shareRounds(selected, stretches[0], tallies[0]) : shareTournaments(selected, tallies, weight), size),
  };
}

/** What hangs on each cluster, from `parts`: tallies with the cluster and the weight that they count there. */
function byCluster({ parts, clusters, level }, size) {
  const sums = (valuesOf) => {
    const table = new Float64Array(size * clusters);
    for (const { tally, cluster, weight } of parts) {
      const values = valuesOf(tally);
      const among = cluster === null ? Array.from({ length: clusters }, (_, c) => c) : [cluster];
      for (const c of among) for (let i = 0; i < size; i++) table[i * clusters + c] += weight * values[i];
    }
    return table;
  };
  return {
    level,
    matchesByCluster: () => sums((own) => own.opponents),
    winsByCluster: () => sums((own) => own.wins),
    residuals: (chances) => sums((own) => surpriseOf(own, chances, size)),
  };
}

/** (m,) wins minus expected wins of a tally. */
function surpriseOf({ scores, failures, wins }, chances, players) {
  const expected = expectedAcross(chances, scores, failures, players);
  return wins.map((own, i) => own - expected[i]);
}

/** Pooled tournaments are independent of each other: clusters are made of whole ones. */
function shareTournaments({ cluster, clusters, tournament }, tallies, weight) {
  const owner = new Int32Array(tallies.length);
  tournament.forEach((own, r) => (owner[own] = cluster[r]));
  const parts = tallies.map((tally, t) => ({ tally, cluster: owner[t], weight: weight[t] }));
  return { parts, clusters, level: tallies.every(isLevel) };
}

/** The matches that go when a cluster of rounds goes, for a one-step jackknife: all but those of the others. */
function shareRounds({ cluster, clusters, players }, stretch, everything) {
  const parts = [{ tally: everything, cluster: null, weight: 1 }];
  for (let c = 0; c < clusters; c++) {
    const others = tallyScores(leaveOut(stretch, cluster, c), players.length);
    parts.push({ tally: others, cluster: c, weight: -1 });
  }
  return { parts, clusters, level: parts.every(({ tally }) => isLevel(tally)) };
}

/** Whether everyone meets everyone equally often. */
function isLevel({ scores, failures }) {
  const same = (values) => values.every((own) => own > 0 && own === values[0]);
  const missed = failures.filter((own) => own > 0).length;
  return same(scores) && (missed <= 1 || same(failures));
}

/** The scores of each tournament, with their clusters. */
function splitTournaments(cells, tournament, tournaments) {
  const parts = Array.from({ length: tournaments }, () => []);
  const round = [];
  tournament.forEach((own, r) => {
    for (let k = cells.start[r]; k < cells.start[r + 1]; k++) {
      parts[own].push(k);
      round[k] = r;
    }
  });
  // By rising code the counts below run along their arrays instead of jumping about.
  for (const part of parts) part.sort((a, b) => cells.code[a] - cells.code[b]);
  return parts.map((part) => ({
    player: Int32Array.from(part, (k) => cells.player[k]),
    code: Int32Array.from(part, (k) => cells.code[k]),
    limit: Int32Array.from(part, (k) => cells.limit[k]),
    round: Int32Array.from(part, (k) => round[k]),
  }));
}

/** Scores, failed runs, wins and opponents of each player, (m,) each, and the matches in all. */
function tallyScores(stretch, players) {
  const { player, code } = stretch;
  const entries = player.length;
  const [beaten, beatenBy] = [new Int32Array(entries), new Int32Array(entries)];
  countStanding(stretch, 0, entries, beaten, beatenBy);
  const [ahead, runs, missed] = [0, 1, 2].map(() => new Int32Array(players));
  for (let k = 0; k < entries; k++) {
    const own = player[k];
    ahead[own] += beaten[k] - beatenBy[k];
    runs[own]++;
    if (code[k] === FAILED) missed[own]++;
  }
  const fails = missed.reduce((a, b) => a + b, 0);
  const [scores, failures] = [Float64Array.from(runs), Float64Array.from(missed)];
  const opponents = scores.map((n, i) => n * (entries - n) - failures[i] * (fails - failures[i]));
  return {
    scores,
    failures,
    opponents,
    wins: opponents.map((met, i) => 0.5 * (met + ahead[i])),
    matches: 0.5 * opponents.reduce((a, b) => a + b, 0),
  };
}

function addUp(tallies, name, weight, players) {
  const total = new Float64Array(players);
  tallies.forEach((own, t) => own[name].forEach((amount, i) => (total[i] += weight[t] * amount)));
  return total;
}

function meetAcross(tallies, weight, players) {
  const met = new Float64Array(players * players);
  tallies.forEach(({ scores, failures }, t) => {
    for (let i = 0; i < players; i++) {
      for (let j = 0; j < players; j++) {
        const matches = scores[i] * scores[j] - failures[i] * failures[j];
        if (i !== j) met[i * players + j] += weight[t] * matches;
      }
    }
  });
  return met;
}

/** (m,) expected wins when everyone's scores, so many, meet those of the others. */
function expectedAcross(chances, scores, failures, players) {
  const against = multiplyVector(chances, scores, players, players);
  const missed = failures.some((own) => own)
    ? multiplyVector(chances, failures, players, players)
    : failures;
  return against.map((sum, i) => {
    const [n, f] = [scores[i], failures[i]];
    return n * (sum - 0.5 * n) - f * (missed[i] - 0.5 * f);
  });
}

/** The scores of rounds that are not in cluster c. */
function leaveOut({ player, code, limit, round }, cluster, c) {
  let size = 0;
  for (let k = 0; k < round.length; k++) if (cluster[round[k]] !== c) size++;
  const left = {
    player: new Int32Array(size),
    code: new Int32Array(size),
    limit: new Int32Array(size),
  };
  for (let k = 0, to = 0; k < round.length; k++) {
    if (cluster[round[k]] === c) continue;
    left.player[to] = player[k];
    left.code[to] = code[k];
    left.limit[to] = limit[k];
    to++;
  }
  return left;
}
