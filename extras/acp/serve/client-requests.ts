import { type AgentContext, RequestError } from "@agentclientprotocol/sdk";
import type { ElicitationRequest } from "../../../src/contract/contract.ts";
import { readElicitResult } from "../../../src/contract/elicit-result.ts";
import {
  type SupportedModes,
  type SurfaceTurn,
  wantsAnswer,
  present,
  takeInTime,
  takeUnreadable,
} from "../../../src/runtime/internal.ts";
import type { Clock } from "../../../src/base/clock.ts";
import { type AcpElicitationParams, writeElicitation } from "../wire/translate.ts";

export interface ClientRequestsOptions {
  readonly turn: Pick<SurfaceTurn, "open" | "answer" | "rejectAnswer" | "failRequest">;
  readonly client: Pick<AgentContext, "request" | "notify">;
  readonly sessionId: string;
  /** The modes that the client has declared. */
  readonly declared: SupportedModes;
  /** Returns the answer page for a request that the client cannot show, if the operator has one. */
  readonly linkFor: (elicitationId: string) => string | undefined;
  /** Aborts when the client has cancelled the prompt or disconnected. Open requests are then withdrawn, not answered. */
  readonly left: AbortSignal;
  /** Shows a text to the user in the session. */
  readonly tell: (text: string) => Promise<void>;
  readonly clock: Clock;
  readonly onError: (error: unknown) => void;
}

/** Asks an ACP client the questions of a turn. */
export interface ClientRequests {
  /** Asks a request that is still open, once. */
  ask(request: ElicitationRequest): void;
  /** The request has ended: cancels the client's request, and reports a complete page. */
  end(request: ElicitationRequest): Promise<void>;
  /** Call when the turn has ended. */
  endAll(): void;
}

export function createClientRequests(options: ClientRequestsOptions): ClientRequests {
  const { turn, client, sessionId, declared, linkFor, left, tell, clock, onError } = options;
  const asked = new Map<string, AbortController>();
  /** Requests that the client shows as pages. The client gets a notification when a page is complete. */
  const pages = new Set<string>();

  async function askOne({ elicitationId }: ElicitationRequest, own: AbortSignal): Promise<void> {
    const until = AbortSignal.any([own, left]);
    for (;;) {
      // The log may be read late, so the records decide which requests are still open.
      const request = (await turn.open()).find((other) => other.elicitationId === elicitationId);
      if (request === undefined || !wantsAnswer(request)) return;
      const shown = shownTo(request);
      if (shown.as === "link") return tell(`\n\n${request.message}\n${shown.url}\n\n`);
      if (shown.as === "refused") return turn.failRequest(elicitationId, shown.reason);
      if (shown.params.mode === "url") pages.add(elicitationId);
      const result = await requestOnce(withNote(shown.params, request.progress?.lastError), own);
      if (until.aborted) return;
      const read = readElicitResult(result);
      // If there is an answer page, the answer comes from it.
      if (shown.isAnswerPage && read.ok && read.value.action === "accept") return;
      const taken = read.ok
        ? await takeInTime(turn, { elicitationId, ...read.value }, { consent: true, signal: until, clock })
        : await takeUnreadable(turn, elicitationId);
      if (taken.kind !== "invalid" || taken.attemptsLeft === 0) return;
    }
  }

  function shownTo(request: ElicitationRequest): Shown {
    const link = linkFor(request.elicitationId);
    const how = present(request, {
      modes: declared,
      link,
      fits: () => writeElicitation(request, sessionId).ok,
    });
    if (how.as === "link" || how.as === "refused") return how;
    const isAnswerPage = how.as === "url" && how.answers;
    const written = writeElicitation(isAnswerPage ? asPage(request, how.url) : request, sessionId);
    if (!written.ok) return { as: "refused", reason: "it cannot be asked through ACP" };
    return { as: "elicitation", params: written.value, isAnswerPage };
  }

  async function requestOnce(
    params: AcpElicitationParams,
    cancellationSignal: AbortSignal,
  ): Promise<unknown> {
    try {
      const waiting = { cancellationSignal, stopWaitingOnCancel: true };
      return await client.request("elicitation/create", params, waiting);
    } catch (error) {
      if (!cancellationSignal.aborted && !left.aborted) onError(error);
      return { action: "cancel" };
    }
  }

  return {
    ask(request) {
      const { elicitationId } = request;
      if (!wantsAnswer(request) || asked.has(elicitationId)) return;
      const abort = new AbortController();
      asked.set(elicitationId, abort);
      askOne(request, abort.signal).catch(onError);
    },
    async end({ elicitationId, resolution }) {
      const abort = asked.get(elicitationId);
      if (abort === undefined) return;
      if (pages.has(elicitationId) && resolution?.outcome === "accepted") {
        await reached(client.notify("elicitation/complete", { elicitationId }));
      }
      abort.abort();
    },
    endAll() {
      for (const abort of asked.values()) abort.abort();
    },
  };
}

type Shown =
  | { readonly as: "elicitation"; readonly params: AcpElicitationParams; readonly isAnswerPage: boolean }
  | { readonly as: "link"; readonly url: string }
  | { readonly as: "refused"; readonly reason: string };

/** Turns the request into one for its answer page. */
function asPage({ type, elicitationId, message, ...request }: ElicitationRequest, url: string) {
  const { toolCallId, requester, context, expiresAt } = request;
  return {
    type,
    elicitationId,
    message,
    toolCallId,
    requester,
    context,
    expiresAt,
    mode: "url" as const,
    url,
  };
}

function withNote(params: AcpElicitationParams, note: string | undefined): AcpElicitationParams {
  return note === undefined ? params : { ...params, message: `${params.message}\n\n${note}` };
}

/**
 * Waits until a notification is sent. A disconnected client is no failure of the agent, so this throws an error of the
 * protocol, which is not logged.
 */
export async function reached(sent: Promise<void>): Promise<void> {
  try {
    await sent;
  } catch {
    throw RequestError.internalError({ reason: "The client could not be reached." });
  }
}
