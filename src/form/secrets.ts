import type { Field } from "./field.ts";

/**
 * The fields that ask for a secret. MCP and ACP forbid servers to do that by form; a client that sees it warns. Told by
 * the schema itself, and by words in name, title and description, in the languages of the built-in catalogues. Letters
 * that only look like others and characters that nobody sees hide no word.
 *
 * Not taken as asking: a word that is part of another (`tokenize`) or only about a secret (`token limit`, `password
 * hint`), and a text that says no ("Do not give us your PIN", "No password needed"). A warning may be wrong either way:
 * it is no proof. Throws nothing.
 */
export function findSecretFields(fields: readonly Field[]): readonly Field[] {
  const typed = fields.filter((field) => field.kind === "text" || field.kind === "number");
  // Few forms ask for any: for the others one look at all their texts is enough.
  const suspect = asksForSecret(typed.map(textOf).join("|"));
  return typed.filter(
    (field) => (field.kind === "text" && field.secret) || (suspect && asksForSecret(textOf(field))),
  );
}

function textOf({ name, label, description = "" }: Field): string {
  return `${name}|${label}|${description}`;
}

/*
 * The expressions below read what `toWords` makes: small letters without accents, a space before and after each word,
 * `|` between clauses.
 */
const WORD = "(?: [^ |]+)";
const LATIN = [
  "(?:[^ |]*pass ?word|passwd|pass ?(?:phrase|code)|secret|credential|contrasena|pin)s?|pwd|token|cv[vc]2?|csc|ssn",
  "social security|otp|[^ |]*(?:passw|kennw)(?:o|oe)rt(?:er)?|geheimzahl|mots? de passe|code secret",
  "(?:api|access|private|secret|signing|encryption|ssh|master) ?keys?|mnemonic",
  "(?:2 ?fa|mfa|one time|verification|recovery|security|seed) ?(?:code|phrase)",
  "(?:credit|debit) ?card|card ?(?:number|num|no)",
].join("|");
const NOT_ABOUT_IT =
  "(?! (?:name|type|kind|hint|policy|length|limit|count|budget|id|expiry|manager|reset|to|it|this|location) )";
const UNSPACED = "كلمة (?:ال)?(?:مرور|سر)|الرقم السري|ハスワート|暗証番号";
/** Latin letters beside Cyrillic or Greek ones that look like them: whoever writes so has something to hide. */
const MIXED = "[a-z][ικνορτυЀ-ԯ]|[ικνορτυЀ-ԯ][a-z]";
const SECRET = `(?: (?:${LATIN})${NOT_ABOUT_IT}(?= )|${UNSPACED}|${MIXED})`;

const NO =
  "no|not|never|cannot|dont|t|without|kein[a-z]*|nicht|nie|niemals|ohne|nunca|jamas|ningun[a-z]*|sin|pas|jamais|aucun" +
  "|aucune|sans|لا|لن|ليس|ليست|دون|بدون";
const NOT_NEEDED =
  "no (?:es|se|hace|necesari|requerid)[a-z]*|nunca|pas|jamais|non|nicht|nie|غير|لا|لن|ليست|(?:not|never|t)(?: be)? (?:needed|required|necessary|asked)";
/** A no, a few words, secrets; or a secret, a few words, a no. */
const DENIED = new RegExp(
  `(${WORD}{0,2}?) (?:${NO})(?= )(${WORD}{0,5}? ?[^ |]{0,2}?)${SECRET}(?:(?: \\|)?${WORD}{0,2}?${SECRET})*` +
    `|${SECRET}([^ |]{0,2}${WORD}{0,3} (?:${NOT_NEEDED})(?= )${WORD}{0,2}| ?[ぁ-鿿]{0,12}?(?:不要|ない|ません|なし))`,
  "g",
);
/** Words that take the no back: "do not forget", "not without". */
const TAKEN_BACK =
  / (?:forget|hesit|vergess|olvid|oubli|تنس|(?:only|but|until|unless|without|bis|ohne|hasta|sin|mais|sans|بدون) )|忘/;
const ASKED = new RegExp(SECRET);

function asksForSecret(text: string): boolean {
  const words = toWords(text);
  return ASKED.test(words) && ASKED.test(words.replace(DENIED, leaveOut));
}

/** Leaves out a secret that is denied, unless the no is taken back. */
function leaveOut(all: string, before = "", between = "", after = ""): string {
  return TAKEN_BACK.test(`${before}${between}${after} `) ? all : " |";
}

/** "userAPIKey_2, please" → " user api key 2 | please ". */
function toWords(text: string): string {
  // What browsers know of all scripts is slow to load, and the first form of a page seldom needs it.
  const isAscii = !/[^ -~]/.test(text);
  const spaced = isAscii
    ? text.replace(/[a-z\d](?=[A-Z])|[A-Z](?=[A-Z](?!s\b)[a-z])/g, "$& ")
    : text
        .normalize("NFKD")
        .replace(/[\p{M}\p{Cf}\p{DI}ـ]/gu, "")
        .replace(/[\p{Ll}\d](?=\p{Lu})|\p{Lu}(?=\p{Lu}(?!s\b)\p{Ll})|\w(?=[ぁ-鿿])/gu, "$& ");
  const clauses = spaced.replace(/[.!?,;:](?=\s|$)|[|\n。、،؛؟]/g, " | ");
  return ` ${clauses.replace(isAscii ? /[^a-z\d|]+/gi : /[^\p{L}\p{N}|]+/gu, " ").toLowerCase()} `;
}
