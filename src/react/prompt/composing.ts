/** The code of keys that an input method takes for itself. */
const TAKEN = 229;

/**
 * Whether a key is about the character that is being composed in an input method. Safari ends the composition before it
 * tells of the key that ended it: there only the code gives it away.
 */
export function isAboutComposition({
  isComposing,
  keyCode,
}: Pick<KeyboardEvent, "isComposing" | "keyCode">): boolean {
  return isComposing || keyCode === TAKEN;
}
