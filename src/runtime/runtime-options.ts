import type { AssignRule } from "./request/assignment.ts";
import type { OpenLimits } from "./request/open-limit.ts";
import type { Telemetry } from "./request/telemetry.ts";
import type { User } from "../base/identity.ts";
import type {
  ElicitationRecord,
  ElicitationRecords,
  RememberedAnswers,
  TurnRunner,
  TurnStream,
  Waiter,
} from "./ports/index.ts";
import type { Clock } from "../base/clock.ts";
import type { ChatFormat } from "./http/chat-format.ts";
import type { TurnLimits } from "../base/input-limit.ts";
import type { WriteLimit } from "../base/write-limit.ts";
import type { RunTurn } from "./turn/turn.ts";
import type { ProposeAnswer } from "./request/proposal.ts";
import type { OnWaiting } from "./notices/notices.ts";
import type { KeepTurn } from "./turn/turn-body.ts";

/** The options of `createRuntime`: authentication, allowed chats, storage and limits. */
export interface RuntimeOptions {
  /** The agent. Omit it if your own route runs the agent; then only the routes for answers work. */
  runTurn?: RunTurn | undefined;
  /** Identifies the sender of a request by session or bearer token. `undefined`: not signed in. The only source of identity. */
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
   * More formats of the chat, each with a route of its own, such as `openAiFormat` of `elicit-kit/openai`.
   * @default []
   */
  formats?: readonly ChatFormat[] | undefined;
  /** @default createMemoryRecords() */
  records?: ElicitationRecords | undefined;
  /** @default createMemoryWaiter() */
  waiter?: Waiter | undefined;
  /**
   * Stores the answers that users let a tool use again.
   * @default in memory if `records` are; otherwise none is remembered, and no question offers it
   */
  remembered?: RememberedAnswers | undefined;
  /** Stores the logs of turns. @default createMemoryTurnStream() */
  stream?: TurnStream | undefined;
  /** Runs turns. @default createMemoryTurnRunner() */
  runner?: TurnRunner | undefined;
  /** @default systemClock */
  clock?: Clock | undefined;
  /**
   * How long a user may take to answer, in milliseconds. A question can override it.
   * @default 600_000 (10 minutes)
   */
  expiresInMs?: number | undefined;
  /**
   * How long a stream may be silent before a comment keeps the connection open, in milliseconds.
   * @default 15_000
   */
  keepAliveMs?: number | undefined;
  /**
   * Ends a chat's stream after this time, in milliseconds, for functions that may run only for minutes. The turn continues,
   * its requests stay open, and the chat reads the rest later (contract, section 3): at once, or when the user has
   * answered. A reply to which no client can reattach (another format, a chat without a session) then fails instead.
   * @default undefined: a stream lasts as long as its turn
   */
  maxStreamMs?: number | undefined;
  /**
   * Called with a promise that resolves when a turn no longer runs in this process: it has ended, or is parked. For platforms
   * that freeze a function after its reply, such as `waitUntil` of `@vercel/functions`, or `after` of `next/server`.
   */
  waitUntil?: ((run: Promise<void>) => void) | undefined;
  /**
   * Whether the goal of a URL request was reached without `elicitations.complete`, such as a credential that the user got
   * in another window. Called when the user says they have finished.
   * @default () => false
   */
  isCompleted?: ((record: ElicitationRecord) => boolean | Promise<boolean>) | undefined;
  /**
   * Proposes answers to a form from a sentence of the user, such as `createAnswerProposer` of `elicit-kit/agent`. Returns
   * values by field; those that do not fit are left out. The user sees them in the form, and sends it. Not called for a
   * form that asks for secrets, and at most 30 times a minute for a user. `signal` aborts after 20 seconds, or when the client
   * has left.
   * @default undefined: a message withdraws the form
   */
  proposeAnswer?: ProposeAnswer | undefined;
  /**
   * How often, and at which interval, to check for completion before an answer that claims it gets a 202.
   * @default { count: 3, intervalMs: 500 }
   */
  lookUps?: { count: number; intervalMs: number } | undefined;
  /**
   * Writes per user and minute. Further writes get a 429.
   * @default 60
   */
  writesPerMinute?: number | undefined;
  /**
   * Counts `count` writes of a sender unless they would be more than `perMinute` in the current minute. Sentences for
   * `proposeAnswer` are counted again, as those of a sender of their own. Pass the one of
   * `createPostgresPorts` to count for all processes together.
   * @default counts in this process
   */
  writeLimit?: WriteLimit | undefined;
  /**
   * The key for rate-limiting messages without a session, with the same limit: the client's address, as your own proxy
   * reports it. Senders with `undefined` share one count. Without this function, they are not limited.
   */
  anonymousKey?: ((request: Request) => string | undefined) | undefined;
  /**
   * The key for digests of answers: 32 bytes, raw or as base64. Do not store it with the records. Processes that share
   * records must share this key; otherwise a repeated answer gets 409 with the outcome instead of 200. Another key is
   * derived of it for `/auth/accounts` of the hosted page, whose process needs the same one.
   * @default random at each start
   */
  answerKey?: Uint8Array | string | undefined;
  /**
   * How many requests may wait for a user at once: in all processes, if the records can count (`countOpen`), else in this
   * one. Further requests fail, and the tool gets the reason.
   */
  maxOpen?: OpenLimits | undefined;
  /**
   * Largest body of a chat request, in bytes. The limit for answers is always 64 KiB.
   * @default 1_048_576 (1 MiB)
   */
  maxChatBytes?: number | undefined;
  /**
   * The same for users without a session.
   * @default 262_144 (256 KiB), or `maxChatBytes` if that is less
   */
  maxAnonymousChatBytes?: number | undefined;
  /** Limits for turns that run or wait at once, and for the memory of their input. Beyond them, replies are 429 or 503. */
  maxTurns?: TurnLimits | undefined;
  /**
   * Lets a tool leave a question to somebody else (`assignee`), such as an approval. The rule says who may leave a decision to
   * whom, and which groups a user belongs to.
   * @default undefined: nobody decides for another user, and an `assignee` is an error
   */
  assign?: AssignRule | undefined;
  /**
   * Called with all chunks of an ended turn, including requests and their ends, to store them as history. The turn's
   * stream ends after it, so that a reloaded page finds the message in the stream or in the history. `entries` are the
   * same chunks with their times, for {@link timelineOf}.
   */
  onTurnEnd?: KeepTurn | undefined;
  /**
   * Tells a user who is away that a request waits, such as by e-mail or push. Called at least once for each request that is
   * still open after `notifyAfterMs` without a client of the user that shows it; for several that are due, once for all.
   * Called again with the same `id` if it rejects, takes longer than 30 seconds (`signal` then aborts), or its process dies.
   * Errors go to `onError`.
   * @default undefined: no notices
   */
  onWaiting?: OnWaiting | undefined;
  /**
   * How long a request waits before `onWaiting` is called, in milliseconds. Counts from the time at which it was last shown.
   * @default 60_000 (1 minute)
   */
  notifyAfterMs?: number | undefined;
  /**
   * How many notices `onWaiting` gets for a user within an hour. What is due beyond them waits, and comes together.
   * @default 6
   */
  noticesPerHour?: number | undefined;
  /**
   * Public origin of the hosted page, such as `https://auth.example.com`. Set it if the page can identify users without
   * the chat's window: because this runtime vouches for them (`vouch` of `createHostedPage`), or by its own sessions.
   * Adds `GET /api/elicitations/:id/vouch` and `GET /api/accounts/vouch`. The page sends the user's browser there, and the
   * routes redirect only to this origin. Requests for pages of this origin have `context.worksByLink`, and chats offer links
   * to them. Must be https, or http on a loopback address.
   * @default undefined: the routes answer 404
   */
  hostedPage?: { readonly origin: string } | undefined;
  /** Gets spans, a counter of outcomes and a log line per transition. Never gets a URL, a message, content or a token. */
  telemetry?: Telemetry | undefined;
  /**
   * Called with internal errors, for the log; clients get no details. Errors of third-party code come with name, code,
   * status and stack, but without their message, which may repeat user input. {@link originalOf} returns the original.
   */
  onError: (error: unknown) => void;
}
