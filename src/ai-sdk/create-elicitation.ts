import {
  createElicitationClient,
  createHttpChannel,
  type ElicitationClient,
  type ElicitationClientOptions,
  type HttpChannel,
  type HttpChannelOptions,
} from "../client/index.ts";
import { createContinuations } from "./continuations.ts";
import { type ElicitationTransportOptions, transportOptionsOf } from "./elicitation-transport.ts";
import { createHeaderWarning } from "./header-warning.ts";
import { createHardenedFetch, type HardenedFetchOptions } from "./hardened-fetch.ts";
import { type ChatLike, isIdle, resume, observeChat } from "./observe-chat.ts";

/**
 * What `createElicitation` takes: the options of the client, of its HTTP channel and of the hardened fetch.
 * All may be left out.
 */
export interface ElicitationOptions
  extends
    Omit<ElicitationClientOptions, "channel">,
    HttpChannelOptions,
    Pick<HardenedFetchOptions, "detach" | "unknownChunks" | "aiSdk"> {}

/** The client of a chat that runs on the AI SDK, and the options that connect the chat's transport with it. */
export interface ChatElicitation extends ElicitationClient {
  /** For `new DefaultChatTransport(…)`. Every chat of the app may use the same. */
  transportOptions: ElicitationTransportOptions;
  /**
   * Reads the requests in a `Chat`'s messages, now and whenever they change, without a render for each token. Also makes
   * the chat re-attach to its turn when an answer is given while it reads no stream: the page was reloaded, or the server
   * ends its stream when it asks. Returns a function that ends both. Components that have only `chat.messages` pass them
   * to `useElicitation` instead.
   */
  observe(chat: ChatLike): () => void;
}

/**
 * The front door: one client over the contract's HTTP routes, fed from the chat's own stream. Make it once per app or
 * chat and share it between hook and components.
 *
 * @example
 * const elicit = createElicitation({ api: "/run/api", trustedOrigin: "https://auth.example.com" });
 * const chat = useChat({ transport: new DefaultChatTransport(elicit.transportOptions) });
 */
export function createElicitation(options: ElicitationOptions = {}): ChatElicitation {
  const chats = new Map<string, ChatLike>();
  const chatOf = (conversationId: string): ChatLike | undefined => chats.get(conversationId);
  const continuations = createContinuations(
    // Read at call time: tests and service workers replace the global after this module has loaded.
    (input, init) => (options.fetch ?? globalThis.fetch)(input, init),
    chatOf,
  );
  const channel = createHttpChannel({ ...options, fetch: continuations.answer });
  const client = createElicitationClient({
    ...options,
    channel: {
      ...channel,
      async respond(answers, o) {
        await reattach(channel, chatOf(answers[0]?.conversationId ?? ""));
        return channel.respond(answers, o);
      },
    },
  });
  const { fetch, turns } = createHardenedFetch({
    ...options,
    push: channel.push,
    onUnconfirmed: oneAtATime((conversationId) => client.refresh(conversationId)),
    takeContinuation: continuations.take,
  });
  const warn = createHeaderWarning(turns.has);
  const readMessages: ElicitationClient["readMessages"] = (conversationId, messages) => {
    warn(conversationId, messages);
    client.readMessages(conversationId, messages);
  };
  const watches = new Set<() => void>();
  return {
    ...client,
    readMessages,
    transportOptions: transportOptionsOf(options, fetch),
    observe(chat) {
      const stop = observeChat({ readMessages }, chat);
      chats.set(chat.id, chat);
      const leave = () => {
        watches.delete(leave);
        stop();
        if (chats.get(chat.id) === chat) chats.delete(chat.id);
      };
      watches.add(leave);
      return leave;
    },
    dispose() {
      for (const leave of watches) leave();
      turns.giveUp();
      client.dispose();
    },
  };
}

/**
 * Has a chat that reads no stream read that of its turn, and resolves once it does, or there is none: an agent may be
 * through before a chat that comes only after the answer has found it.
 */
async function reattach(channel: HttpChannel, chat: ChatLike | undefined): Promise<void> {
  if (chat === undefined || !isIdle(chat)) return;
  let stop: (() => void) | undefined;
  const isLive = new Promise<void>((resolve) => {
    stop = channel.subscribe((event) => {
      if (event.type === "live" && event.live && event.conversationId === chat.id) resolve();
    });
  });
  // The answer leaves in any case.
  await Promise.race([isLive, resume(chat)]);
  stop?.();
}

/** However often it is called for a conversation: one call at a time, and one more if it was called meanwhile. */
function oneAtATime(work: (conversationId: string) => Promise<void>): (conversationId: string) => void {
  const again = new Map<string, boolean>();

  async function run(conversationId: string): Promise<void> {
    do {
      again.set(conversationId, false);
      await work(conversationId);
    } while (again.get(conversationId));
    again.delete(conversationId);
  }
  return (conversationId) => {
    if (again.has(conversationId)) again.set(conversationId, true);
    else void run(conversationId);
  };
}
