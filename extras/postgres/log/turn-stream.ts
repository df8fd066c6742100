import type { PlannedRun, TurnKey, TurnOpening, TurnStream } from "../../../src/runtime/internal.ts";
import type { Database, Query } from "../database/database.ts";
import { keyOf } from "../database/keys.ts";
import { type Notifications, notifySql } from "../database/notifications.ts";
import type { Row } from "../database/row.ts";
import type { TurnPlans } from "../database/turn-plans.ts";
import { createTurnLeases } from "./turn-leases.ts";
import { IS_KEPT, createLogReader } from "./log-reader.ts";
import { discard, isLost } from "./log-discard.ts";
import { createLogMarks, createLogWriter } from "./log-writer.ts";
import { KitError } from "../../../src/contract/kit-error.ts";

/** The columns of a turn, with the id of the open turn that it replaced. */
type StoredTurn = TurnKey & { readonly replaced?: string | undefined };

/** Keeps the logs of turns in PostgreSQL. A turn is opened in one transaction with the row of its first run. */
export function createPostgresTurnStream(
  database: Database,
  notifications: Pick<Notifications, "on" | "onSweep">,
  plans: Pick<TurnPlans, "write" | "drop">,
  onError: (error: unknown) => void,
): TurnStream {
  const leases = createTurnLeases(database, notifications, onError);
  const reader = createLogReader(database, notifications);
  const nextMark = createLogMarks();
  const writer = createLogWriter(database, nextMark);

  /** Abort before throwing, so that the caller knows that the turn continues in another process. */
  function lost(turnId: string, fence: number): Error {
    leases.lose(turnId, fence);
    return new KitError("elicit-kit: another process has taken over this turn.");
  }

  async function openIn(
    query: Query,
    turn: TurnKey,
    { replace, run }: { replace: boolean; run?: PlannedRun | undefined },
  ): Promise<TurnOpening> {
    const { userId } = turn;
    const conversation = userId === undefined ? null : keyOf(userId, turn.conversationId);
    const start =
      userId === undefined || turn.startId === undefined ? null : keyOf(userId, turn.surface, turn.startId);
    // Only turns that are kept are listed, so turns of other stores cost nothing here.
    const owner = userId === undefined || turn.keepMs <= 0 ? null : keyOf(userId, turn.surface);
    await lock(
      query,
      [conversation, start].filter((key) => key !== null),
    );
    const started = start === null ? undefined : await startedBy(query, start);
    if (started !== undefined) return { status: "started", turn: started };
    const before = conversation === null ? undefined : await openOf(query, conversation);
    if (before !== undefined && !replace) return { status: "busy", turn: before };
    const stored: StoredTurn = before === undefined ? turn : { ...turn, replaced: before.turnId };
    await query(
      `with opened as (
         insert into SCHEMA.turns (id, turn, keep_ms, conversation, start, owner)
         values ($1, $2, $3, $4, $5, $6)
       )
       insert into SCHEMA.conversations (id, turn_id) select $4, $1 where $4::text is not null
       on conflict (id) do update set turn_id = excluded.turn_id`,
      [keyOf(turn.turnId), JSON.stringify(stored), turn.keepMs, conversation, start, owner],
    );
    if (run !== undefined) await plans.write(query, turn.turnId, run);
    return before === undefined ? { status: "opened" } : { status: "opened", before };
  }

  return {
    open: (turn, { replace, run, signal }) =>
      database
        .transaction((query) => openIn(query, turn, { replace, run }), { signal })
        .catch((error: unknown) => {
          plans.drop(turn.turnId);
          throw error;
        }),
    async get(turnId) {
      const [row] = await database.query(
        `select turn, ended_at is not null as ended from SCHEMA.turns where id = $1 and ${IS_KEPT}`,
        [keyOf(turnId)],
      );
      return row && { ...turnOf(row), ended: row.flag("ended") };
    },
    async find(conversationId, userId) {
      const [row] = await database.query(
        `select t.turn from SCHEMA.conversations c join SCHEMA.turns t on t.id = c.turn_id
         where c.id = $1 and ${IS_KEPT}`,
        [keyOf(userId, conversationId)],
      );
      return row && turnOf(row).turnId;
    },
    async list(userId, surface, { before, limit }) {
      const rows = await database.query(
        `select turn, ended_at is not null as ended, coalesce(last.at, 0) as at from SCHEMA.turns
         left join lateral (
           select at from SCHEMA.log where turn_id = turns.id order by seq desc limit 1
         ) as last on true
         where owner = $1 and ${IS_KEPT}
           and ($2::text is null or place < (select place from SCHEMA.turns where id = $2))
         order by place desc limit $3`,
        [keyOf(userId, surface), before === undefined ? null : keyOf(before), limit],
      );
      return rows.map((row) => ({ ...turnOf(row), ended: row.flag("ended"), at: row.number("at") }));
    },
    // A turn makes the following calls, and no client waits.
    lease: (turnId, run) => database.patiently(() => leases.take(turnId, run)),
    append: (turnId, chunk, { fence }) =>
      database.patiently(async () => {
        if (!(await writer.append({ turnId, chunk, fence }))) throw lost(turnId, fence);
      }),
    discard: (turnId, from, { fence }) =>
      database.patiently(async () => {
        // Write earlier entries first: they belong to the part that is taken back.
        await writer.idle();
        if (!(await discard(database, { turnId, from, fence, mark: nextMark() }))) throw lost(turnId, fence);
      }),
    close: (turnId, { fence }) =>
      database.patiently(async () => {
        // Write earlier entries first: they come before the end.
        await writer.idle();
        const closed = await database.query(
          `with closed as (
             update SCHEMA.turns set ended_at = now(), forget_at = now() + keep_ms * interval '1 millisecond'
             where id = $1 and fence = $2 and ended_at is null
             returning id
           )
           select ${notifySql(database, "log", "id")} from closed`,
          [keyOf(turnId), fence],
        );
        if (closed.length === 0 && (await isLost(database, turnId, fence))) throw lost(turnId, fence);
        leases.release(turnId, fence);
        await reader.drained(turnId);
      }),
    read: reader.read,
  };
}

/** Concurrent calls with one of these keys run one after another. */
async function lock(query: Query, keys: readonly string[]): Promise<void> {
  if (keys.length === 0) return;
  // In a fixed order, so that two calls cannot deadlock.
  await query(
    `select pg_catalog.pg_advisory_xact_lock(number)
     from (select distinct hashtextextended('elicit-kit turn ' || id, 0) as number from unnest($1::text[]) as id order by 1) as keys`,
    [keys],
  );
}

async function startedBy(query: Query, start: string): Promise<TurnKey | undefined> {
  await query("update SCHEMA.turns set start = null where start = $1 and forget_at <= now()", [start]);
  const [row] = await query("select turn from SCHEMA.turns where start = $1", [start]);
  return row && turnOf(row);
}

async function openOf(query: Query, conversation: string): Promise<TurnKey | undefined> {
  const [row] = await query(
    `select t.turn from SCHEMA.conversations c join SCHEMA.turns t on t.id = c.turn_id
     where c.id = $1 and t.ended_at is null`,
    [conversation],
  );
  return row && turnOf(row);
}

function turnOf(row: Row): StoredTurn {
  const turn: StoredTurn = JSON.parse(row.text("turn"));
  return turn;
}
