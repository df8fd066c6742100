import type { Field } from "./field.ts";

/**
 * The fields that ask for a secret: MCP and ACP forbid servers to do so by form. Found by whole words in name, title
 * and description, in the languages of the built-in catalogues; a warning, not a proof.
 */
export function findSecretFields(fields: readonly Field[]): readonly Field[] {
  return fields.filter(
    ({ kind, name, label, description = "" }) =>
      (kind === "text" || kind === "number") &&
      [name, label, description].some((text) => SECRET.test(toWords(text))),
  );
}

const SECRET =
  / (?:pass ?(?:word|phrase|code|wd)|pwd|secret|token|(?:api|access|private) ?key|pin|cv[vc]2?|(?:credit )?card ?(?:number|no)|ssn|social security) /;

/** "userAPIKey_2" → " user api key 2 ". */
function toWords(text: string): string {
  return ` ${text
    .normalize("NFKC")
    .replace(/([\p{Ll}\d])(?=\p{Lu})|(\p{Lu})(?=\p{Lu}\p{Ll})/gu, "$& ")
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, " ")} `;
}
