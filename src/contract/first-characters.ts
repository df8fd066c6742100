/**
 * The first characters of a text, counted as Unicode code points. Reads no further, because such texts are untrusted and
 * may have millions of characters.
 */
export function firstCharacters(text: string, most: number): string {
  // A code point has at most two UTF-16 units.
  const beginning = text.slice(0, 2 * most);
  return [...beginning].slice(0, most).join("");
}
