import { isObject } from "../contract/json.ts";

/** A schema whose references are resolved, and whose parts are joined. */
export type Flat = Readonly<Record<string, unknown>>;

/** A keyword that keeps a schema from being read. */
class Unreadable extends Error {
  readonly keyword: string;
  constructor(keyword: string) {
    super(keyword);
    this.keyword = keyword;
  }
}

/** Limits, because schemas are untrusted: a reference can lead back to itself, and two can double each other's parts. */
const MOST_LEVELS = 8;
/** In characters of JSON: schemas that are joined count by their length, and each that is read counts as 100. */
const MOST_WORK = 2_000_000;

/** The schema in which references are looked up, and how much of `MOST_WORK` is left. */
interface Source {
  readonly root: unknown;
  room: number;
}

/**
 * Returns a function that reads what generators of typed models write around one of our kinds: `$ref` into the same
 * schema, `allOf`, and `null` as a second type, as a branch of `anyOf` or `oneOf`, or among the values of `enum`. An answer
 * cannot be `null`: a field that may be `null` is one that may be left out. The function returns the keyword that cannot be
 * read, if there is one.
 */
export function createFlattener(
  root: unknown,
): (property: unknown) => { ok: true; flat: Flat } | { ok: false; keyword: string } {
  const source: Source = { root, room: MOST_WORK };
  return (property) => {
    try {
      return { ok: true, flat: flatten(property, source, 0) };
    } catch (error) {
      if (error instanceof Unreadable) return { ok: false, keyword: error.keyword };
      throw error;
    }
  };
}

function flatten(property: unknown, source: Source, level: number): Flat {
  source.room -= 100;
  if (level > MOST_LEVELS || source.room < 0) throw new Unreadable("$ref");
  if (!isObject(property)) return {};
  const { $ref: reference, allOf, ...own }: Flat = { ...property };
  let flat: Flat = own;
  if (reference !== undefined)
    flat = join(flatten(target(reference, source.root), source, level + 1), flat, source);
  if (allOf !== undefined) {
    if (!Array.isArray(allOf)) throw new Unreadable("allOf");
    for (const part of allOf) flat = join(flatten(part, source, level + 1), flat, source);
  }
  for (const keyword of ["anyOf", "oneOf"]) {
    const branches = flat[keyword];
    if (!Array.isArray(branches)) continue;
    const { [keyword]: _, ...rest } = flat;
    const read = branches.map((branch) => flatten(branch, source, level + 1)).filter((one) => !isNull(one));
    const [first] = read;
    // A single value is an option, whose title is not that of the property.
    const isOne = read.length === 1 && first !== undefined && first["const"] === undefined;
    const only = isOne ? first : read.length > 1 && read.every(isAnyNumber) ? { type: "number" } : undefined;
    flat = only === undefined ? { ...rest, [keyword]: read } : join(only, rest, source);
  }
  return withoutNull(flat);
}

/** Such as a Python model writes for `int | float`. */
function isAnyNumber(schema: Flat): boolean {
  return Object.keys(schema).join() === "type" && isNumeric(schema["type"]);
}

function isNumeric(type: unknown): boolean {
  return type === "integer" || type === "number";
}

function isNull({ type, const: value, enum: values }: Flat): boolean {
  return type === "null" || value === null || (Array.isArray(values) && values.length === 0);
}

function withoutNull(flat: Flat): Flat {
  const { type, enum: values } = flat;
  const types: readonly unknown[] = [type].flat().filter((one) => one !== "null");
  return {
    ...flat,
    type: types.length < 2 ? (types[0] ?? type) : types.every(isNumeric) ? "number" : type,
    ...(Array.isArray(values) && { enum: values.filter((one) => one !== null) }),
  };
}

/** Follows a JSON pointer within the schema, as in `#/$defs/Colour`. */
function target(reference: unknown, root: unknown): unknown {
  if (typeof reference !== "string" || !reference.startsWith("#/")) throw new Unreadable("$ref");
  let found = root;
  for (const step of reference.slice(2).split("/")) {
    const name = decode(step).replaceAll("~1", "/").replaceAll("~0", "~");
    found = isObject(found) && Object.hasOwn(found, name) ? found[name] : undefined;
  }
  if (!isObject(found)) throw new Unreadable("$ref");
  return found;
}

function decode(step: string): string {
  try {
    return decodeURIComponent(step);
  } catch {
    return step;
  }
}

/** What two schemas say together with a keyword that both have. */
const BOTH: Readonly<Record<string, (one: unknown, other: unknown) => unknown>> = {
  minimum: higher,
  exclusiveMinimum: higher,
  minLength: higher,
  minItems: higher,
  maximum: lower,
  exclusiveMaximum: lower,
  maxLength: lower,
  maxItems: lower,
  pattern: (one, other) => [one, other].flat(),
  enum: (one, other) => {
    if (!Array.isArray(one) || !Array.isArray(other)) return undefined;
    const values = new Set<unknown>(other);
    return one.filter((value) => values.has(value));
  },
  type: (one, other) => ([one, other].every(isNumeric) ? "integer" : undefined),
};

function higher(one: unknown, other: unknown): unknown {
  return typeof one === "number" && typeof other === "number" ? Math.max(one, other) : undefined;
}

function lower(one: unknown, other: unknown): unknown {
  return typeof one === "number" && typeof other === "number" ? Math.min(one, other) : undefined;
}

/** Words and hints, of which the outer schema has the last word. */
const ANNOTATION =
  /^(?:title|description|default|examples?|deprecated|readOnly|writeOnly|nullable|format|\$|x-)/;

/** Joins the schema of a part with the one around it. Throws `Unreadable` if no schema without parts says the same. */
function join(part: Flat, around: Flat, source: Source): Flat {
  source.room -= JSON.stringify([part, around]).length;
  const joined: Record<string, unknown> = { ...part };
  for (const [keyword, value] of Object.entries(around)) {
    const other = Object.hasOwn(part, keyword) ? part[keyword] : undefined;
    if (value === undefined || keyword === "__proto__") continue;
    if (other === undefined || ANNOTATION.test(keyword) || JSON.stringify(other) === JSON.stringify(value)) {
      joined[keyword] = value;
      continue;
    }
    const both = Object.hasOwn(BOTH, keyword) ? BOTH[keyword]?.(other, value) : undefined;
    if (both === undefined) throw new Unreadable(keyword);
    joined[keyword] = both;
  }
  return joined;
}
