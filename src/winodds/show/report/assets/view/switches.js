// Switches for players, rounds and tournaments.

import { capital, whole } from "../shared/english.js";
import { byId, make } from "./dom.js";
import { everythingOf } from "./words.js";

/** Draw the panel for the board that is shown. */
export function drawSwitches(page) {
  const { board, state } = page;
  const possible = page.mayRefit();
  byId("refit-title").textContent = possible ? `Switch off ${kindsOf(board)}, and rate the rest anew` : "Why this page does not rate anew";
  byId("refit-why").textContent = possible
    ? "Ratings, intervals, ranks and letters are computed anew in this browser, by the same rules. " +
      `Chances of being best, quality, figures and gaps stay those of ${everythingOf(board)}.`
    : board.shipped.why_not_refit;
  if (!possible) {
    byId("switches").replaceChildren(make("pre", { tabindex: 0, "aria-label": "How to leave rows out" }, make("code", {}, board.refit_command)));
    return;
  }
  const parts = [];
  const schedule = board.schedule;
  if (schedule && schedule.tournaments.length > 1) parts.push(tournamentSwitches(page, schedule));
  if (schedule) {
    const rounds = schedule.rounds.map((name, k) => ({ name, on: !state.rounds.has(k), set: (on) => page.switchRounds([k], on) }));
    parts.push(fieldset(capital(board.nouns.round[1]), rounds, (on) => page.switchRounds(schedule.rounds.map((_, k) => k), on)));
  }
  const names = board.columns.player;
  const players = names.map((name, k) => ({ name, on: !state.players.has(k), set: (on) => page.switchPlayers([k], on) }));
  parts.push(fieldset(capital(board.nouns.player[1]), players, (on) => page.switchPlayers(names.map((_, k) => k), on)));
  const open = new Set([...byId("switches").querySelectorAll("details[open]")].map((own) => own.dataset.title));
  byId("switches").replaceChildren(...parts);
  for (const own of byId("switches").querySelectorAll("details")) own.open = open.has(own.dataset.title) || "few" in own.dataset;
}

/** What can be switched off; battles have no schedule. */
function kindsOf({ schedule, nouns }) {
  const [players, rounds, tournaments] = [nouns.player[1], nouns.round[1], nouns.tournament[1]];
  if (!schedule) return players;
  return schedule.tournaments.length > 1 ? `${players}, ${rounds} or ${tournaments}` : `${players} or ${rounds}`;
}

function tournamentSwitches(page, schedule) {
  const switches = schedule.tournaments.map((name, t) => {
    const own = schedule.tournament_of.flatMap((number, k) => (number === t ? [k] : []));
    const on = own.filter((k) => !page.state.rounds.has(k)).length;
    return { name, on: on > 0, some: on > 0 && on < own.length, set: (wanted) => page.switchRounds(own, wanted) };
  });
  return fieldset(capital(page.board.nouns.tournament[1]), switches, null);
}

function fieldset(title, switches, setAll) {
  const off = switches.filter((one) => !one.on).length;
  const boxes = switches.map((one, k) => {
    const box = make("input", { type: "checkbox", checked: one.on, "data-focus": `switch-${title}-${k}`, onchange: (event) => one.set(event.target.checked) });
    box.indeterminate = Boolean(one.some);
    return make("label", {}, box, one.name);
  });
  const all = setAll === null ? null : make("p", {},
    make("button", { type: "button", "data-focus": `on-${title}`, onclick: () => setAll(true) }, "All on"), " ",
    make("button", { type: "button", "data-focus": `off-${title}`, onclick: () => setAll(false) }, "All off"));
  return make("details", { "data-title": title, "data-few": switches.length <= 12 },
    make("summary", {}, `${title}: ${whole(switches.length - off)} of ${whole(switches.length)} on`),
    all, make("div", { class: "boxes", role: "group", "aria-label": title }, ...boxes));
}
