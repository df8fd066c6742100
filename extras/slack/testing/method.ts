import type { FakeState, JsonObject } from "./state.ts";

/** One method of the Web API. */
export interface Method {
  /** The call needs one of these scopes. */
  readonly scopes: readonly string[];
  /** Calls per minute. `postMessage` counts by channel. */
  readonly perMinute: number;
  readonly run: (state: FakeState, args: JsonObject) => JsonObject;
}

export type Methods = Readonly<Record<string, Method>>;

/** Calls per minute of Slack's tiers. */
export const TIER = { two: 20, three: 50, four: 100 } as const;

/** A reply with `ok: false`. */
export const refused = (error: string, more: JsonObject = {}): JsonObject => ({ ok: false, error, ...more });

/** A refusal with the details of the invalid blocks or view. */
export const invalid = (error: string, messages: readonly string[]): JsonObject =>
  refused(error, { response_metadata: { messages } });

export function text(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}
