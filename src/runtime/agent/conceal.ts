import { isObject } from "../../protocol/json.ts";

const CONCEALED = "[credential]";
/** Anything shorter stands in many words by chance, and is no secret. */
const MIN_LENGTH = 8;

/** Of a value of JSON: the same one without the secret. */
export type Conceal = <T>(value: T) => T;

/**
 * Takes a secret out of what a server answers, in the forms in which one echoes what it was sent: as it is,
 * percent-encoded, escaped in JSON, in hexadecimal and in base64, also of a longer text. Against a server that hides it
 * on purpose nothing helps: it has the secret.
 */
export function concealer(secret: string | undefined): Conceal {
  const forms = secret === undefined ? [] : formsOf(secret);
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
  // The longest first: one form may begin with another.
  return [...new Set(withUrlSafe)]
    .filter(({ length }) => length >= MIN_LENGTH)
    .toSorted((a, b) => b.length - a.length);
}

/** The characters of base64 that stand for `bytes` alone where `before` bytes (modulo 3) come before them. */
function base64Within(bytes: Uint8Array, before: number): string {
  const text = btoa("\0".repeat(before) + String.fromCharCode(...bytes));
  return text.slice(Math.ceil((before * 4) / 3), Math.floor(((before + bytes.length) * 4) / 3));
}

/** The same value with its texts replaced, names of properties included. What has none that change is not copied. */
function mapTexts<T>(value: T, replace: (text: string) => string): T;
// Texts are replaced by texts, so the value keeps its shape, which the compiler cannot see.
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
