/** Records the messages between Slack and an app with our surface, for `docs/evidence/recorded`. */
import { type Question, createRuntime } from "elicit-kit/runtime";
import { createSlackSurface } from "elicit-kit/slack";
import { elicitation } from "elicit-kit/slack/bolt";
import type { FakeCall } from "../../../extras/slack/testing/state.ts";
import { expect, test } from "vitest";
import { isObject } from "../../../src/contract/json.ts";
import { CONTENT, FORM, PAGE, SERVICE } from "../recorded/questions.ts";
import { createRecorder, keyOf } from "../recorded/recorder.ts";
import type { Gap, Row, WireMessage } from "../recorded/recording.ts";
import { withBolt } from "./served.ts";
import { noErrors } from "../../stages/no-errors.ts";

const VARIANT = "Slack";
const OUTCOMES = ["accepted", "declined", "cancelled", "expired", "withdrawn", "failed"] as const;
const GAPS: readonly Gap[] = [
  {
    mode: "form",
    outcome: "failed",
    variants: [VARIANT],
    why: "A form ends with its answer: nothing comes after it that could fail.",
  },
];

const recorder = createRecorder("slack", {
  title: "Slack: our agent asks in a thread",
  about:
    "A user mentions the app, and the agent of a runtime asks in the thread. The requests of Slack are checked and acknowledged by Bolt. Slack itself is [the kit's fake](../testing/slack.md), which refuses what Slack refuses. Events of typing, reads, and members that the app does not use are left out.",
  guide: "../protocols/slack.md",
  variants: [VARIANT],
  gaps: GAPS,
});

interface Cell extends Row {
  outcome: (typeof OUTCOMES)[number];
  variant: string;
}

const CELLS = ["form", "url"]
  .flatMap((mode) => OUTCOMES.map((outcome): Cell => ({ variant: VARIANT, mode, outcome })))
  .filter(({ mode, outcome }) => !GAPS.some((gap) => gap.mode === mode && gap.outcome === outcome));

/** The members of Slack's payloads that describe a question. */
const TOLD = new Set(
  "type event user team team_id channel container actions view text ts thread_ts id message_ts action_id value callback_id private_metadata state values elicit_kit:field selected_option".split(
    " ",
  ),
);

function told(value: unknown, isField = false): unknown {
  if (Array.isArray(value)) return value.map((one) => told(one));
  if (!isObject(value)) return value;
  const kept = Object.entries(value).filter(([name]) => isField || TOLD.has(name));
  return Object.fromEntries(kept.map(([name, one]) => [name, told(one, name === "values")]));
}

/** Numbers Slack's times, and the times that Slack shows, by their first appearance. */
function withoutTimes(wire: readonly WireMessage[]): WireMessage[] {
  const names = new Map<string, string>();
  const text = JSON.stringify(wire)
    .replaceAll(/\b\d{10}\.\d{6}\b/g, (ts) => {
      const name = names.get(ts) ?? `1798804800.00000${names.size + 1}`;
      names.set(ts, name);
      return name;
    })
    .replaceAll(/<!date\^\d+\^([^|]+)\|[^>]+>/g, "<!date^1798804800^$1|2027-01-01 12:00 UTC>");
  return JSON.parse(text);
}

test.each(CELLS.map((cell) => [keyOf(cell), cell] as const))(
  "the messages and the card are the same as in docs/evidence/recorded: %s",
  async (_, { mode, outcome, variant }) => {
    const tool = { id: "book", name: "book" };
    const asked = { tool, requester: { name: SERVICE } };
    const question: Question =
      mode === "form" ? { mode, ...FORM, ...asked } : { mode: "url", ...PAGE, ...asked };
    const wire: WireMessage[] = [];
    const ids: string[] = [];
    let isFinished = false;
    const runtime = createRuntime({
      async *runTurn(turn) {
        ids.push(turn.id);
        yield { type: "start" };
        await turn.ask(question);
      },
      authenticate: () => undefined,
      allowedOrigins: [],
      hostedPage: { origin: "https://auth.example.com" },
      isCompleted: () => isFinished,
      onError: noErrors(),
      ...(outcome === "expired" && { timeToAnswer: { expiresInMs: 800 } }),
    });
    const { slack, ada, ops } = await withBolt(
      (app, fake) => {
        const surface = createSlackSurface({
          runtime,
          signingSecret: fake.signingSecret,
          token: fake.token,
          userOf: ({ user }) => ({ id: user }),
          async fetch(url, init) {
            const response = await fake.fetch(url, init);
            const { method, args } = fake.calls.at(-1) as FakeCall;
            if (/^(?:chat|views)\./.test(method)) wire.push({ from: "app", message: { [method]: args } });
            return response;
          },
          onError: noErrors(),
        });
        app.use(elicitation(surface));
      },
      {
        async see(sent) {
          const body = await sent.text();
          const payload: unknown = JSON.parse(new URLSearchParams(body).get("payload") ?? body);
          const isTyping = body.includes("block_actions") && body.includes(encodeURIComponent('"field:'));
          if (!isTyping) wire.push({ from: "Slack", message: told(payload) });
        },
      },
    );

    const { ts: thread } = await ada.say(ops, `${slack.mention} book a table`);
    const shown = () => slack.messages(ops, thread)[1];
    await expect.poll(shown).toBeDefined();
    const message = shown()!;
    const [id = ""] = ids;
    const [record] = await runtime.elicitations.listOpen(`slack:T0ACME:${ops.id}:${thread}`, ada.id);
    const elicitationId = record?.request.elicitationId ?? "";
    const steps: Record<(typeof OUTCOMES)[number], () => Promise<unknown>> = {
      async accepted() {
        if (mode === "url") {
          await ada.press(message, "Open page");
          await expect.poll(() => JSON.stringify(message.blocks)).toContain("I’ve finished");
          isFinished = true;
          return ada.press(message, "I’ve finished");
        }
        await ada.press(message, "Answer…");
        await expect.poll(() => ada.view()).toBeDefined();
        const { name, seats, area } = CONTENT;
        return ada.submit({ Name: name, Seats: seats, Area: area, "A quiet table": "Yes" });
      },
      declined: () => ada.press(message, "Decline"),
      cancelled: () => ada.press(message, "Not now"),
      expired: () => Promise.resolve(),
      withdrawn: () => ada.stop(ops, thread),
      failed: () =>
        runtime.elicitations
          .complete(elicitationId, () => Promise.reject(new Error("The store is full.")))
          .catch(() => undefined),
    };
    await steps[outcome]();
    await expect.poll(() => message.updates).toBeGreaterThan(0);
    await expect.poll(async () => (await runtime.elicitations.get(elicitationId))?.status).toBe(outcome);
    const ended = withoutTimes(wire).map((one) => JSON.stringify(one).replaceAll(id, "turn-1"));
    recorder.check({
      variant,
      mode,
      outcome,
      counterpart: "@slack/bolt 5.1.0",
      wire: ended.map((one): WireMessage => JSON.parse(one)),
      request: { ...record?.request, resolution: { outcome, at: new Date().toISOString() } },
    });
    expect(slack.failures).toEqual([]);
  },
);

recorder.hasOnly(CELLS);
