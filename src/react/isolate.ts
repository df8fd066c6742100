/** Characters that turn the reading direction, and letters that are read from right to left. */
const TURNING = /[\u0590-\u08ff\u200e\u200f\u202a-\u202e\u2066-\u2069\ufb1d-\ufdff\ufe70-\ufefc]/;
const CONTROLS = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

/**
 * A stranger's words, fit to stand within a sentence of the catalogue: they cannot turn the reading direction of what
 * stands around them (Unicode UAX 9, isolates).
 */
export function isolate(text: string): string {
  return TURNING.test(text) ? `\u2068${text.replace(CONTROLS, "")}\u2069` : text;
}
