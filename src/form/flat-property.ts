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
const MOST_STEPS = 50_000;

/** The schema in which references are looked up, and how many schemas may still be read. */
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
  const source: Source = { root, room: MOST_STEPS };
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
  source.room -= 1;
  if (level > MOST_LEVELS || source.room < 0) throw new Unreadable("$ref");
  if (!isObject(property)) return {};
  const { $ref: reference, allOf, ...own }: Flat = { ...property };
  let flat: Flat = own;
  if (reference !== undefined) flat = join(flatten(target(reference, source.root), source, level + 1), flat);
  if (allOf !== undefined) {
    if (!Array.isArray(allOf)) throw new Unreadable("allOf");
    for (const part of allOf) flat = join(flatten(part, source, level + 1), flat);
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
    flat = only === undefined ? { ...rest, [keyword]: read } : join(only, rest);
  }
  return withoutNull(flat);
}

/** Such as a Python model writes for `int | float`. */
function isAnyNumber(schema: Flat): boolean {
  const [only, ...others] = Object.keys(schema);
  return only === "type" && others.length === 0 && /^(?:integer|number)$/.test(String(schema["type"]));
}

function isNull(schema: Flat): boolean {
  const { type, const: value, enum: values } = schema;
  return type === "null" || value === null || (Array.isArray(values) && values.every((one) => one === null));
}

function withoutNull(flat: Flat): Flat {
  const { type, enum: values, default: initial } = flat;
  const mayBeNull =
    Array.isArray(type) || initial === null || (Array.isArray(values) && values.includes(null));
  if (!mayBeNull) return flat;
  const types: readonly unknown[] = Array.isArray(type) ? type.filter((one) => one !== "null") : [type];
  const isNumber = types.length === 2 && types.includes("integer") && types.includes("number");
  return {
    ...flat,
    ...(types.length === 1 || isNumber ? { type: isNumber ? "number" : types[0] } : {}),
    ...(Array.isArray(values) && values.length > 1 ? { enum: values.filter((one) => one !== null) } : {}),
    ...(initial === null ? { default: undefined } : {}),
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
  enum: (one, other) =>
    Array.isArray(one) && Array.isArray(other) ? one.filter((value) => other.includes(value)) : undefined,
  type: (one, other) =>
    [one, other].every((type) => type === "integer" || type === "number") ? "integer" : undefined,
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
function join(part: Flat, around: Flat): Flat {
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
