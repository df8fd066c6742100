import { firstCharacters } from "../../../src/contract/visible-text.ts";
import type { Message } from "@a2a-js/sdk";
import { type AnswerReceipt, ChannelError } from "../../../src/client/channel.ts";
import type { Clock } from "../../../src/client/clock.ts";
import { newId } from "../../../src/client/new-id.ts";
import type { OpenQuestion, OpenQuestions } from "../../../src/client/open-questions.ts";
import { canonical } from "../../../src/base/canonical.ts";
import {
  type ElicitationAnswer,
  type ElicitationRequest,
  type ElicitationResponse,
  type RequestedSchema,
  outcomeOfAction,
} from "../../../src/contract/contract.ts";
import { type Deferred, createDeferred } from "../../../src/base/deadlines.ts";
import { type A2aClient, followTask } from "../../../src/a2a/wire/follow-task.ts";
import {
  messageWith,
  type TaskView,
  hasEnded,
  isInterrupted,
  textOfParts,
} from "../../../src/a2a/wire/task-view.ts";
import {
  type A2aExtended,
  type A2aQuestion,
  ELICITATION_EXTENSION,
  readQuestions,
  readWithdrawn,
  writeAnswers,
} from "../../../src/a2a/wire/translate.ts";

export interface AskedTaskOptions {
  client: A2aClient;
  clock: Clock;
  signal: AbortSignal;
  streaming: boolean;
  /** The agent speaks the extension. */
  isExtended: boolean;
  requester: NonNullable<ElicitationRequest["requester"]>;
  /** The questions of all tasks. */
  questions: OpenQuestions<TaskQuestion>;
  conversationId: string;
  onView: (view: TaskView) => void;
}

/** One task of an agent, with its questions for the user of this page. */
export interface AskedTask {
  send(message: Message): void;
  follow(taskId: string): void;
  /** Resolves when the task has ended. Rejects if it cannot be followed any longer. */
  ended(): Promise<TaskView>;
  /** Withdraws open requests. If `isStopped`, also cancels a task that has not ended. */
  end(isStopped: boolean): Promise<void>;
}

/** How the answer to a question is sent to the agent. */
type By =
  /** The answer is sent as that of a form or page of the extension. */
  | { kind: "form" | "page"; agentId: string; asked: string }
  /** The answer is sent as text, or not at all: the agent has only sent a text. */
  | { kind: "words" | "nothing"; agentId?: undefined; asked?: undefined };

export interface TaskQuestion extends OpenQuestion {
  /** The task that asks. */
  readonly task: unknown;
  readonly by: By;
  /** Sends an answer that fits its form. Answers to several forms of one status are sent together. */
  send(answer: ElicitationAnswer): Promise<AnswerReceipt>;
  answer?: ElicitationResponse | undefined;
  /** Whether the message with the answer has been sent. */
  isSent?: boolean;
  isConsented?: boolean;
}

const NO_WORDS = "The agent needs something, and does not say what.";
const MAX_MESSAGE_LENGTH = 8192;

export function createAskedTask(options: AskedTaskOptions): AskedTask {
  const { client, clock, signal, streaming, isExtended, requester, questions, conversationId, onView } =
    options;
  const { open } = questions;
  let shown = "";
  let isOver = false;
  /** Settles with the message that will contain the answers to the open forms. */
  let sending: Deferred<void> | undefined;

  const task = followTask({
    client,
    clock,
    signal,
    streaming,
    serviceParameters: isExtended ? { "A2A-Extensions": ELICITATION_EXTENSION } : {},
    conceal: (value) => value,
    isFinal: () => false,
    onEvent(view) {
      show(view);
      onView(view);
    },
  });

  const own = () => [...open.values()].filter((question) => question.task === task);

  /** Closes requests that the status no longer contains, and opens those that are new in it. */
  function show(view: TaskView): void {
    if (view.statusKey === shown) return;
    shown = view.statusKey;
    const read = isExtended ? readQuestions(view.state, view.message) : undefined;
    const asked = read?.ok === true ? read.value : [];
    endPast(view, asked);
    if (isInterrupted(view)) {
      if (asked.length === 0) void askInWords(view);
      else askAll(asked);
    }
    sendForms();
  }

  function endPast(view: TaskView, asked: readonly A2aQuestion[]): void {
    // An agent may ask another question under an id that it has used.
    const listed = new Set(asked.map((question) => canonical(question)));
    const replaced = asked.map(({ elicitationId }) => elicitationId);
    const withdrawn = new Set([...readWithdrawn(view.message), ...replaced]);
    const hasFailed = hasEnded(view) && view.state !== "completed";
    for (const question of own()) {
      const { by, answer, isSent } = question;
      const isWithdrawn = hasFailed || (by.agentId !== undefined && withdrawn.has(by.agentId));
      const isListed = by.asked !== undefined && listed.has(by.asked);
      if (answer !== undefined && isSent === true) questions.end(question, outcomeOfAction[answer.action]);
      else if (isListed) continue;
      else if (by.kind === "page" || by.kind === "nothing")
        questions.end(question, isWithdrawn ? "withdrawn" : "accepted");
      // A status of "working" alone may be out of date, so a form stays open.
      else if (isWithdrawn || hasEnded(view) || isInterrupted(view)) questions.end(question, "withdrawn");
    }
  }

  function askAll(asked: readonly A2aQuestion[]): void {
    const known = new Set(own().map(({ by }) => by.agentId));
    const fresh = asked.filter(({ elicitationId }) => !known.has(elicitationId));
    const round = fresh.length > 1 ? { round: { id: newId(), size: fresh.length } } : {};
    for (const question of fresh) {
      const { elicitationId: agentId, message } = question;
      const by = { agentId, asked: canonical(question) };
      if (question.mode === "form") {
        const { requestedSchema } = question;
        ask({ kind: "form", ...by }, message, { mode: "form", requestedSchema, ...round });
      } else {
        ask({ kind: "page", ...by }, message, { mode: "url", url: question.url, acceptMeans: "consent" });
      }
    }
  }

  function ask(
    by: By,
    message: string,
    asked:
      | { mode: "form"; requestedSchema: RequestedSchema; round?: ElicitationRequest["round"] }
      | { mode: "url"; url: string; acceptMeans: "consent" },
  ): void {
    const trigger = by.kind === "form" || by.kind === "words" ? "a2a_input_required" : "a2a_auth_required";
    const elicitationId = newId();
    const request: ElicitationRequest = {
      type: "elicitation-request",
      elicitationId,
      message,
      requester,
      context: { trigger },
      ...asked,
    };
    const question: TaskQuestion = {
      conversationId,
      request,
      task,
      by,
      send: (answer) => answerOne(question, answer),
    };
    questions.show(question);
  }

  /**
   * Asks with the agent's text. If the agent wants an authorization, there is no field, because the user would type a
   * credential.
   */
  async function askInWords({ state, statusKey, message }: TaskView): Promise<void> {
    const text = textOfParts(message?.parts).trim();
    const words = text === "" ? NO_WORDS : firstCharacters(text, MAX_MESSAGE_LENGTH);
    if (state === "auth-required") {
      ask({ kind: "nothing" }, words, { mode: "form", requestedSchema: { type: "object", properties: {} } });
      return;
    }
    // Most agents that ask with pages have the extension, so the rest is loaded only when needed.
    const { plainSchema } = await import("../../../src/a2a/wire/plain-question.ts");
    if (shown === statusKey)
      ask({ kind: "words" }, words, { mode: "form", requestedSchema: plainSchema(words) });
  }

  /** Sends a message, and resolves when the task shows that the agent has received it. */
  async function deliver(said: Pick<A2aExtended, "text"> & Partial<A2aExtended>): Promise<void> {
    const { statusKey, taskId, contextId } = task.view();
    task.send(messageWith({ ...said, messageId: newId(), taskId, contextId }));
    try {
      await task.until((now) => now.statusKey !== statusKey);
    } catch (cause) {
      if (taskId !== undefined) task.resume(taskId);
      throw new ChannelError("the agent did not get the answer", { retryable: true, cause });
    }
  }

  async function cancel(): Promise<void> {
    try {
      await task.cancel();
    } catch (cause) {
      throw new ChannelError("the task could not be cancelled", { retryable: true, cause });
    }
  }

  /** Sends the answers that wait as one message, once each open form has one. */
  function sendForms(): void {
    const forms = own().filter(({ by, isSent }) => by.kind === "form" && isSent !== true);
    const answers = forms.flatMap(({ answer }) => answer ?? []);
    const together = sending;
    if (together === undefined || answers.length < forms.length) return;
    sending = undefined;
    // All have been withdrawn.
    if (forms.length === 0) return together.resolve();
    for (const form of forms) form.isSent = true;
    deliver(writeAnswers(answers)).then(together.resolve, (error: unknown) => {
      for (const form of forms) Object.assign(form, { answer: undefined, isSent: false });
      together.reject(error);
    });
  }

  /** Closes the card while its answer is being sent, and opens it again if sending fails. */
  async function closing(question: TaskQuestion, work: () => Promise<void>): Promise<void> {
    const { elicitationId } = question.request;
    open.delete(elicitationId);
    try {
      await work();
    } catch (error) {
      if (!isOver) open.set(elicitationId, question);
      throw error;
    }
  }

  async function answerOne(question: TaskQuestion, given: ElicitationAnswer): Promise<AnswerReceipt> {
    const { by } = question;
    const { elicitationId, action, content } = given;
    const isAccepted = action === "accept";
    if (question.answer !== undefined) return { elicitationId, kind: "gone" };
    if (by.kind === "page" && isAccepted) {
      // Only the task shows when the page is complete.
      const kind = question.isConsented === true ? "pending" : "consented";
      question.isConsented = true;
      task.lookNow();
      return { elicitationId, kind };
    }
    if (by.kind === "form") {
      question.answer = { elicitationId: by.agentId, action, ...(isAccepted && { content }) };
      const together = (sending ??= createDeferred());
      sendForms();
      await together.promise;
    } else if (by.kind === "page") {
      const refusal = writeAnswers([{ elicitationId: by.agentId, action }]);
      await closing(question, () => deliver(refusal));
    } else if (!isAccepted) {
      // The protocol has no message for a refusal, so the task is cancelled.
      await closing(question, cancel);
    } else if (by.kind === "words") {
      await closing(question, () => deliver({ text: Object.values(content ?? {}).join(" ") }));
    } else {
      open.delete(elicitationId);
      task.lookNow();
    }
    return { elicitationId, kind: "settled", outcome: outcomeOfAction[action] };
  }

  return {
    send: (message) => task.send(message),
    follow: (taskId) => task.resume(taskId),
    ended: () => task.until(hasEnded),
    async end(isStopped) {
      isOver = true;
      const { taskId } = task.view();
      if (isStopped && taskId !== undefined) await task.cancel().catch(() => {});
      task.end();
      for (const question of own()) questions.end(question, "withdrawn");
      sendForms();
    },
  };
}
