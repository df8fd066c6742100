import type { Field } from "./field.ts";

/**
 * The fields that ask for a secret. MCP and ACP forbid servers to do that by form; a client that sees it warns. Told by
 * the schema itself, and by words in name, title and description, in the languages of the built-in catalogues. A word
 * that is part of another (`tokenize`) or only about a secret (`token limit`, `password hint`) is none. A warning may be wrong either way: it is no proof. Throws nothing.
 */
export function findSecretFields(fields: readonly Field[]): readonly Field[] {
  const typed = fields.filter((field) => field.kind === "text" || field.kind === "number");
  // Few forms ask for any: for the others one look at all their texts is enough.
  const suspect = ANY_SECRET.test(toWords(typed.flatMap(textsOf).join(" ")));
  return typed.filter(
    (field) =>
      (field.kind === "text" && field.secret) ||
      (suspect && SECRET.test(textsOf(field).map(toWords).join("|"))),
  );
}

function textsOf({ name, label, description = "" }: Field): string[] {
  return [name, label, description];
}

const NAMES = [
  " (?:pass ?(?:word|wd|phrase|code)s?|pwd|secrets?|token|credentials?|pin|cv[vc]2?|csc|ssn|social security|otp",
  "(?:api|access|private|secret|signing|encryption|ssh|master) ?keys?",
  "(?:2 ?fa|mfa|one time|verification|recovery|security|seed) ?(?:code|phrase)|mnemonic",
  "(?:credit|debit) ?card|card ?(?:number|num|no)",
  "contraseña|passwort|kennwort|geheimzahl|mot de passe|code secret|كلمة المرور|كلمة السر|الرقم السري)",
].join("|");
const NOT_ABOUT_IT =
  "(?! (?:name|type|kind|hint|policy|length|limit|count|budget|id|expiry|manager|reset|to|it|this|location) )";
const UNSPACED = " |パスワード|暗証番号";
const ANY_SECRET = new RegExp(NAMES + UNSPACED);
const SECRET = new RegExp(NAMES + NOT_ABOUT_IT + UNSPACED);

/** "userAPIKey_2" → " user api key 2 ". */
function toWords(text: string): string {
  // What browsers know of all scripts is slow to load, and the first form of a page seldom needs it.
  const spaced = /[^ -~]/.test(text)
    ? text
        .normalize("NFKC")
        .replace(/[\p{Ll}\d](?=\p{Lu})|\p{Lu}(?=\p{Lu}\p{Ll})/gu, "$& ")
        .replace(/[^\p{L}\p{M}\p{N}]+/gu, " ")
    : text.replace(/[a-z\d](?=[A-Z])|[A-Z](?=[A-Z][a-z])/g, "$& ").replace(/[^a-z\d]+/gi, " ");
  return ` ${spaced.toLowerCase()} `;
}
