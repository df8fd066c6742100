/**
 * Reads a sentence for the script that replaces the language model: dates, numbers, options, and a place. A question
 * answers no field.
 */
export function fillIn(schema: unknown, text: string): Readonly<Record<string, unknown>> {
  if (/[?？؟]\s*$/u.test(text)) return {};
  const { properties = {} }: { properties?: object } = Object(schema);
  const read = Object.entries(properties).map(
    ([name, property]) => [name, valueIn(text, Object(property))] as const,
  );
  return Object.fromEntries(read.filter(([, value]) => value !== undefined));
}

interface Property {
  readonly type?: unknown;
  readonly format?: unknown;
  readonly title?: unknown;
  readonly enum?: readonly unknown[];
  readonly oneOf?: readonly { readonly const: unknown; readonly title: unknown }[];
}

function valueIn(text: string, { type, format, title, enum: values, oneOf }: Property): unknown {
  const options = oneOf?.map((one) => [one.const, one.title]) ?? values?.map((value) => [value, value]);
  if (options !== undefined) return options.find(([, words]) => hasWords(text, String(words)))?.[0];
  if (format === "date") return dateIn(text);
  if (type === "integer") return countIn(text);
  if (type === "boolean")
    return typeof title === "string" && /flexib/i.test(title + text) && /flexib/i.test(text)
      ? true
      : undefined;
  return type === "string" && format === undefined ? placeIn(text) : undefined;
}

function hasWords(text: string, words: string): boolean {
  return text.toLowerCase().includes(words.toLowerCase());
}

const MONTHS = "jan feb mar apr may jun jul aug sep oct nov dec".split(" ");

/** `2027-03-01`, or "1 March" with or without a year. */
function dateIn(text: string): string | undefined {
  const iso = /\b\d{4}-\d{2}-\d{2}\b/.exec(text)?.[0];
  const [, day, name = "", year] = /\b(\d{1,2})\.? ([a-z]{3})[a-z]*(?: (\d{4}))?/i.exec(text) ?? [];
  const month = MONTHS.indexOf(name.toLowerCase());
  if (iso !== undefined || day === undefined || month === -1) return iso;
  const now = new Date();
  const isPast =
    month < now.getUTCMonth() || (month === now.getUTCMonth() && Number(day) <= now.getUTCDate());
  const of = year ?? String(now.getUTCFullYear() + (isPast ? 1 : 0));
  return `${of}-${String(month + 1).padStart(2, "0")}-${day.padStart(2, "0")}`;
}

const NUMBERS = ["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine"];

/** "two of us", "3 people". */
function countIn(text: string): number | undefined {
  const word = /\b(\w+) (?:of us|people|travellers|persons|nights)\b/i.exec(text)?.[1]?.toLowerCase() ?? "";
  const count = NUMBERS.includes(word) ? NUMBERS.indexOf(word) : Number(word || Number.NaN);
  return Number.isInteger(count) ? count : undefined;
}

/**
 * A capitalised word after "to", "in" or "it", or within the sentence. The first word is a place only if a place, a
 * date or nothing follows, as in "Lisbon on 1 March".
 */
function placeIn(text: string): string | undefined {
  const [, named] = /\b(?:to|in|it) ([A-Z]\p{L}+)/u.exec(text) ?? [];
  const [, first] = /^([A-Z]\p{L}+)(?: on | in | for |,|\.?$)/u.exec(text) ?? [];
  const names = text.match(/(?<=\s)[A-Z]\p{L}+/gu) ?? [];
  return [named, first, ...names].find((name) => name !== undefined && !isMonth(name));
}

function isMonth(name: string): boolean {
  return MONTHS.includes(name.slice(0, 3).toLowerCase());
}
