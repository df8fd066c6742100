import { noRoom } from "./admission.ts";
import type { RouteContext } from "./answer-routes.ts";
import { supportedModes } from "./capability.ts";
import { type WholeTurn, collectTurn } from "./completion.ts";
import type { OriginCheck } from "./origin.ts";
import type { TurnStream } from "../ports.ts";
import type { InputLimit, Sender } from "./input-limit.ts";
import { jsonReply, refuse } from "./reply.ts";
import { type EventStreamOptions, eventStream } from "./sse.ts";
import { TURN_FAILED } from "../turn/stream-helper.ts";
import type { SupportedModes } from "../elicitation/question.ts";
import type { OpenTurn } from "../turn/running-turn.ts";
import type { Turns } from "../turn/turns.ts";

export interface ChatContext extends RouteContext {
  turns: Turns;
  inputLimit: InputLimit;
  turnStream: TurnStream;
  isAllowedOrigin: OriginCheck;
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
  /** Whether somebody reads along and can be asked. */
  canAsk: boolean;
}

/** Starting turns and replying with them, for every route that does. */
export interface TurnReplies {
  /** A new turn, or the refusal of one. */
  start(request: Request, asked: TurnRequest): Promise<OpenTurn | Response>;
  /** A turn as server-sent events, from its beginning. */
  stream(turnId: string, surface: Pick<EventStreamOptions, "helper" | "headers" | "onCancel">): Response;
  /** A turn as one JSON answer. It ends with its connection: nobody can come back for it. */
  whole(turn: OpenTurn, request: Request, as: WholeTurn): Promise<Response>;
}

const NOTHING: SupportedModes = { url: false, form: false };

export function createTurnReplies({
  turns,
  turnStream,
  inputLimit,
  clock,
  keepAliveMs,
  isAllowedOrigin,
  onError,
}: ChatContext): TurnReplies {
  return {
    async start(request, { capabilities, canAsk, sender, bytes, ...input }) {
      if (turns.isClosed()) {
        return refuse(503, "The server is shutting down. Try again in a moment.", { retryAfter: 5 });
      }
      const room = inputLimit.hold(sender, input.conversationId, bytes);
      if (!room.ok) return noRoom(room.isFull);
      const { headers } = request;
      const origin = headers.get("origin");
      try {
        const turn = await turns.start({
          ...input,
          user: sender.user,
          supports: canAsk ? supportedModes(headers, capabilities) : NOTHING,
          chatOrigin: origin !== null && isAllowedOrigin(origin) ? origin : undefined,
        });
        void turn.ended.then(room.leave);
        return turn;
      } catch (error) {
        room.leave();
        throw error;
      }
    },
    stream(turnId, surface) {
      const reader = new AbortController();
      const entries = turnStream.read(turnId, { live: true, signal: reader.signal });
      return eventStream(entries, { ...surface, reader, clock, keepAliveMs, onError });
    },
    async whole(turn, { signal }, as) {
      const stop = () => void turn.stop(CLOSED);
      if (signal.aborted) stop();
      signal.addEventListener("abort", stop);
      const entries = turnStream.read(turn.id, { live: true, signal });
      const said = await collectTurn(entries);
      if (said === undefined) return refuse(500, TURN_FAILED.errorText);
      return jsonReply(200, as(said, { turnId: turn.id, now: clock.now() }));
    },
  };
}

/** Why a turn is stopped when its client goes away. */
export const CLOSED = "The connection was closed.";
