import { isObject } from "../../../src/contract/json.ts";

/** Reports an error of a value. `at` is its JSON pointer. */
export type Fail = (at: string, message: string) => void;
/** Checks one value of a payload. */
export type Rule = (value: unknown, at: string, fail: Fail) => void;
type Shape = Readonly<Record<string, Rule>>;

/** Whether a string contains no lone surrogate. */
export const isWellFormed = (value: string): boolean => !/\p{Surrogate}/u.test(value);

/** A string of `least` to `most` characters. Slack counts UTF-16 code units, as JavaScript does. */
export function string(most: number, least = 1): Rule {
  return (value, at, fail) => {
    if (typeof value !== "string") return fail(at, "must provide a string");
    if (value.length < least) fail(at, `must be more than ${least - 1} characters`);
    if (value.length > most) fail(at, `must be less than ${most + 1} characters`);
    if (!isWellFormed(value)) fail(at, "must be valid UTF-8: half of a surrogate pair");
  };
}

export function matching(pattern: RegExp, expected: string): Rule {
  return (value, at, fail) => {
    if (typeof value !== "string" || !pattern.test(value)) fail(at, `must be ${expected}`);
  };
}

export function oneOf(...values: readonly string[]): Rule {
  return (value, at, fail) => {
    if (typeof value !== "string" || !values.includes(value)) fail(at, "must be a valid enum value");
  };
}

export const boolean: Rule = (value, at, fail) => {
  if (typeof value !== "boolean") fail(at, "must be a boolean");
};

export function integer(least: number, most: number): Rule {
  return (value, at, fail) => {
    if (typeof value !== "number" || !Number.isInteger(value)) return fail(at, "must be an integer");
    if (value < least) fail(at, `must be at least ${least}`);
    if (value > most) fail(at, `must be at most ${most}`);
  };
}

export function list(item: Rule, most: number, least = 1): Rule {
  return (value, at, fail) => {
    if (!Array.isArray(value)) return fail(at, "must provide an array");
    if (value.length < least) fail(at, `no fewer than ${least} items allowed`);
    if (value.length > most) fail(at, `no more than ${most} items allowed`);
    for (const [index, one] of value.entries()) item(one, `${at}/${index}`, fail);
  };
}

/** An object with these properties and no others. */
export function object(required: Shape, optional: Shape = {}): Rule {
  return (value, at, fail) => {
    if (!isObject(value)) return fail(at, "must provide an object");
    for (const [name, rule] of Object.entries(required)) {
      if (value[name] === undefined) fail(at, `missing required field: ${name}`);
      else rule(value[name], `${at}/${name}`, fail);
    }
    for (const [name, rule] of Object.entries(optional)) {
      if (value[name] !== undefined) rule(value[name], `${at}/${name}`, fail);
    }
    for (const name of Object.keys(value)) {
      if (!(name in required) && !(name in optional)) fail(at, `invalid additional property: ${name}`);
    }
  };
}

/** Chooses the rule by `type`. A type without a rule is not allowed here. */
export function byType(rules: Shape): Rule {
  return (value, at, fail) => {
    const type = isObject(value) ? value["type"] : undefined;
    if (typeof type !== "string") return fail(at, "missing required field: type");
    const rule = Object.hasOwn(rules, type) ? rules[type] : undefined;
    if (rule === undefined) return fail(at, `unsupported type: ${type}`);
    rule(value, at, fail);
  };
}

export const all =
  (...rules: readonly Rule[]): Rule =>
  (value, at, fail) => {
    for (const rule of rules) rule(value, at, fail);
  };

/** The property `name` must be unique among the items. */
export function unique(name: string): Rule {
  return (value, at, fail) => {
    if (!Array.isArray(value)) return;
    const seen = new Set<unknown>();
    for (const [index, item] of value.entries()) {
      const key = isObject(item) ? item[name] : undefined;
      if (key !== undefined && seen.has(key))
        fail(`${at}/${index}/${name}`, `${name} already exists: ${JSON.stringify(key)}`);
      seen.add(key);
    }
  };
}

/** The object must have exactly one of these properties. */
export function oneProperty(...names: readonly string[]): Rule {
  return (value, at, fail) => {
    if (!isObject(value)) return;
    const given = names.filter((name) => value[name] !== undefined);
    if (given.length !== 1) fail(at, `must define exactly one of: ${names.join(", ")}`);
  };
}
