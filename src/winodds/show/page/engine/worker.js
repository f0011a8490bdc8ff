// What the page asks of the engine, here or in a worker of its own.

import { compareWith, duel, fitGames, loadGames, summarise } from "./refit.js";
import { openBoard } from "./opened.js";
import { RefitError } from "./sentences.js";

/** The engine of one board: fits when asked, and remembers the last fit. */
export function makeEngine(shipped) {
  const games = shipped.refit ? loadGames(shipped) : null;
  let fitted = null;
  const current = () => {
    if (fitted === null) fitted = games === null ? openBoard(shipped) : fitGames(games, { players: null, rounds: null });
    return fitted;
  };
  return {
    fit(chosen) {
      fitted = fitGames(games, chosen, fitted);
      return summarise(fitted);
    },
    reset() {
      fitted = null;
      return null;
    },
    warm() {
      current();
      return null;
    },
    compare({ reference }) {
      return compareWith(current(), reference);
    },
    duel({ first, second }) {
      return duel(current(), first, second);
    },
  };
}

/** Answer the page's questions, one after the other. */
export function serve(scope) {
  const engines = new Map();
  scope.onmessage = ({ data: { id, board, shipped, call, question } }) => {
    try {
      if (!engines.has(board)) engines.set(board, makeEngine(shipped));
      scope.postMessage({ id, answer: engines.get(board)[call](question) });
    } catch (error) {
      scope.postMessage({ id, error: error.message, expected: error instanceof RefitError });
    }
  };
}

if (typeof WorkerGlobalScope !== "undefined" && self instanceof WorkerGlobalScope) serve(self);
