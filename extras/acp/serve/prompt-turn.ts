import { type AgentContext, RequestError, type SessionUpdate } from "@agentclientprotocol/sdk";
import type { Runtime, User } from "../../../src/runtime/index.ts";
import {
  type Refusal,
  type Surface,
  type SupportedModes,
  type SurfaceTurn,
  type TurnStart,
  createBufferingStreamHelper,
  eventOf,
} from "../../../src/runtime/internal.ts";
import type { Clock } from "../../../src/base/clock.ts";
import { createClientRequests, reached } from "./client-requests.ts";
import { type AcpApproval, requestPermission } from "./permissions.ts";
import { updateOf } from "./session-updates.ts";
import type { AcpMessage } from "./sessions.ts";

export interface PromptTurnOptions {
  readonly surface: Surface;
  readonly runtime: Pick<Runtime, "subscribe">;
  readonly client: AgentContext;
  readonly user: User | undefined;
  /** The key that the limits of the runtime count by if there is no user. */
  readonly limitKey: string | undefined;
  readonly sessionId: string;
  readonly messages: readonly AcpMessage[];
  /** The modes that the client has declared. */
  readonly declared: SupportedModes;
  readonly linkFor: Parameters<typeof createClientRequests>[0]["linkFor"];
  /** The modes that the user can answer, in the client or through a link. */
  readonly supports: TurnStart["supports"];
  /** Aborts when the client cancels the prompt, or its connection closes. */
  readonly signal: AbortSignal;
  readonly onApproval: ((approval: AcpApproval) => void | Promise<void>) | undefined;
  readonly clock: Clock;
  readonly onError: (error: unknown) => void;
}

export interface EndedPrompt {
  readonly stopReason: "end_turn" | "cancelled";
  readonly texts: readonly string[];
}

/** Runs one `session/prompt` as a turn. Its texts, tool calls and questions are sent to the client. */
export async function runPrompt(options: PromptTurnOptions): Promise<EndedPrompt> {
  const { surface, user, limitKey, sessionId, messages, supports, signal, onError } = options;
  const turn = await surface.start({
    user,
    limitKey,
    conversationId: sessionId,
    messages,
    supports,
    ifOpen: "refuse",
    connectionBound: true,
  });
  if ("refused" in turn) throw refusalError(turn);
  const stop = () => void turn.stop("The client cancelled the prompt.").catch(onError);
  if (signal.aborted) stop();
  signal.addEventListener("abort", stop);
  try {
    return await followTurn(turn, options);
  } catch (error) {
    await turn.stop("The client could not be reached.").catch(onError);
    throw error;
  } finally {
    signal.removeEventListener("abort", stop);
  }
}

async function followTurn(turn: SurfaceTurn, options: PromptTurnOptions): Promise<EndedPrompt> {
  const { client, sessionId, declared, linkFor, clock, onError } = options;
  const ended = new AbortController();
  const show = (update: SessionUpdate) => reached(client.notify("session/update", { sessionId, update }));
  const tell = (text: string) =>
    show({ sessionUpdate: "agent_message_chunk", content: { type: "text", text } });
  const requests = createClientRequests({
    turn,
    client,
    sessionId,
    declared,
    linkFor,
    left: options.signal,
    tell,
    clock,
    onError,
  });
  const unsubscribe = watchApprovals(turn, ended.signal, options);
  const collected = createBufferingStreamHelper();
  let failure: string | undefined;
  let isStopped = false;
  try {
    for await (const entry of turn.read({ live: true, signal: ended.signal })) {
      const event = eventOf(entry);
      if (event.kind === "request") requests.ask(event.request);
      else if (event.kind === "resolved") await requests.end(event.request);
      else {
        collected.writeChunk(entry.chunk);
        if (event.kind === "error") failure = event.text;
        isStopped ||= entry.chunk.type === "abort";
        const update = updateOf(entry.chunk);
        if (update !== undefined) await show(update);
      }
    }
  } finally {
    unsubscribe();
    requests.endAll();
    ended.abort();
  }
  if (failure !== undefined && !isStopped) throw RequestError.internalError({ reason: failure });
  return { stopReason: isStopped ? "cancelled" : "end_turn", texts: collected.texts() };
}

function watchApprovals(turn: SurfaceTurn, signal: AbortSignal, options: PromptTurnOptions): () => void {
  const { runtime, client, sessionId, onApproval, onError } = options;
  if (onApproval === undefined) return () => {};
  return runtime.subscribe(turn.id, (event) => {
    if (event.type !== "approval-needed") return;
    const asking = { client, turnId: turn.id, sessionId, signal, onApproval, onError };
    requestPermission(event, asking).catch(onError);
  });
}

function refusalError(refusal: Refusal): RequestError {
  if (refusal.refused === "busy") return busyError();
  const reason = refusal.refused === "closed" ? "The agent is shutting down." : "Too many prompts.";
  return RequestError.internalError({ reason, retryAfter: refusal.retryAfter });
}

export function busyError(): RequestError {
  return RequestError.invalidRequest({ reason: "A prompt of this session is still running." });
}
