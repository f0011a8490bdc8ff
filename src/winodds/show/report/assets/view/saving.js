// Menus that save a table in any of the formats.

import { fileName, make, saveAs } from "./dom.js";
import { TABLE_FORMATS } from "./formats.js";

/** Buttons that save what `build` gives for a format; `nameOf` gives the file's name. */
export function tableButtons(build, nameOf, labels = Object.keys(TABLE_FORMATS)) {
  return labels.map((label) => {
    const { suffix, kind, write } = TABLE_FORMATS[label];
    return make("button", { type: "button", onclick: () => saveAs(`${nameOf()}.${suffix}`, write(build(label)), kind) }, label);
  });
}

/** A table that is only shown, with a menu below it that saves what `build` gives. */
export function withMenu(table, build, ...name) {
  const buttons = tableButtons(build, () => fileName(...name));
  return make("div", { class: "saved" }, table, make("details", { class: "menu" }, make("summary", {}, "Download"), make("div", {}, ...buttons)));
}
