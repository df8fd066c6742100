import { firstCharacters, visibleText } from "../contract/visible-text.ts";

/**
 * The longest texts of a form, in code points: the name of a field or an option, and the help for it. Forms are untrusted,
 * and some letters are drawn far larger than others.
 */
const LONGEST = { name: 500, help: 4000 } as const;

/** A text of a schema, shortened, without what shows nothing. `undefined` if it has nothing to show. */
export function textOf(text: unknown, use: keyof typeof LONGEST): string | undefined {
  if (typeof text !== "string") return undefined;
  const most = LONGEST[use];
  const cut = firstCharacters(text, most);
  return visibleText(cut.length < text.length ? `${firstCharacters(cut, most - 1)}…` : cut) || undefined;
}
