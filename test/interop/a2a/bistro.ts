/** The agent in the recordings of `docs/evidence/recorded`, for a chat and for a page. */
import { TaskState } from "@a2a-js/sdk";
import { readAnswers, writeWithdrawn } from "../../../src/a2a/wire/translate.ts";
import { isObject } from "../../../src/contract/json.ts";
import { FORM, PAGE } from "../recorded/questions.ts";
import type { Gap, Row, WireMessage } from "../recorded/recording.ts";
import type { Script } from "./agents.ts";

export const VARIANTS = ["with the extension", "text only"] as const;
export const COUNTERPART = "@a2a-js/sdk 1.3.0";

export interface Cell extends Row {
  variant: (typeof VARIANTS)[number];
  mode: "form" | "url";
}

/** The cells of the recorded table. Without the extension an agent cannot ask the user to open a page. */
export function cellsOf(outcomes: readonly string[]): readonly Cell[] {
  return [
    ...VARIANTS.flatMap((variant) => outcomes.map((outcome): Cell => ({ variant, mode: "form", outcome }))),
    ...outcomes.map((outcome): Cell => ({ variant: "with the extension", mode: "url", outcome })),
  ];
}

export function gapsOf(outcomes: readonly string[]): readonly Gap[] {
  return [
    ...["form", "url"].map((mode) => ({
      mode,
      outcome: "failed",
      variants: VARIANTS,
      why: "An agent cannot report a failed question. If the task fails, the card is withdrawn.",
    })),
    ...outcomes.map((outcome) => ({
      mode: "url",
      outcome,
      variants: ["text only"],
      why: "Without the extension there is no page. The user sees the agent's words, without links.",
    })),
  ];
}

export interface Controls {
  taskId: string;
  /** The page is complete, or the agent withdraws its question. */
  goOn(): void;
}

export function agentOf({ variant, mode, outcome }: Cell, controls: Controls): Script {
  return async (task) => {
    if (!task.isNew) {
      const read = readAnswers(task.message);
      const isAccepted = read === undefined || (read.ok && read.value[0]?.action === "accept");
      if (isAccepted) task.artifact("Booked");
      return task.status(isAccepted ? TaskState.TASK_STATE_COMPLETED : TaskState.TASK_STATE_REJECTED);
    }
    controls.taskId = task.taskId;
    if (variant === "text only") return task.status(TaskState.TASK_STATE_INPUT_REQUIRED, FORM.message);
    if (mode === "form") return task.ask([{ elicitationId: "table-1", mode, ...FORM }]);
    task.ask([{ elicitationId: "deposit-1", mode, ...PAGE }]);
    if (outcome !== "accepted" && outcome !== "withdrawn") return;
    await new Promise<void>((resolve) => (controls.goOn = resolve));
    const taken = outcome === "withdrawn" ? writeWithdrawn(["deposit-1"]) : undefined;
    task.status(TaskState.TASK_STATE_WORKING, taken);
    task.artifact("Booked");
    task.status(TaskState.TASK_STATE_COMPLETED);
  };
}

/** The sent messages, their results, and the reads of the task that returned its end. Ids are numbered in this order. */
export function shown(wire: readonly WireMessage[]): readonly WireMessage[] {
  const kept = new Set<unknown>();
  for (const { message } of wire) {
    if (!isObject(message)) continue;
    const method = String(message["method"]);
    if (method === "SendStreamingMessage" || method === "CancelTask") kept.add(message["id"]);
    const result = isObject(message["result"]) ? message["result"] : {};
    const status = isObject(result["status"]) ? result["status"] : {};
    if (status["state"] === "TASK_STATE_CANCELED") kept.add(message["id"]);
  }
  const ids = [...kept];
  const messageIds: string[] = [];
  const renamed = (value: unknown, key = ""): unknown => {
    if (key === "messageId" && typeof value === "string") {
      if (!messageIds.includes(value)) messageIds.push(value);
      return `message-${messageIds.indexOf(value) + 1}`;
    }
    if (Array.isArray(value)) return value.map((item) => renamed(item));
    if (!isObject(value)) return value;
    return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, renamed(item, name)]));
  };
  return wire.flatMap(({ from, message }) => {
    if (!isObject(message) || !kept.has(message["id"])) return [];
    return [{ from, message: renamed({ ...message, id: ids.indexOf(message["id"]) + 1 }) }];
  });
}
