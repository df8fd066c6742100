/** Records the messages between servers on the official SDKs and the relay, for `docs/evidence/recorded`. */
import type { McpServer as McpServerV1 } from "@modelcontextprotocol/sdk/server/mcp.js";
import { UrlElicitationRequiredError } from "@modelcontextprotocol/sdk/types.js";
import { inputRequired, inputResponse } from "@modelcontextprotocol/server";
import { expect, test } from "vitest";
import { z } from "zod";
import { createDeferred } from "../../../src/base/deadlines.ts";
import type { McpRevision } from "../../../src/mcp/wire/translate.ts";
import type { ReadStream } from "../../stages/chat-client.ts";
import { CONTENT, FORM, PAGE, SERVICE } from "../recorded/questions.ts";
import { createRecorder, keyOf } from "../recorded/recorder.ts";
import type { Gap, Row } from "../recorded/recording.ts";
import { createWireTap } from "../recorded/wire-tap.ts";
import type { RelayedChat } from "../relayed-chat.ts";
import { chatWith } from "./chat.ts";
import { type ServedMcp, serveV1, serveV2 } from "./servers.ts";

const REVISIONS = ["2025-06-18", "2025-11-25", "2026-07-28"] as const;
const PAGES_SINCE = ["2025-11-25", "2026-07-28"] as const;
const OUTCOMES = ["accepted", "declined", "cancelled", "expired", "withdrawn"] as const;
const ERROR = "by error -32042";

const OLD: readonly McpRevision[] = ["2025-06-18"];
const GAPS: readonly Gap[] = [
  ...["form", "url"].map((mode) => ({
    mode,
    outcome: "failed",
    variants: REVISIONS,
    why: "A server cannot report a failed question. If the call fails, the card is withdrawn.",
  })),
  ...OUTCOMES.map((outcome) => ({
    mode: "url",
    outcome,
    variants: OLD,
    why: "This revision has no mode `url`.",
  })),
  {
    mode: "url",
    outcome: "accepted",
    way: ERROR,
    variants: ["2025-06-18", "2026-07-28"],
    why: "The error exists in 2025-11-25 only.",
  },
];

const recorder = createRecorder("mcp", {
  title: "MCP: servers ask our agent",
  about:
    "An MCP server asks during a call of one of its tools. The runtime is its client, asks the user in the chat, and answers the server. One column for each revision of MCP.",
  guide: "../protocols/mcp.md#what-a-server-may-ask",
  variants: REVISIONS,
  gaps: GAPS,
});

interface Cell extends Row {
  variant: McpRevision;
}

const CELLS: readonly Cell[] = [
  ...REVISIONS.flatMap((variant) => OUTCOMES.map((outcome): Cell => ({ variant, mode: "form", outcome }))),
  ...PAGES_SINCE.flatMap((variant) => OUTCOMES.map((outcome): Cell => ({ variant, mode: "url", outcome }))),
  { variant: "2025-11-25", mode: "url", outcome: "accepted", way: ERROR },
];

/** A server with one tool `book` that asks, and the actions of a test on it. */
interface Asking {
  served: ServedMcp;
  counterpart: string;
  /** The user has finished on the page that the server needs. */
  visit(): void;
  /** The server withdraws its question. */
  takeBack(): void;
}

const ID = "deposit-1";
const page = { mode: "url" as const, ...PAGE };
const said = (result: unknown) => ({
  content: [{ type: "text" as const, text: `Answered: ${JSON.stringify(result)}` }],
});

/** Before 2026: the server sends requests during the call. */
async function legacyServer({ variant, mode, way }: Cell): Promise<Asking> {
  const visited = createDeferred<void>();
  const cancelled = new AbortController();
  const options = { signal: cancelled.signal, timeout: 3_600_000 };
  const controls = { visit: visited.resolve, takeBack: () => cancelled.abort("no longer needed") };
  if (variant === "2025-06-18") {
    const served = await serveV2((server) => {
      server.registerTool("book", { inputSchema: z.object({}) }, async (_, ctx) =>
        said(await ctx.mcpReq.elicitInput(FORM, options).catch(String)),
      );
    }, variant);
    return { served, counterpart: "@modelcontextprotocol/server 2.4.0", ...controls };
  }
  let calls = 0;
  const served = await serveV1((server: McpServerV1) => {
    server.registerTool("book", {}, async ({ requestId: relatedRequestId }) => {
      calls += 1;
      if (way === ERROR) {
        if (calls > 1) return said("paid");
        throw new UrlElicitationRequiredError([{ ...page, elicitationId: ID }]);
      }
      const question = mode === "form" ? FORM : { ...page, elicitationId: ID };
      const result = await server.server
        .elicitInput(question, { relatedRequestId, ...options })
        .catch(String);
      if (mode === "url" && typeof result === "object" && result.action === "accept") {
        await visited.promise;
        await server.server.createElicitationCompletionNotifier(ID, { relatedRequestId })();
      }
      return said(result);
    });
  });
  return { served, counterpart: "@modelcontextprotocol/sdk 1.32.2", ...controls };
}

/** In 2026: the server returns its questions, and is called again. */
async function modernServer({ variant, mode }: Cell): Promise<Asking> {
  let isPaid = false;
  const served = await serveV2((server) => {
    server.registerTool("book", { inputSchema: z.object({}) }, async (_, ctx) => {
      const answer = inputResponse(ctx.mcpReq.inputResponses, "question");
      const isDone = mode === "form" || isPaid || (answer.kind === "elicit" && answer.action !== "accept");
      if (answer.kind === "elicit" && isDone) {
        const { kind: _kind, ...result } = answer;
        return said(result);
      }
      const question = mode === "form" ? inputRequired.elicit(FORM) : inputRequired.elicitUrl(PAGE);
      return inputRequired({ inputRequests: { question }, requestState: "booking-1" });
    });
  }, variant);
  return {
    served,
    counterpart: "@modelcontextprotocol/server 2.4.0",
    visit: () => void (isPaid = true),
    takeBack() {},
  };
}

/** Ends the question as in the row. */
async function end(
  { variant, mode, outcome, way }: Cell,
  asking: Asking,
  chat: RelayedChat,
  stream: ReadStream,
) {
  const { elicitationId } = await stream.request();
  if (outcome === "accepted" && mode === "form") await chat.answer(stream, "accept", CONTENT);
  if (outcome === "accepted" && mode === "url") {
    await chat.answer(stream, "accept");
    // The server gets the consent, and then waits for the page.
    const isTold = ({ params, result, method }: ServedMcp["received"][number]) =>
      result !== undefined || (method === "tools/call" && params?.["inputResponses"] !== undefined);
    if (way === undefined) await expect.poll(() => asking.served.received.some(isTold)).toBe(true);
    asking.visit();
    // The second time, the user says that they have finished.
    if (variant === "2026-07-28" || way === ERROR) await chat.answer(stream, "accept");
  }
  if (outcome === "declined") await chat.answer(stream, "decline");
  if (outcome === "cancelled") await chat.answer(stream, "cancel");
  if (outcome === "expired") chat.runtime.clock.advance(600_000);
  if (outcome === "withdrawn") {
    asking.takeBack();
    // A 2026 server waits to be called again, so only a stop by the user withdraws the card.
    if (variant === "2026-07-28") await chat.ada.fetch("/run/api/chat/c1/stop", { method: "POST" });
  }
  await stream.done;
  return stream.chunks.findLast(({ id }) => id === elicitationId)?.["data"];
}

test.each(CELLS.map((cell) => [keyOf(cell), cell] as const))(
  "the messages and the card are the same as in docs/evidence/recorded: %s",
  async (_, cell) => {
    const asking = await (cell.variant === "2026-07-28" ? modernServer(cell) : legacyServer(cell));
    const tap = createWireTap("client", "server");
    const options = { fetch: tap.fetch, service: SERVICE };
    const chat = chatWith(asking.served.url, [{ srv_book: {} }, "Done."], options);
    const stream = await chat.send();
    const request = await end(cell, asking, chat, stream);
    expect(request).toMatchObject({ mode: cell.mode, resolution: { outcome: cell.outcome } });
    const isCall = ({ message }: { message: unknown }) => JSON.stringify(message).includes('"tools/call"');
    const wire = tap.wire.slice(tap.wire.findIndex(isCall));
    recorder.check({ ...cell, counterpart: asking.counterpart, wire, request });
  },
);

recorder.hasOnly(CELLS);
