// Figures that came with the page: their captions, and saving them as pictures and tables.

import { byId, fileName, make, saveAs } from "./dom.js";
import { tableButtons } from "./saving.js";
import { everythingOf, labelOf } from "./words.js";

const FORMATS_OF_NUMBERS = ["CSV", "JSON"];

/** Show the figures of the board, and give each its menu. */
export function drawFigures(page) {
  for (const gallery of document.querySelectorAll(".gallery")) {
    const own = Number(gallery.dataset.board);
    gallery.hidden = own !== page.state.board && own !== -1;
  }
  const before = page.view.refitted ? `Of ${everythingOf(page.board)}, not refitted.` : "";
  byId("figures-hint").textContent = [before, page.board.figures.hint, page.data.season.hint].filter(Boolean).join(" ");
}

/** Put a menu for saving below every figure. */
export function equipFigures(data) {
  for (const gallery of document.querySelectorAll(".gallery")) {
    const number = Number(gallery.dataset.board);
    const { tables } = number === -1 ? data.season : data.boards[number].figures;
    for (const figure of gallery.querySelectorAll("figure")) {
      const table = tables[figure.dataset.name];
      const name = fileName(data.title, number === -1 ? "" : labelOf(data.boards[number]), figure.dataset.name);
      figure.append(figureMenu(figure.querySelector("svg"), table, name));
    }
  }
}

function figureMenu(svg, table, name) {
  const button = (label, onclick) => make("button", { type: "button", onclick }, label);
  return make("details", { class: "menu" }, make("summary", {}, "Download"), make("div", {},
    button("SVG", () => saveAs(`${name}.svg`, svgText(svg), "image/svg+xml")),
    button("PNG", () => savePng(svg, `${name}.png`)),
    ...(table === undefined ? [] : tableButtons(() => figureTable(table), () => name, FORMATS_OF_NUMBERS))));
}

function figureTable(table) {
  const size = table.cells[0]?.length ?? 0;
  const words = new Set(table.text);
  const rows = Array.from({ length: size }, (_, k) => table.cells.map((column) => column[k]));
  return { header: table.header, rows, words };
}

/** A figure as a file of its own: with the colours that the page shows now, and no variables. */
export function svgText(svg) {
  const text = new XMLSerializer().serializeToString(svg);
  return text.replace(/<[^<>]*>/g, (tag) => tag.replace(/var\(--figure-[a-z]+\)/g, colourOf));
}

/** What a variable stands for just now. */
function colourOf(variable) {
  const probe = make("span");
  probe.style.color = variable;
  document.body.append(probe);
  const colour = getComputedStyle(probe).color;
  probe.remove();
  return colour;
}

function savePng(svg, name) {
  const { width, height } = svg.viewBox.baseVal;
  const image = new Image();
  image.onload = () => {
    const canvas = make("canvas", { width: 2 * width, height: 2 * height });
    canvas.getContext("2d").drawImage(image, 0, 0, 2 * width, 2 * height);
    canvas.toBlob((blob) => saveAs(name, blob));
  };
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svgText(svg))}`;
}
