// What the page asks of the engine, here or in a worker of its own.

import { compareWith, duel, fitGames, loadGames, summarise, surprises } from "./refit.js";
import { openBoard } from "./opened.js";

const EVERYTHING = { players: null, rounds: null };

/** The engine of one component of a board, with the names and ratings of its players. Every question names the players and rounds that are `chosen`, null for
 * all; the last fit is kept, in case the next question is about the same.
 */
export function makeEngine(shipped, names, ratings) {
  const games = shipped.why_not_refit === null ? loadGames(shipped, names) : null;
  let kept = { key: null, state: null };
  const stateOf = (chosen) => {
    const key = JSON.stringify(chosen);
    if (kept.key !== key) {
      const state = games === null ? openBoard(shipped, names, ratings) : fitGames(games, chosen ?? EVERYTHING, kept.state);
      kept = { key, state };
    }
    return kept.state;
  };
  return {
    warm: () => void stateOf(null),
    fit: ({ chosen }) => summarise(stateOf(chosen)),
    compare: ({ chosen, reference }) => compareWith(stateOf(chosen), reference),
    duel: ({ chosen, first, second }) => duel(stateOf(chosen), first, second),
    surprises: ({ chosen, players }) => surprises(stateOf(chosen), players),
  };
}

/** Answer the page's questions, one after the other. */
export function serve(scope) {
  const engines = new Map();
  scope.onmessage = ({ data: { id, board, told, call, question } }) => {
    try {
      if (!engines.has(board)) engines.set(board, makeEngine(...told));
      scope.postMessage({ id, answer: engines.get(board)[call](question) });
    } catch (error) {
      scope.postMessage({ id, error: error.message });
    }
  };
}

if (typeof WorkerGlobalScope !== "undefined" && self instanceof WorkerGlobalScope) serve(self);
