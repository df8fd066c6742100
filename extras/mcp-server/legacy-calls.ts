import {
  type CallToolResult,
  type ElicitRequestURLParams,
  UrlElicitationRequiredError,
} from "@modelcontextprotocol/server";
import type { ElicitationRequest } from "../../src/contract/contract.ts";
import { type SurfaceTurn, type TurnStreamEntry, eventOf, wantsAnswer } from "../../src/runtime/internal.ts";
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
import { takeAnswerInTime } from "./answers.ts";
import { createDeferred } from "../../src/base/deadlines.ts";
import { presentTo } from "./presentation.ts";
import { createTurnReply } from "./turn-reply.ts";

/** A call over a connection on which the server can ask (2025-06-18, 2025-11-25). */
export interface LegacyCall extends AgentCall {
  /** Sends `elicitation/create`, and resolves with the client's untrusted answer. */
  elicit(
    params: Readonly<Record<string, unknown>>,
    options: { signal: AbortSignal; timeoutMs: number },
  ): Promise<unknown>;
  /** Sends `notifications/elicitation/complete`. */
  complete(elicitationId: string): Promise<void>;
  /** Turns of this connection that wait for pages of error -32042, by the arguments of their call. */
  readonly parked: Map<string, string>;
}

/** How often a client gets progress while nothing else happens. */
const STILL_WAITING_MS = 15_000;
/** How long a repeated call waits for pages, before the client gets error -32042 again. */
const PAGES_MS = 50_000;
/** How many calls of one connection with waiting turns can be found again. */
const MAX_PARKED = 50;

/**
 * Serves calls of a connection: the call stays open while the user thinks. `pagesByError`: pages are sent with error
 * -32042 instead of `elicitation/create`.
 */
export function createLegacyCalls(
  calls: AgentCalls & { readonly pagesByError: boolean },
): (call: LegacyCall) => Promise<CallToolResult> {
  const { toolName, clock, elicitations, pagesByError, onError } = calls;

  return async (call) => {
    const key = JSON.stringify([call.message ?? null, call.conversationId ?? null]);
    const waiting = await findParked(call, key);
    const joined = waiting ?? (await join(call));
    if ("content" in joined) return joined;
    const { turn, conversationId } = joined;
    const reply = createTurnReply();
    const asking = new Map<string, AbortController>();
    /** The questions that the client is showing. */
    let unanswered = 0;
    const links = new Map<string, { request: ElicitationRequest; url: string }>();
    const over = new AbortController();
    /** Ends the call before the turn: with links for the user, or with an error. */
    const early = createDeferred<CallToolResult>();

    let stopTelling: (() => void) | undefined;
    function keepTelling(): void {
      stopTelling = clock.after(STILL_WAITING_MS, () => {
        call.progress(asking.size > 0 ? "Waiting for the user" : "Working");
        keepTelling();
      });
    }

    async function ask(request: ElicitationRequest): Promise<void> {
      const { elicitationId } = request;
      if (asking.has(elicitationId) || over.signal.aborted) return;
      const own = new AbortController();
      asking.set(elicitationId, own);
      unanswered += 1;
      try {
        await askOne(request, own.signal);
      } finally {
        unanswered -= 1;
        endWithLinks();
      }
    }

    /** Ends the call with the links for the user, once the client has answered all other questions. */
    function endWithLinks(): void {
      if (unanswered > 0 || links.size === 0) return;
      early.resolve(linkResult(toolName, conversationId, [...links.values()]));
    }

    async function askOne(asked: ElicitationRequest, own: AbortSignal): Promise<void> {
      const { elicitationId } = asked;
      const link = elicitations.linkFor(elicitationId);
      const until = AbortSignal.any([own, over.signal]);
      for (let request = asked; ;) {
        const how = presentTo(call, request, link);
        if (how.by === "text") return void links.set(elicitationId, { request, url: how.url });
        if (how.by === "nothing") return turn.failRequest(elicitationId, how.reason);
        if (pagesByError && how.params["mode"] === "url") return requirePages();
        const result = await elicit(how.params, request, until);
        // Questions without an answer stay open after the call has ended.
        if (until.aborted) return;
        const answer = { elicitationId, as: how.as, result };
        const taken = await takeAnswerInTime(turn, answer, { signal: until, clock });
        if (taken.kind !== "invalid") return;
        const again = (await turn.open()).find((other) => other.elicitationId === elicitationId);
        if (again === undefined) return;
        request = again;
      }
    }

    async function elicit(
      params: Readonly<Record<string, unknown>>,
      { expiresAt }: ElicitationRequest,
      signal: AbortSignal,
    ) {
      const timeoutMs = expiresAt === undefined ? KEEP_MS : Date.parse(expiresAt) - clock.now() + 60_000;
      try {
        return await call.elicit(params, { signal, timeoutMs });
      } catch {
        // The client replied with an error, cannot read the question, or has disconnected.
        return { action: "cancel" };
      }
    }

    /** Ends the call with the pages of the turn, as error -32042. */
    async function requirePages(): Promise<void> {
      const pages = (await turn.open()).flatMap((request): ElicitRequestURLParams[] =>
        request.mode === "url"
          ? [
              {
                mode: "url",
                message: request.message,
                url: request.url,
                elicitationId: request.elicitationId,
              },
            ]
          : [],
      );
      // The pages are complete, and the agent works on.
      if (pages.length === 0) return;
      const [oldest] = call.parked.size < MAX_PARKED ? [] : call.parked.keys();
      if (oldest !== undefined) call.parked.delete(oldest);
      call.parked.set(key, turn.id);
      early.reject(new UrlElicitationRequiredError(pages));
    }

    async function see(entry: TurnStreamEntry): Promise<void> {
      const tool = reply.see(entry);
      if (tool !== undefined) call.progress(`Using ${tool}`);
      const event = eventOf(entry);
      if (event.kind === "resolved") {
        const { elicitationId, mode, resolution } = event.request;
        asking.get(elicitationId)?.abort();
        links.delete(elicitationId);
        if (asking.has(elicitationId) && mode === "url" && resolution.outcome === "accepted") {
          await call.complete(elicitationId);
        }
      }
      if (event.kind !== "request" || !wantsAnswer(event.request)) return;
      // The log only shows the past: only requests that are still open are asked.
      const open = await turn.open();
      const { elicitationId } = event.request;
      const request = open.find((other) => other.elicitationId === elicitationId && wantsAnswer(other));
      if (request !== undefined) void ask(request).catch(early.reject);
    }

    async function follow(): Promise<CallToolResult> {
      for await (const entry of turn.read({ live: true, signal: over.signal })) await see(entry);
      return over.signal.aborted ? errorResult("The call was ended.") : reply.result(conversationId);
    }

    function onCancel(): void {
      early.resolve(errorResult("The call was ended."));
      turn.stop("The client has ended the call.").catch(onError);
    }

    let stopWaiting: (() => void) | undefined;
    try {
      call.signal.addEventListener("abort", onCancel, { once: true });
      if (call.signal.aborted) onCancel();
      keepTelling();
      if (waiting !== undefined) {
        await consentToPages(turn);
        stopWaiting = clock.after(PAGES_MS, () => void requirePages().catch(early.reject));
      }
      return await Promise.race([follow(), early.promise]);
    } finally {
      stopTelling?.();
      stopWaiting?.();
      call.signal.removeEventListener("abort", onCancel);
      over.abort();
    }
  };

  /** Finds the turn that waits for the pages of error -32042, which an earlier identical call got. */
  async function findParked({ caller, parked }: LegacyCall, key: string): Promise<JoinedTurn | undefined> {
    const turnId = parked.get(key);
    parked.delete(key);
    const found = turnId === undefined ? undefined : await findTurn(calls, caller, { turnId });
    return found?.turn.ended === false ? found : undefined;
  }

  async function join(call: LegacyCall): Promise<JoinedTurn | CallToolResult> {
    const { caller, message, conversationId } = call;
    if (message !== undefined) {
      // A client that cannot be asked gets a link, and returns with the conversation, to any process.
      return startTurn(calls, call, { connectionBound: call.modes.declared });
    }
    const where = conversationId === undefined ? undefined : { conversationId };
    return (where && (await findTurn(calls, caller, where))) ?? lostResult(toolName);
  }
}

/** A repeated call means that the user has visited the pages. */
async function consentToPages(turn: SurfaceTurn): Promise<void> {
  const open = await turn.open();
  const pages = open.filter((request) => request.mode === "url");
  await turn.answer(
    pages.map(({ elicitationId }) => ({ elicitationId, action: "accept", acceptMeans: "consent" })),
  );
}
