import {
  ProtocolError,
  SdkError,
  SdkErrorCode,
  type ServerContext,
  isSpecType,
} from "@modelcontextprotocol/server";
import { invalidNote } from "../../../src/contract/elicit-result.ts";
import type { Question } from "../../../src/runtime/index.ts";
import type { ElicitationResult } from "../../../src/runtime/internal.ts";
import type { Clock } from "../../../src/base/clock.ts";
import { newId } from "../../../src/base/ids.ts";
import { sleep } from "../../../src/base/deadlines.ts";
import { SOME_2025_REVISION, writeElicitation } from "../../../src/mcp/wire/translate.ts";
import { formViewOf, onFormView } from "../app/card-run.ts";
import { elicitationOf, resultOf, resultOfAttempts, resultWithoutAsking, unsupported } from "./question.ts";

const LOOK_EVERY_MS = 1000;
/** Both modes: the SDK checks later which modes the client has declared. */
const BOTH = { form: true, url: true };

/** Asks over the connection of the call (2025-06-18, 2025-11-25), and waits. */
export function createLegacyAsk(
  ctx: ServerContext,
  options: { clock: Clock; expiresInMs: number; isCompleted: (elicitationId: string) => Promise<boolean> },
): (question: Question) => Promise<ElicitationResult> {
  const { clock, isCompleted } = options;

  return async (question) => {
    const elicitationId = newId();
    const expiresInMs = question.expiresInMs ?? options.expiresInMs;
    const expiresAt = clock.now() + expiresInMs;
    const unasked = resultWithoutAsking(question, BOTH);
    if (unasked !== undefined) return unasked;
    let note: string | undefined;
    for (let attempts = 1; ; attempts += 1) {
      const answer = await send(question, elicitationId, note, expiresInMs);
      if ("outcome" in answer) return answer;
      const result = "problem" in answer ? answer : resultOf(question, answer.given);
      if ("problem" in result) {
        note = result.problem;
        const failed = resultOfAttempts(attempts, note);
        if (failed !== undefined) return failed;
        continue;
      }
      if (question.mode === "form" || result.outcome !== "accepted") return result;
      return (await untilFinished(elicitationId, expiresAt))
        ? result
        : { outcome: "expired", afterMs: expiresInMs };
    }
  };

  async function send(
    question: Question,
    elicitationId: string,
    note: string | undefined,
    timeout: number,
  ): Promise<ElicitationResult | { given: unknown } | { problem: string }> {
    const revision = revisionOf(ctx);
    if (question.mode === "url" && revision === "2025-06-18") return unsupported(question);
    const written = writeElicitation(elicitationOf(question, elicitationId, note), revision);
    const params: unknown = written.ok ? onFormView(formViewOf(ctx), written.value) : undefined;
    if (!isSpecType.ElicitRequestParams(params)) {
      return { outcome: "failed", reason: "this form cannot be asked through MCP" };
    }
    const { signal = ctx.mcpReq.signal } = question;
    try {
      return {
        given: await ctx.mcpReq.elicitInput(params, { timeout, signal, relatedRequestId: ctx.mcpReq.id }),
      };
    } catch (error) {
      if (signal.aborted) return { outcome: "withdrawn" };
      if (error instanceof SdkError && error.code === SdkErrorCode.CapabilityNotSupported)
        return unsupported(question);
      if (error instanceof SdkError && error.code === SdkErrorCode.RequestTimeout) {
        return { outcome: "expired", afterMs: timeout };
      }
      // The SDK validates the content itself.
      if (error instanceof ProtocolError && error.message.includes("does not match requested schema")) {
        return { problem: misfitNote(question, error.message) };
      }
      return { outcome: "failed", reason: "the client could not ask" };
    }
  }

  /** The user has agreed to open the page: waits until they have finished, and notifies the client. */
  async function untilFinished(elicitationId: string, expiresAt: number): Promise<boolean> {
    while (!(await isCompleted(elicitationId))) {
      if (clock.now() >= expiresAt || ctx.mcpReq.signal.aborted) return false;
      await sleep(clock, LOOK_EVERY_MS);
    }
    // A client of 2025-06-18, or a disconnected one, needs no notification.
    await ctx.mcpReq
      .notify({ method: "notifications/elicitation/complete", params: { elicitationId } })
      .catch(() => undefined);
    return true;
  }
}

/** Says which answers do not fit. The SDK names them by a JSON pointer in a sentence for developers. */
export function misfitNote(question: Question, sentence: string): string {
  const names = question.mode === "form" ? Object.keys(question.requestedSchema.properties) : [];
  const wrong = names.filter((name) => {
    const pointer = name.replaceAll("~", "~0").replaceAll("/", "~1");
    return sentence.includes(`data/${pointer} `) || sentence.includes(`required property '${name}'`);
  });
  return invalidNote((wrong.length > 0 ? wrong : [""]).map((field) => ({ field, message: "does not fit" })));
}

/** Clients name it in a header. Over stdio, a handler cannot find out which of the two revisions the client uses. */
function revisionOf({ http }: ServerContext) {
  const version = http?.req?.headers.get("mcp-protocol-version");
  return version === "2025-06-18" || version === "2025-11-25" ? version : SOME_2025_REVISION;
}
