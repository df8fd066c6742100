import { isObject } from "../../contract/json.ts";

type Schema = Readonly<Record<string, unknown>>;

const REPLACED = new Set(["allOf", "anyOf", "oneOf", "$ref", "not", "enum"]);
/** A short schema can repeat its required names very often, by its references. */
const MAX_NAMES = 10_000;

/**
 * Replaces the choices at the root of a tool's schema by the properties of all of them. Model providers refuse the whole
 * request for one such tool. The merged schema allows more than the server does; the server refuses the rest.
 *
 * @throws if a reference leads to no schema of the tool
 */
export function withoutRootChoices(root: Schema): Schema {
  if (!Object.keys(root).some((keyword) => REPLACED.has(keyword))) return root;
  /** What each schema says about a property, by the JSON of it. */
  const properties = new Map<string, Map<string, unknown>>();
  const requiredBy = new Map<unknown, readonly string[]>();
  let left = MAX_NAMES;

  /** Reads the properties, and returns the required names. */
  function read(schema: unknown): readonly string[] {
    const known = requiredBy.get(schema);
    const required = known ?? (isObject(schema) ? readNew(schema) : []);
    left -= required.length;
    if (left < 0) throw new RangeError("The choices repeat too many names.");
    return required;
  }

  function readNew(schema: Schema): readonly string[] {
    // Definitions may refer to each other in a circle.
    requiredBy.set(schema, []);
    for (const [name, property] of Object.entries(
      isObject(schema["properties"]) ? schema["properties"] : {},
    )) {
      const said = properties.get(name) ?? new Map<string, unknown>();
      properties.set(name, said.set(JSON.stringify(property), property));
    }
    const { required, allOf, anyOf, oneOf, $ref } = schema;
    const all = $ref === undefined ? listOf(allOf) : [...listOf(allOf), schemaAt($ref, root)];
    const names = new Set([
      ...listOf(required).filter((name) => typeof name === "string"),
      ...all.flatMap(read),
      ...[anyOf, oneOf].flatMap((choices) => common(listOf(choices).map(read))),
    ]);
    requiredBy.set(schema, [...names]);
    return [...names];
  }

  const required = read(root);
  const merged = [...properties].map(([name, said]) => {
    const [first, ...others] = said.values();
    return [name, others.length === 0 ? first : { anyOf: [first, ...others] }] as const;
  });
  return {
    ...Object.fromEntries(Object.entries(root).filter(([keyword]) => !REPLACED.has(keyword))),
    properties: Object.fromEntries(merged),
    ...(required.length > 0 && { required }),
  };
}

/** The schema at a JSON pointer (RFC 6901). */
function schemaAt(pointer: unknown, root: Schema): unknown {
  const [start, ...steps] = decodeURIComponent(String(pointer)).split("/");
  let found: unknown = start === "#" ? root : undefined;
  for (const step of steps) {
    const name = step.replaceAll("~1", "/").replaceAll("~0", "~");
    const isThere = typeof found === "object" && found !== null && Object.hasOwn(found, name);
    found = isThere ? Reflect.get(Object(found), name) : undefined;
  }
  if (isObject(found) || typeof found === "boolean") return found;
  throw new Error("A reference leads to no schema.");
}

/** The names that are in each list. */
function common([first, ...others]: readonly (readonly string[])[]): readonly string[] {
  const sets = others.map((names) => new Set(names));
  return first?.filter((name) => sets.every((names) => names.has(name))) ?? [];
}

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
