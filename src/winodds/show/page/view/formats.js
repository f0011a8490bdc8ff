// Tables as CSV, JSON, Markdown and LaTeX; names come out as they are, whatever signs they hold.
// A table is {header: [string], rows: [[string | number | null]], words: Set of columns}, and perhaps
// {json}, where names are no good keys.

const MARKUP = /@+|[&<\\`*_{}[\]#~|$]|:(?=\/\/)|(?<=www)\./gi;
const MARKDOWN_ENTITIES = { "&": "&amp;", "<": "&lt;" };
const TEX_SIGNS = {
  "\\": "\\textbackslash{}",
  "^": "\\textasciicircum{}",
  "~": "\\textasciitilde{}",
  "<": "\\textless{}",
  ">": "\\textgreater{}",
  "|": "\\textbar{}",
  "`": "\\`{}",
  '"': "\\char34{}",
  "χ": "$\\chi$",
  "²": "\\textsuperscript{2}",
};
const LINE_ENDS = /[\r\n\u2028\u2029\u0085\v\f]+/g;

/** A cell of a CSV file. */
function csvCell(cell) {
  const text = cell === null || cell === undefined ? "" : String(cell);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** A table as CSV, with every digit. */
export function toCsv(table) {
  return [table.header, ...table.rows].map((row) => row.map(csvCell).join(",")).join("\n") + "\n";
}

/** A table as JSON, an object for every row. */
export function toJson(table) {
  const named = (row) => Object.fromEntries(row.map((cell, k) => [table.header[k], cell ?? null]));
  return JSON.stringify(table.json ?? table.rows.map(named), null, 1) + "\n";
}

/** Text for a cell of a Markdown table, where GitHub shows it as it is. */
export function escapeMarkdown(text) {
  return text.replace(MARKUP, (sign) =>
    sign[0] === "@" ? `\`${sign}\`` : (MARKDOWN_ENTITIES[sign] ?? `\\${sign}`),
  );
}

/** A table as Markdown. */
export function toMarkdown(table) {
  const line = (cells) => `| ${cells.join(" | ")} |`;
  const text = (cell) => escapeMarkdown(String(cell ?? "").replace(LINE_ENDS, " "));
  const rule = table.header.map((_, k) => (table.words.has(k) ? ":---" : "---:"));
  return [table.header.map(text), rule, ...table.rows.map((row) => row.map(text))]
    .map(line)
    .join("\n") + "\n";
}

/** Text that LaTeX prints as it is. */
export function escapeLatex(text) {
  return text
    .replace(/[{}$&#%_\\^~<>|`"χ²]/g, (sign) => TEX_SIGNS[sign] ?? `\\${sign}`)
    .replace(/(?<=-)(?=-)|(?<=')(?=')|(?<=,)(?=,)/g, "{}");
}

/** A table as a LaTeX tabular with the rules of booktabs. */
export function toLatex(table) {
  const text = (cell) => escapeLatex(String(cell ?? "").replace(LINE_ENDS, " "));
  const maths = (cell) =>
    cell === null || cell === undefined || cell === "" ? "" : `$${mathSigns(String(cell))}$`;
  const cellOf = (cell, k) => (table.words.has(k) ? text(cell) : maths(cell));
  return [
    "% Needs \\usepackage{booktabs} in the preamble.",
    `\\begin{tabular}{${table.header.map((_, k) => (table.words.has(k) ? "l" : "r")).join("")}}`,
    "\\toprule",
    `${table.header.map(text).join(" & ")} \\\\`,
    "\\midrule",
    ...table.rows.map((row) => `${row.map(cellOf).join(" & ")} \\\\`),
    "\\bottomrule",
    "\\end{tabular}",
    "",
  ].join("\n");
}

function mathSigns(text) {
  const signs = { "–": "\\mbox{--}", "∞": "\\infty", "…": "\\ldots", "%": "\\%", "<": "{<}", ">": "{>}" };
  return text.replace(/[–∞…%<>]/g, (sign) => signs[sign]);
}

/** The formats of tables, by their names. */
export const TABLE_FORMATS = {
  CSV: { suffix: "csv", kind: "text/csv", write: toCsv },
  JSON: { suffix: "json", kind: "application/json", write: toJson },
  Markdown: { suffix: "md", kind: "text/markdown", write: toMarkdown },
  LaTeX: { suffix: "tex", kind: "application/x-tex", write: toLatex },
};
