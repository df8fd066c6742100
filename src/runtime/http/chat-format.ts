import { type BufferingStreamHelper, asMessage } from "../turn/stream-helper.ts";
import type { SupportedModes } from "../request/question.ts";
import type { InternalSurface } from "../turn/surfaces.ts";
import { type StreamHelper, createUiMessageStreamHelper } from "../turn/stream-helper.ts";

/** A turn that is written: its id, and the time when the writing began, in milliseconds. */
export interface WrittenTurn {
  readonly turnId: string;
  readonly now: number;
}

/**
 * A format in which clients send messages to the chat, and read its turns. Its route has the checks and the limits of the
 * chat route. `conversationId`, `capabilities` and `returnUrl` of the body are read for every format.
 */
export interface ChatFormat {
  /** Kind of the surface, which `runTurn` gets as `turn.surface`. */
  readonly kind: string;
  /** Path of the route under `basePath`, such as `/v1/chat/completions`. */
  readonly path: string;
  /** Reads a body: the UI messages, and whether the client wants a stream. */
  read(
    body: Readonly<Record<string, unknown>>,
  ): { ok: true; messages: readonly unknown[]; stream: boolean } | { ok: false; detail: string };
  /** Writes a turn as server-sent events. `write` takes whole events. */
  stream(write: (event: string) => void, turn: WrittenTurn): StreamHelper;
  /** A turn as one JSON object, for a client that wants no stream. */
  whole(collected: BufferingStreamHelper, turn: WrittenTurn): object;
  /** Headers of a stream. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

/** A format with its surface. */
export interface Chat {
  readonly format: ChatFormat;
  readonly surface: InternalSurface;
}

/** A message, read in any format. */
export interface ChatBody {
  readonly conversationId: string;
  readonly messages: readonly unknown[];
  /** The request modes that the client can show. */
  readonly supports: SupportedModes;
  readonly returnUrl: string | undefined;
  /** The members that neither the contract nor the AI SDK knows, of a body in the format of `useChat`. */
  readonly own: Readonly<Record<string, unknown>>;
  /** `false`: reply with one JSON object instead of a stream. The agent then cannot ask. */
  readonly stream: boolean;
  /** The parts of the last message, if it contains only answers: the fast path. */
  readonly answers: readonly unknown[] | undefined;
  /** Length of the body, which counts against the input limit. */
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
