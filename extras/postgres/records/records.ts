import type { Assignee } from "../../../src/contract/contract.ts";
import {
  type ElicitationRecord,
  type ElicitationRecords,
  TAKEN_OVER,
  deskOf,
  desksFor,
  isToldAnew,
  outcomeOf,
  type Settlement,
} from "../../../src/runtime/internal.ts";
import { createBatcher } from "../database/batcher.ts";
import type { Database } from "../database/database.ts";
import { type BeginningWait, FREE, PARKED, keyOf } from "../database/keys.ts";
import { type Notifications, notifySql } from "../database/notifications.ts";
import type { DecisionWriter } from "../decisions/decision-writer.ts";
import type { StatementPart } from "../database/row.ts";
import { createPostgresNotices } from "./notices.ts";
import { createPostgresOverview, recordOf } from "./overview.ts";

/** How long a record is kept after its end, or after its expiry if it has no outcome. */
const KEEP_ENDED = "interval '24 hours'";
/** SQL: whether this change was already made. Locks the row, so that the change finds it in the same state. */
const BEFORE = `before as (
  select id, coalesce(last_mark = $6, false) as is_again from SCHEMA.records where id = $1 for update
), `;
/** SQL: selects the first change, unless it was already made. */
const CHANGED_FIRST = "(select person from changed join before using (id) where not is_again) as first";
/** SQL: an open record that has expired. */
export const IS_DUE = `(forget_at <= now() + ${KEEP_ENDED})`;
/** SQL: a record that has not expired. No index fits the sum, so that a statement reads only the records of its user. */
const IS_LIVE = `forget_at - ${KEEP_ENDED} > now()`;

export interface PostgresRecords extends ElicitationRecords {
  /** `memory` stores what belongs to the end of the record. It selects from `changed`. */
  compareAndSet(next: ElicitationRecord, settlement?: Settlement, memory?: StatementPart): Promise<boolean>;
}

/**
 * Stores records in PostgreSQL. The statement that ends a record also stores the outcome for the waiter and frees a
 * parked turn. The statement that asks notes that its turn waits. With `decisions`, each change also adds its row to the decision log in the same statement.
 */
export function createPostgresRecords(
  database: Database,
  notifications: Pick<Notifications, "on" | "onReconnect">,
  {
    decisions,
    asks,
    onSettled,
  }: {
    decisions: DecisionWriter | undefined;
    /** The wait that begins with a question of this turn, if the turn then only waits. */
    asks: (turn: string) => BeginningWait | undefined;
    /** Called with the key of a request whose outcome is stored with its end. */
    onSettled: (key: string) => void;
  },
): PostgresRecords {
  /** Listeners for the records of each user. */
  const watching = new Set<{ readonly listener: () => void }>();
  notifications.onReconnect(() => {
    for (const { listener } of watching) listener();
  });

  const read = createBatcher<string, ElicitationRecord | undefined>(
    async (ids) => {
      const rows = await database.query("select id, record from SCHEMA.records where id = any($1::text[])", [
        ids.map((id) => keyOf(id)),
      ]);
      const found = new Map(rows.map((row) => [row.text("id"), recordOf(row)]));
      return ids.map((id) => found.get(keyOf(id)));
    },
    { max: 500 },
  );

  /** Inserts the record unless its id is known, or the lease of its turn is lost. */
  async function insert(
    record: ElicitationRecord,
    fence: number | undefined,
    settlement: Settlement | undefined,
  ): Promise<"created" | "known" | "stale"> {
    const { elicitationId } = record.request;
    const turn = keyOf(record.turnId);
    const wait = settlement === undefined ? asks(turn) : undefined;
    const logged = await decisions?.row({ from: "created", first: 16, isNew: true }, record, settlement);
    const rows = await database.query(
      // The lock makes the record visible to a process that takes the lease at this moment.
      `with stale as (
         select from (select fence from SCHEMA.turns where id = $4 and $10::integer is not null for share) t where fence <> $10
       ), created as (
         insert into SCHEMA.records (id, person, conversation, turn_id, revision, is_open, record, forget_at, notice_at, assignee)
         select $1, $2, $3, $4, $5::integer, $6::boolean, $7, to_timestamp($8::double precision / 1000) + ${KEEP_ENDED}, $9, $11
         where not exists (select from stale)
         on conflict (id) do nothing
         returning id, coalesce(assignee, person) as desk, person
       ), settled as (
         insert into SCHEMA.settlements (id, settlement) select id, $12 from created where $12::text is not null
         on conflict (id) do nothing
       ), waits as (
         -- Not if an answer is already there: then the turn is about to work.
         update SCHEMA.runs set working = false, deaths = 0
         where turn_id = $4 and process = $13 and run = $14 and not exists (select from stale)
           and (select count(*) from created) + (select count(*) from SCHEMA.records where turn_id = $4 and is_open) >= $15
         returning turn_id
       )${logged === undefined ? "" : `, ${logged.sql}`}
       select 'created' as how, ${notifySql(database, "inbox", "desk")}::text from created
       union all select 'stale', null from stale
       union all select 'waits', null from waits`,
      [
        keyOf(elicitationId),
        keyOf(record.user.id, "person"),
        conversationOf(record.conversationId, record.user.id),
        turn,
        record.revision,
        outcomeOf(record) === undefined,
        JSON.stringify(record),
        record.endedAt ?? record.expiresAt,
        record.noticeAt ?? null,
        fence ?? null,
        assigneeOf(record),
        settlement === undefined ? null : JSON.stringify(settlement),
        wait?.process ?? null,
        wait?.run ?? null,
        wait?.waits ?? null,
        ...(logged?.values ?? []),
      ],
    );
    const all = new Set(rows.map((row) => row.text("how")));
    if (all.has("waits")) wait?.noted();
    if (all.has("created") && settlement !== undefined) onSettled(keyOf(elicitationId));
    if (all.has("stale")) return "stale";
    return all.has("created") ? "created" : "known";
  }

  return {
    // A turn creates it, and no client waits.
    create: (record, lease, settlement) =>
      database.patiently(async () => {
        for (;;) {
          const how = await insert(record, lease?.fence, settlement);
          if (how === "created") return record;
          if (how === "stale") throw TAKEN_OVER;
          const known = await read(record.request.elicitationId);
          if (known !== undefined) return known;
        }
      }),
    get: (elicitationId) => read(elicitationId),
    async compareAndSet(next, settlement, memory) {
      const logged = await decisions?.row({ from: CHANGED_FIRST, first: 12 }, next, settlement);
      const kept = memory?.(12 + (logged?.values.length ?? 0));
      const rows = await database.query(
        // The same mark means that this statement has already run and its reply was lost with the connection.
        `with ${logged === undefined ? "" : BEFORE} changed as (
           update SCHEMA.records r
           set revision = $2, is_open = $3, record = $4, last_mark = $6, assignee = $8,
             notice_at = case when $9::boolean then $10::double precision else notice_at end,
             notice_id = case when $9::boolean then null else notice_id end,
             forget_at = to_timestamp($5::double precision / 1000) + ${KEEP_ENDED}
           ${logged === undefined ? "where r.id = $1" : "from before where r.id = before.id"}
             and (revision = $2 - 1 or last_mark = $6)
           returning r.id, turn_id, person
         ), settled as (
           insert into SCHEMA.settlements (id, settlement) select id, $7 from changed where $7::text is not null
           on conflict (id) do nothing
           returning id
         ), freed as (
           -- Also if it changes nothing: a turn that is just being parked is then parked before this, or sees the end.
           update SCHEMA.runs r set process = case when process = ${PARKED} then ${FREE} else process end
           from changed where r.turn_id = changed.turn_id and not $3
         )${[logged, kept].map((part) => (part === undefined ? "" : `, ${part.sql}`)).join("")}
         select (select ${notifySql(database, "settled", "id")}::text from settled),
           ${notifySql(database, "inbox", "desk")}::text from changed cross join unnest($11::text[]) as desk`,
        [
          keyOf(next.request.elicitationId),
          next.revision,
          outcomeOf(next) === undefined,
          JSON.stringify(next),
          next.endedAt ?? next.expiresAt,
          crypto.randomUUID(),
          settlement === undefined ? null : JSON.stringify(settlement),
          assigneeOf(next),
          isToldAnew(next),
          next.noticeAt ?? null,
          desksOf(next),
          ...(logged?.values ?? []),
          ...(kept?.values ?? []),
        ],
      );
      if (rows.length === 0) return false;
      if (settlement !== undefined) onSettled(keyOf(next.request.elicitationId));
      return true;
    },
    async countOpen(conversationId, userId) {
      const [row] = await database.query(
        `select count(*)::integer as all, (count(*) filter (where conversation = $2))::integer as here
         from SCHEMA.records where person = $1 and is_open and ${IS_LIVE}`,
        [keyOf(userId, "person"), conversationOf(conversationId, userId)],
      );
      return { inConversation: row?.number("here") ?? 0, inAll: row?.number("all") ?? 0 };
    },
    async listOpen(conversationId, userId) {
      const rows = await database.query(
        "select record from SCHEMA.records where conversation = $1 and is_open order by place",
        [conversationOf(conversationId, userId)],
      );
      return rows.map(recordOf);
    },
    inbox: {
      async listOpen(userId, { limit, after, groups = [] }) {
        const isBehind = `($3::text is null or place > (
          select place from SCHEMA.records where id = $3 and coalesce(assignee, person) = any($4::text[])
        ))`;
        const rows = await database.query(
          // Each part reads at most one page, however many requests a group has.
          `select record from (
             (select place, record from SCHEMA.records
              where person = $1 and is_open and ${IS_LIVE} and assignee is null and ${isBehind}
              order by place limit $2)
             union all
             (select assigned.place, assigned.record from unnest($4::text[]) as desk cross join lateral (
               select place, record from SCHEMA.records
               where assignee = desk and is_open and ${IS_LIVE} and ${isBehind}
               order by place limit $2
             ) as assigned)
           ) as waiting order by place limit $2`,
          [
            keyOf(userId, "person"),
            limit,
            after === undefined ? null : keyOf(after),
            deskKeysFor(userId, groups),
          ],
        );
        return rows.map(recordOf);
      },
      onChange(userId, listener, groups = []) {
        const entry = { listener };
        watching.add(entry);
        const stops = deskKeysFor(userId, groups).map((desk) => notifications.on("inbox", desk, listener));
        return () => {
          watching.delete(entry);
          for (const stop of stops) stop();
        };
      },
    },
    notices: createPostgresNotices(database),
    overview: createPostgresOverview(database),
  };
}

/** Distinguishes users from groups, like the columns `person` and `assignee`. */
function deskKey({ user, group }: Assignee): string {
  return user === undefined ? keyOf(group, "group") : keyOf(user, "person");
}

function deskKeysFor(userId: string, groups: readonly string[]): readonly string[] {
  return desksFor(userId, groups).map(deskKey);
}

/** The users or groups that the request waits for now, and those before. */
function desksOf(record: ElicitationRecord): readonly string[] {
  const { assignedBefore } = record;
  const now = deskOf(record);
  return [...new Set([now, assignedBefore ?? now].map(deskKey))];
}

function assigneeOf({ assigned }: ElicitationRecord): string | null {
  return assigned === undefined ? null : deskKey(assigned.to);
}

function conversationOf(conversationId: string, userId: string): string {
  return keyOf(userId, conversationId);
}
