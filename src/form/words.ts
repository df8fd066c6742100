/**
 * How much text of one form is searched, in characters after their decomposition: far more than users read. Forms are
 * untrusted, and U+FDFA alone decomposes into 18 characters.
 */
const MOST_CHARACTERS = 32 * 1024;
/** Sorting the marks of a text takes quadratic time, so texts are decomposed in pieces of 64 code points. */
const PIECE = /[^]{1,64}/gu;
const INVISIBLE = /[\p{M}\p{Cf}\p{DI}ـ]/gu;

/**
 * The words of each text of a form, in lower case without accents and compatibility forms: a space before and after each
 * word, and `|` between clauses. `undefined` for the text that exceeds `MOST_CHARACTERS`, and for all texts after it.
 */
export function wordsOf(texts: readonly string[]): readonly (string | undefined)[] {
  let room = MOST_CHARACTERS;
  return texts.map((text) => {
    const plain = decompose(text, room);
    room -= plain === undefined ? room : Math.max(text.length, plain.length);
    return plain === undefined ? undefined : toWords(plain);
  });
}

/** The text without accents and invisible characters. `undefined` if it has more than `most` characters before or after. */
export function decompose(text: string, most: number): string | undefined {
  if (text.length > most) return undefined;
  // Unicode property escapes are slow on first use, and most texts of most forms are ASCII.
  if (isAscii(text)) return text;
  let plain = "";
  for (const [piece] of text.replace(INVISIBLE, "").matchAll(PIECE)) {
    plain += piece.normalize("NFKD");
    if (plain.length > most) return undefined;
  }
  return plain.replace(INVISIBLE, "");
}

/** Example: "userAPIKey_2, please" → " user api key 2 | please ". */
function toWords(text: string): string {
  const ascii = isAscii(text);
  const spaced = ascii
    ? text.replace(/[a-z\d](?=[A-Z])|[A-Z](?=[A-Z](?!s\b)[a-z])/g, "$& ")
    : text.replace(/[\p{Ll}\d](?=\p{Lu})|\p{Lu}(?=\p{Lu}(?!s\b)\p{Ll})|\w(?=[ぁ-鿿])/gu, "$& ");
  const clauses = spaced.replace(/[.!?,;:](?=[\sぁ-鿿]|$)|[|\n。、،؛؟]/g, " | ");
  return ` ${clauses.replace(ascii ? /[^a-z\d|]+/gi : /[^\p{L}\p{N}|]+/gu, " ").toLowerCase()} `;
}

function isAscii(text: string): boolean {
  return !/[^ -~]/.test(text);
}
