// What the reader has chosen, and the address that brings it back.
//
// Players, rounds and tournaments are named there, because a page that is made again numbers them
// anew. A key stands once for every name ("duel=a&duel=b"), so that no sign parts names.

import { LONGEST_NAME } from "../shared/english.js";
import { labelOf } from "./words.js";

/** The choices of a fresh page. `strangers` are names in the address that this page does not know. */
export function freshState(boards) {
  return {
    board: 0,
    sort: "rank",
    down: false,
    search: "",
    columns: null,
    scale: boards[0].scale,
    reference: null,
    duel: null,
    players: new Set(),
    rounds: new Set(),
    all: false,
    strangers: { tournaments: [], players: [], rounds: [] },
  };
}

/** The choices that differ from a fresh page's, as the part of an address after "#". */
export function writeAddress(state, boards) {
  const fresh = freshState(boards);
  const board = boards[state.board];
  const names = board.columns.player;
  const words = new URLSearchParams();
  const put = (key, value, usual) => {
    if (value !== usual && value !== null) words.set(key, String(value));
  };
  const list = (key, named) => named.forEach((name) => words.append(key, name));
  put("sort", (state.down ? "-" : "") + state.sort, fresh.sort);
  put("search", state.search, fresh.search);
  put("columns", state.columns === null ? null : state.columns.join(","), null);
  put("scale", state.scale, fresh.scale);
  if (state.reference === "average") words.set("average", "1");
  else if (state.reference !== null) words.set("against", names[state.reference]);
  list("duel", (state.duel ?? []).map((k) => names[k]));
  list("without", [...state.players].map((k) => names[k]));
  const gone = splitRounds(board.schedule, state.rounds);
  list("without-tournament", gone.tournaments);
  list("without-round", gone.rounds);
  put("all", state.all ? 1 : null, null);
  const chosen = words.toString();
  if (boards.length === 1 || (state.board === fresh.board && !chosen)) return chosen;
  return new URLSearchParams([["tournament", labelOf(board)], ...words]).toString();
}

/** Names of the tournaments of which all rounds are in the set, and of the other rounds in it. */
export function splitRounds(schedule, rounds) {
  if (!rounds.size) return { tournaments: [], rounds: [] };
  const { full, tournaments, tournament_of: whose } = schedule;
  const gone = tournaments.map((_, t) => tournaments.length > 1 && whose.every((own, k) => own !== t || rounds.has(k)));
  return {
    tournaments: tournaments.filter((_, t) => gone[t]),
    rounds: [...rounds].filter((k) => !gone[whose[k]]).map((k) => full[k]),
  };
}

/** The choices that an address holds; what makes no sense on this page is left out. */
export function readAddress(text, boards, columns) {
  const state = freshState(boards);
  const words = new URLSearchParams(text.replace(/^#/, ""));
  readLook(state, words, columns);
  if (words.has("tournament")) {
    const board = boards.findIndex((own) => labelOf(own) === words.get("tournament"));
    if (board < 0) {
      // Choices among the players of another tournament would be no choices here.
      state.strangers.tournaments.push(words.get("tournament"));
      return state;
    }
    state.board = board;
  }
  readNames(state, words, boards[state.board]);
  return state;
}

/** Order, columns, scale and what is searched for. */
function readLook(state, words, columns) {
  const sort = words.get("sort") ?? "rank";
  const key = sort.replace(/^-/, "");
  if (columns.some((column) => column.key === key)) {
    state.sort = key;
    state.down = sort.startsWith("-");
  }
  state.search = (words.get("search") ?? "").slice(0, LONGEST_NAME);
  if (words.has("columns")) {
    const named = new Set(words.get("columns").split(","));
    state.columns = columns.map((column) => column.key).filter((own) => named.has(own));
  }
  // Older links call the win rate "probability".
  const scale = words.get("scale") === "probability" ? "win-rate" : words.get("scale");
  if (["win-rate", "epp", "elo"].includes(scale)) state.scale = scale;
  state.all = words.get("all") === "1";
}

/** Players and rounds; names that are not on the board are kept as strangers. */
function readNames(state, words, { columns, schedule }) {
  const find = (key, names, strangers) => {
    const place = new Map((names ?? []).map((name, k) => [name, k]));
    // Without names, "#duel" is the address of a part of the page.
    const asked = [...new Set(words.getAll(key))].filter((name) => name !== "");
    const told = new Set(strangers);
    for (const name of asked) if (!place.has(name) && !told.has(name)) strangers.push(name);
    return asked.filter((name) => place.has(name)).map((name) => place.get(name));
  };
  const { players, rounds, tournaments } = state.strangers;
  const reference = find("against", columns.player, players);
  state.reference = words.get("average") === "1" ? "average" : reference[0] ?? null;
  const duel = find("duel", columns.player, players);
  if (duel.length === 2) state.duel = duel;
  state.players = new Set(find("without", columns.player, players));
  const gone = new Set(find("without-tournament", schedule?.tournaments, tournaments));
  const single = find("without-round", schedule?.full, rounds);
  const whole = [...(schedule?.tournament_of.keys() ?? [])].filter((k) => gone.has(schedule.tournament_of[k]));
  state.rounds = new Set([...whole, ...single]);
}
