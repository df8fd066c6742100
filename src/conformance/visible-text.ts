/** Invisible characters: controls, direction marks, joiners, lone surrogates, tags. */
const UNSEEN = /[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu;
const MAX_LENGTH = 2000;

/**
 * Makes untrusted text visible on one line. A terminal would interpret some characters (move the cursor, clear the
 * screen), and others would disguise the text.
 */
export function visibleText(text: string): string {
  const cut = text.length > MAX_LENGTH ? `${text.slice(0, MAX_LENGTH)}…` : text;
  return cut.replaceAll(UNSEEN, (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`);
}
