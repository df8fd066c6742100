/**
 * Relays the questions of an A2A agent during a task. It reads the task as the agent's client, and asks the user through
 * the turn. With the extension (`docs/reference/a2a-extension.md`) an agent asks with forms and pages, without it with
 * text.
 */
import { createCallTime } from "../../base/call-time.ts";
import { claimedNameOf } from "../../contract/claimed-name.ts";
import {
  isTakenOver,
  type ToolRef,
  informationRefusedText,
  pageRefusedText,
} from "../../runtime/internal.ts";
import { newId } from "../../base/ids.ts";
import type { Turn } from "../../runtime/index.ts";
import type { Clock } from "../../base/clock.ts";
import { waitForAuthorization } from "./authorization.ts";
import { createInterrupts, A2aRelayError } from "./interrupts.ts";
import { dialectsFor } from "../wire/dialects.ts";
import { type A2aClient, type FollowedTask, followTask } from "../wire/follow-task.ts";
import { type InputRound, type Reply, askForInput } from "./input.ts";
import { messageWith, type TaskView, hasEnded, isInterrupted, textOfParts } from "../wire/task-view.ts";
import type { Asker } from "./questions.ts";
import { type ApprovalOptions, decideToolCalls } from "./tool-approvals.ts";
import { ELICITATION_EXTENSION, writeModes } from "../wire/translate.ts";

/** The options of {@link createA2aRelay}. */
export interface A2aRelayOptions {
  turn: Pick<Turn, "supports" | "ask" | "askRound"> & ApprovalOptions["turn"];
  /** The operator's id and name for the agent, and the function that decides on its tools. */
  agent: ApprovalOptions["agent"];
  /** The tool's name for the model. */
  toolName: string;
  toolCallId: string;
  clock: Clock;
  /** How long the agent may be silent while no user thinks, in milliseconds. */
  silenceMs: number;
  onError: (error: unknown) => void;
}

/** A call that a relay makes. */
export interface A2aRelayedCall {
  client: A2aClient;
  /** The parts of the agent's card that are used. */
  card: { name: string; streaming: boolean; extensions: readonly string[] };
  /** The message of the model to the agent. */
  text: string;
  /** Continues an earlier conversation of this turn. */
  contextId: string | undefined;
  signal: AbortSignal;
  /** Removes the credential of the call from the agent's texts. */
  conceal: <Value>(value: Value) => Value;
  /** Errors after which the call is repeated with another credential. */
  isRefusal: (error: unknown) => boolean;
  onProgress: (text: string) => void;
}

/** The relay of one call of a tool. */
export interface A2aRelay {
  /**
   * Sends the message and answers what the agent asks, until its task has ended. A second call continues with the same
   * task. `text`: the result for the model if the user refused a question.
   */
  call(call: A2aRelayedCall): Promise<{ task: TaskView } | { text: string }>;
}

/** How long an agent may work on one task while no user thinks. */
const MAX_WORK_MS = 3_600_000;

/** Creates the relay of one call of a tool. */
export function createA2aRelay({
  turn,
  agent,
  toolName,
  toolCallId,
  clock,
  silenceMs,
  onError,
}: A2aRelayOptions): A2aRelay {
  const { supports, runner } = turn;
  const { service } = agent;
  const tool: ToolRef = { id: `a2a/${agent.name}`, name: toolName };
  let salt: string | undefined;
  let taskId: string | undefined;
  /** How often a refused credential has withdrawn requests. Each time, the questions are asked again in new cards. */
  let withdrawals = 0;
  /** The user's answers, by status, so that a repeated call does not ask again. */
  const answered = new Map<string, InputRound>();

  /** Starts the task, or finds the one that this call started earlier. */
  async function begin(task: FollowedTask, message: ReturnType<typeof messageWith>): Promise<void> {
    let hasSent = false;
    while (taskId === undefined) {
      let failure: { error: unknown } | undefined;
      // Recorded, so that a turn that runs again continues its task. A failure is recorded too, and then tried again.
      const started = await runner.step("a2a task", async () => {
        hasSent = true;
        try {
          task.send(message);
          const view = await task.until((now) => now.taskId !== undefined || hasEnded(now));
          return { taskId: view.taskId ?? null };
        } catch (error) {
          failure = { error };
          return { failed: true } as const;
        }
      });
      if (failure !== undefined) throw failure.error;
      if ("failed" in started) continue;
      taskId = started.taskId ?? undefined;
      if (taskId === undefined) break;
    }
    if (hasSent) return;
    if (taskId === undefined) task.send(message);
    else task.resume(taskId);
  }

  return {
    async call({ client, card, text, contextId, signal, conceal, isRefusal, onProgress }) {
      salt ??= await runner.step("a2a message", async () => newId());
      const dialects = dialectsFor(card, supports, agent.approveTool !== undefined);
      const uris = dialects.map(({ uri }) => uri);
      const silence = createCallTime(clock, silenceMs, service);
      const work = createCallTime(clock, MAX_WORK_MS, service);
      const late = AbortSignal.any([silence.late, work.late]);
      const task = followTask({
        client,
        streaming: card.streaming,
        serviceParameters: uris.length === 0 ? {} : { "A2A-Extensions": uris.join(", ") },
        clock,
        signal: AbortSignal.any([signal, late]),
        conceal,
        isFinal: isRefusal,
        onEvent(view) {
          silence.restart();
          const words = isInterrupted(view) || hasEnded(view) ? "" : textOfParts(view.message?.parts);
          if (words !== "") onProgress(words);
        },
      });
      const pause = () => {
        const goOn = [silence.pause(), work.pause()];
        return () => goOn.forEach((end) => end());
      };
      const asker: Asker = { tool, toolCallId, service, claimedName: claimedNameOf(conceal(card.name)) };
      const asking = {
        turn,
        task,
        asker,
        dialects,
        pause,
        signal,
        isRefusal,
        salt: `${salt}/${withdrawals}`,
      };
      const modes = uris.includes(ELICITATION_EXTENSION) ? writeModes(supports) : {};
      const message = messageWith({ text, messageId: salt, contextId, ...modes });

      function send(reply: Reply): void {
        const { taskId: id, contextId: context } = task.view();
        task.send(messageWith({ ...reply, taskId: id, contextId: context }));
      }

      let isAsking = false;

      async function run(): Promise<{ task: TaskView } | { text: string }> {
        await begin(task, message);
        const interrupts = createInterrupts(service);
        let refusal: string | undefined;
        for (;;) {
          const view = await task.until(
            (now) => hasEnded(now) || (isInterrupted(now) && !interrupts.has(now)),
          );
          if (hasEnded(view)) {
            return refusal === undefined || view.state === "completed" ? { task: view } : { text: refusal };
          }
          interrupts.add(view);
          isAsking = true;
          const ended: InputRound =
            answered.get(view.statusKey) ??
            (await decideToolCalls(view, { ...asking, agent, clock, onError })) ??
            (view.state === "input-required"
              ? await askForInput(view, asking)
              : await waitForAuthorization(view, { ...asking, interrupts, send }));
          isAsking = false;
          if (ended.refused !== undefined) {
            const { result, requestedSchema } = ended.refused;
            refusal =
              requestedSchema === undefined
                ? pageRefusedText(result, { tool: toolName, service, purpose: "connect" })
                : informationRefusedText(result, { tool: toolName, requestedSchema });
          }
          if (ended.reply !== undefined) {
            answered.set(view.statusKey, ended);
            send(ended.reply);
          } else if (ended.refused !== undefined && !ended.isTold && refusal !== undefined) {
            return { text: refusal };
          }
        }
      }

      let isResumable = false;
      try {
        return await run();
      } catch (error) {
        if (signal.aborted) throw signal.reason;
        if (late.aborted) throw new A2aRelayError(`${service} did not finish in time.`);
        isResumable = isRefusal(error);
        if (isResumable && isAsking) withdrawals += 1;
        throw error;
      } finally {
        silence.end();
        work.end();
        const view = task.view();
        const isLeft = view.taskId !== undefined && !hasEnded(view) && !isResumable && !isTakenOver(signal);
        // The call no longer waits for the task.
        if (isLeft) await task.cancel().catch(() => {});
        task.end();
      }
    },
  };
}
