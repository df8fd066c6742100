/** Records the messages between a client on the official SDK and our agent, for `docs/evidence/recorded`. */
import { TaskState } from "@a2a-js/sdk";
import type { Question } from "elicit-kit/runtime";
import { systemClock } from "../../../src/base/clock.ts";
import { expect, test } from "vitest";
import { writeAnswers } from "../../../src/a2a/wire/translate.ts";
import { isObject } from "../../../src/contract/json.ts";
import { sleep } from "../../../src/base/deadlines.ts";
import { text } from "../../stages/test-runtime.ts";
import { CONTENT, FORM, PAGE, SERVICE } from "../recorded/questions.ts";
import { createRecorder, keyOf } from "../recorded/recorder.ts";
import type { Gap, Row, WireMessage } from "../recorded/recording.ts";
import { createWireTap } from "../recorded/wire-tap.ts";
import { type Caller, caller, serve, stateOf } from "./served.ts";

const VARIANTS = ["with the extension", "text only"] as const;
const OUTCOMES = ["accepted", "declined", "cancelled", "expired", "withdrawn"] as const;
const IN_TEXT = ["accepted", "expired", "withdrawn"] as const;
const GAPS: readonly Gap[] = [
  ...["form", "url"].map((mode) => ({
    mode,
    outcome: "failed",
    variants: VARIANTS,
    why: "A client cannot report a failed question.",
  })),
  ...["form", "url"].flatMap((mode) =>
    ["declined", "cancelled"].map((outcome) => ({
      mode,
      outcome,
      variants: ["text only"],
      why: "Without the extension a client can only cancel the task, which withdraws the question.",
    })),
  ),
];

const recorder = createRecorder("a2a-server", {
  title: "A2A: our agent asks clients",
  about:
    "An A2A client sends a message to our agent. It streams the task, which asks. A form ends the stream, and the answer is another message; a page is done where it is, and the stream stays open. The card shows the question as the runtime keeps it; the client draws its own. One column for clients with [the extension](../reference/a2a-extension.md), one for clients without it.",
  guide: "../protocols/a2a.md#your-agent-behind-a2a",
  variants: VARIANTS,
  gaps: GAPS,
});

interface Cell extends Row {
  variant: (typeof VARIANTS)[number];
  mode: "form" | "url";
}

const CELLS: readonly Cell[] = (["form", "url"] as const).flatMap((mode) => [
  ...OUTCOMES.map((outcome): Cell => ({ variant: "with the extension", mode, outcome })),
  ...IN_TEXT.map((outcome): Cell => ({ variant: "text only", mode, outcome })),
]);

const ID = "question-1";

function serveBistro({ mode, outcome }: Cell) {
  const asks = { elicitationId: ID, tool: { id: "book", name: "book" }, requester: { name: SERVICE } };
  const question: Question = mode === "form" ? { mode, ...FORM, ...asks } : { mode: "url", ...PAGE, ...asks };
  return serve(
    async function* run(turn) {
      // The client reads each state of the task, however fast it is.
      await sleep(systemClock, 50);
      const { outcome: ended } = await turn.ask(question);
      await sleep(systemClock, 50);
      yield* text(`The question was ${ended}.`);
    },
    outcome === "expired" ? { timeToAnswer: { expiresInMs: 800 } } : {},
  );
}

/** The client's reply to a question. `undefined`: it sends nothing. */
function answerOf({ variant, mode, outcome }: Cell) {
  if (outcome === "expired" || outcome === "withdrawn") return undefined;
  const isAccepted = outcome === "accepted";
  if (isAccepted && mode === "url") return undefined;
  if (variant === "text only") return { said: JSON.stringify(CONTENT) };
  const action = isAccepted ? "accept" : outcome === "declined" ? "decline" : "cancel";
  const { text: said, ...more } = writeAnswers([
    { elicitationId: ID, action, ...(isAccepted && { content: CONTENT }) },
  ]);
  return { said, ...more };
}

/** Follows a stream to its end. Returns the task's id. */
async function follow(ada: Caller, cell: Cell, onPage: (taskId: string) => Promise<void>): Promise<string> {
  let taskId = "";
  for await (const { payload } of ada.stream("Book a table", { messageId: "m-1", contextId: "c-1" })) {
    if (payload?.$case === "task") taskId = payload.value.id;
    const isAsked =
      payload?.$case === "statusUpdate" && stateOf(payload.value) === TaskState.TASK_STATE_AUTH_REQUIRED;
    if (isAsked && cell.outcome !== "expired") await onPage(taskId);
  }
  return taskId;
}

/** The calls of the client are numbered in their order. */
function shown(wire: readonly WireMessage[]): readonly WireMessage[] {
  const ids: unknown[] = [];
  return wire.map(({ from, message }) => {
    if (!isObject(message) || !("id" in message)) return { from, message };
    if (!ids.includes(message["id"])) ids.push(message["id"]);
    return { from, message: { ...message, id: ids.indexOf(message["id"]) + 1 } };
  });
}

test.each(CELLS.map((cell) => [keyOf(cell), cell] as const))(
  "the messages and the question are the same as in docs/evidence/recorded: %s",
  async (_, cell) => {
    const { mode, outcome } = cell;
    const served = serveBistro(cell);
    const tap = createWireTap("client", "agent", served.fetch);
    const ada = await caller(tap, { extension: cell.variant === "with the extension" });
    tap.wire.length = 0;
    const { elicitations } = served.runtime;
    const cancel = (id: string) =>
      ada.client.cancelTask({ tenant: "", id, metadata: undefined }, ada.options);
    const reply = answerOf(cell);
    const answer = async (taskId: string) => {
      if (outcome === "withdrawn") await cancel(taskId);
      else if (reply === undefined) await elicitations.complete(ID);
      else {
        const { said, ...more } = reply;
        await ada.send(
          said,
          { messageId: "m-2", taskId, contextId: "c-1", ...more },
          { returnImmediately: true },
        );
      }
    };
    const taskId = await follow(ada, cell, answer);
    if (mode === "form" && outcome !== "expired") await answer(taskId);
    const statusOf = async () => (await elicitations.get(ID))?.status;
    await expect.poll(statusOf).toBe(outcome);
    if (mode === "form") {
      const hasEnded = async () => {
        const events = served.runtime.surface("a2a").find({ id: "ada" }, { turnId: taskId });
        return (await events)?.ended;
      };
      await expect.poll(hasEnded).toBe(true);
      await ada.get(taskId);
    }
    const record = await elicitations.get(ID);
    recorder.check({
      ...cell,
      counterpart: "@a2a-js/sdk 1.3.0",
      wire: shown(tap.wire),
      request: { ...record?.request, resolution: { outcome, at: new Date().toISOString() } },
    });
  },
);

recorder.hasOnly(CELLS);
