/** A chunk of a UI message stream. The runtime passes chunks on and only reads their `type`. */
export interface StreamChunk {
  readonly type: string;
}

/** One entry of a turn's log: a chunk of its stream with its position and time. */
export interface TurnStreamEntry {
  /** The position in the turn's log, from 0. It increases, with gaps where entries were discarded. */
  readonly seq: number;
  /**
   * When the entry was written, in milliseconds since the epoch. {@link timelineOf} computes the pauses of a turn from
   * it.
   */
  readonly at: number;
  readonly chunk: StreamChunk;
}

/** The user and origin of a turn whose log is kept. Plain data that never changes. */
export interface TurnKey {
  readonly turnId: string;
  readonly conversationId: string;
  /** Absent for an anonymous chat, which cannot re-attach to its turn. */
  readonly userId?: string | undefined;
  /** Kind of the surface that started it, such as `chat`. */
  readonly surface: string;
  /** The surface's own id of the event that started the turn. Unique for each user and surface. */
  readonly startId?: string | undefined;
  /** The surface's own ids. */
  readonly ref?: Readonly<Record<string, unknown>> | undefined;
  /** How long the log can be read after the turn has ended, in milliseconds. */
  readonly keepMs: number;
}

/** The result of opening a turn. */
export type TurnOpening =
  /** The turn is open. `before` is the turn that it replaced in the conversation, which still runs. */
  | { readonly status: "opened"; readonly before?: TurnKey | undefined }
  /** The same `startId` has already started `turn`. No turn was opened. */
  | { readonly status: "started"; readonly turn: TurnKey }
  /** `turn` is open in the conversation, and `replace` is `false`. No turn was opened. */
  | { readonly status: "busy"; readonly turn: TurnKey };

/** The data that a {@link TurnRunner} needs to run a turn for the first time. */
export interface PlannedRun {
  /** The name under which the runtime has registered with the runner. */
  readonly name: string;
  /** Plain data. */
  readonly input: unknown;
}

/** The right to write the log of a turn. One process holds it at a time: the last one that took it. */
export interface TurnLease {
  /** Increases with every lease of the turn. Use it as a fencing token for effects that only the holder may cause. */
  readonly fence: number;
  /**
   * Aborts when another process takes over the turn. This process then stops running the turn, ends none of its requests
   * and writes no more chunks.
   */
  readonly lost: AbortSignal;
  /** Whether the turn has ended already. There is nothing to run then. Also `true` for an unknown turn. */
  readonly ended: boolean;
}

/**
 * The logs of turns. Each has one writer, which holds the lease, and any number of readers, which may start at
 * any position. The default is {@link createMemoryTurnStream}; with a shared log, every process can serve a reloaded page.
 */
export interface TurnStream {
  /**
   * Creates a turn's log and makes it the open turn of the user's conversation. With `replace`, it replaces a turn that
   * is already open there. Otherwise the result is `busy`. Concurrent calls run one after another.
   *
   * `run` is the run that follows. A log that shares its database with the runner stores both at once, so that every
   * opened turn is run.
   *
   * `signal` aborts if nobody waits for the turn any more. Rejects then, and opens no turn, so that a message that was
   * sent again elsewhere is not replaced by its first copy.
   */
  open(
    turn: TurnKey,
    options: { replace: boolean; run?: PlannedRun | undefined; signal?: AbortSignal | undefined },
  ): Promise<TurnOpening>;
  /**
   * A turn whose log is open, or is still kept after its end. `replaced` is the id of the turn that was open before it.
   */
  get(
    turnId: string,
  ): Promise<(TurnKey & { readonly ended: boolean; readonly replaced?: string | undefined }) | undefined>;
  /** The id of the turn that was last opened in a user's conversation, in any process, while its log is kept. */
  find(conversationId: string, userId: string): Promise<string | undefined>;
  /**
   * The turns of a user and surface that are kept after their end (`keepMs`), the newest first. `before`: only turns that
   * were opened before this one. `at`: when the last entry of the turn was written, in milliseconds since the epoch, or 0
   * without entries.
   */
  list(
    userId: string,
    surface: string,
    page: { before?: string | undefined; limit: number },
  ): Promise<readonly (TurnKey & { readonly ended: boolean; readonly at: number })[]>;
  /**
   * Takes the lease of a turn: at its start, when it runs again, and to end a turn that no process runs. The previous
   * holder loses the lease.
   *
   * `run` is the number of the run that takes it. A log that shares its database with the runner refuses an old run,
   * whose lease is then lost from the start.
   */
  lease(turnId: string, run?: number): Promise<TurnLease>;
  /**
   * Appends a chunk. Rejects if the lease is lost. Does nothing if the turn has ended. Several chunks may be passed at
   * once, without a wait for the first: they keep their order, and if one cannot be stored, those after it are not stored.
   */
  append(turnId: string, chunk: StreamChunk, lease: Pick<TurnLease, "fence">): Promise<void>;
  /**
   * Removes the entries from position `from` on, for a model call that runs again because its process crashed before it
   * was recorded. Its new text replaces the old. `data-*` chunks stay. In the same operation, appends a {@link
   * discardChunk}, so that readers who already have those entries drop them. Positions are not reused, so there may be
   * gaps. Rejects if the lease is lost. Does nothing if the turn has ended.
   */
  discard(turnId: string, from: number, lease: Pick<TurnLease, "fence">): Promise<void>;
  /**
   * Yields the entries after position `after`, or all entries. With `live`, it continues until the turn ends. Without it,
   * it stops at the last stored entry. An unknown turn yields nothing.
   */
  read(
    turnId: string,
    options: { after?: number | undefined; live: boolean; signal: AbortSignal },
  ): AsyncIterable<TurnStreamEntry>;
  /**
   * Ends the log and keeps it for the turn's `keepMs`. Open reads continue to its end. After `keepMs`, `get`, `find` and
   * new reads no longer find the turn, and its `startId` is free again. Rejects if the lease is lost. Does nothing if the
   * turn has ended.
   */
  close(turnId: string, lease: Pick<TurnLease, "fence">): Promise<void>;
}
