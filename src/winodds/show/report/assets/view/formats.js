// Tables as CSV, JSON, Markdown and LaTeX; names come out as they are, whatever signs they hold.
// A table is {header: [string], rows: [[string | number | null]], words: Set of columns}, and perhaps
// {json}, where names are no good keys, and {title, lines, notes}: what readers should know of it.

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
const BLOCK = /^(\d*)([-+.)>])/;
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

/** A line that no sign at its beginning turns into a list or a quotation. */
function markdownLine(text) {
  return escapeMarkdown(text.replace(LINE_ENDS, " ")).replace(BLOCK, "$1\\$2");
}

/** A table as Markdown, under its title and lines, with its notes as a list. */
export function toMarkdown({ title = "", lines = [], notes = [], ...table }) {
  return [
    ...(title ? [`### ${escapeMarkdown(title.replace(LINE_ENDS, " "))}`] : []),
    ...lines.map(markdownLine),
    markdownTable(table),
    ...(notes.length ? [notes.map((note) => `- ${markdownLine(note)}`).join("\n")] : []),
  ].join("\n\n") + "\n";
}

function markdownTable(table) {
  const line = (cells) => `| ${cells.join(" | ")} |`;
  const text = (cell) => escapeMarkdown(String(cell ?? "").replace(LINE_ENDS, " "));
  const rule = table.header.map((_, k) => (table.words.has(k) ? ":---" : "---:"));
  return [table.header.map(text), rule, ...table.rows.map((row) => row.map(text))]
    .map(line)
    .join("\n");
}

/** Text that LaTeX prints as it is. */
export function escapeLatex(text) {
  return text
    .replace(/[{}$&#%_\\^~<>|`"χ²]/g, (sign) => TEX_SIGNS[sign] ?? `\\${sign}`)
    .replace(/(?<=-)(?=-)|(?<=')(?=')|(?<=,)(?=,)/g, "{}");
}

/** Text of any kind for LaTeX, in one line. */
function latexText(cell) {
  return escapeLatex(String(cell ?? "").replace(LINE_ENDS, " "));
}

/** A table as LaTeX, under its title and lines, with its notes in small print. */
export function toLatex({ title = "", lines = [], notes = [], ...table }) {
  const small = ["\\par\\smallskip", "{\\small\\noindent", ...notes.map(latexText), "\\par}"];
  return [
    "% Needs \\usepackage{booktabs} in the preamble.",
    ...(title ? [`\\noindent\\textbf{${latexText(title)}}\\par\\smallskip`] : []),
    ...lines.map((line) => `\\noindent ${latexText(line)}\\par\\smallskip`),
    ...(lines.length ? ["\\noindent"] : []),
    ...latexTable(table),
    ...(notes.length ? small : []),
    "",
  ].join("\n");
}

/** The lines of a tabular with the rules of booktabs. */
function latexTable(table) {
  const maths = (cell) =>
    cell === null || cell === undefined || cell === "" ? "" : `$${mathSigns(String(cell))}$`;
  const cellOf = (cell, k) => (table.words.has(k) ? latexText(cell) : maths(cell));
  return [
    `\\begin{tabular}{${table.header.map((_, k) => (table.words.has(k) ? "l" : "r")).join("")}}`,
    "\\toprule",
    `${table.header.map(latexText).join(" & ")} \\\\`,
    "\\midrule",
    ...table.rows.map((row) => `${row.map(cellOf).join(" & ")} \\\\`),
    "\\bottomrule",
    "\\end{tabular}",
  ];
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
