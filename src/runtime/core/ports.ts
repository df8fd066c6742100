import type { ElicitationContent, ElicitationOutcome, ElicitationRequest } from "../../protocol/contract.ts";

/** The person behind a request, as the operator's `authenticate` knows them. Never read from a body or a query. */
export interface User {
  readonly id: string;
  /** Shown on the hosted page ("Signed in as …"). */
  readonly name?: string | undefined;
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
 * It never holds what a person typed, only a digest that tells a repeated answer from another one.
 */
export interface ElicitationRecord {
  /** Raised by one with every change; what compare-and-set compares. */
  readonly revision: number;
  /** As it was asked: without `progress` and `resolution`, which follow from the fields below. */
  readonly request: ElicitationRequest;
  /** The turn whose stream shows the request: of a delegated agent, the one that the person started. */
  readonly turnId: string;
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
  /** The challenge that the person's chat has vouched for (contract, section 6). */
  readonly boundChallenge?: string | undefined;
  readonly endedAt?: number | undefined;
  readonly reason?: string | undefined;
  readonly answerDigest?: string | undefined;
}

/** Where records live. The default is {@link createMemoryRecords}; a database can take its place. */
export interface ElicitationRecords {
  /** Stores a new record, or returns the one that already has its id, unchanged. */
  create(record: ElicitationRecord): Promise<ElicitationRecord>;
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

/** Carries a settlement from whoever won the compare-and-set to whoever waits, maybe in another process. */
export interface Waiter {
  /**
   * Called before the request is shown, and again, with the same id, by a turn that is run again. Everybody who waits
   * gets the one settlement; who comes after it has it at once. Rejects with the signal's reason when it aborts.
   */
  wait(elicitationId: string, options: { signal: AbortSignal }): Promise<Settlement>;
  /** Called by who has ended the request, before or after somebody waits. The first settlement counts. */
  settle(elicitationId: string, settlement: Settlement): Promise<void>;
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

/** The read side of a turn's append-only log: any number of readers, each from where it wants. */
export interface TurnStream {
  /**
   * Yields the entries behind position `after` (all of them when absent). With `live` it goes on until the turn has
   * ended; without, it stops at the last entry there is. An unknown turn yields nothing.
   */
  read(
    turnId: string,
    options: { after?: number | undefined; live: boolean; signal: AbortSignal },
  ): AsyncIterable<TurnStreamEntry>;
}

/** Time, injected so that tests and durable engines bring their own. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
  /** Calls `run` once after `ms`. Returns the function that calls it off. */
  after(ms: number, run: () => void): () => void;
}
