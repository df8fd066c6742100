/** `node --import ./test/simulation/mutate.ts …` runs a program with the mutant that MUTANT names. */
import { registerHooks } from "node:module";
import { pathToFileURL } from "node:url";
import { MUTANTS } from "./mutants.ts";

const mutant = MUTANTS.find(({ name }) => name === process.env["MUTANT"]);
if (mutant === undefined) throw new Error(`there is no mutant "${process.env["MUTANT"]}"`);
const { name, file, find, put } = mutant;
const target = pathToFileURL(file).href;

registerHooks({
  load(url, context, nextLoad) {
    const loaded = nextLoad(url, context);
    if (url !== target) return loaded;
    const source =
      typeof loaded.source === "string" ? loaded.source : Buffer.from(loaded.source as Uint8Array).toString();
    if (!source.includes(find)) throw new Error(`the mutant "${name}" does not fit ${file} any more`);
    return { ...loaded, source: source.replace(find, () => put) };
  },
});
