import type { Field, FieldError, Option } from "./field.ts";
import { answerOf } from "./read-options.ts";
import { isDate, isTimestamp } from "../contract/timestamp.ts";

/**
 * The longest text, in UTF-16 units, that is matched against a format or a pattern. A longer text fails both, because no
 * server accepts an answer of that size (contract, section 4), and a regex engine can overflow its stack on millions of
 * characters.
 */
export const LONGEST_TEXT = 64 * 1024;
const PAIR = /[\ud800-\udbff][\udc00-\udfff]/g;

/**
 * Checks a value, in the format in which it is sent, against its field. Returns the error, or `undefined` if the value is
 * valid. Follows JSON Schema for each keyword, with two more rules: an integer must be safe (RFC 7493, 2.2), and a choice
 * may appear only once.
 */
export function checkValue(field: Field, value: unknown): FieldError | undefined {
  if (field.kind === "text" && typeof value === "string") return checkText(field, value);
  if (field.kind === "number" && typeof value === "number") return checkNumber(field, value);
  if (field.kind === "choice" && (typeof value === "string" || isAnswer(field.options, value)))
    return checkChoices(field.options, [value]);
  if (field.kind === "multi-choice" && Array.isArray(value))
    return checkChoices(field.options, value, field.minItems, field.maxItems);
  return field.kind === "boolean" && typeof value === "boolean" ? undefined : { code: "type" };
}

function checkText(
  { format, minLength, maxLength, pattern }: Field & { kind: "text" },
  value: string,
): FieldError | undefined {
  const isTooLong = value.length > LONGEST_TEXT;
  if (format !== undefined && (isTooLong || !FORMATS[format](value))) return { code: format };
  if (pattern !== undefined && (isTooLong || !pattern.test(value))) return { code: "pattern" };
  const { length } = value;
  // JSON Schema counts code points. Their number is between half of the length and the length.
  if (length >= 2 * (minLength ?? 0) && length <= (maxLength ?? length)) return undefined;
  return checkRange(value.replace(PAIR, " ").length, minLength, maxLength, "too-short", "too-long");
}

function checkNumber(
  {
    integer,
    minimum = -Infinity,
    maximum = Infinity,
    excludesMinimum,
    excludesMaximum,
    multipleOf,
  }: Field & { kind: "number" },
  value: number,
): FieldError | undefined {
  if (!Number.isFinite(value)) return { code: "number" };
  if (integer && !Number.isInteger(value)) return { code: "integer" };
  const edge = integer ? Number.MAX_SAFE_INTEGER : Infinity;
  const outside = checkRange(
    value,
    Math.max(minimum, -edge),
    Math.min(maximum, edge),
    excludesMinimum ? "not-above" : "too-small",
    excludesMaximum ? "not-below" : "too-large",
  );
  if (outside !== undefined) return outside;
  if (excludesMinimum && value === minimum) return { code: "not-above", limit: minimum };
  if (excludesMaximum && value === maximum) return { code: "not-below", limit: maximum };
  if (multipleOf !== undefined && !isMultipleOf(value, multipleOf)) {
    return { code: "not-a-multiple", limit: multipleOf };
  }
  return undefined;
}

function isAnswer(options: readonly Option[], value: unknown): boolean {
  return options.some(({ answer }) => answer !== undefined && typeof answer === typeof value);
}

function checkChoices(
  options: readonly Option[],
  chosen: readonly unknown[],
  minItems?: number,
  maxItems?: number,
): FieldError | undefined {
  const values = valuesOf(options);
  for (const one of chosen) if (!values.has(one)) return { code: "not-an-option" };
  // All are options, so the first repetition comes early.
  if (chosen.some((one, at) => chosen.indexOf(one) < at)) return { code: "duplicate" };
  return checkRange(chosen.length, minItems, maxItems, "too-few", "too-many");
}

/** By its options, because an answer is checked at each key press. */
const valuesByOptions = new WeakMap<readonly Option[], ReadonlySet<unknown>>();

function valuesOf(options: readonly Option[]): ReadonlySet<unknown> {
  const known = valuesByOptions.get(options);
  if (known !== undefined) return known;
  const values = new Set<unknown>(options.map(answerOf));
  valuesByOptions.set(options, values);
  return values;
}

function checkRange(
  value: number,
  least = -Infinity,
  most = Infinity,
  below: FieldError["code"],
  above: FieldError["code"],
): FieldError | undefined {
  if (value < least) return { code: below, limit: least };
  return value > most ? { code: above, limit: most } : undefined;
}

/** Whether one decimal number is a multiple of another. Exact: 19.99 is a multiple of 0.01, which a division of floats denies. */
function isMultipleOf(value: number, of: number): boolean {
  const [one, other] = [decimal(value), decimal(of)];
  const places = Math.max(one.places, other.places);
  const scaled = ({ digits, places: own }: Decimal) => digits * 10n ** BigInt(places - own);
  return scaled(one) % scaled(other) === 0n;
}

/** `digits` divided by ten to the power of `places`. */
interface Decimal {
  readonly digits: bigint;
  readonly places: number;
}

function decimal(value: number): Decimal {
  const [mantissa = "", exponent = "0"] = String(value).split("e");
  const [whole = "", fraction = ""] = mantissa.split(".");
  const places = fraction.length - Number(exponent);
  const digits = BigInt(whole + fraction);
  return places < 0 ? { digits: digits * 10n ** BigInt(-places), places: 0 } : { digits, places };
}

/** The four formats of MCP forms. Each follows the specification that defines it, and runs in linear time. */
export const FORMATS: Readonly<Record<"email" | "uri" | "date" | "date-time", (value: string) => boolean>> = {
  /** HTML, "valid email address": the format that `<input type=email>` accepts, so that control and check agree. */
  email: (value) => EMAIL.test(value),
  /** RFC 3986: an absolute URI with any scheme, such as `https:`, `urn:` or `mailto:`. */
  uri: isUri,
  /** RFC 3339 `full-date`, for a day that exists. */
  date: isDate,
  /** RFC 3339 `date-time`. */
  "date-time": isDateTime,
};

const EMAIL =
  /^[\w.!#$%&'*+/=?^`{|}~-]+@[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?(?:\.[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?)*$/i;

// RFC 3986, appendix A: scheme, then an authority and its path or a path alone, then query and fragment.
const PART = "(?:[\\w.~!$&'()*+,;=-]|%[\\da-f]{2}";
const AUTHORITY = `//(?:${PART}|:)*@)?(\\[[\\da-f:.]+\\]|${PART})*)(?::\\d*)?(?=[/?#]|$)`;
const URI = new RegExp(
  `^[a-z][a-z\\d+.-]*:(?:${AUTHORITY}|(?!//))${PART}|[:@/])*(?:\\?${PART}|[:@/?])*)?(?:#${PART}|[:@/?])*)?$`,
  "i",
);

function isUri(value: string): boolean {
  const match = URI.exec(value);
  // The URL parser of the platform validates IPv6 addresses.
  return match !== null && (!match[1]?.startsWith("[") || URL.canParse(`http://${match[1]}`));
}

/** Accepts second 60 only at 23:59 UTC, the only time at which a leap second can occur. */
function isDateTime(value: string): boolean {
  const upper = value.toUpperCase();
  const ordinary = upper.replace(/^(.{17})60/, "$159");
  return (
    isTimestamp(ordinary) && (ordinary === upper || new Date(ordinary).toISOString().includes("T23:59:"))
  );
}
