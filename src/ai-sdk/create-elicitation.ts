import {
  createElicitationClient,
  createHttpChannel,
  type ElicitationClient,
  type ElicitationClientOptions,
  type HttpChannelOptions,
  type MessageLike,
} from "../client/index.ts";
import { type ElicitationTransportOptions, transportOptionsOf } from "./elicitation-transport.ts";
import { createHeaderWarning } from "./header-warning.ts";
import { createHardenedFetch, type HardenedFetchOptions } from "./hardened-fetch.ts";
import type { ChatLike } from "./observe-chat.ts";
import { createObservedChats } from "./observed-chats.ts";

/** What `createElicitation` takes: options of the client, of its HTTP channel and of the chat's transport. All are optional. */
export interface ElicitationOptions
  extends
    Omit<ElicitationClientOptions, "channel">,
    Omit<HttpChannelOptions, "onContinuation">,
    Pick<HardenedFetchOptions, "detach" | "unknownChunks" | "aiSdk"> {}

/** The client of a chat of the AI SDK, and the options that connect the chat's transport with it. */
export interface ChatElicitation extends ElicitationClient {
  /** For `new DefaultChatTransport(…)`. All chats of an app may share them. */
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
 * Makes a client over the contract's HTTP routes, which gets its requests from the chat's own stream. Make it once for each
 * app or chat, and share it between hook and components.
 *
 * @example
 * const elicit = createElicitation({ api: "/run/api", trustedOrigin: "https://auth.example.com" });
 * const chat = useChat({ transport: new DefaultChatTransport(elicit.transportOptions) });
 */
export function createElicitation(options: ElicitationOptions = {}): ChatElicitation {
  const chats = createObservedChats(readMessages);
  const channel = createHttpChannel({ ...options, onContinuation: chats.read });
  const client = createElicitationClient({
    ...options,
    channel: {
      ...channel,
      async respond(answers, o) {
        const [{ conversationId } = { conversationId: "" }] = answers;
        // The chat attaches first: after the answer, the turn may end before the chat has found it.
        await chats.attach(conversationId, turns);
        return channel.respond(answers, o);
      },
    },
  });
  const { fetch, turns } = createHardenedFetch({
    ...options,
    push: channel.push,
    onUnconfirmed: oneAtATime((conversationId) => client.refresh(conversationId)),
    takeContinuation: chats.take,
  });
  const warn = createHeaderWarning(turns.has);

  function readMessages(conversationId: string, messages: readonly MessageLike[]): void {
    warn(conversationId, messages);
    client.readMessages(conversationId, messages);
  }

  return {
    ...client,
    readMessages,
    transportOptions: transportOptionsOf(options, fetch),
    observe: chats.add,
    dispose() {
      chats.clear();
      turns.giveUp();
      client.dispose();
    },
  };
}

/** Runs `work` for one call of a conversation at a time, and once more when there were other calls meanwhile. */
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
