import { isObject } from "../../contract/json.ts";

type Schema = Readonly<Record<string, unknown>>;
type Property = readonly [name: string, schema: unknown];

/**
 * `all`: the properties that must all hold, the nearest first. `any`: what choices say. The schema is `undefined` for a
 * name that a choice leaves open.
 */
interface Parts {
  readonly all: readonly Property[];
  readonly any: readonly Property[];
  readonly required: readonly string[];
}

const REPLACED = new Set(["allOf", "anyOf", "oneOf", "$ref", "not", "enum"]);
/** A short schema can repeat its names very often, by its references. */
const MAX_NAMES = 10_000;

/**
 * Replaces the choices at the root of a tool's schema by the properties of all of them. Model providers refuse the whole
 * request for one such tool. The merged schema allows more than the server does; the server refuses the rest.
 *
 * @throws if a reference leads to no schema of the tool
 */
export function withoutRootChoices(root: Schema): Schema {
  if (!Object.keys(root).some((keyword) => REPLACED.has(keyword))) return root;
  const known = new Map<unknown, Parts>();
  let left = MAX_NAMES;

  function partsOf(schema: unknown): Parts {
    const parts = known.get(schema) ?? read(isObject(schema) ? schema : {});
    left -= 1 + parts.all.length + parts.any.length + parts.required.length;
    if (left < 0) throw new RangeError("The choices repeat too many names.");
    return parts;
  }

  function read(schema: Schema): Parts {
    const { properties, required, allOf, $ref } = schema;
    const own = {
      all: isObject(properties) ? Object.entries(properties) : [],
      any: [],
      required: listOf(required).filter((name) => typeof name === "string"),
    };
    // Definitions may refer to each other in a circle.
    known.set(schema, { all: [], any: [], required: [] });
    const both = $ref === undefined ? listOf(allOf) : [...listOf(allOf), schemaAt($ref, root)];
    const choices = [schema["anyOf"], schema["oneOf"]].map((list) => eitherOf(listOf(list).map(partsOf)));
    const parts = [own, ...both.map(partsOf), ...choices];
    const joined = {
      all: unique(parts.flatMap(({ all }) => all)),
      any: unique(parts.flatMap(({ any }) => any)),
      required: unique(parts.flatMap((part) => part.required)),
    };
    known.set(schema, joined);
    return joined;
  }

  const { all, any, required } = partsOf(root);
  const held = byName(all);
  const chosen = byName(any);
  const properties = [...new Map([...held, ...chosen]).keys()].map(
    (name) => [name, propertyOf(held.get(name) ?? [], chosen.get(name) ?? [])] as const,
  );
  return {
    ...Object.fromEntries(Object.entries(root).filter(([keyword]) => !REPLACED.has(keyword))),
    properties: Object.fromEntries(properties),
    ...(required.length > 0 && { required }),
  };
}

function eitherOf(choices: readonly Parts[]): Parts {
  const any = choices.flatMap((choice) => {
    const nearest = new Map(choice.all.toReversed());
    return [...nearest, ...choice.any.filter(([name]) => !nearest.has(name))];
  });
  const inEach = new Set(
    common(choices.map((choice) => [...choice.all, ...choice.any].map(([name]) => name))),
  );
  const open = unique(any.map(([name]) => name)).filter((name) => !inEach.has(name));
  return {
    all: [],
    any: [...any, ...open.map((name) => [name, undefined] as const)],
    required: common(choices.map(({ required }) => required)),
  };
}

function propertyOf(all: readonly unknown[], any: readonly unknown[]): unknown {
  const choices = any.filter((schema) => schema !== undefined);
  const anyOf = [...new Map(choices.map((schema) => [JSON.stringify(schema), schema])).values()];
  const isOpen = any.length === 0 || choices.length < any.length;
  if (all.length === 0) return anyOf.length === 1 ? anyOf[0] : { anyOf };
  if (isOpen && all.length === 1) return all[0];
  const joined = Object.fromEntries(all.toReversed().filter(isObject).flatMap(Object.entries));
  return isOpen ? joined : { ...joined, anyOf };
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

function common([first, ...others]: readonly (readonly string[])[]): readonly string[] {
  const sets = others.map((names) => new Set(names));
  return first?.filter((name) => sets.every((names) => names.has(name))) ?? [];
}

function byName(properties: readonly Property[]): ReadonlyMap<string, unknown[]> {
  const found = new Map<string, unknown[]>();
  for (const [name] of properties) found.set(name, []);
  for (const [name, schema] of properties) found.get(name)?.push(schema);
  return found;
}

const unique = <T>(list: readonly T[]): readonly T[] => [...new Set(list)];
const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
