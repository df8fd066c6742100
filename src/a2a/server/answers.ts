import type { Message } from "@a2a-js/sdk";
import { A2AError, UnsupportedOperationError } from "@a2a-js/sdk/errors";
import type { ElicitationResponse } from "../../protocol/contract.ts";
import type { SurfaceAnswer } from "../../runtime/core/index.ts";
import { readAnswers } from "../translate.ts";
import { type OpenTask, askedOf } from "./open-task.ts";
import { textOfParts } from "../task-view.ts";
import { type Asked, MAX_ATTEMPTS } from "./waiting.ts";
import { readWords } from "./words.ts";

/** Takes a message on a task as the answer to what the task asks. */
export async function takeMessage(task: OpenTask, message: Message): Promise<void> {
  const asked = await askedOf(task);
  const answers = readAnswers(message);
  if (answers === undefined) return takeWords(task, asked, textOfParts(message.parts));
  if (!answers.ok) {
    for (const form of asked.filter(isForm)) {
      await askAgain(task, form, "The last answer could not be read.");
    }
    return;
  }
  for (const answer of answers.value) {
    // Only what the task asks for. An answer to something else is late, or made up.
    const found = asked.find(({ question }) => question.elicitationId === answer.elicitationId);
    if (found !== undefined) await takeAnswer(task, found, answer);
  }
}

async function takeWords(task: OpenTask, asked: readonly Asked[], text: string): Promise<void> {
  const [first] = asked;
  if (first === undefined) {
    throw new UnsupportedOperationError(
      "The task works and waits for nothing. Start another task in the same context, or cancel this one.",
    );
  }
  // Nobody answers a page in words: the person does something there.
  if (first.request.mode !== "form" || !isForm(first)) return;
  const read = readWords(text, first.request.requestedSchema);
  if (!read.ok) return askAgain(task, first, read.problem);
  const { ok: _, ...answer } = read;
  await takeAnswer(task, first, { elicitationId: first.question.elicitationId, ...answer });
}

async function takeAnswer(
  task: OpenTask,
  asked: Asked,
  { action, content }: ElicitationResponse,
): Promise<void> {
  // A page has no accept: the person finishes it there.
  if (!isForm(asked) && action === "accept") return;
  const { elicitationId } = asked.request;
  const answer: SurfaceAnswer = { elicitationId, action, ...(content !== undefined && { content }) };
  const [result] = await task.turn.answer([answer]);
  if (result?.kind === "limited") {
    throw new A2AError(`Too many answers at once. Send it again in ${result.retryAfter} seconds.`);
  }
  if (result?.kind !== "invalid") return;
  const reasons = result.errors.map(({ field, message }) => `${field || "The answer"} ${message}`);
  await askAgain(task, asked, `Please check: ${reasons.join("; ")}.`);
}

/** Keeps the question open with the reason, for every process, or dismisses it after the last attempt. */
async function askAgain(task: OpenTask, { request, attempts }: Asked, problem: string): Promise<void> {
  const { elicitationId } = request;
  const next = attempts + 2;
  if (next > MAX_ATTEMPTS) {
    await task.turn.answer([{ elicitationId, action: "cancel" }]);
    return;
  }
  await task.elicitations.fail(elicitationId, `${problem} (${next} of ${MAX_ATTEMPTS})`);
}

function isForm({ question }: Asked): boolean {
  return question.mode === "form";
}
