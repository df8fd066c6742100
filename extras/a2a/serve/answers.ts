import type { Message } from "@a2a-js/sdk";
import { reviewOf } from "../../../src/contract/review.ts";
import { A2AError, UnsupportedOperationError } from "@a2a-js/sdk/errors";
import type { ElicitationResponse } from "../../../src/contract/contract.ts";
import { take, takeUnreadable } from "../../../src/runtime/internal.ts";
import { readAnswers } from "../../../src/a2a/wire/translate.ts";
import { type OpenTask, askedOf } from "./open-task.ts";
import { textOfParts } from "../../../src/a2a/wire/task-view.ts";
import type { Asked } from "./waiting.ts";
import { readWords } from "./words.ts";

/** Handles a message on a task as the answer to the task's questions. */
export async function takeMessage(task: OpenTask, message: Message): Promise<void> {
  const asked = await askedOf(task);
  const answers = readAnswers(message);
  if (answers === undefined) return takeWords(task, asked, textOfParts(message.parts));
  if (!answers.ok) {
    for (const { request } of asked.filter(isForm)) await takeUnreadable(task.turn, request.elicitationId);
    return;
  }
  for (const answer of answers.value) {
    // Only answers to open questions count. Any other answer is late or invented.
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
  // A page cannot be answered with text: the user does something there.
  if (first.request.mode !== "form" || !isForm(first)) return;
  const read = readWords(text, first.request.requestedSchema, {
    isReview: reviewOf(first.request) !== undefined,
  });
  if (!read.ok) {
    await task.turn.rejectAnswer(first.request.elicitationId, read.problem);
    return;
  }
  const { ok: _, ...answer } = read;
  await takeAnswer(task, first, { elicitationId: first.question.elicitationId, ...answer });
}

async function takeAnswer(
  task: OpenTask,
  asked: Asked,
  { action, content }: ElicitationResponse,
): Promise<void> {
  // A page cannot be accepted by a message: the user completes it there.
  if (!isForm(asked) && action === "accept") return;
  const { elicitationId } = asked.request;
  const taken = await take(task.turn, { elicitationId, action, content });
  if (taken.kind === "limited") {
    throw new A2AError(`Too many answers at once. Send it again in ${taken.retryAfter} seconds.`);
  }
}

function isForm({ question }: Asked): boolean {
  return question.mode === "form";
}
