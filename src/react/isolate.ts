/** Characters that turn the reading direction, and letters that are read from right to left, or the first half of one. */
const TURNING =
  /[\u0590-\u08ff\u200e\u200f\u202a-\u202e\u2066-\u2069\ud802\ud803\ud83a\ud83b\ufb1d-\ufdff\ufe70-\ufefc]/;
const CONTROLS = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

/**
 * A stranger's words, fit to stand within a sentence of the catalogue: they cannot turn the reading direction of what
 * stands around them (Unicode UAX 9, isolates).
 */
export function isolate(text: string): string {
  return TURNING.test(text) ? `\u2068${text.replace(CONTROLS, "")}\u2069` : text;
}

/**
 * For `dir` of an element with a stranger's words: they are read as their first letter says. On a card that is read from
 * left to right, words that can be read in no other way need none, and a browser takes time to look through them.
 */
export function directionOf(text: string, cardDir: "ltr" | "rtl"): "auto" | undefined {
  return cardDir === "ltr" && !TURNING.test(text) ? undefined : "auto";
}
