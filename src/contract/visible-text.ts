/** Signs without ink that Unicode does not list as ignorable, such as the blank pattern of Braille. */
const BLANK = /\u2800|\u{1d159}|\u{13441}|\u{13442}/gu;
/** Ignorable characters, without those that join visible characters or select their shape. */
const HIDDEN = /(?!\p{Join_C}|\ufe0e|\ufe0f)\p{DI}/gu;
/** Marks without a letter, and the fifth and further marks of one letter, which cover the lines around it. */
const LOOSE_MARKS = /(?<=^|\s)\p{M}+|(?<=\p{M}{4})\p{M}+/gu;
const INK = /[^\s\p{C}\p{DI}\p{M}]/u;

/**
 * The text of somebody else without what shows nothing: ignorable characters, blank signs, and marks without a letter.
 * The empty text if nothing is left to see.
 */
export function visibleText(text: string): string {
  // Unicode property escapes are slow on first use, and most texts are ASCII.
  if (!/[^\t\n\r -~]/.test(text)) return text.trim() === "" ? "" : text;
  const shown = text.replace(BLANK, " ").replace(HIDDEN, "").replace(LOOSE_MARKS, "");
  return INK.test(shown) ? shown : "";
}

/**
 * The first characters of a text, counted as Unicode code points. Reads no further, because such texts are untrusted and
 * may have millions of characters.
 */
export function firstCharacters(text: string, most: number): string {
  if (text.length <= most) return text;
  // A code point has at most two UTF-16 units.
  const beginning = text.slice(0, 2 * most);
  return [...beginning].slice(0, most).join("");
}
