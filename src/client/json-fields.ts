import { isObject } from "../contract/json.ts";

/** A property of a JSON value; `undefined` when the value is not an object or lacks it. */
export function fieldOf(value: unknown, name: string): unknown {
  return isObject(value) ? value[name] : undefined;
}

/** A property that is a list; empty when there is no such list. */
export function listOf(value: unknown, name: string): readonly unknown[] {
  const list = fieldOf(value, name);
  return Array.isArray(list) ? list : [];
}
