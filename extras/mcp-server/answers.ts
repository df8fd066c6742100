import { readElicitResult } from "../../src/contract/elicit-result.ts";
import {
  type SurfaceTurn,
  type Taken,
  type TakenNow,
  take,
  takeInTime,
  takeUnreadable,
} from "../../src/runtime/internal.ts";
import type { Clock } from "../../src/base/clock.ts";

/** How a client has shown a request. `page`: the answer page replaced a form. */
export type ShownAs = "form" | "url" | "page";

/** The untrusted answer of a client. */
export interface McpAnswer {
  readonly elicitationId: string;
  readonly as: ShownAs;
  readonly result: unknown;
}

/** The user has agreed to open the page that replaces a form. */
type Opened = { readonly kind: "opened" };
type Answering = Pick<SurfaceTurn, "answer" | "rejectAnswer">;

/** Handles an answer. A rate-limited answer is not taken: the client sends it again. */
export async function takeAnswer(turn: Answering, answer: McpAnswer): Promise<Taken | Opened> {
  const read = readAnswer(answer);
  if (read === "unreadable") return takeUnreadable(turn, answer.elicitationId);
  return read === "opened" ? { kind: "opened" } : take(turn, read.given, read);
}

/** Handles an answer that its client cannot send again. A rate-limited answer waits until `signal` aborts. */
export async function takeAnswerInTime(
  turn: Answering,
  answer: McpAnswer,
  waiting: { readonly signal: AbortSignal; readonly clock: Clock },
): Promise<TakenNow | Opened> {
  const read = readAnswer(answer);
  if (read === "unreadable") return takeUnreadable(turn, answer.elicitationId);
  return read === "opened" ? { kind: "opened" } : takeInTime(turn, read.given, { ...read, ...waiting });
}

function readAnswer({ elicitationId, as, result }: McpAnswer) {
  const read = readElicitResult(result);
  if (!read.ok) return "unreadable";
  const { action, content } = read.value;
  if (as === "page" && action === "accept") return "opened";
  return { given: { elicitationId, action, ...(as === "form" && { content }) }, consent: as === "url" };
}
