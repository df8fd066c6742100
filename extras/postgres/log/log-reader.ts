import type { StreamChunk, TurnStream, TurnStreamEntry } from "../../../src/runtime/internal.ts";
import { systemClock } from "../../../src/base/clock.ts";
import { isStoreAway } from "../../../src/base/foreign-error.ts";
import { KitError } from "../../../src/contract/kit-error.ts";
import { atMost, createDeferred } from "../../../src/base/deadlines.ts";
import { createBatcher } from "../database/batcher.ts";
import type { Database } from "../database/database.ts";
import { keyOf } from "../database/keys.ts";
import type { Notifications } from "../database/notifications.ts";

/** A turn can be found while it is open, and for its `keepMs` after the end. */
export const IS_KEPT = "(forget_at is null or forget_at > now())";

/** How many entries one query reads. */
const PAGE = 200;
/** The largest position of an `integer` column. */
const LAST_SEQ = 2 ** 31 - 2;

interface PageRequest {
  readonly key: string;
  readonly after: number;
  /** Only the first query checks whether the turn is kept. Later queries read the log to its end. */
  readonly isFirst: boolean;
}

interface Page {
  readonly entries: TurnStreamEntry[];
  readonly length: number;
  readonly ended: boolean;
}

/** A reader that waits for more entries. */
interface Waiting {
  readonly after: number;
  readonly wake: () => void;
}

export interface LogReader extends Pick<TurnStream, "read"> {
  /**
   * Resolves when the readers of this process have reached the end of a closed log, or after a second. So a shutdown does
   * not cut off the last chunks of a turn.
   */
  drained(turnId: string): Promise<void>;
}

const DRAIN_MS = 1000;

/** Reads logs. A notification wakes readers that wait for more. A sweep wakes readers whose notification was lost. */
export function createLogReader(
  database: Database,
  notifications: Pick<Notifications, "on" | "onSweep">,
): LogReader {
  const waiting = new Map<string, Set<Waiting>>();
  /** The unfinished reads of each log. */
  const reading = new Map<string, Set<Promise<void>>>();

  const readPage = createBatcher<PageRequest, Page | undefined>(
    async (requests) => {
      const rows = await database.query(
        `select request.place::integer as place, t.length, t.ended_at is not null as ended, entry.seq, entry.at, entry.chunk
         from unnest($1::text[], $2::integer[], $3::boolean[]) with ordinality as request (id, after, is_first, place)
         join SCHEMA.turns t on t.id = request.id and (not request.is_first or ${IS_KEPT})
         left join lateral (
           select seq, at, chunk from SCHEMA.log where turn_id = t.id and seq > request.after order by seq limit ${PAGE}
         ) entry on true
         order by request.place, entry.seq`,
        [
          requests.map(({ key }) => key),
          requests.map(({ after }) => after),
          requests.map(({ isFirst }) => isFirst),
        ],
      );
      const pages = new Map<number, Page>();
      for (const row of rows) {
        const place = row.number("place") - 1;
        const page = pages.get(place) ?? {
          entries: [],
          length: row.number("length"),
          ended: row.flag("ended"),
        };
        pages.set(place, page);
        if (row.isNull("seq")) continue;
        const chunk: StreamChunk = JSON.parse(row.text("chunk"));
        page.entries.push({ seq: row.number("seq"), at: row.number("at"), chunk });
      }
      return requests.map((_, place) => pages.get(place));
    },
    { max: 50 },
  );

  /** Wakes readers whose log has grown, ended or been deleted. */
  async function sweep(): Promise<void> {
    const keys = [...waiting.keys()];
    if (keys.length === 0) return;
    const rows = await database.query(
      "select id, length, ended_at is not null as ended from SCHEMA.turns where id = any($1::text[])",
      [keys],
    );
    const turns = new Map(rows.map((row) => [row.text("id"), row]));
    for (const key of keys) {
      const turn = turns.get(key);
      for (const reader of waiting.get(key) ?? []) {
        if (turn === undefined || turn.flag("ended") || turn.number("length") - 1 > reader.after)
          reader.wake();
      }
    }
  }
  notifications.onSweep(sweep);

  /** Starts to watch a log at once. `news` resolves when the log may have changed, or when `signal` aborts. */
  function watch(key: string, after: number, signal: AbortSignal): { news: Promise<void>; stop: () => void } {
    const { promise: news, resolve } = createDeferred<void>();
    const wake = () => resolve();
    const reader = { after, wake };
    const readers = waiting.get(key) ?? new Set();
    waiting.set(key, readers.add(reader));
    const unwatch = notifications.on("log", key, wake);
    signal.addEventListener("abort", wake);
    return {
      news,
      stop() {
        signal.removeEventListener("abort", wake);
        unwatch();
        readers.delete(reader);
        if (readers.size === 0) waiting.delete(key);
      },
    };
  }

  /** Counts a read until the returned function is called. */
  function countRead(key: string): () => void {
    const { promise: ended, resolve: end } = createDeferred<void>();
    const reads = reading.get(key) ?? new Set();
    reading.set(key, reads.add(ended));
    return () => {
      reads.delete(ended);
      if (reads.size === 0) reading.delete(key);
      end();
    };
  }

  async function* read(
    turnId: string,
    options: Parameters<TurnStream["read"]>[1],
  ): AsyncGenerator<TurnStreamEntry> {
    const key = keyOf(turnId);
    const end = countRead(key);
    try {
      yield* readAll(key, options);
    } finally {
      end();
    }
  }

  async function* readAll(
    key: string,
    { after = -1, live, signal }: Parameters<TurnStream["read"]>[1],
  ): AsyncGenerator<TurnStreamEntry> {
    let position = Math.min(after, LAST_SEQ);
    for (let isFirst = true; !signal.aborted; isFirst = false) {
      // Watch before the query, so that no notification is missed.
      const { news, stop } = watch(key, position, signal);
      try {
        const page = await readPage({ key, after: position, isFirst }).catch((error: unknown) => {
          if (isFirst || !live || !isStoreAway(error)) throw error;
          return "away" as const;
        });
        if (page === "away") {
          // The turn continues when the database is back. The sweep then notices what this reader does not have.
          await news;
          continue;
        }
        if (page === undefined) {
          if (isFirst) return;
          throw new KitError("elicit-kit: the log of a turn was deleted before it was read to its end.");
        }
        for (const entry of page.entries) {
          if (signal.aborted) return;
          yield entry;
          position = entry.seq;
        }
        if (page.entries.length === PAGE) continue;
        if (page.ended || !live) return;
        await news;
      } finally {
        stop();
      }
    }
  }

  return {
    read,
    async drained(turnId) {
      const reads = [...(reading.get(keyOf(turnId)) ?? [])];
      const all = Promise.all(reads).then(() => undefined);
      if (reads.length > 0) await atMost(systemClock, DRAIN_MS, all);
    },
  };
}
