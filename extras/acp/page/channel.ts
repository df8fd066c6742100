/** The channel of an ACP client in a page or an app. It turns the agent's questions into requests. */
import { type ClientApp, RequestError } from "@agentclientprotocol/sdk";
import type { AnswerReceipt, Channel } from "../../../src/client/channel.ts";
import { respondEach } from "../../../src/client/check-answer.ts";
import { type Clock, systemClock } from "../../../src/client/clock.ts";
import { newId } from "../../../src/client/new-id.ts";
import { type OpenQuestion, createOpenQuestions } from "../../../src/client/open-questions.ts";
import { type ElicitationOutcome, outcomeOfAction } from "../../../src/contract/contract.ts";
import { type AcpElicitationResult, readElicitation, resultOf } from "../wire/translate.ts";

/** The options of {@link createAcpChannel}. */
export interface AcpChannelOptions {
  /**
   * The builder of the client, made by `client()` of the SDK. The channel adds its handlers to it; connect it afterwards.
   * It serves one connection at a time.
   */
  app: ClientApp;
  /** Your name for the agent. Cards show it as the requester. */
  agentName: string;
  /**
   * The modes that the page shows. A request of another mode gets error -32602.
   * @default both
   */
  supports?: { readonly form?: boolean | undefined; readonly url?: boolean | undefined } | undefined;
  /** @default the clock of this machine */
  clock?: Clock | undefined;
}

/** The channel of an ACP client. `conversationId` of its requests is the `sessionId` of ACP. */
export interface AcpChannel extends Channel {
  /**
   * The capabilities to declare: spread them into `clientCapabilities` of `initialize`. Each mode is named, as ACP
   * requires.
   */
  readonly capabilities: {
    readonly elicitation: { readonly form?: Record<string, never>; readonly url?: Record<string, never> };
  };
  /**
   * Call this when `session/prompt` has returned. Agents may omit `elicitation/complete`, so pages that the user agreed
   * to open in this session then count as complete.
   */
  endTurn(sessionId: string): void;
}

/** `conversationId` of requests that belong to a JSON-RPC request, such as `session/new`, and to no session. */
export const ACP_REQUEST_CONVERSATION = "acp-request";

/** How many requests one agent may have open at once. */
const MAX_OPEN = 50;

interface AcpQuestion extends OpenQuestion {
  readonly agentElicitationId: string | undefined;
  /** Answers the agent's request. Absent once the user has agreed to open the page. */
  reply: ((result: AcpElicitationResult) => void) | undefined;
}

/**
 * Creates a channel for the requests of an ACP v1 agent (`elicitation/create`, `elicitation/complete`).
 *
 * Accepting a page is consent. Its request ends with `elicitation/complete` or the turn. A request that the agent
 * cancels, or whose connection is lost, is withdrawn: ACP does not send it again. The channel checks content against the
 * form, because the SDK does not. A second answer gets the receipt `gone`.
 *
 * @example
 * const app = client({ name: "my-editor" });
 * const channel = createAcpChannel({ app, agentName: "Coder" });
 * const elicitations = createElicitationClient({ channel });
 * const { agent } = app.connect(createWebSocketStream("wss://agent.example.com/acp"));
 * await agent.request("initialize", { protocolVersion: 1, clientCapabilities: { ...channel.capabilities } });
 */
export function createAcpChannel(options: AcpChannelOptions): AcpChannel {
  const { app, agentName, clock = systemClock } = options;
  const { form = true, url = true } = options.supports ?? {};
  const shows = { form, url };
  const questions = createOpenQuestions<AcpQuestion>(clock);
  const { open } = questions;

  function end(question: AcpQuestion, outcome: ElicitationOutcome): void {
    if (!open.has(question.request.elicitationId)) return;
    question.reply?.(resultOf(outcome));
    questions.end(question, outcome);
  }

  function endAll(outcome: ElicitationOutcome, is: (question: AcpQuestion) => boolean): void {
    for (const question of open.values()) if (is(question)) end(question, outcome);
  }

  function ask(params: unknown, signal: AbortSignal): Promise<AcpElicitationResult> {
    const read = readElicitation(params, { elicitationId: newId(), agentName });
    if (!read.ok) throw RequestError.invalidParams({ reason: read.reason });
    const { request, sessionId, agentElicitationId } = read.value;
    if (!shows[request.mode]) {
      throw RequestError.invalidParams({ reason: `params.mode: ${request.mode} was not declared` });
    }
    if (open.size >= MAX_OPEN) throw RequestError.invalidRequest({ reason: `${MAX_OPEN} requests are open` });
    return new Promise((resolve) => {
      const conversationId = sessionId ?? ACP_REQUEST_CONVERSATION;
      const question: AcpQuestion = { request, conversationId, agentElicitationId, reply: resolve };
      // Aborts on `$/cancel_request`, and when the connection closes.
      signal.addEventListener("abort", () => end(question, "withdrawn"));
      questions.show(question);
    });
  }

  function consentTo(question: AcpQuestion): AnswerReceipt {
    const { elicitationId } = question.request;
    // The user says that they have finished. ACP cannot query the status of a page, so only the agent knows it.
    if (question.reply === undefined) return { elicitationId, kind: "pending" };
    question.reply(resultOf("accepted"));
    question.reply = undefined;
    return { elicitationId, kind: "consented" };
  }

  app
    .onRequest("elicitation/create", ({ params, signal }) => ask(params, signal))
    // An unknown or ended id is ignored, as the specification requires.
    .onNotification("elicitation/complete", ({ params: { elicitationId } }) =>
      endAll("accepted", (question) => question.agentElicitationId === elicitationId),
    )
    .onConnect(({ signal }) => signal.addEventListener("abort", () => endAll("withdrawn", () => true)));

  return {
    capabilities: { elicitation: { ...(form && { form: {} }), ...(url && { url: {} }) } },
    ...questions.channel,
    respond: respondEach(open, (question, { elicitationId, action, content }) => {
      if (action === "accept" && question.request.mode === "url") return consentTo(question);
      const outcome = outcomeOfAction[action];
      open.delete(elicitationId);
      question.reply?.(resultOf(outcome, action === "accept" ? (content ?? {}) : undefined));
      return { elicitationId, kind: "settled", outcome };
    }),
    endTurn: (sessionId) =>
      endAll("accepted", ({ conversationId, reply }) => conversationId === sessionId && reply === undefined),
  };
}
