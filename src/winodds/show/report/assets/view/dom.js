// Elements are made one by one, and text is only ever set as text: no name can become markup.

const SVG = "http://www.w3.org/2000/svg";

/** An element with properties and children; strings become text. */
export function make(tag, properties = {}, ...children) {
  return fill(document.createElement(tag), properties, children);
}

/** The same for SVG. */
export function makeSvg(tag, properties = {}, ...children) {
  return fill(document.createElementNS(SVG, tag), properties, children);
}

function fill(element, properties, children) {
  for (const [name, value] of Object.entries(properties)) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else element.setAttribute(name, value === true ? "" : String(value));
  }
  element.append(...children.filter((child) => child !== null && child !== undefined));
  return element;
}

/** The element with an id. */
export function byId(id) {
  return document.getElementById(id);
}

/** Draw anew, and give the focus back to what had it: elements are known by their `data-focus`. */
export function keepFocus(draw) {
  const key = document.activeElement?.dataset?.focus;
  draw();
  if (!key) return;
  const again = document.querySelector(`[data-focus="${CSS.escape(key)}"]`);
  (again ?? document.querySelector("#leaderboard .wide")).focus({ preventScroll: true });
}

/** A plain table with a header; numbers to the right. */
export function makeTable(header, rows, words, caption) {
  const cell = (tag, text, k, scope) =>
    make(tag, { class: words.has(k) ? null : "number", scope }, text);
  return make(
    "table",
    {},
    make("caption", {}, caption),
    make("thead", {}, make("tr", {}, ...header.map((text, k) => cell("th", text, k, "col")))),
    make("tbody", {}, ...rows.map((row) => make("tr", {}, ...row.map((text, k) => cell("td", text, k))))),
  );
}

/** Let the browser save some content under a name. */
export function saveAs(name, content, kind) {
  const blob = content instanceof Blob ? content : new Blob([content], { type: `${kind};charset=utf-8` });
  const address = URL.createObjectURL(blob);
  const link = make("a", { href: address, download: name });
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(address), 10000);
}

/** A name that any file system takes: plain letters, digits, dots and dashes. */
export function fileName(...parts) {
  const plain = parts.filter(Boolean).map((part) => part.normalize("NFKD").replace(/[^a-z\d.-]+/gi, "-"));
  return plain.join("-").replace(/^[-.]+|[-.]+$/g, "").slice(0, 80) || "winodds";
}
