import type { ElicitationContent, ElicitationOutcome, ElicitationRequest } from "../../protocol/contract.ts";

export type { Clock } from "../../clock/clock.ts";

/** A user, as the operator's `authenticate` identifies them. Never read from a body or a query. */
export interface User {
  readonly id: string;
  /** Display name. */
  readonly name?: string | undefined;
  /**
   * A name by which the user recognises this account: a verified e-mail address, a handle. The hosted page shows it.
   * @default the id
   */
  readonly account?: string | undefined;
}

/**
 * The tool that asks. `id` identifies the connection whose credential it needs, or the tool itself. A refusal applies to
 * this id for the rest of the turn. `name` is the tool's name for the model.
 */
export interface ToolRef {
  readonly id: string;
  readonly name: string;
}

/**
 * The server that a request to connect an account is about, and what it said when it refused a call. The hosted page
 * reads from it where the user signs in. The words are a stranger's.
 */
export interface SignInTarget {
  /** URL of the MCP server. */
  readonly url: string;
  /** Its name for users. */
  readonly service: string;
  /** Where it says its metadata is (RFC 9728). */
  readonly resourceMetadata?: string | undefined;
  /** The scopes to ask for, space-separated. */
  readonly scope?: string | undefined;
}

/**
 * The stored state of one request, kept until 24 hours after its end. Plain data: a store may serialise it as JSON. It
 * never contains what the user typed, only a digest that tells a repeated answer from a different one. The key of the
 * digest is not in the record (`answerKey` of the runtime).
 */
export interface ElicitationRecord {
  /** Incremented with every change. Compared by `compareAndSet`. */
  readonly revision: number;
  /** The request as it was asked, without `progress` and `resolution`, which follow from the fields below. */
  readonly request: ElicitationRequest;
  /** The turn whose stream shows the request. For a delegated agent, the turn that the user started. */
  readonly turnId: string;
  /** Kind of the surface that the turn came through, such as `chat`. */
  readonly surface: string;
  readonly conversationId: string;
  readonly user: User;
  readonly tool?: ToolRef | undefined;
  /** Never sent to clients. */
  readonly signIn?: SignInTarget | undefined;
  /** Origin of the chat, if it is allowed. A hosted page may post its hints there. */
  readonly chatOrigin?: string | undefined;
  /** Where the chat wants the user to return to. Not validated: the hosted page has its own allow-list. */
  readonly returnUrl?: string | undefined;
  /** Milliseconds since the epoch, on the server's clock. */
  readonly createdAt: number;
  readonly expiresAt: number;
  readonly status: "pending" | "consented" | ElicitationOutcome;
  /** Why the last attempt on the page failed. */
  readonly lastError?: string | undefined;
  /**
   * 32 random bytes as base64url. Tickets and proofs of the hosted page are MACs under it (contract, section 6). Keep it
   * from clients and logs, like a password.
   */
  readonly vouchKey: string;
  readonly endedAt?: number | undefined;
  readonly reason?: string | undefined;
  readonly answerDigest?: string | undefined;
}

/** Stores records. The default is {@link createMemoryRecords}; a database can replace it. */
export interface ElicitationRecords {
  /** Stores a new record, or returns the one that already has its id, unchanged. */
  create(record: ElicitationRecord): Promise<ElicitationRecord>;
  /**
   * Reads a record. Must see the writes of `create` and `compareAndSet`: a stale replica delays answers by up to five
   * seconds.
   */
  get(elicitationId: string): Promise<ElicitationRecord | undefined>;
  /**
   * Stores `next` if the stored record has the revision before it. Returns `false` if another write was first. If the
   * store is also that of the {@link Waiter}, it stores `settlement` in the same transaction: otherwise an answer is lost
   * when the process dies before it calls `settle`. The runtime always calls `settle` afterwards.
   */
  compareAndSet(next: ElicitationRecord, settlement?: Settlement): Promise<boolean>;
  /** The records of a user's conversation that have not ended, oldest first. */
  listOpen(conversationId: string, userId: string): Promise<readonly ElicitationRecord[]>;
  /**
   * Counts a user's records that have not ended, of all processes. Without it, `maxOpen` of the runtime counts the
   * requests that wait in each process.
   */
  countOpen?(
    conversationId: string,
    userId: string,
  ): Promise<{ readonly inConversation: number; readonly inAll: number }>;
}

/** The result of a wait. `content` is set only for an accepted form. */
export interface Settlement {
  readonly outcome: ElicitationOutcome;
  readonly content?: ElicitationContent | undefined;
  readonly reason?: string | undefined;
}

/**
 * Carries a settlement from the process that won the compare-and-set to all waiting turns, in any process. Also carries
 * nudges, which only say that a record has changed.
 */
export interface Waiter {
  /**
   * Waits for the settlement of a request. Called before the request is shown, and again with the same id when its turn
   * runs again. All callers get the same settlement; a call after it resolves at once. Rejects with the signal's reason
   * when it aborts.
   */
  wait(elicitationId: string, options: { signal: AbortSignal }): Promise<Settlement>;
  /** Called by the process that ended the request, before or after a `wait`. The first settlement counts. */
  settle(elicitationId: string, settlement: Settlement): Promise<void>;
  /** Calls the listeners of this id in every process. The record has changed and is still open. */
  nudge(elicitationId: string): Promise<void>;
  /** Subscribes to nudges. They may come late, twice or not at all, so read the record. Returns an unsubscribe function. */
  onNudge(elicitationId: string, listener: () => void): () => void;
}

/**
 * Keeps what users have typed into a form and not sent, for surfaces whose clients forget it, such as Slack. Private like
 * the answer; surfaces keep no drafts of forms that ask for secrets.
 */
export interface DraftStore {
  /** Stores the draft of a request in place of the one before. `expiresAt` in milliseconds since the epoch. */
  set(elicitationId: string, draft: string, expiresAt: number): Promise<void>;
  /** `undefined`: there is none, or it has expired. */
  get(elicitationId: string): Promise<string | undefined>;
  delete(elicitationId: string): Promise<void>;
}

/** A chunk of a UI message stream. The runtime passes chunks on; it only reads their `type`. */
export interface StreamChunk {
  readonly type: string;
}

/** One entry of a turn's log: a chunk of its stream with its position and time. */
export interface TurnStreamEntry {
  /** Position in the turn's log, from 0. Increases, with gaps where entries were taken back. */
  readonly seq: number;
  /** When it was written, in milliseconds since the epoch. {@link timelineOf} computes the pauses of a turn from it. */
  readonly at: number;
  readonly chunk: StreamChunk;
}

/** The user and origin of a turn whose log is kept. Plain data that never changes. */
export interface TurnKey {
  readonly turnId: string;
  readonly conversationId: string;
  /** Absent for an anonymous chat, which cannot reattach to its turn. */
  readonly userId?: string | undefined;
  /** Kind of the surface that started it, such as `chat`. */
  readonly surface: string;
  /** The surface's own id of the event that started the turn. Unique per user and surface. */
  readonly startId?: string | undefined;
  /** The surface's own ids. */
  readonly ref?: Readonly<Record<string, unknown>> | undefined;
  /** How long the log can be read after the turn has ended, in milliseconds. */
  readonly keepMs: number;
}

/** The result of opening a turn. */
export type TurnOpening =
  /** The turn is open. `before` is the turn that it replaced in the conversation; it still runs. */
  | { readonly status: "opened"; readonly before?: TurnKey | undefined }
  /** The same `startId` has already started `turn`. Nothing was opened. */
  | { readonly status: "started"; readonly turn: TurnKey }
  /** `turn` is open in the conversation, and `replace` is `false`. Nothing was opened. */
  | { readonly status: "busy"; readonly turn: TurnKey };

/** The right to write the log of a turn. One process holds it at a time: the last one that took it. */
export interface TurnLease {
  /** Increases with every lease of the turn. Use it as a fencing token for effects that only the holder may cause. */
  readonly fence: number;
  /**
   * Aborts when another process takes over the turn. This process then stops running the turn, ends none of its requests
   * and writes nothing more.
   */
  readonly lost: AbortSignal;
}

/**
 * The logs of turns. Each has one writer, which holds the lease, and any number of readers, which may start at
 * any position. The default is {@link createMemoryTurnStream}; with a shared log, every process can serve a reloaded page.
 */
export interface TurnStream {
  /**
   * Creates a turn's log and makes it the open turn of the user's conversation. With `replace`, it takes the place of a
   * turn that is already open there; otherwise the result is `busy`. Concurrent calls run one after another.
   */
  open(turn: TurnKey, options: { replace: boolean }): Promise<TurnOpening>;
  /** A turn whose log is open, or still kept after its end. */
  get(turnId: string): Promise<(TurnKey & { readonly ended: boolean }) | undefined>;
  /** The id of the turn that was last opened in a user's conversation, in any process, while its log is kept. */
  find(conversationId: string, userId: string): Promise<string | undefined>;
  /**
   * The turns of a user and surface that are kept after their end (`keepMs`), the newest first. `before`: only turns that
   * were opened before this one.
   */
  list(
    userId: string,
    surface: string,
    page: { before?: string | undefined; limit: number },
  ): Promise<readonly (TurnKey & { readonly ended: boolean })[]>;
  /**
   * Takes the lease of a turn: at its start, when it runs again, and to end a turn that no process runs. The previous
   * holder loses the lease.
   */
  lease(turnId: string): Promise<TurnLease>;
  /** Appends a chunk. Rejects if the lease is lost. Does nothing if the turn has ended. */
  append(turnId: string, chunk: StreamChunk, lease: Pick<TurnLease, "fence">): Promise<void>;
  /**
   * Takes back the entries from position `from` on, for a model call that runs again because its process crashed before
   * it was recorded: its new words replace the old ones. `data-*` chunks stay. In the same operation, appends a
   * {@link discardChunk}, so that readers who already have those entries drop them. Positions are never used again, so
   * they may have gaps. Rejects if the lease is lost. Does nothing if the turn has ended.
   */
  discard(turnId: string, from: number, lease: Pick<TurnLease, "fence">): Promise<void>;
  /**
   * Yields the entries after position `after`, or all entries. With `live`, it continues until the turn ends; without it,
   * it stops at the last stored entry. An unknown turn yields nothing.
   */
  read(
    turnId: string,
    options: { after?: number | undefined; live: boolean; signal: AbortSignal },
  ): AsyncIterable<TurnStreamEntry>;
  /**
   * Ends the log and keeps it for the turn's `keepMs`. Open reads continue to its end. After `keepMs`, `get`, `find` and
   * new reads no longer find the turn, and its `startId` is free again. Does nothing if the log is closed or the lease is
   * lost.
   */
  close(turnId: string, lease: Pick<TurnLease, "fence">): Promise<void>;
}

/** The log of a turn, for the process that holds its lease. */
export interface TurnLog {
  append(chunk: StreamChunk): Promise<void>;
  /** Like {@link TurnStream.discard}. */
  discard(from: number): Promise<void>;
}

/** What a {@link TurnRunner} tells a turn that runs in this process. */
export interface TurnSignals {
  /**
   * Aborts to end the turn: with an `AbortError` as the reason if it was stopped, or with an error whose message the user
   * sees.
   */
  readonly stop: AbortSignal;
  /**
   * Aborts when the turn is no longer to run in this process, because it is parked or another process runs it. This process
   * then ends none of its requests and writes nothing more.
   */
  readonly letGo: AbortSignal;
}

/**
 * Runs turns, and runs a turn again after its process has crashed. The default, {@link createMemoryTurnRunner}, only calls
 * the given functions: its turns end with the process. A durable engine records the results of `step`, `tool` and `model`,
 * and returns them when the same turn runs again, so that nothing is asked, called or done twice.
 */
export interface TurnRunner {
  /**
   * Called once, when the runtime is created. `body` runs a turn from its id and input (plain data), in any process and
   * possibly more than once; it never rejects. Returns a function that starts a turn and resolves when it no longer runs in
   * this process.
   */
  register<Input>(
    name: string,
    body: (turnId: string, input: Input, signals: TurnSignals) => Promise<void>,
  ): (turnId: string, input: Input) => Promise<void>;
  /**
   * Aborts the stop signal of a turn, in any process, and resolves without waiting for its end. A turn whose process has
   * crashed is not continued after this. Returns `false` if no process runs the turn.
   */
  stop(turnId: string, reason: string): Promise<boolean>;
  /**
   * Called after a request of the turn has changed. If no process runs the turn, because it is parked or its process has
   * crashed, this process runs it again. Resolves without waiting for its end; `true` if the turn now runs in this process.
   */
  wake(turnId: string): Promise<boolean>;
  /**
   * Called when the runtime closes. Lets go of the turns of this process and returns `true`, or returns `false` if they
   * end with the process and the runtime must stop them.
   */
  release(): Promise<boolean>;
  /**
   * Runs one call of a tool. `call.id` is the same when the turn runs again. Calls run concurrently, so each numbers its
   * own steps. A call that has ended does not run again.
   */
  tool<Result>(
    call: { readonly id: string; readonly name: string },
    run: () => Promise<Result>,
  ): Promise<Result>;
  /** Runs an effect at least once, and not again once its result is recorded. Steps are numbered per turn or tool call. */
  step<Result>(name: string, run: () => Promise<Result>): Promise<Result>;
  /**
   * Waits for the user. A turn that only waits may be parked: this process lets go of it, and `wake` runs it again. If
   * another process has taken over the turn meanwhile, the result is dropped and the promise stays pending.
   */
  wait<Result>(run: () => Promise<Result>): Promise<Result>;
  /** Keeps the turn from being parked until `run` has ended, because a connection that it needs would be lost. */
  hold<Result>(run: () => Promise<Result>): Promise<Result>;
  /**
   * Binds a callback to the turn or tool call that runs now. Needed if it asks or makes steps, and is called by a connection
   * that was opened elsewhere.
   */
  bind<Args extends unknown[], Result>(callback: (...args: Args) => Result): (...args: Args) => Result;
  /**
   * Writes the chunks of a turn to its log until `chunks` ends. Skips the chunks that the log already has from an earlier
   * run, and takes back those of a model call that was not recorded.
   */
  pump(turnId: string, chunks: AsyncIterable<StreamChunk>, log: TurnLog): Promise<void>;
  /** Wraps a model so that its results are recorded. */
  model<Model>(model: Model): Model;
}
