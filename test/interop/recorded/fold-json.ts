import { isObject } from "../../../src/contract/json.ts";

const COLUMNS = 100;

/**
 * JSON for readers: a list or an object is on one line if it fits, else each of its members is on a separate line. Only a
 * long text can make a line longer than 100 columns. `before`: the columns in front of its first line.
 */
export function foldJson(value: unknown, before = 0): string {
  return fold(value, 0, before, 0);
}

/** `after`: the text after the value on its last line, such as a comma. */
function fold(value: unknown, indent: number, before: number, after: number): string {
  const line = onOneLine(value);
  if (before + line.length + after <= COLUMNS) return line;
  const members = membersOf(value);
  if (members.length === 0) return line;
  const inner = indent + 2;
  const lines = members.map(([key, member], index) => {
    const isLast = index === members.length - 1;
    return `${" ".repeat(inner)}${key}${fold(member, inner, inner + key.length, isLast ? 0 : 1)}`;
  });
  const [open, close] = Array.isArray(value) ? "[]" : "{}";
  return `${open}\n${lines.join(",\n")}\n${" ".repeat(indent)}${close}`;
}

function onOneLine(value: unknown): string {
  const members = membersOf(value);
  if (members.length === 0) return JSON.stringify(value);
  const inside = members.map(([key, member]) => `${key}${onOneLine(member)}`).join(", ");
  return Array.isArray(value) ? `[${inside}]` : `{ ${inside} }`;
}

/** The members of an object, or the items of a list. A key is the text to print: quoted, and with its colon. */
function membersOf(value: unknown): readonly (readonly [key: string, member: unknown])[] {
  if (Array.isArray(value)) return value.map((member) => ["", member]);
  if (!isObject(value)) return [];
  return Object.entries(value).map(([key, member]) => [`${JSON.stringify(key)}: `, member]);
}
