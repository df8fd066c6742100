import { checkContent } from "../../../src/form/check-content.ts";
import type { Question } from "../../../src/runtime/index.ts";
import { type ElicitationResult, type SupportedModes, present } from "../../../src/runtime/internal.ts";
import { canonical } from "../../../src/base/canonical.ts";
import { base64url, sha256 } from "../../../src/base/ids.ts";
import {
  readElicitResult,
  MAX_ATTEMPTS,
  UNREADABLE_NOTE,
  failedAnswers,
  invalidNote,
} from "../../../src/contract/elicit-result.ts";
import type { McpElicitation } from "../../../src/mcp/wire/translate.ts";

/** A question with its key in the round (2026-07-28), for clients that expect a certain key. @default a number */
export type KeyedQuestion = Question & { key?: string | undefined };

/** Writes a question as MCP params. `note`: why it is asked again, for the user. */
export function elicitationOf(question: Question, elicitationId: string, note?: string): McpElicitation {
  const message = note === undefined ? question.message : `${question.message}\n\n${note}`;
  if (question.mode === "form") {
    return { mode: "form", message, requestedSchema: question.requestedSchema };
  }
  const url = typeof question.url === "string" ? question.url : question.url(elicitationId);
  return { mode: "url", message, url, elicitationId };
}

/** Returns the result for an answer, or why the answer is invalid. `answer` is untrusted. */
export function resultOf(
  question: Question,
  answer: unknown,
): ElicitationResult | { readonly problem: string } {
  const read = readElicitResult(answer);
  if (!read.ok) return { problem: UNREADABLE_NOTE };
  const { action, content } = read.value;
  if (action === "decline") return { outcome: "declined" };
  if (action === "cancel") return { outcome: "cancelled" };
  if (question.mode === "url") return { outcome: "accepted", content: {} };
  const checked = checkContent(question.requestedSchema, content);
  if (checked.ok) return { outcome: "accepted", content: checked.content };
  return { problem: invalidNote(checked.errors) };
}

/** Returns the tool's result if the client cannot be asked. `undefined` if it can. */
export function resultWithoutAsking(
  question: Question,
  modes: SupportedModes,
): ElicitationResult | undefined {
  if (!modes[question.mode]) return unsupported(question);
  if (question.mode === "url") return undefined;
  const how = present(question, { modes, link: undefined });
  return how.as === "refused" ? { outcome: "failed", reason: how.reason } : undefined;
}

/** The result for the tool when the client does not support the mode. */
export function unsupported(question: Question): ElicitationResult {
  const fallback = question.mode === "form" ? question.fallback : undefined;
  return fallback === undefined ? { outcome: "unsupported" } : { outcome: "accepted", content: fallback };
}

/** Returns the tool's result after `attempts` invalid answers. `undefined`: the client is asked again. */
export function resultOfAttempts(attempts: number, problem: string): ElicitationResult | undefined {
  return attempts < MAX_ATTEMPTS ? undefined : { outcome: "failed", reason: failedAnswers(problem) };
}

/** Identifies a question. The URL is excluded, because it may contain the id of its request. */
export function digestOf(question: Question): Promise<string> {
  const { mode, message } = question;
  const about = question.mode === "form" ? question.requestedSchema : (question.service?.name ?? "");
  return digest([mode, message, about]);
}

/** The SHA-256 of JSON with sorted keys. */
export async function digest(value: unknown): Promise<string> {
  return base64url(await sha256(canonical(value)));
}
