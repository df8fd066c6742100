import type { AgentContext } from "@agentclientprotocol/sdk";
import { parseRequestedSchema } from "../../form/index.ts";
import { asksForNamedSecret } from "../../form/secrets.ts";
import type { ElicitationRequest, ElicitationResponse } from "../../protocol/contract.ts";
import { readElicitResult } from "../../protocol/elicit-result.ts";
import { MAX_REFUSALS, UNREADABLE_NOTE, invalidNote } from "../../protocol/invalid-answer.ts";
import {
  type Clock,
  type SupportedModes,
  type SurfaceAnswerResult,
  type SurfaceTurn,
  wantsAnswer,
} from "../../runtime/core/index.ts";
import { sleep } from "../../runtime/core/internal.ts";
import { type AcpElicitationParams, writeElicitation } from "../translate.ts";
import { reached } from "./reached.ts";

export interface ClientRequestsOptions {
  readonly turn: Pick<SurfaceTurn, "open" | "answer">;
  readonly client: Pick<AgentContext, "request" | "notify">;
  readonly sessionId: string;
  /** The modes that the client has declared. */
  readonly declared: SupportedModes;
  /** The answer page of a request that the client cannot be asked for, if the operator has one. */
  readonly linkFor: (elicitationId: string) => string | undefined;
  /** Aborts when the client has cancelled the prompt or is gone: what it was asked is then withdrawn, not answered. */
  readonly left: AbortSignal;
  /** Shows a text to the person in the session. */
  readonly tell: (text: string) => Promise<void>;
  readonly clock: Clock;
  readonly onError: (error: unknown) => void;
}

/** Asks an ACP client for what a turn asks its person. */
export interface ClientRequests {
  /** Asks once, if the request is open. */
  ask(request: ElicitationRequest): void;
  /** The request has ended: the client's one is cancelled, and a page that is done is reported. */
  end(request: ElicitationRequest): Promise<void>;
  /** The turn has ended. */
  endAll(): void;
}

export function createClientRequests(options: ClientRequestsOptions): ClientRequests {
  const { turn, client, sessionId, declared, linkFor, left, tell, clock, onError } = options;
  const asked = new Map<string, AbortController>();

  async function askOne(request: ElicitationRequest, cancellationSignal: AbortSignal): Promise<void> {
    const { elicitationId } = request;
    // The log may be read late, so the records decide which requests are still open.
    const open = await turn.open();
    if (!open.some((other) => other.elicitationId === elicitationId && wantsAnswer(other))) return;
    const params = askable(request, declared) ? writeElicitation(request, sessionId) : undefined;
    if (params?.ok !== true) {
      const answerPage = linkFor(elicitationId);
      if (answerPage !== undefined) {
        const link = request.mode === "url" ? request.url : answerPage;
        return tell(`\n\n${request.message}\n${link}\n\n`);
      }
      await answer({ elicitationId, action: "cancel" });
      return;
    }
    let note: string | undefined;
    for (let refusals = 0; refusals < MAX_REFUSALS; refusals += 1) {
      const result = await requestOnce(withNote(params.value, note), cancellationSignal);
      if (cancellationSignal.aborted || left.aborted) return;
      const read = readElicitResult(result);
      note = UNREADABLE_NOTE;
      if (!read.ok) continue;
      const answered = await answer({ elicitationId, ...read.value });
      if (answered?.kind !== "invalid") return;
      note = invalidNote(answered.errors);
    }
    await answer({ elicitationId, action: "cancel" });
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

  async function answer(given: ElicitationResponse): Promise<SurfaceAnswerResult | undefined> {
    for (;;) {
      const [result] = await turn.answer([{ ...given, acceptMeans: "consent" }]);
      if (result?.kind !== "limited") return result;
      await sleep(clock, result.retryAfter * 1000);
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
    async end({ elicitationId, mode, resolution }) {
      const abort = asked.get(elicitationId);
      if (abort === undefined) return;
      if (mode === "url" && declared.url && resolution?.outcome === "accepted") {
        await reached(client.notify("elicitation/complete", { elicitationId }));
      }
      abort.abort();
    },
    endAll() {
      for (const abort of asked.values()) abort.abort();
    },
  };
}

/** Whether a client may be asked: it has declared the mode, and the form can be shown and asks for no secret. */
function askable(request: ElicitationRequest, declared: SupportedModes): boolean {
  if (!declared[request.mode]) return false;
  if (request.mode === "url") return true;
  const form = parseRequestedSchema(request.requestedSchema);
  return form.ok && !asksForNamedSecret(form.fields);
}

function withNote(params: AcpElicitationParams, note: string | undefined): AcpElicitationParams {
  return note === undefined ? params : { ...params, message: `${params.message}\n\n${note}` };
}
