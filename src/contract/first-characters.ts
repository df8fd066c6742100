/**
 * The first characters of a text, counted as Unicode code points. Reads no more of it: strangers write such texts, and may
 * write millions of characters.
 */
export function firstCharacters(text: string, most: number): string {
  // A code point has at most two units.
  const beginning = text.slice(0, 2 * most);
  return [...beginning].slice(0, most).join("");
}
