import { isObject } from "../../src/contract/json.ts";
import type { ConformanceHooks } from "./target.ts";

interface Shape {
  /** A description for messages: `a string`. */
  readonly what: string;
  readonly fits: (value: unknown) => boolean;
}

const text: Shape = { what: "a string", fits: (value) => typeof value === "string" };
const number: Shape = { what: "a number", fits: (value) => typeof value === "number" };
const yes: Shape = { what: "true", fits: (value) => value === true };
const call: Shape = { what: "a function", fits: (value) => typeof value === "function" };
const headers: Shape = {
  what: "an object of strings",
  fits: (value) => isObject(value) && Object.values(value).every(text.fits),
};
const person = members({ headers }, { userId: text });
const content: Shape = { what: "an object", fits: isObject };

const HOOKS: Readonly<Record<keyof ConformanceHooks, Shape>> = {
  people: {
    what: "two people, each { headers, userId? }",
    fits: (value) => Array.isArray(value) && value.length === 2 && value.every(person.fits),
  },
  connect: text,
  consent: text,
  form: members({ message: text, fits: content, alsoFits: content, misfits: content }),
  two: text,
  again: text,
  assigned: text,
  delegable: text,
  background: text,
  review: members({ message: text, edited: content }),
  expiring: members({ message: text, afterMs: number }),
  completeOutside: call,
  failOutside: call,
  keepAliveMs: number,
  lookUpMs: number,
  cookie: members({ headers, allowedOrigin: text, foreignOrigin: text }),
  writesPerMinute: number,
  binding: yes,
  completions: members({ url: text }, { jsonMessage: text }),
};

/** Former names of members, by hook. */
const RENAMED: Readonly<Partial<Record<keyof ConformanceHooks, Readonly<Record<string, string>>>>> = {
  form: { say: "message" },
  expiring: { say: "message" },
  completions: { sayJson: "jsonMessage" },
};

/**
 * Checks the hooks of a file. A misspelt hook is an error. If it counted as missing, its cases would be skipped without
 * notice.
 *
 * @throws if the hooks are not an object, have an unknown name, or a hook has the wrong type
 */
export function readHooks(value: unknown): ConformanceHooks {
  if (areHooks(value)) return value;
  throw new Error(`elicit-kit: ${faultOf(value)}`);
}

function areHooks(value: unknown): value is ConformanceHooks {
  return faultOf(value) === undefined;
}

function faultOf(value: unknown): string | undefined {
  if (!isObject(value))
    return "the hooks are not an object. Export them as default: export default { people, … }.";
  const unknown = Object.keys(value).find((name) => !Object.hasOwn(HOOKS, name));
  if (unknown !== undefined) {
    return `there is no hook "${unknown}". The hooks are: ${Object.keys(HOOKS).join(", ")}.`;
  }
  for (const [hook, names] of Object.entries(RENAMED)) {
    const given = isObject(value[hook]) ? value[hook] : {};
    const old = Object.keys(names).find((name) => Object.hasOwn(given, name));
    if (old !== undefined) {
      return `the hook "${hook}" has the member "${old}", which is named "${names[old]}" now.`;
    }
  }
  const [name, shape] =
    Object.entries(HOOKS).find(([each, { fits }]) => !isAbsentOr(fits, value[each])) ?? [];
  return shape === undefined ? undefined : `the hook "${name}" must be ${shape.what}.`;
}

function isAbsentOr(fits: Shape["fits"], value: unknown): boolean {
  return value === undefined || fits(value);
}

/** Checks an object with these required and optional members. */
function members(
  required: Readonly<Record<string, Shape>>,
  optional: Readonly<Record<string, Shape>> = {},
): Shape {
  const names = [...Object.keys(required), ...Object.keys(optional).map((name) => `${name}?`)];
  return {
    what: `an object { ${names.join(", ")} }`,
    fits: (value) =>
      isObject(value) &&
      Object.entries(required).every(([name, { fits }]) => fits(value[name])) &&
      Object.entries(optional).every(([name, { fits }]) => isAbsentOr(fits, value[name])),
  };
}
