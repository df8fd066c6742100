import { type BufferingStreamHelper, asMessage } from "../turn/stream-helper.ts";
import type { SupportedModes } from "../ask/question.ts";
import type { InternalSurface } from "../turn/surfaces.ts";
import { type StreamHelper, createUiMessageStreamHelper } from "../turn/stream-helper.ts";

/** A turn that is being written. */
export interface WrittenTurn {
  readonly turnId: string;
  /** When writing began, in milliseconds since the epoch. */
  readonly now: number;
  /** Whether the client asks how many tokens the turn took. */
  readonly usage: boolean;
}

/**
 * A format in which clients send messages to the chat, and read its turns. Its route has the same checks and limits as
 * the chat route. Every format reads `conversationId`, `capabilities` and `returnUrl` from the body.
 */
export interface ChatFormat {
  /** The kind of the surface, which `runTurn` gets as `turn.surface`. */
  readonly kind: string;
  /** Path of the route under `basePath`, such as `/v1/chat/completions`. */
  readonly path: string;
  /** Reads a body: the UI messages, and whether the client requests a stream. */
  read(
    body: Readonly<Record<string, unknown>>,
  ):
    | { ok: true; messages: readonly unknown[]; stream: boolean; usage?: boolean }
    | { ok: false; detail: string };
  /** Writes a turn as server-sent events. `write` expects complete events. */
  stream(write: (event: string) => void, turn: WrittenTurn): StreamHelper;
  /** Writes a turn as one JSON object, for a client that does not request a stream. */
  whole(collected: BufferingStreamHelper, turn: WrittenTurn): object;
  /** JSON documents that clients of the format read, by their path under `basePath`. */
  readonly documents?: Readonly<Record<string, object>> | undefined;
  /** The headers of a stream. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

/** A format and its surface. */
export interface Chat {
  readonly format: ChatFormat;
  readonly surface: InternalSurface;
}

/** A message, parsed from any format. */
export interface ChatBody {
  readonly conversationId: string;
  readonly messages: readonly unknown[];
  /** The client's id of this message. The same id does not start a second turn. */
  readonly startId: string | undefined;
  /** The id of the last message, which the turn answers. */
  readonly messageId: string | undefined;
  /** The request modes that the client can show. */
  readonly supports: SupportedModes;
  readonly returnUrl: string | undefined;
  /** The members that neither the contract nor the AI SDK defines, of a body in the format of `useChat`. */
  readonly own: Readonly<Record<string, unknown>>;
  /** `false`: the reply is one JSON object instead of a stream. The agent then cannot ask. */
  readonly stream: boolean;
  /** Whether the client asks how many tokens the turn took. */
  readonly usage: boolean;
  /** The parts of the last message, if it contains only answers: the fast path. */
  readonly answers: readonly unknown[] | undefined;
  /** The length of the body, which counts towards the input limit. */
  readonly bytes: number;
}

/** The format of `useChat`: version 1 of the AI SDK's UI message stream. */
export const UI_MESSAGES: ChatFormat = {
  kind: "chat",
  path: "/api/chat",
  read({ messages, stream }) {
    if (!Array.isArray(messages) || messages.length === 0)
      return { ok: false, detail: "messages must be a list with at least one message." };
    return { ok: true, messages, stream: stream !== false };
  },
  stream: createUiMessageStreamHelper,
  whole: asMessage,
  headers: { "x-vercel-ai-ui-message-stream": "v1" },
};
