// The page's side of the engine: a worker where the browser has one, so that nothing freezes.

import { byId } from "./dom.js";

/** A function that asks the engine about a board; answers come as promises. */
export function startEngine(boards) {
  const worker = makeWorker();
  if (worker === null) return askHere(boards);
  const waiting = new Map();
  const known = new Set();
  let last = 0;
  worker.onmessage = ({ data: { id, answer, error } }) => {
    const { resolve, reject } = waiting.get(id);
    waiting.delete(id);
    if (error === undefined) resolve(answer);
    else reject(new Error(error));
  };
  return (board, call, question) =>
    new Promise((resolve, reject) => {
      last += 1;
      waiting.set(last, { resolve, reject });
      const shipped = known.has(board) ? null : shippedOf(boards[board]);
      known.add(board);
      worker.postMessage({ id: last, board, shipped, call, question });
    });
}

/** Names are in the page once. */
function shippedOf(board) {
  return { ...board.shipped, players: board.columns.player };
}

function makeWorker() {
  try {
    const text = byId("engine").textContent;
    const address = URL.createObjectURL(new Blob([text], { type: "text/javascript" }));
    return new Worker(trusted(address));
  } catch {
    return null;
  }
}

/** The page's policy lets no text become code, but for this one address of the page's own making. */
function trusted(address) {
  if (!globalThis.trustedTypes) return address;
  return trustedTypes.createPolicy("winodds", { createScriptURL: (own) => own }).createScriptURL(address);
}

function askHere(boards) {
  const engines = new Map();
  return async (board, call, question) => {
    await new Promise((resolve) => setTimeout(resolve));
    if (!engines.has(board)) engines.set(board, globalThis.winoddsEngine.makeEngine(shippedOf(boards[board])));
    return engines.get(board)[call](question);
  };
}
