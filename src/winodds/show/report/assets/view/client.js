// The page's side of the engine: a worker where the browser has one, so that nothing freezes.

import { byId } from "./dom.js";

/** A function that asks the engine about a component of a board; answers come as promises. */
export function startEngine(boards) {
  const here = askHere(boards);
  const worker = makeWorker();
  if (worker === null) return here;
  const waiting = new Map();
  const known = new Set();
  let last = 0;
  let broken = false;
  worker.onmessage = ({ data: { id, answer, error } }) => {
    const { resolve, reject, key } = waiting.get(id);
    waiting.delete(id);
    if (error === undefined) {
      resolve(answer);
      return;
    }
    known.delete(key);
    reject(new Error(error));
  };
  worker.onerror = (event) => {
    event.preventDefault();
    broken = true;
    for (const { asked, resolve, reject } of waiting.values()) here(...asked).then(resolve, reject);
    waiting.clear();
  };
  return (...asked) => {
    if (broken) return here(...asked);
    const [board, component, call, question] = asked;
    const key = `${board} ${component}`;
    return new Promise((resolve, reject) => {
      last += 1;
      waiting.set(last, { key, asked, resolve, reject });
      const told = known.has(key) ? null : toldOf(boards[board], component);
      known.add(key);
      worker.postMessage({ id: last, board: key, told, call, question });
    });
  };
}

/** What the engine needs of a component: what is shipped, and names and ratings, which are in the page once. */
function toldOf({ shipped, columns, component_of: of }, component) {
  const own = (column) => column.filter((_, k) => of === null || of[k] === component);
  return [shipped.components[component], own(columns.player), own(columns.epp)];
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
  return async (board, component, call, question) => {
    await new Promise((resolve) => setTimeout(resolve));
    const key = `${board} ${component}`;
    if (!engines.has(key)) engines.set(key, globalThis.winoddsEngine.makeEngine(...toldOf(boards[board], component)));
    return engines.get(key)[call](question);
  };
}
