import type { OpenLimits } from "./elicitation/open-limit.ts";
import type { Telemetry } from "./elicitation/telemetry.ts";
import type {
  Clock,
  ElicitationRecord,
  ElicitationRecords,
  StreamChunk,
  TurnRunner,
  TurnStream,
  TurnStreamEntry,
  User,
  Waiter,
} from "./ports.ts";
import type { TurnLimits } from "./turn/input-limit.ts";
import type { RunTurn, Turn } from "./turn/turn.ts";

/** What `createRuntime` takes: who people are, which chats may call, and where state is kept. */
export interface RuntimeOptions {
  /** The agent. Left out where a route of your own runs it: then only the routes for answers are of use. */
  runTurn?: RunTurn | undefined;
  /** Who sends a request, by session or bearer token; `undefined` for nobody. The only source of identity. */
  authenticate: (request: Request) => User | undefined | Promise<User | undefined>;
  /**
   * Origins of chats: allowed by CORS with credentials, allowed to write with cookies, and the only ones that a hosted
   * page posts to. Exact, such as `https://chat.example.com`, or a function for many.
   */
  allowedOrigins: readonly string[] | ((origin: string) => boolean);
  /**
   * Where the routes live.
   * @default "/run"
   */
  basePath?: string | undefined;
  /** @default createMemoryRecords() */
  records?: ElicitationRecords | undefined;
  /** @default createMemoryWaiter() */
  waiter?: Waiter | undefined;
  /** Where turns are written and read. @default createMemoryTurnStream() */
  stream?: TurnStream | undefined;
  /** Who runs turns. @default createMemoryTurnRunner() */
  runner?: TurnRunner | undefined;
  /** @default systemClock */
  clock?: Clock | undefined;
  /**
   * How long a person may take, unless the question says otherwise.
   * @default 600_000 (10 minutes)
   */
  expiresInMs?: number | undefined;
  /**
   * How long a stream may be silent before a comment keeps the connection open.
   * @default 15_000
   */
  keepAliveMs?: number | undefined;
  /**
   * Whether what a URL request is about is there by other means than `elicitations.complete`, such as a credential
   * that the person got from another window. Asked when the person says they have finished.
   */
  isCompleted?: ((record: ElicitationRecord) => boolean | Promise<boolean>) | undefined;
  /**
   * How often, and how far apart, an answer that claims completion looks for it before it gets a 202.
   * @default { count: 3, intervalMs: 500 }
   */
  lookUps?: { count: number; intervalMs: number } | undefined;
  /**
   * Writes per person and minute; more get a 429.
   * @default 60
   */
  writesPerMinute?: number | undefined;
  /**
   * What messages of people without a session are counted by, to the same number: the client's address, as your own
   * proxy tells it. `undefined` for those it does not know, who share one count. Without this function they are not
   * counted.
   */
  anonymousKey?: ((request: Request) => string | undefined) | undefined;
  /**
   * What digests of answers are made with: 32 bytes, or base64 of them. Keep it away from the records. Processes that
   * share records need one key; with another one a repeated answer gets 409 with the outcome in place of 200.
   * @default random, made anew at each start
   */
  answerKey?: Uint8Array | string | undefined;
  /** How many requests may wait for a person at once, in this process. A tool that asks for more is told so. */
  maxOpen?: OpenLimits | undefined;
  /**
   * Largest body of a chat request, in bytes. Answers are held to 64 KiB.
   * @default 1_048_576 (1 MiB)
   */
  maxChatBytes?: number | undefined;
  /**
   * The same for people without a session.
   * @default 262_144 (256 KiB), or `maxChatBytes` where that is less
   */
  maxAnonymousChatBytes?: number | undefined;
  /** How many turns may run or wait at once, and how much of their input is held meanwhile. More get 429 or 503. */
  maxTurns?: TurnLimits | undefined;
  /**
   * Gets every chunk of a turn that has ended, requests and their ends included: what to keep as history. The turn's
   * stream ends only after it, so that a page which is loaded again finds the answer in one of the two. `entries` are
   * the same chunks with their times, for {@link timelineOf}.
   */
  onTurnEnd?:
    | ((
        turn: Turn,
        chunks: readonly StreamChunk[],
        entries: readonly TurnStreamEntry[],
      ) => void | Promise<void>)
    | undefined;
  /**
   * Public origin of the hosted page, such as `https://auth.example.com`, when it can tell who a person is without the
   * chat's window: because this runtime vouches for people (`vouch` of `createHostedPage`), or by sessions of its own.
   * Adds `GET /api/elicitations/:id/vouch`, to which the page sends the person's browser and which sends it back to this
   * origin and no other. Requests for pages there say `context.worksByLink`, and chats offer links to them.
   * Https, or http on a loopback address.
   * @default undefined: the route answers 404
   */
  hostedPage?: { readonly origin: string } | undefined;
  /** Spans, the counter of outcomes, one log line per transition. Never gets a URL, a message, content or a token. */
  telemetry?: Telemetry | undefined;
  /**
   * Gets what went wrong inside, for the log; clients are told only that something did. Errors of other code come without
   * their words, which may repeat what people said: with name, code, status and place. {@link originalOf} has the rest.
   */
  onError: (error: unknown) => void;
}
