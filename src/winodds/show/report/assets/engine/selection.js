// Which scores play when players and rounds are switched off: the rules of scores.py.

import { FAILED } from "./counting.js";
import { tooFewClusters, tooFewPlayers, tooFewRounds } from "./sentences.js";

/** The scores of the chosen players in the chosen rounds, as far as anybody met anybody.
 *
 * Returns places on the board of the players who play (`players`) and of those who met nobody
 * (`unmatched`), the `rounds` that are left, `cells` sorted by round (start, player, code, limit),
 * and for each round its weight, cluster and tournament, numbered anew. `byRounds` is whether rounds
 * are the clusters in the place of tournaments, of which one is left.
 */
export function selectScores(model, chosen) {
  const wanted = listChosen(chosen.players, model.players);
  const open = listChosen(chosen.rounds, model.rounds);
  checkPlayers(model, wanted, open);
  const keep = model.kind === "across" ? openAcross : openWithin;
  const rounds = keep(model, wanted, open);
  if (rounds.length < 2) throw tooFewRounds(rounds.length, model.nouns);
  const present = new Uint8Array(model.players);
  for (const r of rounds) for (const p of wanted) if (codeAt(model, r, p)) present[p] = 1;
  const players = wanted.filter((p) => present[p]);
  const tournament = renumber(rounds.map((r) => model.tournament[r]));
  const byRounds = model.pooled && !areSeveral(model, wanted, open);
  const cluster = clustersOf(model, rounds, tournament, byRounds);
  const clusters = countLabels(cluster);
  if (clusters < 2) throw tooFewClusters(byRounds ? model.nouns.round[1] : model.units);
  return {
    players,
    unmatched: wanted.filter((p) => !present[p]),
    rounds,
    cells: gatherCells(model, players, rounds),
    weight: Float64Array.from(rounds, (r) => (model.weight ? model.weight[r] : 1)),
    cluster,
    clusters,
    byRounds,
    tournament,
    tournaments: countLabels(tournament),
  };
}

/** Numbers of what is switched on; null stands for everything. */
export function listChosen(flags, size) {
  const everything = Array.from({ length: size }, (_, k) => k);
  return flags ? everything.filter((k) => flags[k]) : everything;
}

/** The labels that occur as 0, 1, … in their order. */
export function renumber(labels) {
  const different = [...new Set(labels)].sort((a, b) => a - b);
  const number = new Map(different.map((label, k) => [label, k]));
  return Int32Array.from(labels, (label) => number.get(label));
}

export function countLabels(labels) {
  return labels.reduce((most, label) => Math.max(most, label), -1) + 1;
}

/** 0 where there is no score, 1 for a failed run, else 2 plus the number of lower scores. */
function codeAt(model, round, player) {
  return model.code[round * model.players + player];
}

function checkPlayers(model, wanted, open) {
  const scored = wanted.filter((p) => open.some((r) => codeAt(model, r, p) > FAILED));
  if (scored.length < 2) throw tooFewPlayers(scored.map((p) => model.names[p]), model.nouns);
}

function openWithin(model, wanted, open) {
  return open.filter((r) => {
    let played = 0;
    let scored = 0;
    for (const p of wanted) {
      const code = codeAt(model, r, p);
      if (code) played++;
      if (code > FAILED) scored++;
    }
    return scored >= 1 && played >= 2;
  });
}

/** A round plays when its tournament has two players and a score. */
function openAcross(model, wanted, open) {
  const players = new Map();
  const scored = new Set();
  const played = new Set();
  for (const r of open) {
    const tournament = model.tournament[r];
    if (!players.has(tournament)) players.set(tournament, new Set());
    for (const p of wanted) {
      const code = codeAt(model, r, p);
      if (!code) continue;
      played.add(r);
      players.get(tournament).add(p);
      if (code > FAILED) scored.add(tournament);
    }
  }
  const contested = (tournament) => players.get(tournament).size >= 2 && scored.has(tournament);
  return open.filter((r) => played.has(r) && contested(model.tournament[r]));
}

/** Whether what is switched on was played in several tournaments. */
function areSeveral(model, wanted, open) {
  const played = open.filter((r) => wanted.some((p) => codeAt(model, r, p)));
  return new Set(played.map((r) => model.tournament[r])).size > 1;
}

/** Pooled tournaments are the clusters as long as there are several; else rounds, or a column. */
function clustersOf(model, rounds, tournament, byRounds) {
  if (!model.pooled) return renumber(rounds.map((r) => model.cluster[r]));
  return byRounds ? Int32Array.from(rounds, (_, k) => k) : tournament;
}

/** Scores one after the other, by round: where rounds start, players (numbered anew), standing. */
function gatherCells(model, players, rounds) {
  const start = new Int32Array(rounds.length + 1);
  const cells = { start, player: [], code: [], limit: [] };
  rounds.forEach((r, k) => {
    players.forEach((p, number) => {
      const at = r * model.players + p;
      const code = model.code[at];
      if (!code) return;
      cells.player.push(number);
      cells.code.push(code);
      cells.limit.push(model.limit ? model.limit[at] : code);
    });
    start[k + 1] = cells.player.length;
  });
  for (const name of ["player", "code", "limit"]) cells[name] = Int32Array.from(cells[name]);
  return cells;
}
