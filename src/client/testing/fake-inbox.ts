import { createElicitationClient, type ElicitationClient } from "elicit-kit/client";
import {
  type ElicitationAnswer,
  type ElicitationOutcome,
  type ElicitationRequest,
  type InboxPage,
  outcomeOfAction,
} from "../../contract/contract.ts";
import { FakeBrowser } from "../popup/testing/fake-browser.ts";
import { FakeChannel, offline, settleAll } from "./fake-channel.ts";

type Question = InboxPage["items"][number];

export interface FakeInboxOptions {
  /** The requests that are open from the start. */
  questions?: readonly Question[];
  /** `slow`: no reply ever comes. `absent`: the server has no inbox. `offline`: it cannot be reached. */
  network?: "slow" | "absent" | "offline" | undefined;
}

/** A real client. A test or a story simulates the server with its inbox. */
export interface FakeInbox {
  client: ElicitationClient;
  /** Every answer that was sent. */
  readonly sent: readonly ElicitationAnswer[];
  ask(question: Question): void;
  /** Ends a request as if it was answered elsewhere. */
  end(id: string, outcome: ElicitationOutcome): void;
  /** Breaks the open stream, and lets the next ones fail or succeed. */
  setNetwork(network: FakeInboxOptions["network"]): void;
}

/** Creates a question that was asked this many minutes ago. */
export function asked(
  conversationId: string,
  request: ElicitationRequest,
  minutes = 0,
  surface = "chat",
): Question {
  const askedAt = new Date(Date.now() - minutes * 60_000).toISOString();
  return { conversationId, surface, askedAt, request };
}

export function createFakeInbox({ questions = [], network }: FakeInboxOptions = {}): FakeInbox {
  let open = [...questions];
  let now = network;
  const outcomes = new Map<string, ElicitationOutcome>();
  const streams = new Set<ReadableStreamDefaultController<Uint8Array>>();
  const page = () => new TextEncoder().encode(`data: ${JSON.stringify({ items: open })}\n\n`);
  function change(): void {
    for (const stream of streams) stream.enqueue(page());
  }
  function end(id: string, outcome: ElicitationOutcome): void {
    outcomes.set(id, outcome);
    open = open.filter(({ request }) => request.elicitationId !== id);
    change();
  }

  class InboxChannel extends FakeChannel {
    override async read(_path: string, { signal }: { signal: AbortSignal }): Promise<Response> {
      if (now === "offline") throw offline();
      if (now === "absent") return new Response(null, { status: 400 });
      if (now === "slow") await new Promise((_, reject) => signal.addEventListener("abort", reject));
      const body = new ReadableStream<Uint8Array>({
        start(controller) {
          streams.add(controller);
          controller.enqueue(page());
          signal.addEventListener("abort", () => {
            if (streams.delete(controller)) controller.error(signal.reason);
          });
        },
        cancel: () => streams.clear(),
      });
      return new Response(body);
    }
  }
  const channel = new InboxChannel();
  channel.report = (id) => ({ status: outcomes.get(id) ?? "pending" });
  channel.reply = (answers) => {
    for (const { elicitationId, action } of answers) end(elicitationId, outcomeOfAction[action]);
    return settleAll(answers);
  };
  const client = createElicitationClient({
    channel,
    popupEnvironment: new FakeBrowser(),
    storage: null,
  });
  return {
    client,
    get sent() {
      return channel.sent.flat();
    },
    ask(question) {
      open = [...open, question];
      change();
    },
    end,
    setNetwork(next) {
      now = next;
      for (const stream of streams) stream.error(new TypeError("cut"));
      streams.clear();
    },
  };
}
