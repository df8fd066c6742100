import type { Message } from "@a2a-js/sdk";
import { reviewOf } from "../../../src/contract/review.ts";
import { A2AError, UnsupportedOperationError } from "@a2a-js/sdk/errors";
import type { ElicitationResponse } from "../../../src/contract/contract.ts";
import { derivedId } from "../../../src/base/ids.ts";
import { eventOf, take, takeUnreadable } from "../../../src/runtime/internal.ts";
import { readAnswers } from "../../../src/a2a/wire/translate.ts";
import { type OpenTask, askedOf } from "./open-task.ts";
import { textOfParts } from "../../../src/a2a/wire/task-view.ts";
import type { Asked } from "./waiting.ts";
import { readWords } from "./words.ts";

/** Handles a message on a task as the answer to the task's questions. */
export async function takeMessage(task: OpenTask, message: Message): Promise<void> {
  const asked = await askedOf(task);
  const answers = readAnswers(message);
  const answerId = await answerIdOf(message);
  if (answers === undefined) {
    // After reading what is open: the next question opens after the answer was stored. Also if nothing is open: the
    // message may have ended the last question.
    if (await hasTaken(task, message)) return;
    return takeWords(task, asked, { text: textOfParts(message.parts), answerId });
  }
  if (!answers.ok) {
    for (const { request } of asked.filter(isForm)) await takeUnreadable(task.turn, request.elicitationId);
    return;
  }
  for (const answer of answers.value) {
    // Only answers to open questions count. Any other answer is late or invented.
    const found = asked.find(({ question }) => question.elicitationId === answer.elicitationId);
    if (found !== undefined) await takeAnswer(task, found, { ...answer, answerId });
  }
}

/** Whether a process has stored the message as an answer. Words do not say which question they answer. */
export async function hasTaken({ turn, elicitations }: OpenTask, message: Message): Promise<boolean> {
  const answerId = await answerIdOf(message);
  const asked = new Set<string>();
  const { signal } = new AbortController();
  for await (const entry of turn.read({ live: false, signal })) {
    const event = eventOf(entry);
    if ("request" in event) asked.add(event.request.elicitationId);
  }
  const records = await Promise.all([...asked].map((id) => elicitations.get(id)));
  return records.some((record) => record?.answerId === answerId);
}

/** Short, however long the client's own id is. */
const answerIdOf = ({ messageId }: Message): Promise<string> => derivedId(messageId);

async function takeWords(
  task: OpenTask,
  asked: readonly Asked[],
  { text, answerId }: { text: string; answerId: string },
): Promise<void> {
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
  await takeAnswer(task, first, { elicitationId: first.question.elicitationId, ...answer, answerId });
}

async function takeAnswer(
  task: OpenTask,
  asked: Asked,
  { action, content, answerId }: ElicitationResponse & { answerId: string },
): Promise<void> {
  // A page cannot be accepted by a message: the user completes it there.
  if (!isForm(asked) && action === "accept") return;
  const { elicitationId } = asked.request;
  const taken = await take(task.turn, { elicitationId, action, content, answerId });
  if (taken.kind === "limited") {
    throw new A2AError(`Too many answers at once. Send it again in ${taken.retryAfter} seconds.`);
  }
}

function isForm({ question }: Asked): boolean {
  return question.mode === "form";
}
