import type { StreamChunk } from "../../../src/runtime/internal.ts";
import { createBatcher } from "../database/batcher.ts";
import type { Database } from "../database/database.ts";
import { keyOf } from "../database/keys.ts";
import { notifySql } from "../database/notifications.ts";
import { KitError } from "../../../src/contract/kit-error.ts";

/** One chunk for the log of a turn. */
export interface Append {
  readonly turnId: string;
  readonly chunk: StreamChunk;
  readonly fence: number;
}

export interface LogWriter {
  /** Resolves with `false` if the lease is lost. Does nothing if the turn has ended. */
  append(append: Append): Promise<boolean>;
  /** Resolves when all chunks appended so far are stored or refused. */
  idle(): Promise<void>;
}

/** The longest chunk, in characters. A file fits, and it stays far below the limit of a PostgreSQL value (1 GB). */
const MAX_CHUNK = 16 * 1024 * 1024;
/** How many characters one statement writes. A single longer chunk is written alone. */
const MAX_BATCH = 4 * 1024 * 1024;

interface Line {
  readonly key: string;
  readonly fence: number;
  readonly text: string;
  /** Identifies the line, in case its statement runs twice. */
  readonly id: string;
}

/** The result of writing the lines of one turn with one fence. */
type Result = "written" | "ended" | "lost";

/**
 * Writes the chunks of all turns of this process, several in one statement: PostgreSQL runs commits that notify one at a
 * time, in all processes.
 */
export function createLogWriter(
  database: Pick<Database, "schema" | "query">,
  nextMark: () => string,
): LogWriter {
  const write = createBatcher<Line, Result>(
    async (lines) => {
      const rows = await database.query(
        `with line as (
           select * from unnest($1::text[], $2::integer[], $3::text[], $4::text[]) with ordinality as line (id, fence, chunk, mark, place)
         ), size as (
           select id, fence, count(*)::integer as added, (array_agg(mark order by place desc))[1] as mark from line group by id, fence
         ), grown as (
           update SCHEMA.turns t set length = t.length + size.added, last_mark = size.mark from size
           where t.id = size.id and t.fence = size.fence and t.ended_at is null and ${isNewMark("size.mark", "t.last_mark")}
           returning t.id, t.fence, t.length - size.added as base
         ), written as (
           insert into SCHEMA.log (turn_id, seq, at, chunk)
           select id, base + row_number() over (partition by id order by place) - 1,
             floor(extract(epoch from clock_timestamp()) * 1000), chunk
           from line join grown using (id, fence)
         )
         select id, fence, ${notifySql(database, "log", "id")}::text from grown`,
        [
          lines.map(({ key }) => key),
          lines.map(({ fence }) => fence),
          lines.map(({ text }) => text),
          lines.map(({ id }) => id),
        ],
      );
      const written = new Set(rows.map((row) => `${row.number("fence")} ${row.text("id")}`));
      const rest = lines.filter(({ key, fence }) => !written.has(`${fence} ${key}`));
      const results = rest.length === 0 ? new Map<Line, Result>() : await judge(rest);
      return lines.map((line) => results.get(line) ?? "written");
    },
    {
      max: MAX_BATCH,
      weigh: ({ text }) => text.length,
      // A log must have no gap, even if the lines of one group are too many for one statement.
      needs: ({ key, fence }) => `${fence} ${key}`,
    },
  );

  /** Returns why lines were not written. */
  async function judge(lines: readonly Line[]): Promise<Map<Line, Result>> {
    const rows = await database.query(
      `select line.place::integer as place, t.fence = line.fence as mine, t.ended_at is not null as ended
       from unnest($1::text[], $2::integer[]) with ordinality as line (id, fence, place)
       join SCHEMA.turns t on t.id = line.id`,
      [lines.map(({ key }) => key), lines.map(({ fence }) => fence)],
    );
    const turns = new Map(rows.map((row) => [row.number("place") - 1, row]));
    return new Map(
      lines.map((line, place): [Line, Result] => {
        const turn = turns.get(place);
        // The statement ran twice, because the reply to the first try was lost.
        if (turn?.flag("mine") === true && !turn.flag("ended")) return [line, "written"];
        return [line, turn === undefined || turn.flag("ended") ? "ended" : "lost"];
      }),
    );
  }

  return {
    async append({ turnId, chunk, fence }) {
      const text = JSON.stringify(chunk);
      if (text.length > MAX_CHUNK) {
        throw new KitError(
          `elicit-kit: a chunk of type "${chunk.type}" has ${text.length} characters, and the log takes at most ${MAX_CHUNK}. Send large files by URL.`,
        );
      }
      return (await write({ key: keyOf(turnId), fence, text, id: nextMark() })) !== "lost";
    },
    idle: write.idle,
  };
}

/**
 * Each write of a log has a mark: the writer, and a number that increases. The row of a turn has the mark of its last
 * write. A write that arrives again, or late, has a number that is not higher, and is refused.
 */
export function createLogMarks(): () => string {
  const origin = crypto.randomUUID();
  let count = 0;
  return () => {
    count += 1;
    return `${origin} ${count}`;
  };
}

/** SQL: whether a write with `mark` has not been made yet. `last`: the mark of the last write. */
export const isNewMark = (mark: string, last: string) =>
  `(split_part(${last}, ' ', 1) is distinct from split_part(${mark}, ' ', 1)
    or split_part(${last}, ' ', 2)::bigint < split_part(${mark}, ' ', 2)::bigint)`;
