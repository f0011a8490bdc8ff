// The page's side of the engine: a worker where the browser has one, so that nothing freezes.

import { byId } from "./dom.js";

/** A function that asks the engine about a board; answers come as promises. */
export function startEngine(boards) {
  const here = askHere(boards);
  const worker = makeWorker();
  if (worker === null) return here;
  const waiting = new Map();
  const known = new Set();
  let last = 0;
  let broken = false;
  worker.onmessage = ({ data: { id, answer, error } }) => {
    const { resolve, reject, board } = waiting.get(id);
    waiting.delete(id);
    if (error === undefined) {
      resolve(answer);
      return;
    }
    known.delete(board);
    reject(new Error(error));
  };
  worker.onerror = (event) => {
    event.preventDefault();
    broken = true;
    for (const { board, call, question, resolve, reject } of waiting.values()) here(board, call, question).then(resolve, reject);
    waiting.clear();
  };
  return (board, call, question) => {
    if (broken) return here(board, call, question);
    return new Promise((resolve, reject) => {
      last += 1;
      waiting.set(last, { board, call, question, resolve, reject });
      const shipped = known.has(board) ? null : shippedOf(boards[board]);
      known.add(board);
      worker.postMessage({ id: last, board, shipped, call, question });
    });
  };
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

/** The same without a worker, for browsers that let a page from disk have none. */
function askHere(boards) {
  const engines = new Map();
  return async (board, call, question) => {
    await new Promise((resolve) => setTimeout(resolve));
    if (!engines.has(board)) engines.set(board, globalThis.winoddsEngine.makeEngine(shippedOf(boards[board])));
    return engines.get(board)[call](question);
  };
}
