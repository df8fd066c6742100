import type { Field } from "./field.ts";

/**
 * Finds the fields that ask for a secret. MCP and ACP forbid servers to ask for secrets in a form, so clients warn. A
 * field counts when its schema says so (`format: "password"`, `writeOnly`), or when its name, title or description uses
 * words such as "password", in the languages of the built-in catalogues. Look-alike letters and invisible characters do
 * not hide a word.
 *
 * A field does not count for a word that is part of another (`tokenize`), that is only about a secret (`token limit`,
 * `password hint`), or that is negated ("Do not give us your PIN", "No password needed"). This is a heuristic: it can
 * miss a field and it can warn without need. Never throws.
 */
export function findSecretFields(fields: readonly Field[]): readonly Field[] {
  const typed = fields.filter((field) => field.kind === "text" || field.kind === "number");
  // Most forms ask for no secret: one search through all their texts rules them out. A negation may reach into the next
  // clause, but not past an empty one into the next field.
  const suspect = asksForSecret(typed.map(textOf).join("||"));
  return typed.filter(
    (field) => (field.kind === "text" && field.secret) || (suspect && asksForSecret(textOf(field))),
  );
}

/**
 * Whether a form asks for a secret, by its names, titles and schema. A description does not count here: it may mention a
 * secret that the form does not ask for. For forms of other programs, which are refused without asking anybody.
 */
export function asksForNamedSecret(fields: readonly Field[]): boolean {
  return findSecretFields(fields.map((field) => ({ ...field, description: undefined }))).length > 0;
}

function textOf({ name, label, description = "" }: Field): string {
  return `${name}|${label}|${description}`;
}

/*
 * The expressions below match the output of `toWords`: lower case without accents, a space before and after each word,
 * and `|` between clauses.
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
/** A Latin letter next to a Cyrillic or Greek one that looks Latin: a disguise that honest text does not need. */
const MIXED = "[a-z][ικνορτυЀ-ԯ]|[ικνορτυЀ-ԯ][a-z]";
const SECRET = `(?: (?:${LATIN})${NOT_ABOUT_IT}(?= )|${UNSPACED}|${MIXED})`;

const NO =
  "no|not|never|cannot|dont|t|without|kein[a-z]*|nicht|nie|niemals|ohne|nunca|jamas|ningun[a-z]*|sin|pas|jamais|aucun" +
  "|aucune|sans|لا|لن|ليس|ليست|دون|بدون";
const NOT_NEEDED =
  "no (?:es|se|hace|necesari|requerid)[a-z]*|nunca|pas|jamais|non|nicht|nie|غير|لا|لن|ليست|(?:not|never|t)(?: be)? (?:needed|required|necessary|asked)";
/** A negation, a few words, then secrets ("do not enter your PIN"), or the other way round ("PIN is not needed"). */
const DENIED = new RegExp(
  `(${WORD}{0,2}?) (?:${NO})(?= )(${WORD}{0,5}? ?[^ |]{0,2}?)${SECRET}(?:(?: \\|)?${WORD}{0,2}?${SECRET})*` +
    `|${SECRET}([^ |]{0,2}${WORD}{0,3} (?:${NOT_NEEDED})(?= )${WORD}{0,2}| ?[ぁ-鿿]{0,12}?(?:不要|ない|ません|なし))`,
  "g",
);
/** Words that cancel a negation: "do not forget your PIN", "not without your PIN". */
const TAKEN_BACK =
  / (?:forget|hesit|vergess|olvid|oubli|تنس|(?:only|but|until|unless|without|bis|ohne|hasta|sin|mais|sans|بدون) )|忘/;
const ASKED = new RegExp(SECRET);

function asksForSecret(text: string): boolean {
  const words = toWords(text);
  return ASKED.test(words) && ASKED.test(words.replace(DENIED, leaveOut));
}

/** Removes a negated secret from the text, unless the negation is cancelled. */
function leaveOut(all: string, before = "", between = "", after = ""): string {
  return TAKEN_BACK.test(`${before}${between}${after} `) ? all : " |";
}

/** "userAPIKey_2, please" → " user api key 2 | please ". */
function toWords(text: string): string {
  // Unicode property escapes are slow on first use, and most texts of most forms are ASCII.
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
