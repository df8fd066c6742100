/** Records the messages between a client on the official SDK and our endpoint, for `docs/evidence/recorded`. */
import { once } from "node:events";
import { Client, type ElicitResult, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import type { Question } from "elicit-kit/runtime";
import { expect, onTestFinished, test } from "vitest";
import { createDeferred } from "../../../src/base/deadlines.ts";
import { text } from "../../stages/test-runtime.ts";
import { CONTENT, FORM, PAGE, SERVICE } from "../recorded/questions.ts";
import { createRecorder, keyOf } from "../recorded/recorder.ts";
import type { Gap, Row } from "../recorded/recording.ts";
import { createWireTap } from "../recorded/wire-tap.ts";
import { type ServedAgent, serveAgent } from "./agent.ts";
import { BOTH, type Era } from "./clients.ts";

const REVISIONS = ["2025-06-18", "2025-11-25", "2026-07-28"] as const;
const PAGES_SINCE = ["2025-11-25", "2026-07-28"] as const;
const OUTCOMES = ["accepted", "declined", "cancelled", "expired", "withdrawn"] as const;
const GAPS: readonly Gap[] = [
  ...["form", "url"].map((mode) => ({
    mode,
    outcome: "failed",
    variants: REVISIONS,
    why: "A client cannot report a failed question: an error that it answers with counts as a cancellation.",
  })),
  ...OUTCOMES.map((outcome) => ({
    mode: "url",
    outcome,
    variants: ["2025-06-18"],
    why: "This revision has no mode `url`.",
  })),
];

const recorder = createRecorder("mcp-server", {
  title: "MCP: our agent asks clients",
  about:
    "An MCP client calls the tool `ask_agent` of our endpoint, and the agent asks during its turn. Before 2026 the endpoint sends a request while the call is open. In 2026 it returns the question, and the client calls again with the answer: that call says which questions have ended meanwhile. The card shows the question as the runtime keeps it; the client draws its own. One column for each revision of MCP.",
  guide: "../protocols/mcp-server.md",
  variants: REVISIONS,
  gaps: GAPS,
});

interface Cell extends Row {
  variant: Era;
  outcome: (typeof OUTCOMES)[number];
}

const CELLS: readonly Cell[] = [
  ...REVISIONS.flatMap((variant) => OUTCOMES.map((outcome): Cell => ({ variant, mode: "form", outcome }))),
  ...PAGES_SINCE.flatMap((variant) => OUTCOMES.map((outcome): Cell => ({ variant, mode: "url", outcome }))),
];

const ID = "question-1";

/** An agent that asks the question of the row, and returns its result. */
function serveBistro({ mode, outcome }: Cell): Promise<ServedAgent> {
  const asks = { elicitationId: ID, tool: { id: "book", name: "book" }, requester: { name: SERVICE } };
  const question: Question = mode === "form" ? { mode, ...FORM, ...asks } : { mode: "url", ...PAGE, ...asks };
  return serveAgent(
    async function* run(turn) {
      yield { type: "start" };
      yield* text(`Answered: ${JSON.stringify(await turn.ask(question))}`);
      yield { type: "finish" };
    },
    outcome === "expired" ? { runtime: { timeToAnswer: { expiresInMs: 800 } } } : {},
  );
}

/** The client's user answers, or does so only after the question has ended. */
async function answerOf({ mode, outcome }: Cell, ended: Promise<unknown>): Promise<ElicitResult> {
  if (outcome === "declined") return { action: "decline" };
  if (outcome === "cancelled") return { action: "cancel" };
  if (outcome !== "accepted") await ended;
  return mode === "form" ? { action: "accept", content: CONTENT } : { action: "accept" };
}

test.each(CELLS.map((cell) => [keyOf(cell), cell] as const))(
  "the messages and the question are the same as in docs/evidence/recorded: %s",
  async (_, cell) => {
    const { variant, mode, outcome } = cell;
    const { url, runtime } = await serveBistro(cell);
    const statusOf = async () => (await runtime.elicitations.get(ID))?.status;
    const ended = createDeferred<void>();
    const asked = createDeferred<void>();
    const client = new Client(
      { name: "client", version: "1" },
      {
        capabilities: BOTH,
        ...(variant === "2026-07-28"
          ? { versionNegotiation: { mode: { pin: variant } } }
          : { supportedProtocolVersions: [variant] }),
      },
    );
    client.setRequestHandler("elicitation/create", (_request, { mcpReq: { signal } }) => {
      asked.resolve();
      // Before 2026 the endpoint cancels its request when the question ends.
      const cancelled = once(signal, "abort");
      return answerOf(cell, variant === "2026-07-28" ? ended.promise : cancelled);
    });
    const tap = createWireTap("client", "endpoint");
    const requestInit = { headers: { authorization: "Bearer ada" } };
    await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit, fetch: tap.fetch }));
    onTestFinished(() => client.close());
    const params = { name: "ask_agent", arguments: { message: "Book a table", conversationId: "c1" } };
    const result = client.callTool(params, { timeout: 600_000 });
    await asked.promise;
    if (outcome === "withdrawn") await runtime.close();
    if (outcome === "accepted" && mode === "url") {
      await expect.poll(statusOf).toBe("consented");
      await runtime.elicitations.complete(ID);
    }
    await expect.poll(statusOf).toBe(outcome);
    ended.resolve();
    await result;
    const record = await runtime.elicitations.get(ID);
    const isCall = ({ message }: { message: unknown }) => JSON.stringify(message).includes('"tools/call"');
    recorder.check({
      ...cell,
      counterpart: "@modelcontextprotocol/client 2.4.0",
      // The state is sealed again in each run.
      wire: JSON.parse(
        JSON.stringify(tap.wire.slice(tap.wire.findIndex(isCall)), (key, value: unknown) =>
          key === "requestState" ? "sealed-state" : value,
        ),
      ),
      request: { ...record?.request, resolution: { outcome, at: new Date().toISOString() } },
    });
  },
);

recorder.hasOnly(CELLS);
