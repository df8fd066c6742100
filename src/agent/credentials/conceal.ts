import { isObject } from "../../contract/json.ts";

const CONCEALED = "[credential]";
/** A shorter text can occur in ordinary words by chance, and is not treated as a secret. */
const MIN_LENGTH = 8;

/** Returns a copy of a JSON value without the secrets. */
export type Conceal = <T>(value: T) => T;

/**
 * Removes secrets from what a server returns, in the forms in which servers echo input: plain, percent-encoded, escaped
 * in JSON, hexadecimal, and base64, also inside a longer text. It does not protect against a server that disguises the
 * secret on purpose: that server already has it. `tokens` may grow.
 */
export function concealer(secrets: readonly string[], tokens: readonly string[] = []): Conceal {
  let conceal = concealerOf(secrets);
  let known = 0;
  return (value) => {
    if (known < tokens.length) conceal = concealerOf([...secrets, ...tokens]);
    known = tokens.length;
    return conceal(value);
  };
}

function concealerOf(secrets: readonly string[]): Conceal {
  const forms = secrets.flatMap(formsOf);
  if (forms.length === 0) return (value) => value;
  const pattern = new RegExp(forms.map((form) => form.replaceAll(/\W/g, "\\$&")).join("|"), "gi");
  const replace = (text: string) => text.replace(pattern, CONCEALED);
  return (value) => mapTexts(value, replace);
}

function formsOf(secret: string): string[] {
  const bytes = new TextEncoder().encode(secret);
  const forms = [
    secret,
    encodeURIComponent(secret),
    JSON.stringify(secret).slice(1, -1),
    Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join(""),
    ...[0, 1, 2].map((before) => base64Within(bytes, before)),
  ];
  const withUrlSafe = forms.flatMap((form) => [form, form.replaceAll("+", "-").replaceAll("/", "_")]);
  // Longest first, because one form may be a prefix of another.
  return [...new Set(withUrlSafe)]
    .filter(({ length }) => length >= MIN_LENGTH)
    .toSorted((a, b) => b.length - a.length);
}

/** The base64 characters that encode only `bytes`, if `before` bytes (modulo 3) come before them. */
function base64Within(bytes: Uint8Array, before: number): string {
  const text = btoa("\0".repeat(before) + String.fromCharCode(...bytes));
  return text.slice(Math.ceil((before * 4) / 3), Math.floor(((before + bytes.length) * 4) / 3));
}

/** Replaces all strings of a value, including property names. Returns the same value if nothing changes. */
function mapTexts<T>(value: T, replace: (text: string) => string): T;
// Strings are replaced by strings, so the value keeps its type. TypeScript cannot infer that.
function mapTexts(value: unknown, replace: (text: string) => string): unknown {
  if (typeof value === "string") return replace(value);
  if (Array.isArray(value)) {
    const mapped = value.map((item: unknown) => mapTexts(item, replace));
    return mapped.some((item, index) => item !== value[index]) ? mapped : value;
  }
  if (!isObject(value)) return value;
  const entries = Object.entries(value);
  const mapped = entries.map(([name, item]) => [replace(name), mapTexts(item, replace)] as const);
  const isSame = mapped.every(([name, item], at) => name === entries[at]?.[0] && item === entries[at][1]);
  return isSame ? value : Object.fromEntries(mapped);
}
