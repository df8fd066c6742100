import type { Database } from "../database/database.ts";
import type { BeginningWait } from "../database/keys.ts";
import type { Row } from "../database/row.ts";

/** What a run of this process is doing, in case the process dies. */
export interface Conduct {
  /** How many processes may have died because of the turn. */
  deaths: number;
  /** The number of answers that it only waits for. 0: it works. */
  waits: number;
  /** Whether its row says that it waits. */
  isNoted: boolean;
  /** Whether its row may say so, because a note was sent. */
  mayBeNoted: boolean;
  readonly since: number;
}

interface Running extends Conduct {
  readonly run: number;
}

/** A turn that works for this long does not crash processes at once, so other suspect turns no longer wait for it. */
const ALONE_MS = 30_000;

const isSuspect = ({ deaths, waits, since }: Conduct) =>
  deaths > 0 && waits === 0 && performance.now() - since < ALONE_MS;

/**
 * Records which turns worked when a process died, and runs suspect turns one at a time. `onCleared` is called when a
 * suspect turn ends, waits or records something.
 */
export function createConducts(
  database: Pick<Database, "query">,
  {
    here,
    running,
    onCleared,
  }: { here: string; running: ReadonlyMap<string, Running>; onCleared: () => void },
) {
  let isClaiming = false;
  let noting: Promise<unknown> = Promise.resolve();

  function clear(mine: Conduct): void {
    const wasSuspect = mine.deaths > 0;
    mine.deaths = 0;
    if (wasSuspect) onCleared();
  }

  return {
    begin: (deaths: number): Conduct => ({
      deaths,
      waits: 0,
      isNoted: false,
      mayBeNoted: false,
      since: performance.now(),
    }),
    end: clear,
    /** Calls `claim`, unless a suspect turn works in this process. */
    async alone(claim: () => Promise<void>): Promise<void> {
      if (isClaiming || [...running.values()].some(isSuspect)) return;
      isClaiming = true;
      await claim().finally(() => {
        isClaiming = false;
      });
    },
    async note(key: string, mine: Running, what: { readonly waits: number } | "recorded"): Promise<void> {
      if (what !== "recorded") {
        mine.waits = what.waits;
        return;
      }
      if (mine.deaths === 0) return;
      clear(mine);
      await database.query(
        "update SCHEMA.runs set deaths = 0 where turn_id = $1 and process = $2 and run = $3",
        [key, here, mine.run],
      );
    },
    /** The wait of a turn that asks now. The statement that stores its question notes the wait as well. */
    asks(key: string): BeginningWait | undefined {
      const mine = running.get(key);
      if (mine === undefined || mine.waits === 0) return undefined;
      mine.mayBeNoted = true;
      return {
        process: here,
        run: mine.run,
        waits: mine.waits,
        noted() {
          mine.isNoted = true;
          clear(mine);
        },
      };
    },
    /** Calls `write`, which notes that a turn works again, before it continues with an answer. */
    async works(mine: Conduct, write: () => Promise<readonly Row[]>): Promise<readonly Row[]> {
      // A note that was sent before must not overwrite it.
      await noting.catch(() => {});
      mine.isNoted = false;
      const rows = await write();
      mine.mayBeNoted = mine.isNoted;
      return rows;
    },
    /** Notes turns that have begun to wait without a new question, all in one statement. */
    async sweep(): Promise<void> {
      const waiting = [...running].filter(([, { waits, isNoted }]) => waits > 0 && !isNoted);
      if (waiting.length === 0) return;
      for (const [, mine] of waiting) Object.assign(mine, { isNoted: true, mayBeNoted: true });
      // A turn that reads an answer which is already there is about to work.
      const noted = database.query(
        `update SCHEMA.runs r set working = false, deaths = 0
         from unnest($1::text[], $2::integer[], $3::integer[]) as waiting (turn_id, run, waits)
         where r.turn_id = waiting.turn_id and r.run = waiting.run and r.process = $4
           and (select count(*) from SCHEMA.records o where o.turn_id = r.turn_id and o.is_open) >= waiting.waits
         returning r.turn_id`,
        [
          waiting.map(([key]) => key),
          waiting.map(([, { run }]) => run),
          waiting.map(([, { waits }]) => waits),
          here,
        ],
      );
      noting = noted;
      const rows = await noted.catch((error: unknown) => {
        for (const [, mine] of waiting) mine.isNoted = false;
        throw error;
      });
      const keys = new Set(rows.map((row) => row.text("turn_id")));
      for (const [key, mine] of waiting) {
        if (keys.has(key)) clear(mine);
        else mine.isNoted = false;
      }
    },
  };
}
