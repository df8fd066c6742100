import {
  type CallToolResult,
  type InputRequest,
  type InputRequiredResult,
  MissingRequiredClientCapabilityError,
  ProtocolError,
  ProtocolErrorCode,
  inputRequired,
} from "@modelcontextprotocol/server";
import type { ElicitationRequest } from "../../protocol/contract.ts";
import { type SurfaceTurn, type TurnPause, untilBlocked, wantsAnswer } from "../../runtime/core/index.ts";
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
  supportsOf,
} from "./agent-calls.ts";
import { takeAnswer } from "./answers.ts";
import { MAX_REFUSALS } from "../../protocol/invalid-answer.ts";
import { type Presentation, inputRequestOf, present } from "./presentation.ts";
import { RequestStateError, type RequestStates, type StateBinding } from "./request-state.ts";
import { type RoundState, readRoundState } from "./round-state.ts";
import { createTurnReply } from "./turn-reply.ts";

/** A call that ends when the person has to be asked. */
export interface RoundCall extends AgentCall {
  /** What the client sent with a repeated call. Untrusted. */
  readonly requestState: string | undefined;
  readonly inputResponses: Readonly<Record<string, unknown>> | undefined;
}

type RoundResult = CallToolResult | InputRequiredResult;

/**
 * Serves calls in rounds: those of MCP 2026-07-28, and those of older clients that cannot be asked and get links. Between
 * rounds the turn is parked, and nothing of the client is kept here.
 */
export function createRoundCalls(
  calls: AgentCalls & { readonly states: RequestStates },
): (call: RoundCall) => Promise<RoundResult> {
  const { states, clock, toolName, onError } = calls;

  return async (call) => {
    const binding = bindingOf(toolName, call);
    const before = await openState(call.requestState, binding);
    const joined = await join(call, before);
    if ("content" in joined) return joined;
    const round = createRound(joined, before);
    await round.takeAnswers(call.inputResponses ?? {});
    // For a client that only gets links, the next call means that the person has opened them.
    if (before === undefined && call.message === undefined) await round.openAll();
    const reply = createTurnReply();
    const pause = await untilBlocked(round.waiting(), {
      signal: call.signal,
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
    const asked = presentAll(round, call, pause);
    const { asking, links, missing } = asked;
    if (asking.length === 0 && links.length > 0) return linkResult(toolName, joined.conversationId, links);
    if (asking.length === 0 || missing.length > 0) {
      await joined.turn.stop("The client cannot ask the user for what the agent needs.");
      throw missingModes(missing);
    }
    const state = round.next(asking, pause.after);
    const expiresAt = Math.max(...asking.map(({ request }) => expiryOf(request, clock.now()))) + KEEP_MS;
    return inputRequired({
      inputRequests: Object.fromEntries(asking.map(({ request, asks }) => [request.elicitationId, asks])),
      requestState: await states.seal(state, binding, expiresAt),
    });
  };

  async function openState(
    sealed: string | undefined,
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
    return startTurn(calls, call, { supports: supportsOf(calls, call), keepMs: KEEP_MS });
  }

  /** How each request reaches the person: in this round, by a link, or not at all. */
  function presentAll(round: Round, call: RoundCall, { state, requests }: TurnPause) {
    const asking: Asking[] = [];
    const links: { request: ElicitationRequest; url: string }[] = [];
    const missing: ElicitationRequest["mode"][] = [];
    // With only pages left that the person has agreed to open, the client gets those again.
    for (const request of requests.filter((open) => state === "consented" || wantsAnswer(open))) {
      const link = calls.elicitations.linkFor(request.elicitationId);
      const note = round.noteOn(request.elicitationId);
      const how = present(request, { ...call, link, note });
      const asks = inputRequestOf(how);
      if (asks !== undefined) asking.push({ request, asks, as: asOf(how, request) });
      else if (how.by === "text") links.push({ request, url: how.url });
      else missing.push(request.mode);
    }
    return { asking, links, missing };
  }
}

interface Asking {
  readonly request: ElicitationRequest;
  readonly asks: InputRequest;
  readonly as: RoundState["asked"][string];
}

interface Round {
  takeAnswers(responses: Readonly<Record<string, unknown>>): Promise<void>;
  /** Every open request counts as one whose page the person has opened. */
  openAll(): Promise<void>;
  /** The turn, in which a request whose page is open does not wait for an answer. */
  waiting(): Pick<SurfaceTurn, "read" | "open">;
  noteOn(elicitationId: string): string | undefined;
  next(asking: readonly Asking[], after: number | undefined): RoundState;
}

function createRound({ turn }: JoinedTurn, before: RoundState | undefined): Round {
  const notes = new Map<string, string>();
  const opened = new Set(before?.opened);
  const refusals = { ...before?.refusals };

  return {
    async takeAnswers(responses) {
      // Only what was asked: other keys are ignored.
      for (const [id, as] of Object.entries(before?.asked ?? {})) {
        if (!Object.hasOwn(responses, id)) continue;
        const taken = await takeAnswer(turn, id, as, responses[id]);
        if (taken.kind === "opened") opened.add(id);
        if (taken.kind !== "again") continue;
        notes.set(id, taken.note);
        if (taken.refused) refusals[id] = (refusals[id] ?? 0) + 1;
        if ((refusals[id] ?? 0) >= MAX_REFUSALS) await turn.answer([{ elicitationId: id, action: "cancel" }]);
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
    noteOn: (id) => notes.get(id),
    next: (asking, after) => ({
      turnId: turn.id,
      asked: Object.fromEntries(asking.map(({ request, as }) => [request.elicitationId, as])),
      opened: [...opened],
      refusals,
      after,
    }),
  };
}

function asOf(how: Presentation, request: ElicitationRequest): Asking["as"] {
  return how.by === "elicitation" && how.stands === "page" ? "page" : request.mode;
}

function bindingOf(toolName: string, { caller, message, conversationId }: AgentCall): StateBinding {
  const call = JSON.stringify([toolName, message ?? null, conversationId ?? null]);
  return { userId: caller.user?.id, clientId: caller.clientId, call };
}

function expiryOf({ expiresAt }: ElicitationRequest, now: number): number {
  const at = expiresAt === undefined ? Number.NaN : Date.parse(expiresAt);
  return Number.isNaN(at) ? now : at;
}

function missingModes(modes: readonly ElicitationRequest["mode"][]): MissingRequiredClientCapabilityError {
  const elicitation = Object.fromEntries(modes.map((mode) => [mode, {}]));
  return new MissingRequiredClientCapabilityError(
    { requiredCapabilities: { elicitation } },
    "The agent needs to ask the user something, and the client has not declared that it can.",
  );
}
