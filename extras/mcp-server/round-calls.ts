import {
  type CallToolResult,
  type InputRequest,
  type InputRequiredResult,
  ProtocolError,
  ProtocolErrorCode,
  inputRequired,
} from "@modelcontextprotocol/server";
import type { ElicitationRequest } from "../../src/contract/contract.ts";
import { type SurfaceTurn, type TurnPause, untilBlocked, wantsAnswer } from "../../src/runtime/internal.ts";
import type { Clock } from "../../src/base/clock.ts";
import {
  type AgentCall,
  type AgentCalls,
  type JoinedTurn,
  KEEP_MS,
  errorResult,
  findTurn,
  linkResult,
  lostResult,
  startTurn,
} from "./agent-calls.ts";
import { type ShownAs, takeAnswerInTime } from "./answers.ts";
import { inputRequestOf, presentTo } from "./presentation.ts";
import { RequestStateError, type RequestStates, type StateBinding } from "./request-state.ts";
import { createTurnReply } from "./turn-reply.ts";
import { isObject } from "../../src/contract/json.ts";

/** A call that ends when the user must be asked. */
export interface RoundCall extends AgentCall {
  /** What the client sent with a repeated call. Untrusted. */
  readonly requestState: string | undefined;
  readonly inputResponses: Readonly<Record<string, unknown>> | undefined;
}

type RoundResult = CallToolResult | InputRequiredResult;

/**
 * Serves calls in rounds: those of MCP 2026-07-28, and those of older clients that cannot be asked and get links. Between
 * rounds the turn waits, and no state of the client is kept here.
 */
export function createRoundCalls(
  calls: AgentCalls & { readonly states: RequestStates },
): (call: RoundCall) => Promise<RoundResult> {
  const { states, clock, toolName, onError } = calls;

  return async (call) => {
    const binding = bindingOf(toolName, call);
    const before = await openState(call, binding);
    const joined = await join(call, before);
    if ("content" in joined) return joined;
    const round = createRound(joined, before);
    await round.takeAnswers(call.inputResponses ?? {}, { signal: call.signal, clock });
    // For a client that only gets links, the next call means that the user has opened the links.
    if (before === undefined && call.message === undefined) await round.openAll();
    const reply = createTurnReply();
    let pause: TurnPause | undefined;
    let asked: Presentations;
    do {
      pause = await untilBlocked(round.waiting(), {
        after: pause?.after,
        signal: call.signal,
        consentMs: call.card?.holdMs,
        clock,
        onEntry(entry) {
          const tool = reply.see(entry);
          if (tool !== undefined && entry.seq > (before?.after ?? -1)) call.progress(`Using ${tool}`);
        },
      });
      if (pause.state === "ended") return reply.result(joined.conversationId);
      if (pause.state === "aborted") {
        await joined.turn.stop("The client has ended the call.");
        return errorResult("The call was ended.");
      }
      asked = presentAll(call, pause);
      for (const { request, reason } of asked.refused) {
        await joined.turn.failRequest(request.elicitationId, reason);
      }
      // The agent continues without questions that this client cannot show.
    } while (asked.refused.length > 0);
    const { asking, links } = asked;
    if (asking.length === 0) return linkResult(toolName, joined.conversationId, links);
    const state = round.next(asking, pause.after);
    const expiries = asking.map(({ request }) => expiryOf(request, clock.now()));
    if (call.card !== undefined) call.card.until = Math.min(...expiries);
    return inputRequired({
      inputRequests: Object.fromEntries(asking.map(({ request, asks }) => [request.elicitationId, asks])),
      requestState: await states.seal(state, binding, Math.max(...expiries) + KEEP_MS),
    });
  };

  async function openState(
    { requestState: sealed, card }: RoundCall,
    binding: StateBinding,
  ): Promise<RoundState | undefined> {
    if (sealed === undefined) return undefined;
    try {
      const state = readRoundState(await states.open(sealed, binding));
      if (state !== undefined) return state;
      throw new RequestStateError("elicit-kit: a requestState was sealed by another version of elicit-kit.");
    } catch (error) {
      if (!(error instanceof RequestStateError)) throw error;
      onError(error);
      if (card !== undefined) card.isRefused = true;
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, "Invalid or expired requestState", {
        reason: "invalid_request_state",
      });
    }
  }

  async function join(call: RoundCall, before: RoundState | undefined): Promise<JoinedTurn | CallToolResult> {
    const { caller, message, conversationId } = call;
    if (before !== undefined) {
      return (await findTurn(calls, caller, { turnId: before.turnId })) ?? lostResult(toolName);
    }
    if (message === undefined) {
      const where = conversationId === undefined ? undefined : { conversationId };
      return (where && (await findTurn(calls, caller, where))) ?? lostResult(toolName);
    }
    return startTurn(calls, call);
  }

  /** Decides how each request is presented: in this round, as a link, or not at all. */
  function presentAll(call: RoundCall, { state, requests }: TurnPause): Presentations {
    const asked: Presentations = { asking: [], links: [], refused: [] };
    for (const request of requests) {
      const how = presentTo(call, request, calls.elicitations.linkFor(request.elicitationId));
      const asks = inputRequestOf(how);
      // A client takes a page that is not in a round as complete, so a page that the user has opened is in each.
      if (how.by === "elicitation" && asks !== undefined) asked.asking.push({ request, asks, as: how.as });
      // If only pages are left that the user has agreed to open, the client gets their links again.
      else if (state !== "consented" && !wantsAnswer(request)) continue;
      else if (how.by === "text") asked.links.push({ request, url: how.url });
      else asked.refused.push({ request, reason: how.by === "nothing" ? how.reason : NOT_IN_MCP });
    }
    return asked;
  }
}

const NOT_IN_MCP = "it cannot be asked through MCP";

interface Presentations {
  readonly asking: Asking[];
  readonly links: { readonly request: ElicitationRequest; readonly url: string }[];
  readonly refused: { readonly request: ElicitationRequest; readonly reason: string }[];
}

interface Asking {
  readonly request: ElicitationRequest;
  readonly asks: InputRequest;
  readonly as: ShownAs;
}

interface Round {
  takeAnswers(
    responses: Readonly<Record<string, unknown>>,
    waiting: { readonly signal: AbortSignal; readonly clock: Clock },
  ): Promise<void>;
  /** Marks every open request as one whose page the user has opened. */
  openAll(): Promise<void>;
  /** The turn, without waiting for answers to requests whose page is open. */
  waiting(): Pick<SurfaceTurn, "read" | "open">;
  next(asking: readonly Asking[], after: number | undefined): RoundState;
}

function createRound({ turn }: JoinedTurn, before: RoundState | undefined): Round {
  const opened = new Set(before?.opened);

  return {
    async takeAnswers(responses, waiting) {
      // Only answers to the asked questions are used: other keys are ignored.
      for (const [elicitationId, as] of Object.entries(before?.asked ?? {})) {
        if (!Object.hasOwn(responses, elicitationId)) continue;
        const answer = { elicitationId, as, result: responses[elicitationId] };
        const taken = await takeAnswerInTime(turn, answer, waiting);
        if (taken.kind === "opened") opened.add(elicitationId);
      }
    },
    async openAll() {
      for (const { elicitationId } of await turn.open()) opened.add(elicitationId);
    },
    waiting: () => ({
      read: (options) => turn.read(options),
      async open() {
        const requests = await turn.open();
        return requests.map((request) =>
          opened.has(request.elicitationId) ? { ...request, progress: { status: "consented" } } : request,
        );
      },
    }),
    next: (asking, after) => ({
      turnId: turn.id,
      asked: Object.fromEntries(asking.map(({ request, as }) => [request.elicitationId, as])),
      opened: [...opened],
      after,
    }),
  };
}

function bindingOf(toolName: string, { caller, message, conversationId }: AgentCall): StateBinding {
  const call = JSON.stringify([toolName, message ?? null, conversationId ?? null]);
  return { userId: caller.user?.id, clientId: caller.clientId, call };
}

function expiryOf({ expiresAt }: ElicitationRequest, now: number): number {
  const at = expiresAt === undefined ? Number.NaN : Date.parse(expiresAt);
  return Number.isNaN(at) ? now : at;
}

/** The state that a call carries from one round to the next, sealed in its `requestState`. */
export interface RoundState {
  readonly turnId: string;
  /** The questions of the last round: the ids of the requests, and how each was presented. */
  readonly asked: Readonly<Record<string, ShownAs>>;
  /** Requests whose link the user agreed to open. They end when the page is complete. */
  readonly opened: readonly string[];
  /** The position in the log up to which progress was sent. */
  readonly after: number | undefined;
}

/** The payload was sealed by this kit. This only checks that this version wrote it. */
function readRoundState(payload: unknown): RoundState | undefined {
  if (!isObject(payload)) return undefined;
  const { turnId, asked, opened, after } = payload;
  if (typeof turnId !== "string" || !isAsked(asked) || !isList(opened)) return undefined;
  return { turnId, asked, opened, after: typeof after === "number" ? after : undefined };
}

function isAsked(value: unknown): value is RoundState["asked"] {
  return (
    isObject(value) && Object.values(value).every((as) => as === "form" || as === "url" || as === "page")
  );
}

function isList(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((id) => typeof id === "string");
}
