import type { ElicitationContent, ElicitationOutcome, ElicitationRequest } from "../../protocol/contract.ts";

export type { Clock } from "../../clock/clock.ts";

/** The person behind a request, as the operator's `authenticate` knows them. Never read from a body or a query. */
export interface User {
  readonly id: string;
  /** What they call themselves. */
  readonly name?: string | undefined;
  /**
   * What the person recognises this account by: a verified e-mail address, a handle. The hosted page shows it, and
   * without it the id.
   */
  readonly account?: string | undefined;
}

/**
 * What asks: `id` names what it is about (a connection, to which a credential belongs, or the tool itself), and what was
 * refused by it is not asked again; `name` is what the model calls.
 */
export interface ToolRef {
  readonly id: string;
  readonly name: string;
}

/**
 * The server's truth on one request, kept until 24 hours after its end. Plain data: a store may serialise it as JSON.
 * It never holds what a person typed, only a digest that tells a repeated answer from another one, made with a key that
 * is not in the record (`answerKey` of the runtime).
 */
export interface ElicitationRecord {
  /** Raised by one with every change; what compare-and-set compares. */
  readonly revision: number;
  /** As it was asked: without `progress` and `resolution`, which follow from the fields below. */
  readonly request: ElicitationRequest;
  /** The turn whose stream shows the request: of a delegated agent, the one that the person started. */
  readonly turnId: string;
  /** Kind of the surface that the turn came through, such as `chat`. */
  readonly surface: string;
  readonly conversationId: string;
  readonly user: User;
  readonly tool?: ToolRef | undefined;
  /** Origin of the chat that asked, when it is on the allow-list: where a hosted page may post its hints. */
  readonly chatOrigin?: string | undefined;
  /** Where the chat would like the person to come back to. Unchecked: the hosted page has its own allow-list. */
  readonly returnUrl?: string | undefined;
  /** Milliseconds since the epoch, on the server's clock. */
  readonly createdAt: number;
  readonly expiresAt: number;
  readonly status: "pending" | "consented" | ElicitationOutcome;
  /** Why the last attempt on the page did not work. */
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

/** Where records live. The default is {@link createMemoryRecords}; a database can take its place. */
export interface ElicitationRecords {
  /** Stores a new record, or returns the one that already has its id, unchanged. */
  create(record: ElicitationRecord): Promise<ElicitationRecord>;
  /**
   * The record as `create` and `compareAndSet` have left it. Must read its own writes: a stale replica delays answers by
   * up to five seconds.
   */
  get(elicitationId: string): Promise<ElicitationRecord | undefined>;
  /** Stores `next` when the stored record still has the revision before it. `false`: someone else was first. */
  compareAndSet(next: ElicitationRecord): Promise<boolean>;
  /** The records of a person's conversation that have not ended, oldest first. */
  listOpen(conversationId: string, userId: string): Promise<readonly ElicitationRecord[]>;
}

/** How a wait ends. `content` only for an accepted form. */
export interface Settlement {
  readonly outcome: ElicitationOutcome;
  readonly content?: ElicitationContent | undefined;
  readonly reason?: string | undefined;
}

/**
 * Carries a settlement from the process that won the compare-and-set to everybody who waits, in any process. Carries
 * nudges as well, which say only that there is something to read.
 */
export interface Waiter {
  /**
   * Called before the request is shown, and again, with the same id, by a turn that is run again. Everybody who waits
   * gets the one settlement; who comes after it has it at once. Rejects with the signal's reason when it aborts.
   */
  wait(elicitationId: string, options: { signal: AbortSignal }): Promise<Settlement>;
  /** Called by who has ended the request, before or after somebody waits. The first settlement counts. */
  settle(elicitationId: string, settlement: Settlement): Promise<void>;
  /** Calls the listeners of this id, in every process. The record of the request has changed and is still open. */
  nudge(elicitationId: string): Promise<void>;
  /** Nudges may come late, twice or not at all, so read the record. Returns a function that ends the subscription. */
  onNudge(elicitationId: string, listener: () => void): () => void;
}

/** A chunk of a UI message stream. The runtime passes chunks on; it only reads their `type`. */
export interface StreamChunk {
  readonly type: string;
}

/** One line of a turn's log: a chunk of its stream, with place and time. */
export interface TurnStreamEntry {
  /** Position in the turn's log, from 0. */
  readonly seq: number;
  /** When it was written, in milliseconds since the epoch: pauses and resumes can be drawn from it. */
  readonly at: number;
  readonly chunk: StreamChunk;
}

/** Whose turn a log is of, and where it came from. Plain data that never changes. */
export interface TurnKey {
  readonly turnId: string;
  readonly conversationId: string;
  /** Absent for an anonymous chat: nobody can come back to its turn. */
  readonly userId?: string | undefined;
  /** Kind of the surface that started it, such as `chat`. */
  readonly surface: string;
  /** What started it, by the surface's own id, such as that of an event. Unique per person and surface. */
  readonly startId?: string | undefined;
  /** The surface's own ids. */
  readonly ref?: Readonly<Record<string, unknown>> | undefined;
  /** How long the log can be read after the turn has ended, in milliseconds. */
  readonly keepMs: number;
}

/** What became of a turn that was to be opened. */
export type TurnOpening =
  /** It is open. `before` was open in the same conversation until now and still runs. */
  | { readonly status: "opened"; readonly before?: TurnKey | undefined }
  /** Its `startId` has started `turn` before. Nothing was opened. */
  | { readonly status: "started"; readonly turn: TurnKey }
  /** `turn` is open in the conversation and was not to be replaced. Nothing was opened. */
  | { readonly status: "busy"; readonly turn: TurnKey };

/** The right to write the log of a turn. One process has it at a time: the last one that took it. */
export interface TurnLease {
  /** Goes up with every lease of the turn. An effect that only the holder may have can be bound to it. */
  readonly fence: number;
  /**
   * Aborts when another process has taken over the turn, or when an engine parks it. What ran it then stops, ends no
   * request and writes nothing more.
   */
  readonly lost: AbortSignal;
}

/**
 * The append-only logs of the turns that run: one writer each, which holds the lease, and any number of readers, each
 * from where it wants. The default is {@link createMemoryTurnStream}; a shared log lets every process serve a page that
 * comes back.
 */
export interface TurnStream {
  /**
   * Begins a turn's log. From then on it is the one that is open in this person's conversation, in place of the one
   * before, unless that is not to be replaced. Of two at once, one is first.
   */
  open(turn: TurnKey, options: { replace: boolean }): Promise<TurnOpening>;
  /** A turn whose log is open, or still kept after its end. */
  get(turnId: string): Promise<(TurnKey & { readonly ended: boolean }) | undefined>;
  /** The id of the turn that was last opened in a person's conversation, whichever process runs it, while its log is kept. */
  find(conversationId: string, userId: string): Promise<string | undefined>;
  /**
   * Takes the lease of a turn, for the process that runs it from now on: at its start, when it is run again, and to end
   * a turn that nobody runs. Whoever held it has lost it.
   */
  lease(turnId: string): Promise<TurnLease>;
  /** Rejects when the lease is lost. A turn that has ended takes nothing more. */
  append(turnId: string, chunk: StreamChunk, lease: Pick<TurnLease, "fence">): Promise<void>;
  /**
   * Yields the entries behind position `after` (all of them when absent). With `live` it goes on until the turn has
   * ended; without, it stops at the last entry there is. An unknown turn yields nothing.
   */
  read(
    turnId: string,
    options: { after?: number | undefined; live: boolean; signal: AbortSignal },
  ): AsyncIterable<TurnStreamEntry>;
  /**
   * Ends the log, and keeps it for the turn's `keepMs`. Who reads, reads on to its end. Afterwards `get`, `find` and new
   * readers find it no more, and its `startId` is free. Does nothing when it is closed, or the lease is lost.
   */
  close(turnId: string, lease: Pick<TurnLease, "fence">): Promise<void>;
}

/**
 * Who runs a turn, and runs it again when its process has died. The default, {@link createMemoryTurnRunner}, calls what
 * it is given: its turns end with the process. A durable engine records what `step`, `tool` and `model` came to, and gives
 * that back when the same turn runs again, so that nothing is asked, called or done twice.
 */
export interface TurnRunner {
  /**
   * Called when the runtime is made, before any turn. `body` is all that is needed to run a turn from the id and the
   * input (plain data), in any process and more than once; it never rejects. `stop` aborts when the turn is to end, with
   * an error that says why. What is returned begins a turn and resolves at its end.
   */
  register<Input>(
    name: string,
    body: (turnId: string, input: Input, stop: AbortSignal) => Promise<void>,
  ): (turnId: string, input: Input) => Promise<void>;
  /**
   * Aborts the stop signal of a turn, in whichever process runs it, and resolves without waiting for its end. A turn
   * whose process has died is not run again from now on. `false`: nobody runs it.
   */
  stop(turnId: string, reason: string): Promise<boolean>;
  /**
   * One call of a tool, by an id that is the same when the turn runs again. Calls run at the same time, so each counts
   * its own steps. A call that has ended is not made again.
   */
  tool<Result>(
    call: { readonly id: string; readonly name: string },
    run: () => Promise<Result>,
  ): Promise<Result>;
  /** Something that must not be done again once it is recorded: at least once, in the order of a turn or a call. */
  step<Result>(name: string, run: () => Promise<Result>): Promise<Result>;
  /**
   * Writes all that a turn says to its log, until `chunks` ends. A turn that runs again says again what its log already
   * has: that is left out here.
   */
  pump(
    turnId: string,
    chunks: AsyncIterable<StreamChunk>,
    append: (chunk: StreamChunk) => Promise<void>,
  ): Promise<void>;
  /** The same model, with its answers recorded. */
  model<Model>(model: Model): Model;
}
