import { isObject } from "../contract/json.ts";
import type { Option, SchemaReason } from "./field.ts";
import type { Flat } from "./flat-property.ts";
import { firstCharacters, visibleText } from "../contract/visible-text.ts";

const MOST_OPTIONS = 1000;

/** Records why a schema cannot be shown: the code, and the keyword or limit that caused it. */
export type Refuse = (code: SchemaReason["code"], about: string | number, property?: string) => undefined;

type Scalar = string | number | boolean;

const KEYWORDS = ["enum", "oneOf", "anyOf", "const"] as const;

/** Whether a property lists the values that it may have. */
export function hasOptions(property: Flat): boolean {
  return KEYWORDS.some((keyword) => property[keyword] !== undefined);
}

/**
 * Reads the values that a property may have from `enum`, `const`, and `oneOf` or `anyOf` of them. If more than one keyword
 * lists values, a value must be in each, and the first keyword names the options, as in the official SDKs. Values are
 * text, numbers or booleans; their type, if the property has one, must fit.
 */
export function readOptions(holder: Flat, refuse: Refuse): readonly Option[] | undefined {
  const [keyword, ...others] = KEYWORDS.filter((one) => holder[one] !== undefined);
  if (keyword === undefined) return refuse("unsupported-property", "enum or anyOf");
  const options = readList(holder, keyword, refuse);
  if (options === undefined) return undefined;
  let kept = options;
  for (const other of others) {
    const narrower = readList(holder, other, refuse);
    if (narrower === undefined) return undefined;
    const values = new Set(narrower.map(answerOf));
    kept = kept.filter((option) => values.has(answerOf(option)));
  }
  return kept.length > 0 ? kept : refuse("invalid-keyword", keyword);
}

/** Whether an option has a preview. Then all options must be visible, and none is sent before its preview was read. */
export function hasPreviews(options: readonly Option[]): boolean {
  return options.some(({ preview }) => preview !== undefined);
}

/** The value that is sent for an option. */
export function answerOf({ value, answer }: Option): Scalar {
  return answer ?? value;
}

function readList(
  holder: Flat,
  keyword: (typeof KEYWORDS)[number],
  refuse: Refuse,
): readonly Option[] | undefined {
  const entries = entriesOf(holder, keyword);
  if (entries === undefined) return refuse("unsupported-property", keyword);
  if (entries.length > MOST_OPTIONS) return refuse("too-many-options", MOST_OPTIONS);
  const options = new Map<string, Option>();
  for (const { value, title, description, preview } of entries) {
    const isRepeated = options.has(String(value));
    // In `oneOf`, a repeated value matches two branches and is never valid. Elsewhere a repetition is harmless.
    if (!isScalar(value) || !fitsType(value, holder["type"]) || (isRepeated && keyword === "oneOf")) {
      return refuse("invalid-keyword", keyword);
    }
    const text = String(value);
    const shownPreview = textOf(preview, "preview");
    options.set(text, {
      value: text,
      // A value that shows nothing is shown in quotes.
      label: textOf(title, "name") ?? textOf(text, "name") ?? JSON.stringify(text),
      description: textOf(description, "help"),
      ...(shownPreview !== undefined && { preview: shownPreview }),
      ...(typeof value !== "string" && { answer: value }),
    });
  }
  return options.size > 0 ? [...options.values()] : refuse("invalid-keyword", keyword);
}

interface Entry {
  readonly value: unknown;
  readonly title?: unknown;
  readonly description?: unknown;
  readonly preview?: unknown;
}

function entriesOf(holder: Flat, keyword: (typeof KEYWORDS)[number]): readonly Entry[] | undefined {
  const listed = holder[keyword];
  if (keyword === "const") return [{ value: listed }];
  if (!Array.isArray(listed)) return undefined;
  if (keyword === "enum") {
    const names = holder["enumNames"] ?? holder["enumLabels"];
    // If there are not as many names as values, labels could belong to the wrong options.
    const titles: readonly unknown[] = Array.isArray(names) && names.length === listed.length ? names : [];
    return listed.map((value: unknown, index) => ({ value, title: titles[index] }));
  }
  const entries: Entry[] = [];
  for (const branch of listed) {
    const { const: value, enum: values, title, description, preview }: Flat = isObject(branch) ? branch : {};
    if (value !== undefined) entries.push({ value, title, description, preview });
    else if (Array.isArray(values)) for (const one of values) entries.push({ value: one });
    else return undefined;
  }
  return entries;
}

function isScalar(value: unknown): value is Scalar {
  return typeof value === "string" || typeof value === "boolean" || Number.isFinite(value);
}

function fitsType(value: Scalar, type: unknown): boolean {
  if (type === undefined) return true;
  return type === "integer" ? Number.isSafeInteger(value) : typeof value === type;
}

/**
 * The longest texts of a form, in code points: the name of a field or an option, the help for it, and the preview of an
 * option. Forms are untrusted, and some letters are drawn far larger than others.
 */
const LONGEST = { name: 500, help: 4000, preview: 2000 } as const;

/** A text of a schema, shortened, without what shows nothing. `undefined` if it has nothing to show. */
export function textOf(text: unknown, use: keyof typeof LONGEST): string | undefined {
  if (typeof text !== "string") return undefined;
  const most = LONGEST[use];
  const cut = firstCharacters(text, most);
  return visibleText(cut.length < text.length ? `${firstCharacters(cut, most - 1)}…` : cut) || undefined;
}
