import type { BeforeAsk } from "./ask/policy.ts";
import type { OpenLimits } from "./request/open-limit.ts";
import type { User } from "../base/identity.ts";
import type { ElicitationRecord, ElicitationRecords, TurnRunner, TurnStream, Waiter } from "./ports/index.ts";
import type { Clock } from "../base/clock.ts";
import type { ChatFormat } from "./http/chat-format.ts";
import type { TurnLimits } from "../base/input-limit.ts";
import type { WriteLimit } from "../base/write-limit.ts";
import type { RunTurn } from "./turn/turn.ts";
import type { FeatureOptions, FeaturePorts } from "./features.ts";
import type { KeepTurn } from "./turn/turn-body.ts";

/** The options of `createRuntime`: authentication, allowed chats, storage and limits. */
export interface RuntimeOptions extends FeatureOptions {
  /** The agent. Omit it if your own route runs the agent. Only the routes for answers work then. */
  runTurn?: RunTurn | undefined;
  /**
   * Identifies the sender of an HTTP request by session or bearer token. `undefined`: not signed in. This is the only
   * source of identity.
   */
  authenticate: (request: Request) => User | undefined | Promise<User | undefined>;
  /**
   * Origins of chats. They may call with credentials (CORS) and write with cookies, and hosted pages post only to them.
   * Exact origins, such as `https://chat.example.com`, or a function.
   */
  allowedOrigins: readonly string[] | ((origin: string) => boolean);
  /**
   * Path prefix of the routes.
   * @default "/run"
   */
  basePath?: string | undefined;
  /**
   * Additional formats of the chat, each with its own route, such as `openAiFormat` of `elicit-kit/openai`.
   * @default []
   */
  formats?: readonly ChatFormat[] | undefined;
  /** Where the runtime keeps its state. Pass what `createPostgresPorts` returns. @default in memory */
  ports?: RuntimePorts | undefined;
  /**
   * The key for digests of answers: 32 bytes, raw or as base64. Do not store it with the records. Processes that share
   * records must share this key; otherwise a repeated answer gets 409 with the outcome instead of 200. Another key is
   * derived from it for `/auth/accounts` of the hosted page, so the process of that page needs the same `answerKey`.
   * @default random at each start
   */
  answerKey?: Uint8Array | string | undefined;
  /** How long users may take to answer. */
  timeToAnswer?: TimeToAnswer | undefined;
  /** How much the runtime accepts from a user. */
  limits?: RuntimeLimits | undefined;
  /** What proxies and serverless functions between the agent and the chat need. */
  platform?: PlatformOptions | undefined;
  /**
   * Public origin of the hosted page, such as `https://auth.example.com`. Set it if the page can identify users without
   * the chat's window: because this runtime vouches for them (`vouch` of `createHostedPage`), or by its own sessions.
   * Adds `GET /api/elicitations/:id/vouch` and `GET /api/accounts/vouch`. The hosted page redirects the browser there,
   * and the routes redirect only to this origin. Requests for pages of this origin have `context.worksByLink`, and chats
   * offer links to them. Must be https, or http on a loopback address.
   * @default undefined: the routes answer 404
   */
  hostedPage?: { readonly origin: string } | undefined;
  /**
   * Whether the goal of a URL request was reached without `elicitations.complete`, for example in another window. Called
   * when the user says that they have finished.
   * @default () => false
   */
  isCompleted?: ((record: ElicitationRecord) => boolean | Promise<boolean>) | undefined;
  /**
   * Decides a question before the user is asked: answers it, refuses it, or leaves it to another user or group. The
   * decision log names its rule. Comes before a remembered answer. If it throws, the question fails, and nobody is asked.
   * Not called again when a turn runs again.
   * @default undefined: every question reaches its user
   */
  beforeAsk?: BeforeAsk | undefined;
  /**
   * Called with all chunks of an ended turn, including requests and their outcomes, to store them as history. The turn's
   * stream ends after this call, so that a reloaded page finds the message in the stream or in the history. `entries` are
   * the same chunks with their times, for {@link timelineOf}.
   */
  onTurnEnd?: KeepTurn | undefined;
  /**
   * Called with internal errors, for the log. Clients get no details. Errors of third-party code have name, code, status
   * and stack, but no message, because it may repeat user input. {@link originalOf} returns the original.
   */
  onError: (error: unknown) => void;
}

/** Where a runtime keeps its state. You can replace each port by itself. */
interface RuntimePorts extends FeaturePorts {
  /** Stores requests and their outcomes. @default createMemoryRecords() */
  records?: ElicitationRecords | undefined;
  /** Sends each outcome to the turn that waits for it. @default createMemoryWaiter() */
  waiter?: Waiter | undefined;
  /** Stores the logs of turns. @default createMemoryTurnStream() */
  stream?: TurnStream | undefined;
  /** Runs turns. @default createMemoryTurnRunner() */
  runner?: TurnRunner | undefined;
  /** The time, for all time limits. @default systemClock */
  clock?: Clock | undefined;
  /**
   * Counts `count` writes of a sender, unless that would exceed `perMinute` in the current minute. Sentences for
   * `proposeAnswer` are also counted under a separate sender. Pass the function of `createPostgresPorts` to count across
   * all processes.
   * @default counts in this process
   */
  writeLimit?: WriteLimit | undefined;
}

/** How long users may take to answer. */
interface TimeToAnswer {
  /**
   * How long a user may take to answer, in milliseconds. A question can override it.
   * @default 600_000 (10 minutes)
   */
  expiresInMs?: number | undefined;
  /**
   * How long a user may take if they ask for more time, in milliseconds. Each time they get as long as at first. Set it if
   * your process cannot wait longer, for example in a serverless function without durable turns. `0`: no more time. WCAG
   * 2.2.1 wants at least ten times `expiresInMs`.
   * @default 7_200_000 (2 hours), or eleven times as long as the user has at first, if that is longer; no more time where
   * the user has 20 hours or more at first
   */
  maxExpiresInMs?: number | undefined;
}

/** How much a runtime accepts from a user. */
interface RuntimeLimits {
  /**
   * The limit of writes per user and minute. Further writes get a 429.
   * @default 60
   */
  writesPerMinute?: number | undefined;
  /**
   * The key for rate-limiting messages without a session, with the same limit: the client's address, as your own proxy
   * reports it. Senders with `undefined` share one count. Without this function, they are not limited.
   */
  anonymousKey?: ((request: Request) => string | undefined) | undefined;
  /**
   * How many requests may wait for a user at once: over all processes if the records can count (`countOpen`), else in
   * this process. Further requests fail, and the tool gets the reason.
   * @default 100, and 50 in one conversation
   */
  open?: OpenLimits | undefined;
  /** Limits for turns that run or wait at once, and for the memory of their input. Beyond them, replies are 429 or 503. */
  turns?: TurnLimits | undefined;
  /**
   * Largest body of a chat request, in bytes. The limit for answers is always 64 KiB.
   * @default 1_048_576 (1 MiB)
   */
  chatBytes?: number | undefined;
  /**
   * The same limit for users without a session.
   * @default 262_144 (256 KiB), or `chatBytes` if that is less
   */
  anonymousChatBytes?: number | undefined;
}

/** What proxies and serverless functions between the agent and the chat need. */
interface PlatformOptions {
  /**
   * How long a stream may be silent before a comment keeps the connection open, in milliseconds. At most 15,000: a client
   * takes a long silence for a lost connection.
   * @default 8000
   */
  keepAliveMs?: number | undefined;
  /**
   * Ends a chat's stream after this time, in milliseconds, for serverless functions with a time limit of minutes. The
   * turn continues, its requests stay open, and the chat reads the rest later (contract, section 3): at once, or when the
   * user has answered. A reply to which no client can re-attach (another format, a chat without a session) fails instead.
   * @default undefined: a stream lasts as long as its turn
   */
  maxStreamMs?: number | undefined;
  /**
   * Called with a promise that resolves when a turn no longer runs in this process: it has ended, or is parked. For platforms
   * that freeze a function after its reply, such as `waitUntil` of `@vercel/functions`, or `after` of `next/server`.
   */
  waitUntil?: ((run: Promise<void>) => void) | undefined;
}
