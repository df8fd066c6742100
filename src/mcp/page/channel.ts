/** The channel of an MCP client in a page or an app. It turns the server's questions into requests. */
import type { CallToolRequest, CallToolResult, Client, ElicitResult } from "@modelcontextprotocol/client";
import type { AnswerReceipt, Channel } from "../../client/channel.ts";
import { respondEach } from "../../client/check-answer.ts";
import { type Clock, systemClock } from "../../client/clock.ts";
import { newId } from "../../client/new-id.ts";
import { type OpenQuestion, createOpenQuestions } from "../../client/open-questions.ts";
import { claimedNameOf } from "../../contract/claimed-name.ts";
import {
  type ElicitationOutcome,
  type ElicitationRequest,
  outcomeOfAction,
} from "../../contract/contract.ts";
import type { AskedTogether, McpCallOptions, ServerQuestion } from "./channel-calls.ts";
import {
  type McpElicitResult,
  type McpElicitation,
  elicitResultOf,
  readElicitation,
} from "../wire/translate.ts";

/** The options of {@link createMcpChannel}. */
export interface McpChannelOptions {
  /**
   * A client of `@modelcontextprotocol/client` that is not connected yet. The channel declares the elicitation capability
   * on it.
   */
  client: Client;
  /** Your name for the server. Cards show it as the requester. */
  serverName: string;
  /** The `conversationId` of requests whose call does not set its own. @default "mcp" */
  conversationId?: string | undefined;
  /** @default the clock of this machine */
  clock?: Clock | undefined;
}

/** The channel of an MCP client. */
export interface McpChannel extends Channel {
  /**
   * Calls a tool, shows its questions, and resolves with its result. It supports rounds (2026-07-28), requests over the
   * connection, and error -32042. Without a `timeout`, only `signal` ends the call, because users may take as long as
   * they like.
   *
   * Rejects with the SDK's errors, and with the reason of `signal`.
   *
   * @throws {McpCallError} when a page that the call needs was not opened, or when the server sends a request that cannot
   * be answered
   */
  callTool(params: CallToolRequest["params"], options?: McpCallOptions): Promise<CallToolResult>;
}

interface McpQuestion extends ServerQuestion, OpenQuestion {
  answer: Promise<McpElicitResult>;
  /** The server's ids of a page: one for each time that it asked for the page. */
  readonly serverIds: Set<string | undefined>;
  readonly settle: (result: McpElicitResult) => void;
  /** Whether the user has agreed to open the page. */
  consented: boolean;
  /** Whether a 2025 server has asked for the state of the page again and got it. */
  isLookedAt: boolean;
  /**
   * Whether that server has asked another question since. Together with one of the other two flags, the page is complete.
   */
  isLeft: boolean;
}

/** How many requests one server may have open at once. */
const MAX_OPEN = 50;
const INVALID_PARAMS = -32_602;
const INVALID_REQUEST = -32_600;

/**
 * Creates a channel for the questions of an MCP server, in 2025-06-18, 2025-11-25 and 2026-07-28. Create it before
 * `client.connect`, and call tools with `channel.callTool`. Cards are then linked to their call, questions of one round
 * are answered together, and error -32042 is shown as a card. Calls of `client.callTool` work as well, with one card for
 * each question.
 *
 * Accepting a page is consent: its request ends with `notifications/elicitation/complete` or with the result of its call.
 * A question is withdrawn when the server cancels it or its connection is lost.
 *
 * @example
 * const client = new Client({ name: "my-app", version: "1.0.0" }, { versionNegotiation: { mode: "auto" } });
 * const channel = createMcpChannel({ client, serverName: "Planner" });
 * const elicitations = createElicitationClient({ channel });
 * await client.connect(new StreamableHTTPClientTransport(new URL("https://planner.example.com/mcp")));
 * const result = await channel.callTool({ name: "plan", arguments: {} });
 */
export function createMcpChannel(options: McpChannelOptions): McpChannel {
  const { client, serverName, conversationId: ownConversation = "mcp", clock = systemClock } = options;
  const questions = createOpenQuestions<McpQuestion>(clock);
  const { open } = questions;
  const calls = new Set<AskedTogether>();
  /** Questions that arrived while several calls were running: any of them may have asked. */
  const ofNobody = new Set<ServerQuestion>();

  /** Sends the final answer of a question, perhaps after the user agreed to open its page. */
  function tell(question: McpQuestion, result: McpElicitResult): void {
    question.settle(result);
    question.answer = Promise.resolve(result);
    for (const listener of question.finished) listener();
  }

  function end(elicitationId: string, outcome: ElicitationOutcome): void {
    const question = open.get(elicitationId);
    if (question === undefined) return;
    tell(question, elicitResultOf(outcome));
    questions.end(question, outcome);
  }

  function endAll(asked: Set<ServerQuestion>, outcome: ElicitationOutcome): void {
    for (const { request } of asked) end(request.elicitationId, outcome);
    asked.clear();
  }

  /** Shows a card. Throws an error for the server if the question cannot be shown. */
  function ask(elicitation: McpElicitation, together: AskedTogether): ServerQuestion {
    const { message } = elicitation;
    if (open.size >= MAX_OPEN) throw toServer(INVALID_REQUEST, "too many requests are open");
    const version = client.getServerVersion();
    const { conversationId = ownConversation, toolCallId, round, signal } = together;
    const base = {
      type: "elicitation-request",
      elicitationId: newId(),
      message,
      context: { trigger: "mcp_elicitation" },
      requester: { name: serverName, claimedName: claimedNameOf(version?.title ?? version?.name) },
      toolCallId,
      round,
    } as const;
    const request: ElicitationRequest =
      elicitation.mode === "form"
        ? { ...base, mode: "form", requestedSchema: elicitation.requestedSchema }
        : { ...base, mode: "url", url: elicitation.url, acceptMeans: "consent" };
    let settle: McpQuestion["settle"] | undefined;
    const answer = new Promise<McpElicitResult>((resolve) => {
      settle = resolve;
    });
    const question: McpQuestion = {
      request,
      conversationId,
      serverIds: new Set([elicitation.mode === "url" ? elicitation.elicitationId : undefined]),
      answer,
      settle: (result) => settle?.(result),
      finished: new Set(),
      consented: false,
      isFinished: false,
      isLookedAt: false,
      isLeft: false,
    };
    together.questions.add(question);
    signal?.addEventListener("abort", () => end(base.elicitationId, "withdrawn"));
    questions.show(question);
    return question;
  }

  function consentTo(question: McpQuestion): AnswerReceipt {
    const { elicitationId } = question.request;
    if (!question.consented) {
      question.consented = true;
      question.settle({ action: "accept" });
      return { elicitationId, kind: "consented" };
    }
    question.isFinished = true;
    if (question.isLeft) {
      end(elicitationId, "accepted");
      return { elicitationId, kind: "settled", outcome: "accepted" };
    }
    // The user says that they have finished. A waiting call is repeated, because only the server knows whether the page
    // is complete.
    for (const listener of question.finished) listener();
    return { elicitationId, kind: "pending" };
  }

  async function callTool(
    params: CallToolRequest["params"],
    { conversationId, toolCallId, ...rest }: McpCallOptions = {},
  ): Promise<CallToolResult> {
    const call = { conversationId, toolCallId, signal: rest.signal, questions: new Set<ServerQuestion>() };
    calls.add(call);
    let outcome: ElicitationOutcome = "withdrawn";
    try {
      const loaded = await import("./channel-calls.ts");
      const result = await loaded.callTool({ client, serverName, clock, ask, complete }, call, params, rest);
      outcome = "accepted";
      return result;
    } finally {
      calls.delete(call);
      endAll(call.questions, outcome);
      if (calls.size === 0) endAll(ofNobody, outcome);
    }
  }

  function complete({ request: { elicitationId } }: ServerQuestion): void {
    if (open.get(elicitationId)?.consented === true) end(elicitationId, "accepted");
  }

  /** Shows a question of a 2025 server, which does not say which call it belongs to. */
  async function askFor(elicitation: McpElicitation, signal: AbortSignal): Promise<McpElicitResult> {
    const again = [...open.values()].find(
      ({ request, consented }) =>
        consented && elicitation.mode === "url" && request.mode === "url" && request.url === elicitation.url,
    );
    if (again !== undefined) return lookAgain(again, elicitation);
    const [call, ...others] = calls;
    // With several calls, the question may belong to any of them.
    if (others.length === 0) for (const question of open.values()) leave(question);
    return ask(elicitation, { questions: ofNobody, ...(others.length === 0 && call), signal }).answer;
  }

  /**
   * A server that asks another question may still need the page, and many servers do not report its end. So the page ends
   * once the user has also said that they have finished there, before or after this.
   */
  function leave(page: McpQuestion): void {
    page.isLeft = page.consented;
    if (page.isFinished || page.isLookedAt) complete(page);
  }

  /** A server that asks for an open page again wants to know whether it is complete. */
  async function lookAgain(page: McpQuestion, asked: McpElicitation): Promise<McpElicitResult> {
    page.isLookedAt = false;
    page.isLeft = false;
    if (asked.mode === "url") page.serverIds.add(asked.elicitationId);
    const { nextLook } = await import("./channel-calls.ts");
    await nextLook(clock, [page]);
    page.isLookedAt = true;
    return page.answer;
  }

  client.registerCapabilities({ elicitation: { form: {}, url: {} } });
  client.setRequestHandler("elicitation/create", async ({ params }, { mcpReq: { signal } }) => {
    const read = readElicitation(params);
    if (!read.ok) throw toServer(INVALID_PARAMS, read.reason);
    // A copy, because the SDK's types do not accept read-only lists.
    const result: ElicitResult = JSON.parse(JSON.stringify(await askFor(read.value, signal)));
    return result;
  });
  // An unknown or ended id is ignored, as the specification requires.
  client.setNotificationHandler("notifications/elicitation/complete", ({ params }) => {
    for (const { request, serverIds } of open.values()) {
      if (serverIds.has(params.elicitationId)) end(request.elicitationId, "accepted");
    }
  });
  const { onclose } = client;
  // The SDK's client is no event target.
  // oxlint-disable-next-line unicorn/prefer-add-event-listener
  client.onclose = () => {
    onclose?.();
    for (const id of open.keys()) end(id, "withdrawn");
  };

  return {
    callTool,
    ...questions.channel,
    respond: respondEach(open, (question, { elicitationId, action, content }) => {
      if (action === "accept" && question.request.mode === "url") return consentTo(question);
      const outcome = outcomeOfAction[action];
      open.delete(elicitationId);
      tell(question, elicitResultOf(outcome, action === "accept" ? (content ?? {}) : undefined));
      return { elicitationId, kind: "settled", outcome };
    }),
  };
}

/** An error as the SDK sends it to the server: it takes `code` and the message. */
function toServer(code: number, message: string): Error {
  return Object.assign(new Error(message), { code });
}
