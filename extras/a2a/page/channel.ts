/** The channel of an A2A client in a page or an app. It turns the agent's questions into requests. */
import type { Client } from "@a2a-js/sdk/client";
import type { AnswerReceipt, Channel } from "../../../src/client/channel.ts";
import { refusalsOf } from "../../../src/client/check-answer.ts";
import { type Clock, systemClock } from "../../../src/client/clock.ts";
import { newId } from "../../../src/client/new-id.ts";
import { createOpenQuestions } from "../../../src/client/open-questions.ts";
import { claimedNameOf } from "../../../src/contract/claimed-name.ts";
import type { ElicitationAnswer } from "../../../src/contract/contract.ts";
import { type AskedTask, type TaskQuestion, createAskedTask } from "./asked-task.ts";
import {
  messageWith,
  type TaskView,
  hasEnded,
  resultText,
  textOfParts,
} from "../../../src/a2a/wire/task-view.ts";
import { type A2aTaskState, ELICITATION_EXTENSION, writeModes } from "../../../src/a2a/wire/translate.ts";

/** The options of {@link createA2aChannel}. */
export interface A2aChannelOptions {
  /** A client of `@a2a-js/sdk/client`, made by its `ClientFactory`. */
  client: Client;
  /** Your name for the agent. Cards show it as the requester. */
  agentName: string;
  /** Called at each change of a task, for example to show the agent's text while it works. */
  onUpdate?: ((task: A2aTask) => void) | undefined;
  /** `conversationId` of the requests. @default "a2a" */
  conversationId?: string | undefined;
  /** @default the clock of this machine */
  clock?: Clock | undefined;
}

/** The current state of a task of the agent. */
export interface A2aTask {
  /** Absent if the agent replied without a task. */
  readonly taskId: string | undefined;
  readonly contextId: string | undefined;
  readonly state: A2aTaskState;
  /** The agent's text. After the end of the task: its artifacts, or else its last message. */
  readonly text: string;
}

/** The channel of an A2A agent. */
export interface A2aChannel extends Channel {
  /**
   * Sends a message, which starts a task in the same conversation with the agent. Resolves with the task when it has
   * ended, in any final state. Aborting `signal` cancels the task.
   */
  send(text: string, options?: { signal?: AbortSignal | undefined }): Promise<A2aTask>;
  /** Follows a task that was started earlier, for example before this page was reloaded. Resolves as `send` does. */
  follow(taskId: string, options?: { signal?: AbortSignal | undefined }): Promise<A2aTask>;
}

/** No time limit, because the agent is silent while a user thinks. */
const FOREVER = new AbortController().signal;

/**
 * Creates a channel for the tasks of an A2A agent with protocol 1.0 or (with the SDK's `legacyCompat`) 0.3.
 *
 * With the elicitation extension (docs/reference/a2a-extension.md) an agent asks with forms and pages. Without it, the
 * card shows the agent's text and one text field, or no field if the agent waits for an authorization. Accepting a page
 * is consent: nothing is sent, and the card ends when the task continues. Answers are messages on the task. Where the
 * protocol has no message for a decline or cancel, the channel cancels the task.
 *
 * @example
 * const client = await new ClientFactory().createFromUrl("https://travel.example.com");
 * const channel = createA2aChannel({ client, agentName: "Contoso Travel" });
 * const elicitations = createElicitationClient({ channel });
 * const { text } = await channel.send("Book a trip to Rome");
 */
export function createA2aChannel(options: A2aChannelOptions): A2aChannel {
  const { client, agentName, onUpdate, conversationId = "a2a", clock = systemClock } = options;
  const questions = createOpenQuestions<TaskQuestion>(clock);
  const { open } = questions;
  let contextId: string | undefined;

  /** Runs until the task has ended. */
  async function run(start: (task: AskedTask) => void, signal: AbortSignal): Promise<A2aTask> {
    const { name, capabilities } = await client.getAgentCard();
    const task = createAskedTask({
      client,
      clock,
      signal,
      streaming: capabilities?.streaming === true,
      isExtended: isExtended(capabilities),
      requester: { name: agentName, claimedName: claimedNameOf(name) },
      questions,
      conversationId,
      onView: (view) => onUpdate?.(publicOf(view)),
    });
    try {
      start(task);
      const view = await task.ended();
      contextId = view.contextId ?? contextId;
      return publicOf(view);
    } finally {
      await task.end(signal.aborted);
    }
  }

  async function respond(answers: readonly ElicitationAnswer[]): Promise<readonly AnswerReceipt[]> {
    const refusals = await refusalsOf(answers, (id) => open.get(id)?.request);
    if (refusals !== undefined) return refusals;
    return Promise.all(
      answers.map(async (answer): Promise<AnswerReceipt> => {
        const { elicitationId } = answer;
        return (await open.get(elicitationId)?.send(answer)) ?? { elicitationId, kind: "gone" };
      }),
    );
  }

  return {
    async send(text, { signal = FOREVER } = {}) {
      const { capabilities } = await client.getAgentCard();
      const modes = isExtended(capabilities) ? writeModes({ form: true, url: true }) : {};
      const message = messageWith({ text, messageId: newId(), contextId, ...modes });
      return run((task) => task.send(message), signal);
    },
    follow: (taskId, { signal = FOREVER } = {}) => run((task) => task.follow(taskId), signal),
    ...questions.channel,
    async respond(answers, { signal }) {
      const receipts = await respond(answers);
      signal.throwIfAborted();
      return receipts;
    },
  };
}

function isExtended(capabilities: { extensions?: readonly { uri: string }[] } | undefined): boolean {
  return (capabilities?.extensions ?? []).some(({ uri }) => uri === ELICITATION_EXTENSION);
}

function publicOf(view: TaskView): A2aTask {
  const { taskId, contextId, state, message } = view;
  return { taskId, contextId, state, text: hasEnded(view) ? resultText(view) : textOfParts(message?.parts) };
}
