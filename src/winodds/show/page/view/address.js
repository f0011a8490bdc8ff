// What the reader has chosen, and the address that brings it back.

const NUMBERED = ["against", "duel", "without", "without-rounds"];

/** The choices of a fresh page. */
export function freshState() {
  return {
    board: 0,
    sort: "rank",
    down: false,
    search: "",
    columns: null,
    scale: "epp",
    reference: null,
    duel: null,
    players: new Set(),
    rounds: new Set(),
    all: false,
    foreign: false,
  };
}

/** Numbers of a set in few signs: "0-3,7". */
export function packSet(numbers) {
  const sorted = [...numbers].sort((a, b) => a - b);
  const runs = [];
  for (const number of sorted) {
    const last = runs.at(-1);
    if (last && last[1] === number - 1) last[1] = number;
    else runs.push([number, number]);
  }
  return runs.map(([from, to]) => (from === to ? `${from}` : `${from}-${to}`)).join(",");
}

/** The set that `packSet` wrote, without what is not below `size`. */
export function unpackSet(text, size) {
  const found = new Set();
  for (const run of (text || "").split(",")) {
    const match = /^(\d{1,7})(?:-(\d{1,7}))?$/.exec(run);
    if (!match) continue;
    const end = Math.min(Number(match[2] ?? match[1]), size - 1);
    for (let k = Number(match[1]); k <= end; k += 1) found.add(k);
  }
  return found;
}

/** The choices that differ from a fresh page's, as the part of an address after "#".
 *
 * Players and rounds are numbers there, so it says of which board they are, by its `mark`.
 */
export function writeAddress(state, mark) {
  const fresh = freshState();
  const words = new URLSearchParams();
  const put = (key, value, usual) => {
    if (value !== usual && value !== null) words.set(key, String(value));
  };
  put("board", state.board, fresh.board);
  put("sort", (state.down ? "-" : "") + state.sort, fresh.sort);
  put("search", state.search, fresh.search);
  put("columns", state.columns === null ? null : state.columns.join(","), null);
  put("scale", state.scale, fresh.scale);
  put("against", state.reference === null ? null : state.reference, null);
  put("duel", state.duel === null ? null : state.duel.join("-"), null);
  put("without", packSet(state.players), "");
  put("without-rounds", packSet(state.rounds), "");
  put("all", state.all ? 1 : null, null);
  if (NUMBERED.some((key) => words.has(key))) words.set("of", mark);
  return words.toString();
}

/** The choices that an address holds; what makes no sense on this page is left out. */
export function readAddress(text, boards, columns) {
  const state = freshState();
  const words = new URLSearchParams(text.replace(/^#/, ""));
  const index = (key, size) => {
    const value = words.get(key) ?? "";
    return /^\d{1,7}$/.test(value) && Number(value) < size ? Number(value) : null;
  };
  state.board = index("board", boards.length) ?? 0;
  const players = boards[state.board].columns.player.length;
  state.foreign = words.has("of") && words.get("of") !== boards[state.board].mark;
  if (state.foreign) for (const key of NUMBERED) words.delete(key);
  const sort = words.get("sort") ?? "rank";
  const key = sort.replace(/^-/, "");
  if (columns.some((column) => column.key === key)) {
    state.sort = key;
    state.down = sort.startsWith("-");
  }
  state.search = words.get("search") ?? "";
  if (words.has("columns")) {
    const named = new Set(words.get("columns").split(","));
    state.columns = columns.map((column) => column.key).filter((own) => named.has(own));
  }
  if (["elo", "probability"].includes(words.get("scale"))) state.scale = words.get("scale");
  state.reference = words.get("against") === "average" ? "average" : index("against", players);
  const pair = /^(\d{1,7})-(\d{1,7})$/.exec(words.get("duel") ?? "");
  if (pair && Number(pair[1]) < players && Number(pair[2]) < players && pair[1] !== pair[2]) {
    state.duel = [Number(pair[1]), Number(pair[2])];
  }
  const schedule = boards[state.board].schedule;
  state.players = unpackSet(words.get("without"), players);
  state.rounds = unpackSet(words.get("without-rounds"), schedule ? schedule.rounds.length : 0);
  state.all = words.get("all") === "1";
  return state;
}
