/** The key code of keys that an input method handles. */
const TAKEN = 229;

/**
 * Whether a key belongs to an input method that composes a character. Safari ends the composition before it reports the
 * key that ended it, and marks that key by its code only.
 */
export function isAboutComposition({
  isComposing,
  keyCode,
}: Pick<KeyboardEvent, "isComposing" | "keyCode">): boolean {
  return isComposing || keyCode === TAKEN;
}
