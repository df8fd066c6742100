import { isObject } from "../../../contract/json.ts";

/** A payload of Slack, or the reply of a method: untrusted JSON. */
export type SlackBody = Readonly<Record<string, unknown>>;

/** A string that is not empty. For a missing value, Slack sends `""`, `null` or nothing. */
export const text = (value: unknown): string | undefined =>
  typeof value === "string" && value !== "" ? value : undefined;

/** The values of the inputs and checkboxes of a view, or of the message of a click. */
export function stateValues(holder: unknown): unknown {
  const state = isObject(holder) ? holder["state"] : undefined;
  return isObject(state) ? state["values"] : undefined;
}

/** A string property of a value that may not be an object, such as the id of `channel` in a click. */
export const field = (holder: unknown, name: string): string | undefined =>
  isObject(holder) ? text(holder[name]) : undefined;
