import { isObject } from "../../../../contract/json.ts";

/** Whether `whole` contains everything in `part`. A view may have the arguments before the host has completed them. */
export function isSubset(whole: unknown, part: unknown): boolean {
  if (!isObject(whole) || !isObject(part)) return isSame(whole, part);
  return Object.entries(part).every(([name, value]) => isSubset(whole[name], value));
}

/** Whether two JSON values are equal, ignoring the order of keys. */
export function isSame(one: unknown, other: unknown): boolean {
  if (Array.isArray(one) && Array.isArray(other)) {
    return one.length === other.length && one.every((value, index) => isSame(value, other[index]));
  }
  if (!isObject(one) || !isObject(other)) return one === other;
  const names = Object.keys(one);
  return names.length === Object.keys(other).length && names.every((name) => isSame(one[name], other[name]));
}
