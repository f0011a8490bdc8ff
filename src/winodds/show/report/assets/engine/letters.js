// Which players are told apart → groups that are not, and the letters that show them.
//
// The same algorithm as in letters.py, step by step, so that both give the same groups.

import { highest, include, includes, lowest, makeSets } from "./bits.js";

const ALPHABET = "abcdefghijklmnopqrstuvwxyz";

/** Groups of players none of whom are told apart, that cover all pairs who are not.
 *
 * `together` are the sets (see bits.js) of those whom each player, from the best down, is not told
 * apart from. Members ascend; groups are sorted by their first, then last member.
 */
export function coverByGroups(together) {
  const players = together.size;
  for (let player = 0; player < players; player++) include(together, player, player);
  const groups = findRuns(together).map((run) => growGroup(run, together));
  coverRest(groups, together);
  const kept = dropRedundant(groups, players);
  const members = kept.map((group) => group.members.sort((a, b) => a - b));
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
function growGroup(seed, together) {
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

/** Add groups for the pairs that the groups lack, from the best on, the nearest first. */
function coverRest(groups, together) {
  const { size, words, bits } = together;
  const cover = makeSets(size, size);
  for (const group of groups) extendCover(cover, group);
  const left = new Uint32Array(words);
  for (let player = 0; player < size; player++) {
    for (;;) {
      const at = player * words;
      for (let k = 0; k < words; k++) left[k] = bits[at + k] & ~cover.bits[at + k];
      const other = lowest(left, 0);
      if (other < 0) break;
      const group = growGroup([player, other], together);
      extendCover(cover, group);
      groups.push(group);
    }
  }
}

function extendCover(cover, group) {
  for (const member of group.members) {
    const at = member * cover.words;
    for (let k = 0; k < cover.words; k++) cover.bits[at + k] |= group.bits[k];
  }
}

/** Groups without those whose pairs are all in other groups, the smallest first. */
function dropRedundant(groups, players) {
  const { kept, doubted } = doubtGroups(groups, players);
  const cover = makeSets(players, players);
  for (const group of kept) extendCover(cover, group);
  doubted.sort((a, b) => b.members.length - a.members.length);
  // Python's sort with reverse=True keeps equal ones in order, as this one does.
  while (doubted.length) {
    const group = doubted.pop();
    if (!addsTo(cover, group, doubted)) continue;
    kept.push(group);
    extendCover(cover, group);
  }
  return kept;
}

/** Groups with a pair that is in no other group, and those without. */
function doubtGroups(groups, players) {
  const once = makeSets(players, players);
  const twice = makeSets(players, players);
  for (const { members, bits } of groups) {
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
  for (const group of groups) (isSure(group) ? kept : doubted).push(group);
  return { kept, doubted };
}

/** Whether the group has a pair that neither the cover nor any of the others has. */
function addsTo(cover, group, others) {
  const missing = new Uint32Array(cover.words);
  for (const member of group.members) {
    const at = member * cover.words;
    for (let k = 0; k < missing.length; k++) missing[k] = group.bits[k] & ~cover.bits[at + k];
    for (const other of others) {
      if (!((other.bits[member >>> 5] >>> (member & 31)) & 1)) continue;
      for (let k = 0; k < missing.length; k++) missing[k] &= ~other.bits[k];
    }
    if (missing.some((word) => word)) return true;
  }
  return false;
}

/** (players,) letters of the groups that each player is in; numbers when letters do not suffice. */
export function labelGroups(groups, players) {
  const numbers = Array.from({ length: players }, () => []);
  groups.forEach((group, number) => group.forEach((player) => numbers[player].push(number)));
  if (groups.length > ALPHABET.length) return numbers.map(listRanges);
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
