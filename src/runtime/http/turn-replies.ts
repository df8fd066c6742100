import { acceptedLanguages } from "../../base/accept-language.ts";
import type { Clock } from "../../base/clock.ts";
import { refuseByLimit } from "./admission.ts";
import { type Chat, type ChatBody, type ChatFormat, UI_MESSAGES } from "./chat-format.ts";
import { onAbort } from "../../base/deadlines.ts";
import { jsonReply, refuse } from "../../base/reply.ts";
import { turnEvents } from "./turn-events.ts";
import type { Sender } from "../../base/identity.ts";
import { TURN_FAILED, collectTurn } from "../turn/stream-helper.ts";
import type { Refusal, SurfaceTurn } from "../turn/surface.ts";
import { KitError } from "../../contract/kit-error.ts";

/** Starts turns and replies with them, in every format of the chat. */
export interface TurnReplies {
  /** Starts a turn and replies with it. `keepMs`: how long a client that lost its stream can read the rest. */
  run(chat: Chat, request: Request, sender: Sender, body: ChatBody, keepMs: number): Promise<Response>;
  /**
   * Replies with a turn of the chat from its beginning. Refuses if the sender already reads the maximum number of
   * streams.
   */
  resume(turn: SurfaceTurn, sender: Sender): Response;
  /**
   * Counts a stream of the inbox for the sender. Returns a function to call at its end, or a refusal if the sender
   * already reads the maximum number of streams.
   */
  enter(sender: Sender): (() => void) | Response;
}

/** The largest number of streams for one user, far more than users have open tabs. */
const MAX_STREAMS = 50;
/** The reason for stopping a turn whose client disconnected. */
const CLOSED = "The connection was closed.";

export function createTurnReplies(options: {
  clock: Clock;
  chatOriginOf: (request: Request) => string | undefined;
  keepAliveMs: number;
  maxStreamMs: number | undefined;
  onError: (error: unknown) => void;
}): TurnReplies {
  const { clock, keepAliveMs, maxStreamMs: maxMs, chatOriginOf, onError } = options;
  /** The number of streams that each sender reads. A stream that is not read to its end keeps its turn in memory. */
  const reading = new Map<string, number>();

  function count(key: string, by: 1 | -1): void {
    const streams = (reading.get(key) ?? 0) + by;
    if (streams === 0) reading.delete(key);
    else reading.set(key, streams);
  }

  function hold({ key }: Sender): () => void {
    if (key === undefined) return () => {};
    count(key, 1);
    return () => count(key, -1);
  }

  const refuseReader = ({ key = "" }: Sender): Response | undefined =>
    (reading.get(key) ?? 0) < MAX_STREAMS ? undefined : refuseByLimit("sender");

  /** Sends a turn as server-sent events, from its beginning. */
  function stream(
    turn: SurfaceTurn,
    sender: Sender,
    { format, usage }: { format: ChatFormat; usage: boolean },
    onCancel?: () => Promise<void>,
  ): Response {
    const reader = new AbortController();
    const entries = turn.read({ live: true, signal: reader.signal });
    const onClose = hold(sender);
    const written = { turnId: turn.id, now: clock.now(), usage };
    return turnEvents(entries, {
      helper: (write) => format.stream(write, written),
      headers: format.headers,
      reader,
      clock,
      keepAliveMs,
      maxMs,
      onCancel,
      onClose,
      onError,
    });
  }

  /** Sends a turn as one JSON object. The turn stops if the client disconnects, because it cannot reattach. */
  async function whole(turn: SurfaceTurn, { signal }: Request, format: ChatFormat): Promise<Response> {
    const forget = onAbort(signal, () => {
      turn.stop(CLOSED).catch(onError);
    });
    const collected = await collectTurn(turn.read({ live: true, signal })).finally(forget);
    if (collected === undefined) return refuse(500, TURN_FAILED.errorText);
    return jsonReply(200, format.whole(collected, { turnId: turn.id, now: clock.now(), usage: false }));
  }

  return {
    enter: (sender) => refuseReader(sender) ?? hold(sender),
    resume: (turn, sender) =>
      refuseReader(sender) ?? stream(turn, sender, { format: UI_MESSAGES, usage: false }),
    async run({ surface, format }, request, sender, body, keepMs) {
      const { bytes, conversationId, messages, supports, returnUrl, own, startId, messageId } = body;
      const refusal = body.stream ? refuseReader(sender) : undefined;
      if (refusal !== undefined) return refusal;
      const starting = surface.start(
        {
          conversationId,
          messages,
          supports,
          returnUrl,
          body: own,
          keepMs,
          // Nobody can read the rest of such a turn on another stream.
          ...(keepMs === 0 && maxMs !== undefined && { maxExpiresInMs: 0 }),
          ...(messageId !== undefined && keepMs > 0 && { ref: { messageId } }),
          // Only clients that can re-attach may send a message twice.
          ...(startId !== undefined && keepMs > 0 && { startId: JSON.stringify([conversationId, startId]) }),
          user: sender.user,
          limitKey: sender.key,
          chatOrigin: chatOriginOf(request),
          languages: acceptedLanguages(request.headers.get("accept-language")),
        },
        { isCounted: true, bytes, signal: request.signal },
      );
      const turn = await starting.catch((error: unknown) => {
        if (request.signal.aborted) return refuse(503, CLOSED, { retryAfter: 0 });
        throw error;
      });
      if (turn instanceof Response) return turn;
      if ("refused" in turn) return refusalReply(turn);
      if (!body.stream) return whole(turn, request, format);
      // If no client can read the rest, the turn ends with its connection. Other turns continue without a reader.
      const { usage } = body;
      return stream(turn, sender, { format, usage }, keepMs > 0 ? undefined : () => turn.stop(CLOSED));
    },
  };
}

function refusalReply(refusal: Refusal): Response {
  switch (refusal.refused) {
    case "limit":
      return refuseByLimit(refusal.of, refusal.retryAfter);
    case "closed": {
      const { retryAfter } = refusal;
      return refuse(503, "The server is shutting down. Try again in a moment.", { retryAfter });
    }
    default:
      // This cannot happen, because the chat replaces an open turn.
      throw new KitError(`elicit-kit: the turn ${refusal.turnId} was not replaced.`);
  }
}
