// Numbers and names in sentences, as Python's `winodds.language.words` writes them.

const NAMES_SHOWN = 5;
export const LONGEST_NAME = 200;

/** A whole number with commas. */
export function whole(value) {
  return Math.round(value).toLocaleString("en-US");
}

/** A number with its noun: "1 player", "2,000 players". */
export function count(number, noun, plural = `${noun}s`) {
  return `${whole(number)} ${number === 1 ? noun : plural}`;
}

/** The beginning of a sentence. */
export function capital(text) {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}

/** Characters that nobody sees, or that turn the text behind them round. */
const HIDDEN = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}]/gu;

/** A name in quotation marks, cut where it is very long, with hidden characters made visible. */
export function quoteName(name) {
  const short = name.length <= LONGEST_NAME ? name : `${name.slice(0, LONGEST_NAME - 1)}…`;
  return `'${short.replace(HIDDEN, (own) => (own === "\u200d" || own === "\u200c" ? own : `\\u{${own.codePointAt(0).toString(16)}}`))}'`;
}

/** So many quoted names at most, then "and 995 more". */
export function listNames(names, shown = NAMES_SHOWN) {
  const listed = names.slice(0, shown).map(quoteName).join(", ");
  const rest = names.length - shown;
  return rest > 0 ? `${listed} and ${whole(rest)} more` : listed;
}
