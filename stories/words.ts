import type { Catalogue } from "elicit-kit";
import { type Words, words as english } from "../demo/page/words/en.ts";

const all = import.meta.glob<Words>("../demo/page/words/*.ts", { eager: true, import: "words" });

/** The texts of the demo's chat in the language of a catalogue. */
export function wordsOf(catalogue: Catalogue): Words {
  const [language] = catalogue.locale.split("-");
  return all[`../demo/page/words/${language}.ts`] ?? english;
}
