import { isObject } from "../../../contract/json.ts";
import type { ShownAs } from "./answers.ts";

/** The state that a call carries from one round to the next, sealed in its `requestState`. */
export interface RoundState {
  readonly turnId: string;
  /** The questions of the last round: the ids of the requests, and how each was presented. */
  readonly asked: Readonly<Record<string, ShownAs>>;
  /** Requests whose link the user agreed to open. They end when the page is complete. */
  readonly opened: readonly string[];
  /** The position in the log up to which progress was sent. */
  readonly after: number | undefined;
}

/** The payload was sealed by this kit. This only checks that this version wrote it. */
export function readRoundState(payload: unknown): RoundState | undefined {
  if (!isObject(payload)) return undefined;
  const { turnId, asked, opened, after } = payload;
  if (typeof turnId !== "string" || !isAsked(asked) || !isList(opened)) return undefined;
  return { turnId, asked, opened, after: typeof after === "number" ? after : undefined };
}

function isAsked(value: unknown): value is RoundState["asked"] {
  return (
    isObject(value) && Object.values(value).every((as) => as === "form" || as === "url" || as === "page")
  );
}

function isList(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((id) => typeof id === "string");
}
