import { type AnswerReceipt, type Channel, ChannelError } from "../../src/client/channel.ts";
import { type Clock, systemClock } from "../../src/client/clock.ts";
import { newId } from "../../src/client/new-id.ts";
import { createOpenQuestions } from "../../src/client/open-questions.ts";
import {
  type ElicitationAnswer,
  type ElicitationOutcome,
  outcomeOfAction,
} from "../../src/contract/contract.ts";
import { isObject } from "../../src/contract/json.ts";
import {
  CARD_TOOLS,
  type CardRound,
  type HandedRound,
  ROUND_META,
  isCardRound,
  isHandedRound,
} from "../../src/mcp/wire/app.ts";
import type { AppHost } from "./bridge.ts";
import { type AppQuestion, questionsOf } from "./questions.ts";
import { createListeners } from "../../src/client/listeners.ts";

/** The options of {@link createMcpAppChannel}. */
export interface McpAppChannelOptions {
  host: AppHost;
  /** Your name for the server. Cards show it as the requester. */
  serverName: string;
  /** `conversationId` of the requests. @default "app" */
  conversationId?: string | undefined;
  /** @default the clock of this machine */
  clock?: Clock | undefined;
}

/** The channel of a view in an MCP App. Pass it the host's notifications about the call. */
export interface McpAppChannel extends Channel {
  /** Call it for `ui/notifications/tool-input`. Hosts may send it late, or never. */
  toolInput(input: Readonly<Record<string, unknown>> | undefined): void;
  /** Call it for `ui/notifications/tool-result`. */
  toolResult(result: { structuredContent?: unknown; _meta?: unknown }): void;
  /** Call it for `ui/notifications/tool-cancelled`. */
  toolCancelled(): void;
  /** Calls `listener` when there will be no more questions. Returns a function that removes the listener. */
  onDone(listener: () => void): () => void;
  /** Ends the polls. */
  close(): void;
}

interface Shown {
  readonly round: CardRound | HandedRound;
  readonly questions: readonly AppQuestion[];
}

/** After this many polls in a row without a call, the view assumes that there is none: an old conversation was opened. */
const MAX_IDLE_POLLS = 3;
/** After this many polls in a row without news, the view assumes that the call has ended with its process. */
const MAX_WAITING_POLLS = 30;
const MAX_FAILURES = 5;
const PAUSE_MS = 250;
const RETRY_MS = 1000;
/** The interval for asking the server whether a page is complete. */
const LOOK_MS = 1000;

/**
 * Creates a channel for the questions of the server's tools, for a view inside a host with MCP Apps. It polls immediately
 * and does not depend on notifications that the host may hold back.
 */
export function createMcpAppChannel(options: McpAppChannelOptions): McpAppChannel {
  const { host, serverName, conversationId = "app", clock = systemClock } = options;
  const view = newId();
  const { open, ...questions } = createOpenQuestions<AppQuestion>(clock);
  const onDone = createListeners();
  let input: Readonly<Record<string, unknown>> | undefined;
  let call: string | undefined;
  let shown: Shown | undefined;
  let isDone = false;

  /** Shows a round. Questions that are already shown stay unchanged. */
  function show(round: CardRound | HandedRound): void {
    if (isDone || (shown?.round.call === round.call && shown.round.version >= round.version)) return;
    call = round.call;
    const before = shown?.questions ?? [];
    const isSame = JSON.stringify(shown?.round.inputRequests) === JSON.stringify(round.inputRequests);
    const isAnswered = before.some(
      ({ request, isConsented }) => isConsented || !open.has(request.elicitationId),
    );
    if (isSame && !isAnswered) {
      shown = { round, questions: before };
      return;
    }
    const asked = questionsOf(round, { serverName, conversationId, before });
    shown = { round, questions: asked };
    for (const question of before) if (!asked.includes(question)) questions.end(question, endOf(question));
    for (const question of asked) if (!before.includes(question)) questions.show(question);
    // The round belongs to an old conversation that was opened again.
    if (asked.some((question) => endOf(question) === "expired")) return done();
    if (asked.length > 0 && asked.every(({ isConsented }) => isConsented)) {
      clock.after(LOOK_MS, () => void lookAgain(round).catch(() => {}));
    }
  }

  /** Returns the outcome of a question that is no longer asked. */
  function endOf({ isConsented, request }: AppQuestion): ElicitationOutcome {
    if (isConsented) return "accepted";
    const at = request.expiresAt === undefined ? Number.POSITIVE_INFINITY : Date.parse(request.expiresAt);
    return clock.now() >= at ? "expired" : "withdrawn";
  }

  /** The user is on a page: asks the server whether the page is complete. */
  async function lookAgain(round: CardRound): Promise<void> {
    if (isDone || shown?.round !== round) return;
    const responses = shown.questions.map(({ key }) => [key, { action: "accept" }]);
    await send(Object.fromEntries(responses));
  }

  function done(): void {
    if (isDone) return;
    isDone = true;
    for (const question of open.values()) questions.end(question, endOf(question));
    onDone.tell();
  }

  async function callTool(
    name: string,
    args: Record<string, unknown>,
  ): Promise<Readonly<Record<string, unknown>>> {
    let result: Awaited<ReturnType<AppHost["callTool"]>>;
    try {
      result = await host.callTool({ name, arguments: { view, ...args } });
    } catch (cause) {
      throw new ChannelError("the host did not call the server", { retryable: true, cause });
    }
    const { structuredContent } = result;
    if (result.isError === true || !isObject(structuredContent)) {
      throw new ChannelError(`the host has not returned what ${name} says`, { retryable: true });
    }
    return structuredContent;
  }

  /** Polls once. */
  async function look(): Promise<"new" | "waiting" | "ended"> {
    const { id, name } = host.toolInfo ?? {};
    const reply = await callTool(CARD_TOOLS.next, {
      seen: shown?.round.version ?? 0,
      ...(call === undefined
        ? {
            ...(id !== undefined && { requestId: id }),
            ...(name !== undefined && { tool: name }),
            ...(input !== undefined && { arguments: input }),
          }
        : { call }),
    });
    const { status, round } = reply;
    if (status === "handed" && isHandedRound(round)) show(round);
    else if (status === "asked" && isCardRound(round)) show(round);
    else if (status === "ended") return "ended";
    else {
      if (typeof reply["call"] === "string") call = reply["call"];
      return "waiting";
    }
    return "new";
  }

  async function poll(): Promise<void> {
    let idle = 0;
    let failures = 0;
    // A round that was handed over needs no polls: the reply to its answers contains the next round.
    while (!isDone && !isHandedRound(shown?.round)) {
      try {
        const found = await look();
        failures = 0;
        if (found === "ended") return done();
        idle = found === "waiting" ? idle + 1 : 0;
        // The result of the call may still contain a round.
        if (call === undefined && idle >= MAX_IDLE_POLLS) return;
        if (idle >= MAX_WAITING_POLLS) return done();
        await pause(PAUSE_MS);
      } catch {
        failures += 1;
        if (failures >= MAX_FAILURES) return;
        await pause(RETRY_MS * failures);
      }
    }
  }

  function pause(ms: number): Promise<void> {
    return new Promise((resolve) => {
      clock.after(ms, resolve);
    });
  }

  /** Sends the answers of a round, by key. */
  async function send(responses: Record<string, unknown>): Promise<Readonly<Record<string, unknown>>> {
    const round = shown?.round;
    if (round === undefined) return { kind: "gone" };
    const about = { call: round.call, version: round.version, responses };
    const handed = isHandedRound(round);
    const reply = await callTool(CARD_TOOLS.answer, handed ? { ...about, handed: round } : about);
    if (reply["kind"] === "gone" && !handed) {
      // The call may have been handed over just now. If so, the answers are sent with the round.
      await look().catch(() => {});
      if (isHandedRound(shown?.round) && shown?.round.call === round.call) return send(responses);
    }
    // Deliver the receipts of these answers first.
    if (reply["kind"] === "settled") clock.after(0, () => void follow(reply, round));
    return reply;
  }

  async function follow(reply: Readonly<Record<string, unknown>>, { call: id }: CardRound): Promise<void> {
    const { round, result } = reply;
    if (isHandedRound(round)) return show(round);
    if (!isObject(result) || !Array.isArray(result["content"]) || !isHandedRound(shown?.round)) return;
    const { tool } = shown.round;
    const { content, structuredContent, taken } = result;
    if (id === shown.round.call) done();
    if (taken === true) return;
    const delivered = await accepts(host.report({ tool, content, structuredContent }));
    // If this does not arrive, the model can still get the result.
    const about = { call: id, version: shown.round.version, responses: {}, delivered };
    await callTool(CARD_TOOLS.answer, about).catch(() => {});
  }

  function receiptOf(answer: ElicitationAnswer, reply: Readonly<Record<string, unknown>>): AnswerReceipt {
    const { elicitationId, action } = answer;
    const question = open.get(elicitationId);
    if (question === undefined || reply["kind"] === "gone") return { elicitationId, kind: "gone" };
    if (reply["kind"] === "refused") {
      const errors = question.key === reply["key"] && Array.isArray(reply["errors"]) ? reply["errors"] : [];
      return { elicitationId, kind: "refused", status: 400, message: REFUSED, errors };
    }
    if (action === "accept" && question.request.mode === "url") {
      const kind = question.isConsented ? "pending" : "consented";
      question.isConsented = true;
      return { elicitationId, kind };
    }
    open.delete(elicitationId);
    return { elicitationId, kind: "settled", outcome: outcomeOfAction[action] };
  }

  void poll();

  return {
    ...questions.channel,
    async respond(answers, { signal }) {
      const responses: Record<string, unknown> = {};
      for (const { elicitationId, action, content } of answers) {
        const question = open.get(elicitationId);
        if (question === undefined) continue;
        responses[question.key] = {
          action,
          ...(action === "accept" && content !== undefined && { content }),
        };
      }
      const reply = Object.keys(responses).length === 0 ? { kind: "gone" } : await send(responses);
      signal.throwIfAborted();
      return answers.map((answer) => receiptOf(answer, reply));
    },
    toolInput(given) {
      input = given;
    },
    toolResult({ structuredContent, _meta: meta }) {
      const round = isObject(meta) ? meta[ROUND_META] : undefined;
      if (isHandedRound(round)) return show(round);
      // Some hosts do not pass on `_meta`. The next poll then returns the round.
      if (!isObject(structuredContent) || !isObject(structuredContent["elicitation"])) done();
    },
    toolCancelled: done,
    onDone: (listener) => onDone.add(listener),
    close() {
      isDone = true;
    },
  };
}

const accepts = (reported: Promise<void>): Promise<boolean> =>
  reported.then(
    () => true,
    () => false,
  );

const REFUSED = "Some answers do not fit their questions.";
