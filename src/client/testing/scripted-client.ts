import { createElicitationClient, type ElicitationClient } from "elicit-kit/client";
import type { ElicitationAnswer, ElicitationRequest, StatusReport } from "elicit-kit/contract";
import type { AssigneeList } from "../../contract/contract.ts";
import { ChannelError, type Reminder } from "../channel.ts";
import { FakeBrowser } from "../popup/testing/fake-browser.ts";
import { FakeChannel } from "./fake-channel.ts";

export const CONVERSATION = "conversation-1";

export interface ScriptOptions {
  /** Requests that exist from the start. */
  requests?: readonly ElicitationRequest[] | undefined;
  /** The server's reply to answers. Default: each answer settles its request. */
  respond?: FakeChannel["reply"] | undefined;
  /** The status of one request. Default: pending. */
  status?: ((id: string) => Partial<StatusReport> | undefined) | undefined;
  /** The requests that the server lists as open. */
  list?: readonly ElicitationRequest[] | undefined;
  /** The server's proposal for a sentence of the user. Default: none. */
  propose?: ((elicitationId: string, text: string) => unknown) | undefined;
  /** Whether `assign`, `assignees` and `remind` fail. */
  assignFails?: boolean | undefined;
  /** The users and groups to which a form can be passed on. Default: none. */
  choices?: AssigneeList["assignees"] | undefined;
  /** The result of `remind`. Default: it is sent. */
  reminder?: Reminder | undefined;
  /** Whether the server fails to forget remembered answers. */
  forgetFails?: boolean | undefined;
  /** Whether the server gives no more time now. */
  extendFails?: boolean | undefined;
  /** What the server says about the account of a request, and whether it can remove it. Default: it offers none. */
  account?: FakeChannel["account"];
  revokes?: boolean | "fails" | undefined;
  /** The link to the answer page of the requests. Default: the server has none. */
  link?: string | undefined;
  /** Whether the browser blocks windows. */
  popupsBlocked?: boolean | undefined;
  /** The origin of the operator's hosted page. Default: none. */
  trustedOrigin?: string | undefined;
  storage?: Storage | undefined;
  /** When the page loads the code that answers requests. */
  preload?: "idle" | "never" | undefined;
}

/** A real client. A test or a story simulates its server and its windows. */
export interface Script {
  client: ElicitationClient;
  /** Every answer that was sent. */
  readonly sent: readonly ElicitationAnswer[];
  /** The URLs that windows were navigated to. */
  readonly visited: readonly string[];
  /** The conversations whose open requests were listed. */
  readonly listed: readonly string[];
  /** The calls of `assign`. */
  readonly assigned: FakeChannel["assigned"];
  /** The ids of the calls of `remind`. */
  readonly reminded: readonly string[];
  /** The ids of the calls of `extend`. */
  readonly extended: readonly string[];
  /** The remembered answers that were forgotten. */
  readonly forgotten: readonly string[];
  ask(request: ElicitationRequest): void;
  /** Opens or closes a live stream. */
  live(live: boolean): void;
  closeWindow(): void;
}

export function createScript(options: ScriptOptions = {}): Script {
  const channel = new FakeChannel();
  if (options.respond !== undefined) channel.reply = options.respond;
  channel.report = options.status ?? (() => ({}));
  channel.open = options.list ?? [];
  if (options.propose !== undefined) channel.proposals = options.propose;
  if (options.assignFails === true) channel.assignFails = new ChannelError("refused", { retryable: false });
  channel.choices = options.choices ?? [];
  channel.reminder = options.reminder ?? { sent: true };
  if (options.forgetFails === true) channel.forgetFails = new ChannelError("down", { retryable: false });
  if (options.extendFails === true) channel.extendFails = new ChannelError("down", { retryable: false });
  channel.account = options.account;
  channel.link = options.link;
  const { revokes = true } = options;
  channel.revokes = revokes === "fails" ? new ChannelError("down", { retryable: true }) : revokes;
  const browser = new FakeBrowser();
  if (options.popupsBlocked === true) browser.next = null;

  const client = createElicitationClient({
    channel,
    trustedOrigin: options.trustedOrigin,
    popupEnvironment: browser,
    storage: options.storage ?? null,
    preload: options.preload,
  });
  const ask = (request: ElicitationRequest): void =>
    channel.emit({ type: "request", conversationId: CONVERSATION, request });
  for (const request of options.requests ?? []) ask(request);
  return {
    client,
    get sent() {
      return channel.sent.flat();
    },
    get visited() {
      return browser.windows.flatMap((window) => window.visited);
    },
    listed: channel.listed,
    forgotten: channel.forgotten,
    assigned: channel.assigned,
    reminded: channel.reminded,
    extended: channel.extended,
    ask,
    live: (live) => channel.emit({ type: "live", conversationId: CONVERSATION, live }),
    closeWindow: () => browser.current?.close(),
  };
}
