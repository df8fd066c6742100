import { isObject } from "../../../src/contract/json.ts";
import type { ElicitationResult } from "../../../src/runtime/internal.ts";
import { isElicitationContent } from "../../../src/contract/elicit-result.ts";

/** The state that a tool call carries from one round to the next, sealed in its `requestState`. */
export interface ReplayState {
  /** The id of this state. Each state is used once. */
  readonly id: string;
  /** The prefix for the ids of this call's requests. */
  readonly run: string;
  /** The tool and a digest of its arguments. */
  readonly call: string;
  /** The questions so far, in the order in which the handler asks them. */
  readonly asked: readonly AskedQuestion[];
  /** The results of `once`, by key. */
  readonly done: Readonly<Record<string, unknown>>;
  readonly expiresAt: number;
}

export interface AskedQuestion {
  /** The digest of the question. The handler must ask the same question when it runs again. */
  readonly digest: string;
  /** When the question expires, in milliseconds since the epoch. */
  readonly until: number;
  /** The number of invalid answers. */
  readonly refusals: number;
  /** Absent while the question is open. */
  readonly result?: ElicitationResult | undefined;
}

/** The payload was sealed by this kit. This only checks that this version wrote it. */
export function readReplayState(payload: unknown): ReplayState | undefined {
  if (!isObject(payload)) return undefined;
  const { id, run, call, asked, done, expiresAt } = payload;
  if (typeof id !== "string" || typeof run !== "string" || typeof call !== "string") return undefined;
  if (!Array.isArray(asked) || !asked.every(isAskedQuestion) || !isObject(done)) return undefined;
  if (typeof expiresAt !== "number") return undefined;
  return { id, run, call, asked, done, expiresAt };
}

function isAskedQuestion(value: unknown): value is AskedQuestion {
  if (!isObject(value)) return false;
  const { digest, until, refusals, result } = value;
  return (
    typeof digest === "string" &&
    typeof until === "number" &&
    typeof refusals === "number" &&
    (result === undefined || isResult(result))
  );
}

function isResult(value: unknown): value is ElicitationResult {
  if (!isObject(value)) return false;
  const { outcome, content, afterMs, reason } = value;
  if (outcome === "accepted") return isElicitationContent(content);
  if (outcome === "expired") return typeof afterMs === "number";
  if (outcome === "failed") return typeof reason === "string";
  return (
    outcome === "declined" || outcome === "cancelled" || outcome === "withdrawn" || outcome === "unsupported"
  );
}
