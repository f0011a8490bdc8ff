// The link to what is shown: copying it, and what it names in vain.

import { listNames } from "../shared/english.js";
import { byId } from "./dom.js";

const SEEN = 4000;

/** Let the link copy itself; where the browser forbids that, it is shown to be copied by hand. */
export function equipLink() {
  const link = byId("permalink");
  let clearing;
  const say = (text) => {
    byId("copied").textContent = text;
    clearTimeout(clearing);
    clearing = setTimeout(() => { byId("copied").textContent = ""; }, SEEN);
  };
  link.addEventListener("click", async (event) => {
    event.preventDefault();
    const field = byId("address");
    try {
      await navigator.clipboard.writeText(link.href);
      field.hidden = true;
      say("Copied");
    } catch {
      field.hidden = false;
      field.value = link.href;
      field.select();
      say("Copy the address from the field");
    }
  });
}

/** Name what the address asks for and the page does not have. */
export function drawStrangers(page) {
  const { strangers } = page.state;
  const said = Object.entries(strangers).filter(([, names]) => names.length)
    .map(([kind, names]) => `The link names ${kind} that are not here: ${listNames(names)}.`);
  byId("strangers").textContent = said.join(" ");
  byId("strangers").hidden = said.length === 0;
}
