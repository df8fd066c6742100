/** Characters that change the reading direction, and right-to-left letters (for rare scripts their first surrogate). */
const TURNING =
  /[\u0590-\u08ff\u200e\u200f\u202a-\u202e\u2066-\u2069\ud802\ud803\ud83a\ud83b\ufb1d-\ufdff\ufe70-\ufefc]/;
const CONTROLS = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

/**
 * Makes untrusted text safe to insert into a sentence of the catalogue: it cannot change the reading direction of the text
 * around it (Unicode UAX 9, isolates).
 */
export function isolate(text: string): string {
  return TURNING.test(text) ? `\u2068${text.replace(CONTROLS, "")}\u2069` : text;
}

/**
 * Returns the `dir` of an element with untrusted text: `auto` follows its first letter. Left-to-right text on a
 * left-to-right card needs none, which spares the browser a search through the text.
 */
export function directionOf(text: string, cardDir: "ltr" | "rtl"): "auto" | undefined {
  return cardDir === "ltr" && !TURNING.test(text) ? undefined : "auto";
}

/** Whether the first letter of a text belongs to a script that is written from right to left. */
export function startsRightToLeft(text: string): boolean {
  // Unicode properties take time to compile, and most texts need none.
  return (
    /[^ -~]/.test(text) &&
    /^\P{L}*[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u.test(text)
  );
}
