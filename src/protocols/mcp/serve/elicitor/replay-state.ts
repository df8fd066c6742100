import { isObject } from "../../../../contract/json.ts";
import type { ElicitationResult } from "../../../../runtime/internal.ts";
import { isElicitationContent } from "../../../../contract/elicit-result.ts";

/** What a call of a tool carries from one round to the next, sealed in its `requestState`. */
export interface ReplayState {
  /** Names this state. Each is used once. */
  readonly id: string;
  /** The first part of the ids of this call's requests. */
  readonly run: string;
  /** The tool and a digest of its arguments. */
  readonly call: string;
  /** The questions so far, in the order in which the handler asks them. */
  readonly asked: readonly AskedQuestion[];
  /** Results of `once`, by key. */
  readonly done: Readonly<Record<string, unknown>>;
  readonly expiresAt: number;
}

export interface AskedQuestion {
  /** Digest of the question. The handler must ask the same one when it runs again. */
  readonly digest: string;
  /** When the question expires, in milliseconds since the epoch. */
  readonly until: number;
  /** The number of invalid answers. */
  readonly refusals: number;
  /** Absent while the question is open. */
  readonly result?: ElicitationResult | undefined;
}

/** The payload was sealed here; this only checks that this version wrote it. */
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
