// Which players are told apart → those who are not, and the letters that show them.
//
// The same algorithm as in letters.py, step by step, so that both give the same letters.

import { highest, include, includes, lowest, makeSets } from "./bits.js";

const ALPHABET = "abcdefghijklmnopqrstuvwxyz";

/** Sets of players none of whom are told apart, that cover all pairs who are not.
 *
 * `together` are the sets (see bits.js) of those whom each player, from the best down, is not told
 * apart from. Members ascend; sets are sorted by their first, then last member.
 */
export function findAlike(together) {
  const players = together.size;
  for (let player = 0; player < players; player++) include(together, player, player);
  const cliques = findRuns(together).map((run) => growClique(run, together));
  coverRest(cliques, together);
  const kept = dropRedundant(cliques, players);
  const members = kept.map((clique) => clique.members.sort((a, b) => a - b));
  return members.sort(compareMembers);
}

function compareMembers(a, b) {
  const ends = a[0] - b[0] || a[a.length - 1] - b[b.length - 1];
  if (ends) return ends;
  const differs = a.findIndex((member, k) => member !== b[k]);
  return differs < 0 ? 0 : a[differs] - b[differs];
}

/** Maximal runs of neighbours none of whom are told apart. */
function findRuns(together) {
  const players = together.size;
  const ends = new Int32Array(players + 1).fill(players);
  for (let player = players - 1; player >= 0; player--) {
    let stop = player + 1;
    while (stop < players && includes(together, player, stop)) stop++;
    ends[player] = Math.min(stop, ends[player + 1]);
  }
  const runs = [];
  for (let begin = 0; begin < players; begin++) {
    if (begin > 0 && ends[begin] === ends[begin - 1]) continue;
    runs.push(Array.from({ length: ends[begin] - begin }, (_, k) => begin + k));
  }
  return runs;
}

/** The seed and all who fit in: the nearest after its first member, then the nearest before. */
function growClique(seed, together) {
  const { words } = together;
  const members = [...seed];
  const bits = new Uint32Array(words);
  const fitting = new Uint32Array(words).fill(0xffffffff);
  for (const member of members) {
    bits[member >>> 5] |= 1 << (member & 31);
    narrow(fitting, together, member);
  }
  for (let k = 0; k < words; k++) fitting[k] &= ~bits[k];
  for (;;) {
    const after = lowest(fitting, seed[0]);
    const nearest = after < 0 ? highest(fitting) : after;
    if (nearest < 0) return { members, bits };
    members.push(nearest);
    bits[nearest >>> 5] |= 1 << (nearest & 31);
    narrow(fitting, together, nearest);
    fitting[nearest >>> 5] &= ~(1 << (nearest & 31));
  }
}

function narrow(fitting, together, member) {
  const at = member * together.words;
  for (let k = 0; k < fitting.length; k++) fitting[k] &= together.bits[at + k];
}

/** Add cliques for the pairs that the others lack, from the best on, the nearest first. */
function coverRest(cliques, together) {
  const { size, words, bits } = together;
  const cover = makeSets(size, size);
  for (const clique of cliques) extendCover(cover, clique);
  const left = new Uint32Array(words);
  for (let player = 0; player < size; player++) {
    for (;;) {
      const at = player * words;
      for (let k = 0; k < words; k++) left[k] = bits[at + k] & ~cover.bits[at + k];
      const other = lowest(left, 0);
      if (other < 0) break;
      const clique = growClique([player, other], together);
      extendCover(cover, clique);
      cliques.push(clique);
    }
  }
}

function extendCover(cover, clique) {
  for (const member of clique.members) {
    const at = member * cover.words;
    for (let k = 0; k < cover.words; k++) cover.bits[at + k] |= clique.bits[k];
  }
}

/** Cliques without those whose pairs are all in other ones, the smallest first. */
function dropRedundant(cliques, players) {
  const { kept, doubted } = doubtCliques(cliques, players);
  const cover = makeSets(players, players);
  for (const clique of kept) extendCover(cover, clique);
  doubted.sort((a, b) => b.members.length - a.members.length);
  // Python's sort with reverse=True keeps equal ones in order, as this one does.
  while (doubted.length) {
    const clique = doubted.pop();
    if (!addsTo(cover, clique, doubted)) continue;
    kept.push(clique);
    extendCover(cover, clique);
  }
  return kept;
}

/** Cliques with a pair that is in no other one, and those without. */
function doubtCliques(cliques, players) {
  const once = makeSets(players, players);
  const twice = makeSets(players, players);
  for (const { members, bits } of cliques) {
    for (const member of members) {
      const at = member * once.words;
      for (let k = 0; k < once.words; k++) {
        twice.bits[at + k] |= once.bits[at + k] & bits[k];
        once.bits[at + k] |= bits[k];
      }
    }
  }
  const isSure = ({ members, bits }) =>
    members.some((member) => bits.some((word, k) => word & ~twice.bits[member * twice.words + k]));
  const kept = [];
  const doubted = [];
  for (const clique of cliques) (isSure(clique) ? kept : doubted).push(clique);
  return { kept, doubted };
}

/** Whether the clique has a pair that neither the cover nor any of the others has. */
function addsTo(cover, clique, others) {
  const missing = new Uint32Array(cover.words);
  for (const member of clique.members) {
    const at = member * cover.words;
    for (let k = 0; k < missing.length; k++) missing[k] = clique.bits[k] & ~cover.bits[at + k];
    for (const other of others) {
      if (!((other.bits[member >>> 5] >>> (member & 31)) & 1)) continue;
      for (let k = 0; k < missing.length; k++) missing[k] &= ~other.bits[k];
    }
    if (missing.some((word) => word)) return true;
  }
  return false;
}

/** (players,) letters of the sets that each player is in; numbers when letters do not suffice. */
export function assignLetters(alike, players) {
  const numbers = Array.from({ length: players }, () => []);
  alike.forEach((members, number) => members.forEach((player) => numbers[player].push(number)));
  if (alike.length > ALPHABET.length) return numbers.map(listRanges);
  return numbers.map((own) => own.map((number) => ALPHABET[number]).join(""));
}

/** Ascending numbers counted from 1 instead of 0, as in "1–3,7". */
function listRanges(numbers) {
  const ranges = [];
  for (const number of numbers) {
    const last = ranges[ranges.length - 1];
    if (last && last[1] === number) last[1] = number + 1;
    else ranges.push([number + 1, number + 1]);
  }
  return ranges.map(([low, high]) => (low === high ? `${low}` : `${low}–${high}`)).join(",");
}
