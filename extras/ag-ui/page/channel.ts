/** The channel of a page that runs an AG-UI agent. It turns the interrupts of runs into requests. */
import { type AnswerReceipt, type Channel, ChannelError } from "../../../src/client/channel.ts";
import { type Clock, systemClock } from "../../../src/client/clock.ts";
import { refusalsOf } from "../../../src/client/check-answer.ts";
import { newId } from "../../../src/client/new-id.ts";
import { type OpenQuestion, createOpenQuestions } from "../../../src/client/open-questions.ts";
import {
  type ElicitationAnswer,
  type ElicitationOutcome,
  type ElicitationRequest,
  outcomeOfAction,
} from "../../../src/contract/contract.ts";
import { isObject } from "../../../src/contract/json.ts";
import { type AgUiAgent, type AgUiRunParameters, watchRuns } from "./watch-runs.ts";
import { type InterruptStorage, type PendingInterrupts, createInterruptStore } from "./interrupt-store.ts";
import { type AgUiQuestion, METADATA_KEY, readInterrupt, writeResumeEntry } from "../wire/translate.ts";
import { writeLegacyResume } from "../wire/legacy.ts";
import { isAskedAgain } from "./asked-again.ts";

/** The options of {@link createAgUiChannel}. */
export interface AgUiChannelOptions {
  /** The agent of one thread: an `HttpAgent`, or any `AbstractAgent` of `@ag-ui/client` 1.0 or 0.0.59. */
  agent: AgUiAgent;
  /** Your name for the agent. Cards show it as the requester. */
  agentName: string;
  /**
   * The thread of this channel. If the agent changes threads, create a channel for each thread.
   * @default agent.threadId
   */
  threadId?: string | undefined;
  /**
   * Starts a run with these parameters. Set it if your app starts runs in its own way, for example with tools or context.
   * @default (parameters) => agent.runAgent(parameters)
   */
  run?: ((parameters: AgUiRunParameters) => Promise<unknown>) | undefined;
  /**
   * Keeps open interrupts, so that a reloaded page shows them. `null`: they are not kept.
   * @default the tab's session storage
   */
  storage?: InterruptStorage | null | undefined;
  /** @default the clock of this machine */
  clock?: Clock | undefined;
}

/** The channel of an AG-UI thread. `conversationId` of its requests is the `threadId`. */
export interface AgUiChannel extends Channel {
  /**
   * Gets the open interrupts and lost messages of a thread. Call it when the page does not have the last state of the
   * thread. It works only with agents that use this kit: other agents would start a new run.
   */
  recover(): Promise<void>;
}

interface ThreadQuestion extends AgUiQuestion, OpenQuestion {
  answer?: Pick<ElicitationAnswer, "action" | "content"> | undefined;
  /** Whether the run with the answer has begun. */
  isSent: boolean;
  /** The calls of `answer` that wait for their receipt. */
  waiter?: { resolve: (receipt: AnswerReceipt) => void; reject: (error: unknown) => void } | undefined;
  stopTimer?: (() => void) | undefined;
}

/**
 * Creates a channel for the interrupts of an AG-UI agent.
 *
 * All open interrupts form one round. Their answers are sent together as `resume` of one new run, with exactly one entry
 * for each interrupt. Expired interrupts are cancelled. If that run fails, the questions are open again. A decline is
 * `cancelled` with `metadata["elicit-kit"].action`. LangGraph's older `on_interrupt` is read and answered as well.
 *
 * @example
 * const agent = new HttpAgent({ url: "/agent", threadId });
 * const client = createElicitationClient({ channel: createAgUiChannel({ agent, agentName: "Planner" }) });
 */
export function createAgUiChannel(options: AgUiChannelOptions): AgUiChannel {
  const { agent, agentName, clock = systemClock } = options;
  const { threadId = agent.threadId } = options;
  const run = options.run ?? ((parameters: AgUiRunParameters) => agent.runAgent(parameters));
  const store = createInterruptStore(options.storage, threadId);
  const shown = createOpenQuestions<ThreadQuestion>(clock);
  const { open } = shown;
  let isLegacy = false;
  /** Called with the result of the run that carries the answers. Absent while there is no such run. */
  let endRun: ((failure?: ChannelError) => void) | undefined;

  function end(question: ThreadQuestion, outcome: ElicitationOutcome): void {
    shown.tellEnd(question, outcome);
    question.waiter?.resolve({ elicitationId: question.request.elicitationId, kind: "gone" });
  }

  function isExpired({ request }: AgUiQuestion): boolean {
    return request.expiresAt !== undefined && Date.parse(request.expiresAt) <= clock.now();
  }

  function remove(question: ThreadQuestion): void {
    question.stopTimer?.();
    open.delete(question.request.elicitationId);
  }

  /** Called when the agent has taken the answer. */
  function settle(question: ThreadQuestion): void {
    remove(question);
    const { request, answer, waiter } = question;
    if (answer === undefined) return;
    const { elicitationId } = request;
    const outcome = outcomeOfAction[answer.action];
    if (waiter === undefined) shown.tellEnd(question, outcome);
    else waiter.resolve({ elicitationId, kind: "settled", outcome });
  }

  /** Replaces the open interrupts with those that a run has ended with. */
  function take(pending: PendingInterrupts): void {
    ({ isLegacy } = pending);
    store.write(pending);
    const before = [...open.values()];
    const questions = pending.interrupts.map((interrupt) => {
      const question = readInterrupt(interrupt, newId(), agentName);
      return { question, known: before.find((one) => isAskedAgain(one, question)) };
    });
    for (const question of before) {
      if (questions.some(({ known }) => known === question)) continue;
      // After a cancelled run, the agent may not have read the answers.
      if (question.isSent && !pending.isCancelled) settle(question);
      else {
        remove(question);
        end(question, "withdrawn");
      }
    }
    const size = questions.filter(({ question }) => !isOnPage(question)).length;
    const inRound = size > 1 ? { round: { id: newId(), size } } : {};
    for (const { question, known } of questions) {
      const elicitationId = known?.request.elicitationId ?? question.request.elicitationId;
      if (known !== undefined) remove(known);
      const request = { ...question.request, ...(!isOnPage(question) && inRound), elicitationId };
      const answer = firstAnswer(question);
      const asked: ThreadQuestion = { ...question, conversationId: threadId, isSent: false, request, answer };
      shown.show(asked);
      expireLater(asked);
      known?.waiter?.resolve(stillOpen(elicitationId, question.request));
    }
  }

  /** Ends the question at its time. A timer may fire a little too early. */
  function expireLater(question: ThreadQuestion): void {
    const { expiresAt } = question.request;
    if (expiresAt === undefined) return;
    question.stopTimer = clock.after(Math.max(0, Date.parse(expiresAt) - clock.now()), () => {
      if (question.isSent) return;
      if (!isExpired(question)) return expireLater(question);
      question.answer = undefined;
      end(question, "expired");
      sendIfReady();
    });
  }

  const isReady = () =>
    [...open.values()].every((question) => question.answer !== undefined || isExpired(question));

  /** Starts the run with the answers, once each question has an answer or has expired. */
  function sendIfReady(): void {
    if (open.size > 0 && isReady() && endRun === undefined) send([...open.values()]);
  }

  function send(questions: readonly ThreadQuestion[]): void {
    for (const question of questions) question.isSent = true;
    // Version 0.0.59 starts no run while an interrupt is expired, not even a run that cancels it.
    const expired = new Set(questions.filter(isExpired).map(({ interrupt }) => interrupt.id));
    agent.pendingInterrupts = agent.pendingInterrupts.filter(({ id }) => !expired.has(id));
    endRun = (failure) => {
      endRun = undefined;
      if (failure === undefined) return;
      // Restores the last state, so that the thread can be resumed again.
      const left = questions.filter(({ request }) => open.has(request.elicitationId));
      if (!isLegacy) agent.pendingInterrupts = left.map(({ interrupt }) => interrupt);
      for (const question of left) {
        question.isSent = false;
        question.answer = firstAnswer(question);
        question.waiter?.reject(failure);
        question.waiter = undefined;
      }
    };
    const parameters = isLegacy ? writeLegacyResume(questions) : { resume: questions.map(writeResumeEntry) };
    run(parameters).then(
      () => endRun?.(failureOf({ error: undefined, hasStarted: true })),
      (error: unknown) => endRun?.(failureOf({ error, hasStarted: false })),
    );
  }

  watchRuns(agent, threadId, {
    onProgress() {
      if (endRun === undefined) return;
      // The run may last for minutes, so do not wait for its end. A page waits, because it may be reported again.
      for (const question of open.values()) {
        if (question.isSent && question.request.mode === "form") settle(question);
      }
    },
    onResolved({ key, outcome }) {
      for (const question of open.values()) {
        if (question.key !== key || question.request.mode !== "url") continue;
        if (question.isSent && outcome === "accepted") settle(question);
        else {
          remove(question);
          end(question, outcome);
        }
      }
    },
    onFinished(pending) {
      endRun?.();
      take(pending);
    },
    onFailed: (failure) => endRun?.(failureOf(failure)),
  });
  const kept = agent.pendingInterrupts.length > 0 ? undefined : store.read();
  if (kept?.isLegacy === false) agent.pendingInterrupts = [...kept.interrupts];
  const last = kept ?? { interrupts: [...agent.pendingInterrupts], isLegacy: false };
  if (last.interrupts.length > 0) take(last);

  async function respond(answers: readonly ElicitationAnswer[]): Promise<readonly AnswerReceipt[]> {
    const refusals = await refusalsOf(answers, (id) => open.get(id)?.request);
    return refusals ?? Promise.all(answers.map(respondOne));
  }

  async function respondOne({ elicitationId, action, content }: ElicitationAnswer): Promise<AnswerReceipt> {
    const question = open.get(elicitationId);
    if (question === undefined || question.isSent) return { elicitationId, kind: "gone" };
    if (action === "accept" && isOnPage(question) && !isReady()) return { elicitationId, kind: "consented" };
    return new Promise((resolve, reject) => {
      question.answer = { action, content };
      question.waiter = { resolve, reject };
      sendIfReady();
    });
  }

  return {
    ...shown.channel,
    async respond(answers, { signal }) {
      const aborted = new Promise<never>((_, reject) => {
        signal.addEventListener("abort", () => reject(signal.reason));
      });
      return Promise.race([respond(answers), aborted]);
    },
    async recover() {
      // This run resumes nothing: the agent reports the open interrupts again.
      agent.pendingInterrupts = [];
      await run({ forwardedProps: { [METADATA_KEY]: { recover: true } } });
    },
  };
}

/** An interrupt that is reported again: the user agreed to open its page and has not finished there. */
function stillOpen(elicitationId: string, request: ElicitationRequest): AnswerReceipt {
  if (isOnPage({ request })) return { elicitationId, kind: "consented" };
  return { elicitationId, kind: "pending", lastError: request.progress?.lastError };
}

/** Whether the user has agreed to open the page of a question. No other question waits for it. */
function isOnPage({ request: { progress } }: Pick<AgUiQuestion, "request">): boolean {
  return progress !== undefined && progress.status !== "pending";
}

/** A run answers each interrupt, so it repeats the consent to a page that is open. */
function firstAnswer(question: AgUiQuestion): ThreadQuestion["answer"] {
  return isOnPage(question) ? { action: "accept", content: undefined } : undefined;
}

/** A run that has not started can be retried. A run that has started may have had effects, so the user decides. */
function failureOf({ error, hasStarted }: { error: unknown; hasStarted: boolean }): ChannelError {
  const status = isObject(error) ? error["status"] : undefined;
  const isRefused = typeof status === "number" && status < 500 && status !== 429;
  return new ChannelError("the run with the answers failed, see `cause`", {
    retryable: !hasStarted && !isRefused,
    cause: error,
  });
}
