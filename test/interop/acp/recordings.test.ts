/** Records the messages between an agent on the SDK and a page with our channel, for `docs/evidence/recorded`. */
import { type AnyMessage, agent } from "@agentclientprotocol/sdk";
import { expect, test } from "vitest";
import { CONTENT, FORM, PAGE, SERVICE } from "../recorded/questions.ts";
import { createRecorder, keyOf } from "../recorded/recorder.ts";
import type { Gap, Row, WireMessage } from "../recorded/recording.ts";
import { begin, createPage } from "./apps.ts";

const V1 = "ACP v1";
const OUTCOMES = ["accepted", "declined", "cancelled", "withdrawn"] as const;
const GAPS: readonly Gap[] = ["form", "url"].flatMap((mode) => [
  {
    mode,
    outcome: "expired",
    variants: [V1],
    why: "ACP has no expiry. An agent that no longer waits cancels its request, which withdraws the card.",
  },
  {
    mode,
    outcome: "failed",
    variants: [V1],
    why: "An agent cannot report a failed question. It cancels its request, which withdraws the card.",
  },
]);

const recorder = createRecorder("acp", {
  title: "ACP: agents ask a page",
  about:
    "An ACP agent asks during a prompt. The page is its client, shows the card, and answers the agent. Only the messages of the question are shown.",
  guide: "../protocols/acp.md#a-page-as-a-client",
  variants: [V1],
  gaps: GAPS,
});

interface Cell extends Row {
  outcome: (typeof OUTCOMES)[number];
  variant: string;
}

const CELLS = ["form", "url"].flatMap((mode) =>
  OUTCOMES.map((outcome): Cell => ({ variant: V1, mode, outcome })),
);

/** Both ends of a connection, with the messages between them. */
function tappedStreams() {
  const wire: WireMessage[] = [];
  const through = (from: string) =>
    new TransformStream<AnyMessage, AnyMessage>({
      transform(message, controller) {
        wire.push({ from, message: JSON.parse(JSON.stringify(message)) });
        controller.enqueue(message);
      },
    });
  const toClient = through("agent");
  const toAgent = through("client");
  return {
    wire,
    client: { readable: toClient.readable, writable: toAgent.writable },
    agent: { readable: toAgent.readable, writable: toClient.writable },
  };
}

/** The messages of the question: the request, its answer, its cancellation and its completion. */
function ofQuestion(wire: readonly WireMessage[]): readonly WireMessage[] {
  const asked = wire.findIndex(({ message }) => JSON.stringify(message).includes("elicitation/create"));
  return wire.slice(asked).filter(({ message }) => !JSON.stringify(message).includes("stopReason"));
}

test.each(CELLS.map((cell) => [keyOf(cell), cell] as const))(
  "the messages and the card are the same as in docs/evidence/recorded: %s",
  async (_, cell) => {
    const { mode, outcome } = cell;
    const page = createPage({ agentName: SERVICE });
    const streams = tappedStreams();
    const cancelled = new AbortController();
    const app = agent({ name: "bistro" })
      .onRequest("initialize", () => ({ protocolVersion: 1, agentCapabilities: {} }))
      .onRequest("session/new", () => ({ sessionId: "session-1" }))
      .onRequest("session/prompt", async ({ client }) => {
        const scope = { sessionId: "session-1", toolCallId: "call-1" };
        const question =
          mode === "form"
            ? { ...scope, mode, ...FORM }
            : { ...scope, mode, elicitationId: "deposit-1", ...PAGE };
        const options = { cancellationSignal: cancelled.signal };
        const result = await client.request("elicitation/create", question, options);
        if (mode === "url" && result.action === "accept") {
          await client.notify("elicitation/complete", { elicitationId: "deposit-1" });
        }
        return { stopReason: "end_turn" };
      });
    app.connect(streams.agent);
    const connection = page.app.connect(streams.client);
    await begin(connection.agent, page.channel.capabilities);
    const turn = connection.agent.request("session/prompt", { sessionId: "session-1", prompt: [] });
    const { id, request } = await page.item();
    if (outcome === "accepted") await page.client.accept(id, mode === "form" ? CONTENT : undefined);
    if (outcome === "declined") await page.client.decline(id);
    if (outcome === "cancelled") await page.client.cancel(id);
    if (outcome === "withdrawn") cancelled.abort();
    await turn;
    await expect.poll(page.statuses).toEqual([outcome]);
    recorder.check({
      ...cell,
      counterpart: "@agentclientprotocol/sdk 2.4.0",
      wire: ofQuestion(streams.wire),
      request: { ...request, resolution: { outcome, at: new Date().toISOString() } },
    });
    connection.close();
  },
);

recorder.hasOnly(CELLS);
