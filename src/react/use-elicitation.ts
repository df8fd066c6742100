"use client";
import { useEffect, useMemo, useState } from "react";
import { type ChatElicitation, createElicitation, type ElicitationOptions } from "../ai-sdk/index.ts";
import type { ElicitationTransport } from "../ai-sdk/chat-transport.ts";
import { warnOfOtherChat } from "../ai-sdk/developer-warnings.ts";
import { lateStream } from "../ai-sdk/late-stream.ts";
import { whenIdle } from "../client/late.ts";
import type { MessageLike } from "../client/read-messages.ts";
import type { BoundElicitation } from "./bound-elicitation.ts";
import { useRequests, type UseElicitationListResult } from "./use-elicitation-list.ts";

/** The options of `useElicitation`: those of its own client, or a client that other components share. */
export type UseElicitationOptions<Message extends MessageLike = never> = {
  /** The id of the conversation. With it, the chat continues after a reload. @default an id that the chat creates */
  id?: string | undefined;
  /** The history of the conversation, which the chat shows first. */
  messages?: Message[] | undefined;
} & (({ client?: undefined } & ElicitationOptions) | { client: ChatElicitation });

/** The result of `useElicitation`. Spread it into `Elicitations`. */
export interface UseElicitationResult<Message extends MessageLike = never> {
  /**
   * The requests in the order in which they were asked, including ended ones. The same array until one of them changes.
   */
  elicitations: readonly BoundElicitation[];
  /** The first request that waits for the user. */
  current: BoundElicitation | undefined;
  /** Options for `useChat`. */
  chatOptions: ElicitationChatOptions<Message>;
  /** The client, to show the same requests elsewhere: `useElicitation({ client, id })`, or `useElicitationList`. */
  client: ChatElicitation;
  /** Empty until a chat without an id has sent its first message. */
  conversationId: string;
}

/** Options that make `useChat` support elicitation. Add your own options: `useChat({ ...chatOptions, onFinish })`. */
export type ElicitationChatOptions<Message extends MessageLike = never> = {
  id?: string;
  transport: ElicitationTransport;
  /** Whether the chat reads the stream of its open turn when it is mounted. */
  resume: boolean;
} & ([Message] extends [never] ? object : { messages?: Message[] });

/**
 * Elicitation for `useChat` of the AI SDK 5 to 7. Call it before `useChat`, in the same component, and pass `chatOptions`
 * to `useChat`. The chat then supports elicitation, and continues after a reload, a route change or a switch of the
 * conversation. Only its `stop()` stops the turn. Functions, `headers`, `body` and `fetch` are read again for each call.
 * Other options are read when the component is mounted.
 *
 * @example
 * export function Chat() {
 *   const elicitation = useElicitation({ api: "/run/api" });
 *   useChat(elicitation.chatOptions);
 *   return <Elicitations {...elicitation} />;
 * }
 */
export function useElicitation<Message extends MessageLike = never>(
  options: UseElicitationOptions<Message>,
): UseElicitationResult<Message>;
export function useElicitation(
  options: UseElicitationOptions<MessageLike>,
): UseElicitationResult<MessageLike> {
  const { id, messages } = options;
  const [own] = useState(() => (options.client === undefined ? createOwnClient(options) : undefined));
  const client = options.client ?? own?.client;
  if (client === undefined) {
    throw new Error(
      "elicit-kit: useElicitation had a client, and now has none. Pass one always or never, or give the component another key.",
    );
  }
  useEffect(() => {
    if (options.client === undefined) own?.update(options);
  });

  const [chat, setChat] = useState<{ of: string | undefined; id: string }>();
  const transport = useMemo(
    () =>
      client.createTransport((chatId) => {
        if (id !== undefined && chatId !== id) warnOfOtherChat(id, chatId);
        setChat((before) => (before?.of === id && before?.id === chatId ? before : { of: id, id: chatId }));
      }),
    [client, id],
  );
  // A transport of the app's own has the client's `fetch`, but does not say to which chat it belongs.
  useEffect(() => {
    if (id !== undefined) return undefined;
    return client.onOwnTransport((chatId) => setChat({ of: undefined, id: chatId }));
  }, [client, id]);
  const conversationId = chat !== undefined && chat.of === id ? chat.id : (id ?? "");

  useEffect(
    () => (client.preload === "never" ? undefined : whenIdle(() => void lateStream.load())),
    [client],
  );

  const [wasLeft, setWasLeft] = useState(false);
  useEffect(() => {
    if (conversationId === "") return undefined;
    return () => {
      // The cleanup of `useChat` follows this one immediately, and aborts the chat's stream.
      queueMicrotask(client.leave(conversationId));
      // React may show the component again (`<Activity>`): its chat then reads the rest of the turn.
      setWasLeft(true);
    };
  }, [client, conversationId]);

  const [reads] = useState(createReads);
  const list = useRequests({ client, conversationId, messages }, reads.any);
  const resume = id !== undefined || wasLeft;
  const chatOptions = useMemo(
    () => ({
      ...(id !== undefined && { id }),
      ...(messages !== undefined && { messages }),
      transport,
      resume,
    }),
    [id, messages, transport, resume],
  );
  return reads.of(list, { chatOptions, client, conversationId });
}

/** Notices whether a component reads the requests. One that reads only `chatOptions` draws none. */
function createReads() {
  let wasRead = false;
  return {
    any: () => wasRead,
    of<Rest extends object>(list: UseElicitationListResult, rest: Rest): UseElicitationListResult & Rest {
      return {
        ...rest,
        get elicitations() {
          wasRead = true;
          return list.elicitations;
        },
        get current() {
          wasRead = true;
          return list.current;
        },
      };
    },
  };
}

/** A client that reads its changing options from the latest render. */
function createOwnClient(first: ElicitationOptions): {
  client: ChatElicitation;
  update: (options: ElicitationOptions) => void;
} {
  let latest = first;
  const client = createElicitation({
    ...first,
    headers: () => (typeof latest.headers === "function" ? latest.headers() : (latest.headers ?? {})),
    body: () => (typeof latest.body === "function" ? latest.body() : (latest.body ?? {})),
    // Read at call time, because tests and service workers replace the global after this module has loaded.
    fetch: (input, init) => (latest.fetch ?? globalThis.fetch)(input, init),
  });
  return {
    client,
    update(options) {
      latest = options;
    },
  };
}
