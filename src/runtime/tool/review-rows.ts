import type { ReviewRow } from "../../contract/review.ts";
import { firstCharacters } from "../../contract/visible-text.ts";
import { isObject } from "../../contract/json.ts";
import { findSecretFields } from "../../form/index.ts";
import type { createFlattener } from "../../form/flat-property.ts";

type Flatten = ReturnType<typeof createFlattener>;
type Schema = Readonly<Record<string, unknown>>;

/** A value of a draft, with the part of the schema that describes it. */
interface Named {
  readonly name: string;
  readonly value: unknown;
  readonly schema: Schema;
}

/** A longer list is shown with one entry in a line. */
const LONGEST_LIST = 80;
/** Deeper values, and those after the last row, are shown as JSON. */
const MOST_LEVELS = 4;
const MOST_ROWS = 60;
/** The limits of one value and of all values, in code points. The rest is counted. */
const LONGEST_VALUE = 20_000;
const LONGEST_REVIEW = 60_000;
/** Space for the values in a message, which has at most 8,192 characters. */
const LONGEST_MESSAGE = 7000;
const LONGEST_LABEL = 80;
const HIDDEN_SECRET = "••••••";
const NOTHING = "—";

/** The values as rows for the user: nested values get a row each, and a secret shows nothing of itself. */
export function reviewRows(values: readonly Named[], flatten: Flatten): readonly ReviewRow[] {
  const rows = values.flatMap((value) => rowsOf(value, [], flatten));
  const rest = rows.slice(MOST_ROWS - 1);
  const shown =
    rows.length <= MOST_ROWS
      ? rows
      : [
          ...rows.slice(0, MOST_ROWS - 1),
          { label: "…", value: rest.map(({ label, value }) => `${label}: ${String(value)}`).join("\n") },
        ];
  let room = LONGEST_REVIEW;
  return shown.map(({ label, value }) => {
    const row = cut(
      { label: firstCharacters(label, LONGEST_LABEL), value },
      Math.min(LONGEST_VALUE, Math.max(room, 0)),
    );
    room -= String(row.value).length;
    return row;
  });
}

/** The review as text, for clients that draw no rows. */
export function reviewMessage(subject: string, rows: readonly ReviewRow[]): string {
  const title = firstCharacters(subject, 500);
  const share = Math.floor(LONGEST_MESSAGE / Math.max(rows.length, 1)) - LONGEST_LABEL;
  const short = rows.filter(({ value }) => String(value).length <= share);
  const used = short.reduce((sum, { value }) => sum + String(value).length + LONGEST_LABEL, 0);
  // Short values leave more space for long ones.
  const most = Math.floor((LONGEST_MESSAGE - used) / Math.max(rows.length - short.length, 1)) - LONGEST_LABEL;
  const lines = rows.map(({ label, value, more = 0 }) => {
    const row = cut({ label, value, more }, most);
    const said = typeof row.value === "boolean" ? (row.value ? "yes" : "no") : row.value;
    const left = row.more === undefined ? "" : ` … (${row.more} more characters)`;
    return `${label}:${said.includes("\n") ? "\n" : " "}${said}${left}`;
  });
  return [title, ...(lines.length > 0 ? [lines.join("\n")] : [])].join("\n\n");
}

/** Whether a value must not be shown, by its name, its texts and its schema. */
export function showsSecret(name: string, schema: Schema): boolean {
  const { title, description, format, writeOnly } = schema;
  const field = {
    kind: "text" as const,
    // "apiKey" is read as "api key".
    name: spaced(name),
    label: typeof title === "string" ? title : spaced(name),
    description: typeof description === "string" ? description : undefined,
    required: false,
    secret: format === "password" || writeOnly === true,
  };
  return findSecretFields([field]).length > 0;
}

function rowsOf(
  { name, value, schema }: Named,
  path: readonly string[],
  flatten: Flatten,
): readonly ReviewRow[] {
  const { title } = schema;
  const labels = [
    ...path,
    typeof title === "string" && title.trim() !== "" ? title : capitalised(spaced(name)),
  ];
  const label = labels.join(" · ");
  if (value === undefined) return [];
  if (typeof value === "boolean") return [{ label, value }];
  if (value !== null && value !== "" && showsSecret(name, schema)) return [{ label, value: HIDDEN_SECRET }];
  if (typeof value !== "object" || value === null) return [{ label, value: textOf(value, schema) }];
  if (Array.isArray(value) && value.every(isScalar)) {
    const items = flattened(schema["items"], flatten);
    const texts = value.map((one) => textOf(one, items));
    const line = texts.join(", ");
    return [{ label, value: line.length > LONGEST_LIST ? texts.join("\n") : line || NOTHING }];
  }
  const entries = Object.entries(value);
  if (entries.length === 0) return [{ label, value: NOTHING }];
  if (labels.length >= MOST_LEVELS)
    return [{ label, value: visible(JSON.stringify(masked(value), null, 2)) }];
  const { properties } = schema;
  return entries.flatMap(([key, one]) => {
    const of = Array.isArray(value) ? schema["items"] : isObject(properties) && valueOf(properties, key);
    const called = Array.isArray(value) ? String(Number(key) + 1) : key;
    return rowsOf({ name: called, value: one, schema: flattened(of, flatten) }, labels, flatten);
  });
}

/** A copy without secrets, for values that are shown as JSON. */
function masked(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(masked);
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, one]) => [name, showsSecret(name, {}) ? HIDDEN_SECRET : masked(one)]),
  );
}

/** The text of one value: the title that its schema has for it, else the value itself. */
function textOf(value: unknown, schema: Schema): string {
  if (value === null || value === "") return NOTHING;
  const options = [schema["oneOf"], schema["anyOf"]].find(Array.isArray) ?? [];
  const option: unknown = options.find((one: unknown) => isObject(one) && one["const"] === value);
  const title = isObject(option) ? option["title"] : undefined;
  return visible(
    typeof title === "string" ? title : typeof value === "string" ? value : JSON.stringify(value),
  );
}

/** Writes characters that show nothing, or turn the reading direction, as their numbers. */
function visible(text: string): string {
  return text.replaceAll(
    /(?!\p{Join_C}|\ufe0e|\ufe0f)[\p{Cf}\p{Cc}\p{Cs}\p{Co}\u2028\u2029\u2800]/gu,
    (character) =>
      /[\n\r\t]/.test(character) ? character : `\\u{${character.codePointAt(0)?.toString(16)}}`,
  );
}

function cut(row: ReviewRow, most: number): ReviewRow {
  const { label, value, more = 0 } = row;
  if (typeof value === "boolean") return row;
  const kept = firstCharacters(value, Math.max(most, 0));
  const left = more + (value.length - kept.length);
  return { label, value: kept, ...(left > 0 && { more: left }) };
}

/** The schema as one property, without references. Empty if it cannot be read. */
export function flattened(schema: unknown, flatten: Flatten): Schema {
  if (!isObject(schema)) return {};
  const read = flatten(schema);
  return read.ok ? read.flat : {};
}

/** An own value: an argument may be called "constructor". */
export function valueOf(of: Schema, name: string): unknown {
  return Object.hasOwn(of, name) ? of[name] : undefined;
}

const isScalar = (value: unknown): boolean => typeof value !== "object" || value === null;

/** "dueDate", "due_date" and "due-date" as words. */
export function spaced(name: string): string {
  return name
    .replaceAll(/(\p{Ll}|\d)(\p{Lu})/gu, "$1 $2")
    .replaceAll(/[_-]+/g, " ")
    .trim();
}

export function capitalised(text: string): string {
  const [first = "", ...rest] = text;
  return first.toUpperCase() + rest.join("").toLowerCase();
}
