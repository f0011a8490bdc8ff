// Menus that save a table in any of the formats.

import { fileName, make, saveAs } from "./dom.js";
import { TABLE_FORMATS } from "./formats.js";

/** Buttons that save what `build` gives for a format; `nameOf` gives the file's name. */
export function tableButtons(build, nameOf) {
  return Object.entries(TABLE_FORMATS).map(([label, format]) =>
    make("button", { type: "button", onclick: () => saveAs(`${nameOf()}.${format.suffix}`, format.write(build(label)), format.kind) }, label));
}

/** A table that is only shown, with a menu below it. */
export function withMenu(table, content, ...name) {
  const buttons = tableButtons(() => content, () => fileName(...name));
  return make("div", { class: "saved" }, table, make("details", { class: "menu" }, make("summary", {}, "Download"), make("div", {}, ...buttons)));
}
