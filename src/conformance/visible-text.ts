/** What has no shape of its own: controls, marks of direction, joiners, lone surrogates, tags. */
const UNSEEN = /[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu;
const MAX_LENGTH = 2000;

/**
 * Text of a stranger, on one line and with every character to be seen: a terminal would act on some (move the cursor,
 * clear the screen), and others would make a line read as something else.
 */
export function visibleText(text: string): string {
  const cut = text.length > MAX_LENGTH ? `${text.slice(0, MAX_LENGTH)}…` : text;
  return cut.replaceAll(UNSEEN, (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`);
}
