import { isObject } from "../../../contract/json.ts";

/** A payload of Slack, or the reply of a method: JSON of which nothing is known. */
export type SlackBody = Readonly<Record<string, unknown>>;

/** A string that says something. Slack sends `""`, `null` or nothing for what it does not have. */
export const text = (value: unknown): string | undefined =>
  typeof value === "string" && value !== "" ? value : undefined;

/** What is in the inputs and boxes of a view, or of the message of a click. */
export function stateValues(holder: unknown): unknown {
  const state = isObject(holder) ? holder["state"] : undefined;
  return isObject(state) ? state["values"] : undefined;
}

/** A string of an object that may not be one, such as the id of `channel` in a click. */
export const field = (holder: unknown, name: string): string | undefined =>
  isObject(holder) ? text(holder[name]) : undefined;
