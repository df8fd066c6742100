import {
  type NoticeClaim,
  type NoticePlan,
  type NoticeRecords,
  type NoticeTimes,
  type PendingNotice,
  NEVER_TOLD,
  type ToldNotices,
  planNotice,
} from "../../../runtime/internal.ts";
import type { Database, Query } from "../database/database.ts";
import { keyOf } from "../database/keys.ts";
import type { Row } from "../database/row.ts";
import { recordOf } from "./record-row.ts";

/** Due records that one call reads. They may all belong to one user. */
const LOOK_AT = 500;
/** Longer than the hour that `noticesPerHour` covers. */
const KEEP_TOLD = "interval '2 hours'";

/** The row of a user or group in `notices` is a lock: the process that holds it may claim notices for them. */
export function createPostgresNotices(database: Database): NoticeRecords {
  return {
    async postpone({ turnIds, userIds }, { from, until }) {
      // Skip locked rows: they are being changed, and the next call finds them.
      await database.query(
        `update SCHEMA.records set notice_at = $4 where id in (
           select id from SCHEMA.records
           where is_open and notice_at < $3 and (
             turn_id = any($1::text[]) and assignee is null
             or person = any($2::text[]) and assignee is null
             or assignee = any($2::text[])
           )
           for update skip locked
         )`,
        [turnIds.map((id) => keyOf(id)), userIds.map((id) => keyOf(id, "person")), from, until],
      );
    },
    async claim({ limit, ...times }) {
      const due = await database.query(
        `select distinct desk as person from (
           select coalesce(assignee, person) as desk from SCHEMA.records where is_open and notice_at <= $1 order by notice_at limit ${LOOK_AT}
         ) as due`,
        [times.now],
      );
      if (due.length === 0) return [];
      const people = due.map((row) => row.text("person"));
      await database.query(
        `insert into SCHEMA.notices (person, told, forget_at)
         select person, $2, now() + ${KEEP_TOLD} from unnest($1::text[]) as person order by person
         on conflict (person) do nothing`,
        [people, JSON.stringify(NEVER_TOLD)],
      );
      return database.transaction((query) => claimIn(query, { people, limit }, times));
    },
    async pending(limit) {
      const rows = await database.query(
        `select r.person, r.record, r.notice_at, r.notice_id, n.told
         from (
           select * from SCHEMA.records where is_open and notice_at is not null order by notice_at limit $1
         ) r left join SCHEMA.notices n on n.person = coalesce(r.assignee, r.person) order by r.notice_at`,
        [limit],
      );
      return rows.map((row) => {
        const { tries } = row.isNull("told") ? NEVER_TOLD : toldOf(row);
        return { ...pendingOf(row), tries };
      });
    },
    async release({ id, records }, retryAt) {
      await database.query(
        `update SCHEMA.records
         set notice_at = case when $3::double precision is null then null else greatest(notice_at, $3) end
         where id = any($1::text[]) and notice_id = $2 and is_open and notice_at is not null`,
        [records.map(({ request }) => keyOf(request.elicitationId)), id, retryAt ?? null],
      );
    },
  };
}

/** Claims the due notices of users whose lock no other process holds. */
async function claimIn(
  query: Query,
  { people, limit }: { people: readonly string[]; limit: number },
  times: NoticeTimes,
): Promise<readonly NoticeClaim[]> {
  const locked = await query(
    "select person, told from SCHEMA.notices where person = any($1::text[]) order by person limit $2 for update skip locked",
    [people, limit],
  );
  if (locked.length === 0) return [];
  const told = new Map(locked.map((row) => [row.text("person"), toldOf(row)]));
  // Read after the lock, so that the claims of the last process are visible.
  const rows = await query(
    `select coalesce(assignee, person) as person, record, notice_at, notice_id from SCHEMA.records
     where (person = any($1::text[]) and assignee is null or assignee = any($1::text[]))
       and is_open and notice_at is not null order by place`,
    [[...told.keys()]],
  );
  const pending = new Map(locked.map((row) => [row.text("person"), new Array<PendingNotice>()]));
  for (const row of rows) pending.get(row.text("person"))?.push(pendingOf(row));
  const plans = [...told].map(([person, toldBefore]) => ({
    person,
    plan: planNotice(pending.get(person) ?? [], toldBefore, times),
  }));
  await change(query, plans);
  return plans.flatMap(({ plan }) => plan.claim ?? []);
}

async function change(
  query: Query,
  plans: readonly { readonly person: string; readonly plan: NoticePlan }[],
): Promise<void> {
  const changes = plans.flatMap(({ plan }) => plan.changes);
  await query(
    `update SCHEMA.records r set notice_at = c.notice_at, notice_id = c.notice_id
     from unnest($1::text[], $2::double precision[], $3::text[]) as c(id, notice_at, notice_id)
     where r.id = c.id and r.is_open`,
    [
      changes.map(({ record }) => keyOf(record.request.elicitationId)),
      changes.map(({ noticeAt }) => noticeAt ?? null),
      changes.map(({ noticeId }) => noticeId ?? null),
    ],
  );
  const claimed = plans.filter(({ plan }) => plan.claim !== undefined);
  await query(
    `update SCHEMA.notices n set told = c.told, forget_at = now() + ${KEEP_TOLD}
     from unnest($1::text[], $2::text[]) as c(person, told) where n.person = c.person`,
    [claimed.map(({ person }) => person), claimed.map(({ plan }) => JSON.stringify(plan.told))],
  );
}

function toldOf(row: Row): ToldNotices {
  const told: ToldNotices = JSON.parse(row.text("told"));
  return told;
}

function pendingOf(row: Row): PendingNotice {
  return {
    record: recordOf(row),
    noticeAt: row.number("notice_at"),
    noticeId: row.isNull("notice_id") ? undefined : row.text("notice_id"),
  };
}
