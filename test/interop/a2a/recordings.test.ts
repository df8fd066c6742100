/** Records what an agent on the official SDK and the relay say to each other, for `docs/protocols`. */
import { TaskState } from "@a2a-js/sdk";
import { ClientFactory } from "@a2a-js/sdk/client";
import { expect, test } from "vitest";
import { readAnswers, writeWithdrawn } from "../../../src/a2a/translate.ts";
import { isObject } from "../../../src/protocol/json.ts";
import { CONTENT, FORM, PAGE, SERVICE } from "../recorded/questions.ts";
import { createRecorder, keyOf } from "../recorded/recorder.ts";
import type { Gap, Row, WireMessage } from "../recorded/recording.ts";
import { createWireTap } from "../recorded/wire-tap.ts";
import { type Script, serveAgent } from "./agents.ts";
import { BOOK, chatWith } from "./chat.ts";

const VARIANTS = ["with the extension", "text only"] as const;
const OUTCOMES = ["accepted", "declined", "cancelled", "expired", "withdrawn"] as const;
const COUNTERPART = "@a2a-js/sdk 1.3.0";

const GAPS: readonly Gap[] = [
  ...["form", "url"].map((mode) => ({
    mode,
    outcome: "failed",
    variants: VARIANTS,
    why: "An agent cannot report a failed question. If the task fails, the card is withdrawn.",
  })),
  ...OUTCOMES.map((outcome) => ({
    mode: "url",
    outcome,
    variants: ["text only"],
    why: "Without the extension there is no page. The person sees the agent's words, without links.",
  })),
];

const recorder = createRecorder("a2a", {
  title: "A2A: agents that ask",
  about:
    "An A2A agent asks while it works on a task. The runtime is its client, asks the person in the chat, and answers on the task. One column for agents with [the extension](../a2a-extension.md), one for agents without it. JSON-RPC with streams; reads of the task that bring no news are left out.",
  guide: "../a2a.md#a2a-agents-that-ask",
  variants: VARIANTS,
  textVariants: ["text only"],
  gaps: GAPS,
});

interface Cell extends Row {
  variant: (typeof VARIANTS)[number];
  mode: "form" | "url";
}

const CELLS: readonly Cell[] = [
  ...VARIANTS.flatMap((variant) => OUTCOMES.map((outcome): Cell => ({ variant, mode: "form", outcome }))),
  ...OUTCOMES.map((outcome): Cell => ({ variant: "with the extension", mode: "url", outcome })),
];

interface Controls {
  taskId: string;
  /** The page is finished, or the agent withdraws its question. */
  goOn(): void;
}

function agentOf({ variant, mode, outcome }: Cell, controls: Controls): Script {
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

/** What was sent, what came of it, and the reads of the task that brought its end. Ids are numbered in this order. */
function shown(wire: readonly WireMessage[]): readonly WireMessage[] {
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

test.each(CELLS.map((cell) => [keyOf(cell), cell] as const))(
  "%s: the wire and the card are as docs/protocols shows them",
  async (_, cell) => {
    const { variant, mode, outcome } = cell;
    const controls: Controls = { taskId: "", goOn() {} };
    const agent = await serveAgent(agentOf(cell, controls), { extension: variant === "with the extension" });
    const tap = createWireTap("client", "agent");
    const chat = chatWith(agent.url, BOOK, {
      fetch: tap.fetch,
      service: SERVICE,
      ...(outcome === "expired" && { expiresInMs: 200 }),
    });
    const stream = await chat.send();
    const { elicitationId } = await stream.request();
    if (outcome === "accepted" && variant === "text only")
      await chat.answer(stream, "accept", { answer: "A quiet one" });
    else if (outcome === "accepted")
      await chat.answer(stream, "accept", mode === "form" ? CONTENT : undefined);
    if (outcome === "declined") await chat.answer(stream, "decline");
    if (outcome === "cancelled") await chat.answer(stream, "cancel");
    if (outcome === "withdrawn" && mode === "form") {
      const other = await new ClientFactory().createFromUrl(agent.url);
      await other.cancelTask({ tenant: "", id: controls.taskId, metadata: undefined });
    }
    controls.goOn();
    await stream.done;
    const request = stream.chunks.findLast(({ id }) => id === elicitationId)?.["data"];
    expect(request).toMatchObject({ mode, resolution: { outcome } });
    recorder.check({ ...cell, counterpart: COUNTERPART, wire: shown(tap.wire), request });
  },
);

test("docs/protocols has these exchanges, and no other", () => {
  if (recorder.kept.length > 0) expect(recorder.kept.toSorted()).toEqual(CELLS.map(keyOf).toSorted());
  expect(recorder.frame).toEqual({ ...recorder.frame, gaps: GAPS, variants: VARIANTS });
});
