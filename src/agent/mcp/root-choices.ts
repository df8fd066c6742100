import { isObject } from "../../contract/json.ts";

type Schema = Readonly<Record<string, unknown>>;

interface Parts {
  readonly properties: readonly (readonly [name: string, schema: unknown])[];
  readonly required: readonly string[];
}

/**
 * Replaces `allOf`, `anyOf`, `oneOf` and `$ref` at the root of a tool's schema by the properties of all of them. Model
 * providers refuse the whole request for one such tool. The server still checks what the properties do not say.
 */
export function withoutRootChoices(schema: Schema): Schema {
  const { allOf, anyOf, oneOf, $ref, ...rest } = schema;
  if ([allOf, anyOf, oneOf, $ref].every((value) => value === undefined)) return schema;
  const { properties, required } = partsOf(schema, { root: schema, seen: new Set() });
  const byName = new Map<string, Map<string, unknown>>();
  for (const [name, property] of properties) {
    const schemas = byName.get(name) ?? new Map<string, unknown>();
    byName.set(name, schemas.set(JSON.stringify(property), property));
  }
  return {
    ...rest,
    properties: Object.fromEntries([...byName].map(([name, schemas]) => [name, anyOfThese(schemas)])),
    ...(required.length > 0 && { required: [...new Set(required)] }),
  };
}

function anyOfThese(schemas: ReadonlyMap<string, unknown>): unknown {
  const [first, ...others] = schemas.values();
  return others.length === 0 ? first : { anyOf: [first, ...others] };
}

/** `seen`: each definition is read once, because definitions may refer to each other in a circle. */
function partsOf(schema: Schema, within: { root: Schema; seen: Set<string> }): Parts {
  const { properties, required, allOf, anyOf, oneOf, $ref } = schema;
  const read = (list: unknown) =>
    Array.isArray(list) ? list.filter(isObject).map((one) => partsOf(one, within)) : [];
  const own = {
    properties: isObject(properties) ? Object.entries(properties) : [],
    required: Array.isArray(required) ? required.filter((name) => typeof name === "string") : [],
  };
  const all = [own, ...read(allOf), ...read([definition($ref, within)])];
  const choices = [read(anyOf), read(oneOf)];
  return {
    properties: [...all, ...choices.flat()].flatMap((parts) => parts.properties),
    required: [...all.flatMap((parts) => parts.required), ...choices.flatMap(requiredByEach)],
  };
}

function requiredByEach([first, ...others]: readonly Parts[]): readonly string[] {
  return first?.required.filter((name) => others.every(({ required }) => required.includes(name))) ?? [];
}

function definition(ref: unknown, { root, seen }: { root: Schema; seen: Set<string> }): unknown {
  const [, place = "", name = ""] = /^#\/(\$defs|definitions)\/([^/]+)$/.exec(String(ref)) ?? [];
  const definitions = root[place];
  const key = `${place}/${name}`;
  if (seen.has(key) || !isObject(definitions) || !Object.hasOwn(definitions, name)) return undefined;
  seen.add(key);
  return definitions[name];
}
