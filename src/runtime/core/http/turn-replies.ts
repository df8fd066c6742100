import { noRoom } from "./admission.ts";
import type { RouteContext } from "./answer-routes.ts";
import { supportedModes } from "./capability.ts";
import { type WholeTurn, collectTurn } from "./completion.ts";
import { jsonReply, refuse } from "./reply.ts";
import { type EventStreamOptions, eventStream } from "./sse.ts";
import type { SupportedModes } from "../elicitation/question.ts";
import type { Sender } from "../turn/input-limit.ts";
import { TURN_FAILED } from "../turn/stream-helper.ts";
import type { Refusal, SurfaceTurn } from "../turn/surface.ts";
import type { InternalSurface } from "../turn/surfaces.ts";

export interface ChatContext extends RouteContext {
  /** Of `POST /run/api/chat`, and of `POST /run/v1/chat/completions`. */
  surfaces: Readonly<Record<"chat" | "openai", InternalSurface>>;
  /** The page that a request comes from, when it is one of the chat's origins. */
  chatOriginOf: (request: Request) => string | undefined;
  keepAliveMs: number;
  onError: (error: unknown) => void;
}

/** What the bodies of both chat routes come down to. */
export interface TurnRequest {
  sender: Sender;
  conversationId: string;
  messages: readonly unknown[];
  /** How long the body was: what the turn holds. */
  bytes: number;
  /** What the client says of itself, in the body. */
  capabilities: unknown;
  returnUrl: string | undefined;
  isStream: boolean;
  /** Whether somebody reads along and can be asked. */
  canAsk: boolean;
}

/** Starting turns and replying with them, for every route that does. */
export interface TurnReplies {
  /** A new turn, or the refusal of one. */
  start(surface: InternalSurface, request: Request, asked: TurnRequest): Promise<SurfaceTurn | Response>;
  /** The refusal of a sender who reads as many streams as one may. */
  refuseReader(sender: Sender): Response | undefined;
  /** A turn as server-sent events, from its beginning. */
  stream(
    turn: SurfaceTurn,
    sender: Sender,
    surface: Pick<EventStreamOptions, "helper" | "headers" | "onCancel">,
  ): Response;
  /** A turn as one JSON answer. It ends with its connection: nobody can come back for it. */
  whole(turn: SurfaceTurn, request: Request, as: WholeTurn): Promise<Response>;
}

/** Streams of one person that are read at once: far more than anybody has tabs. */
const MAX_STREAMS = 50;

const NOTHING: SupportedModes = { url: false, form: false };

export function createTurnReplies({ clock, keepAliveMs, chatOriginOf, onError }: ChatContext): TurnReplies {
  /** How many streams each sender reads. One that is never read to its end holds what its turn has said. */
  const reading = new Map<string, number>();

  function count(key: string, by: 1 | -1): void {
    const streams = (reading.get(key) ?? 0) + by;
    if (streams === 0) reading.delete(key);
    else reading.set(key, streams);
  }

  const refuseReader: TurnReplies["refuseReader"] = ({ key = "" }) =>
    (reading.get(key) ?? 0) < MAX_STREAMS ? undefined : noRoom("sender");

  return {
    refuseReader,
    async start(surface, request, { capabilities, canAsk, isStream, sender, bytes, ...input }) {
      const refusal = isStream ? refuseReader(sender) : undefined;
      if (refusal !== undefined) return refusal;
      const { headers } = request;
      const turn = await surface.start(
        {
          ...input,
          user: sender.user,
          limitKey: sender.key,
          supports: canAsk ? supportedModes(headers, capabilities) : NOTHING,
          chatOrigin: chatOriginOf(request),
        },
        { isCounted: true, bytes },
      );
      return "refused" in turn ? refusalReply(turn) : turn;
    },
    stream(turn, { key }, surface) {
      const reader = new AbortController();
      const entries = turn.read({ live: true, signal: reader.signal });
      if (key !== undefined) count(key, 1);
      const onClose = key === undefined ? undefined : () => count(key, -1);
      return eventStream(entries, { ...surface, reader, clock, keepAliveMs, onClose, onError });
    },
    async whole(turn, { signal }, as) {
      const stop = () => void turn.stop(CLOSED);
      if (signal.aborted) stop();
      signal.addEventListener("abort", stop);
      const said = await collectTurn(turn.read({ live: true, signal }));
      if (said === undefined) return refuse(500, TURN_FAILED.errorText);
      return jsonReply(200, as(said, { turnId: turn.id, now: clock.now() }));
    },
  };
}

function refusalReply(refusal: Refusal): Response {
  switch (refusal.refused) {
    case "limit":
      return noRoom(refusal.of, refusal.retryAfter);
    case "closed": {
      const { retryAfter } = refusal;
      return refuse(503, "The server is shutting down. Try again in a moment.", { retryAfter });
    }
    default:
      // Both routes replace a turn that is open.
      throw new Error(`elicit-kit: the turn ${refusal.turnId} was not replaced.`);
  }
}

/** Why a turn is stopped when its client goes away. */
export const CLOSED = "The connection was closed.";
