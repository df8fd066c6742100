import { acceptedLanguages } from "../../base/accept-language.ts";
import { refuseByLimit } from "./admission.ts";
import { supportedModes } from "./capability.ts";
import { type WholeTurn, collectTurn } from "./completion.ts";
import { jsonReply, refuse } from "./reply.ts";
import type { RouteContext } from "./route-context.ts";
import { type TurnEventsOptions, UI_MESSAGE_STREAM_HEADERS, turnEvents } from "./sse.ts";
import type { SupportedModes } from "../request/question.ts";
import type { Sender } from "../turn/input-limit.ts";
import { TURN_FAILED, createUiMessageStreamHelper } from "../turn/stream-helper.ts";
import type { Refusal, SurfaceTurn } from "../turn/surface.ts";
import type { InternalSurface } from "../turn/surfaces.ts";
import { KitError } from "../../contract/kit-error.ts";

export interface ChatContext extends RouteContext {
  /** The surfaces of `POST /run/api/chat` and `POST /run/v1/chat/completions`. */
  surfaces: Readonly<Record<"chat" | "openai", InternalSurface>>;
  /** The origin of the page that sent the request, if it is an allowed one. */
  chatOriginOf: (request: Request) => string | undefined;
}

export interface TurnRepliesOptions extends Pick<ChatContext, "clock" | "chatOriginOf"> {
  keepAliveMs: number;
  maxStreamMs: number | undefined;
  onError: (error: unknown) => void;
}

/** The body of either chat route, in one shape. */
export interface TurnRequest {
  sender: Sender;
  conversationId: string;
  messages: readonly unknown[];
  /** Length of the body, which counts against the input limit. */
  bytes: number;
  /** `capabilities` of the body, not validated. */
  capabilities: unknown;
  returnUrl: string | undefined;
  isStream: boolean;
  /** Whether the user sees the turn as it runs and can be asked. */
  canAsk: boolean;
  /** How long the log can be read after the end of the turn, in milliseconds. @default 0 */
  keepMs?: number;
}

/** Starts turns and replies with them, for both chat routes. */
export interface TurnReplies {
  /** Starts a turn. Returns a `Response` if it is refused. */
  start(surface: InternalSurface, request: Request, asked: TurnRequest): Promise<SurfaceTurn | Response>;
  /** Returns the refusal for a sender who already reads the maximum number of streams. */
  refuseReader(sender: Sender): Response | undefined;
  /** Replies with a turn as server-sent events, from its beginning. */
  stream(
    turn: SurfaceTurn,
    sender: Sender,
    surface: Pick<TurnEventsOptions, "helper" | "headers" | "onCancel">,
  ): Response;
  /** Replies with a turn as one JSON object. The turn stops if the client disconnects, because it cannot reattach. */
  whole(turn: SurfaceTurn, request: Request, as: WholeTurn): Promise<Response>;
}

/** The format of the chat route. */
export const UI_MESSAGE_STREAM = {
  helper: createUiMessageStreamHelper,
  headers: UI_MESSAGE_STREAM_HEADERS,
};

/** Streams that one user may read at once: far more than anyone has open tabs. */
const MAX_STREAMS = 50;

const NOTHING: SupportedModes = { url: false, form: false };

export function createTurnReplies(options: TurnRepliesOptions): TurnReplies {
  const { clock, keepAliveMs, maxStreamMs: maxMs, chatOriginOf, onError } = options;
  /** The number of streams that each sender reads. A stream that is not read to its end keeps its turn in memory. */
  const reading = new Map<string, number>();

  function count(key: string, by: 1 | -1): void {
    const streams = (reading.get(key) ?? 0) + by;
    if (streams === 0) reading.delete(key);
    else reading.set(key, streams);
  }

  const refuseReader: TurnReplies["refuseReader"] = ({ key = "" }) =>
    (reading.get(key) ?? 0) < MAX_STREAMS ? undefined : refuseByLimit("sender");

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
          languages: acceptedLanguages(headers.get("accept-language")),
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
      return turnEvents(entries, { ...surface, reader, clock, keepAliveMs, maxMs, onClose, onError });
    },
    async whole(turn, { signal }, as) {
      const stop = () => {
        turn.stop(CLOSED).catch(onError);
      };
      if (signal.aborted) stop();
      signal.addEventListener("abort", stop);
      const collected = await collectTurn(turn.read({ live: true, signal }));
      if (collected === undefined) return refuse(500, TURN_FAILED.errorText);
      return jsonReply(200, as(collected, { turnId: turn.id, now: clock.now() }));
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
      // Cannot happen: both routes replace an open turn.
      throw new KitError(`elicit-kit: the turn ${refusal.turnId} was not replaced.`);
  }
}

/** The reason for stopping a turn whose client disconnected. */
export const CLOSED = "The connection was closed.";
