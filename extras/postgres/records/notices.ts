import {
  type NoticeClaim,
  type NoticePlan,
  type NoticeRecords,
  type NoticeTimes,
  type PendingNotice,
  type PendingNotices,
  NEVER_TOLD,
  NOTICE_RECORDS,
  type ToldNotices,
  planNotice,
} from "../../../src/runtime/internal.ts";
import type { Database, Query } from "../database/database.ts";
import { keyOf } from "../database/keys.ts";
import type { Row } from "../database/row.ts";
import { recordOf } from "./overview.ts";

/** Due records that one call reads. They may all belong to one user. */
const LOOK_AT = 500;
/** Longer than the hour that `notices.perHour` covers. */
const KEEP_TOLD = "interval '2 hours'";

/** SQL: the user or group that decides about a record `r`. */
const DESK = "coalesce(r.assignee, r.person)";
const IS_PENDING = "r.is_open and r.notice_at is not null";
/** SQL: whether the record has not expired. A record is kept for a day after its expiry. */
const isLive = (now: string) =>
  `(r.forget_at > to_timestamp(${now}::double precision / 1000) + interval '24 hours')`;
/** SQL: whether the record is due and belongs to no claim. */
const isDue = (now: string) => `(${isLive(now)} and r.notice_id is null and r.notice_at <= ${now})`;

interface Counted extends PendingNotices {
  /** The number of records that belong to a claim. */
  readonly claimed: number;
}
const NOTHING: Counted = { due: 0, claimed: 0 };

/** The row of a user or group in `notices` is a lock: the process that holds it may claim notices for them. */
export function createPostgresNotices(database: Database): NoticeRecords {
  const notices: NoticeRecords = {
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
        return { ...pendingIn(row), tries };
      });
    },
    async release({ id }, retryAt) {
      await database.query(
        `update SCHEMA.records
         set notice_at = case when $2::double precision is null then null else greatest(notice_at, $2) end
         where notice_id = $1 and is_open and notice_at is not null`,
        [id, retryAt ?? null],
      );
    },
  };
  // No client waits for these.
  return {
    ...notices,
    postpone: (...given) => database.patiently(() => notices.postpone(...given)),
    claim: (...given) => database.patiently(() => notices.claim(...given)),
    release: (...given) => database.patiently(() => notices.release(...given)),
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
  const pending = await pendingOf(query, [...told.keys()], times);
  const plans = [...told].map(([person, toldBefore]) => {
    const { held, due, claimed } = pending.get(person) ?? NOTHING;
    return {
      person,
      count: held === undefined ? due : claimed,
      ...planNotice({ held, due }, toldBefore, times),
    };
  });
  await mark(query, plans, times);
  const claims = plans.flatMap(({ claim, ...plan }) => (claim === undefined ? [] : { ...plan, ...claim }));
  if (claims.length === 0) return [];
  await query(
    `update SCHEMA.notices n set told = c.told, forget_at = now() + ${KEEP_TOLD}
     from unnest($1::text[], $2::text[]) as c(person, told) where n.person = c.person`,
    [claims.map(({ person }) => person), claims.map((claim) => JSON.stringify(claim.told))],
  );
  const rows = await query(
    `select first.notice_id, first.record from unnest($1::text[], $2::text[]) as c(person, id) cross join lateral (
       select r.place, r.notice_id, r.record from SCHEMA.records r
       where ${IS_PENDING} and ${DESK} = c.person and r.notice_id = c.id order by r.place limit ${NOTICE_RECORDS}
     ) as first order by first.place`,
    [claims.map(({ person }) => person), claims.map(({ id }) => id)],
  );
  return claims.map(({ id, tries, count }) => {
    const records = rows.filter((row) => row.text("notice_id") === id).map(recordOf);
    return { id, tries, records, count: records.length < NOTICE_RECORDS ? records.length : count };
  });
}

/** Counts in PostgreSQL, because a group may have thousands of requests. */
async function pendingOf(
  query: Query,
  people: readonly string[],
  { now }: NoticeTimes,
): Promise<ReadonlyMap<string, Counted>> {
  const isClaimed = `${isLive("$2")} and r.notice_id is not null`;
  // Read after the lock, so that the claims of the last process are visible.
  const rows = await query(
    `select ${DESK} as person,
       count(*) filter (where ${isDue("$2")})::integer as due,
       count(*) filter (where ${isClaimed})::integer as claimed,
       coalesce(max(r.notice_at) filter (where ${isClaimed}), 0) as until,
       coalesce(min(r.notice_id) filter (where ${isClaimed}), '') as id
     from SCHEMA.records r where ${IS_PENDING} and ${DESK} = any($1::text[]) group by 1`,
    [people, now],
  );
  return new Map(
    rows.map((row) => {
      const [id, claimed] = [row.text("id"), row.number("claimed")];
      const held = claimed === 0 ? undefined : { id, until: row.number("until") };
      return [row.text("person"), { held, due: row.number("due"), claimed }];
    }),
  );
}

/** Changes the records as the plans say. */
async function mark(
  query: Query,
  plans: readonly ({ readonly person: string } & NoticePlan)[],
  { now }: NoticeTimes,
): Promise<void> {
  await query(
    `update SCHEMA.records r
     set notice_at = case when ${isLive("$1")} then plan.until end, notice_id = coalesce(r.notice_id, plan.new_id)
     from unnest($2::text[], $3::double precision[], $4::boolean[], $5::text[]) as plan(person, until, is_claim, new_id)
     where ${IS_PENDING} and ${DESK} = plan.person
       and (not ${isLive("$1")} or ${isDue("$1")} or r.notice_id is not null and plan.is_claim)`,
    [
      now,
      plans.map(({ person }) => person),
      plans.map(({ until }) => until),
      plans.map(({ claim }) => claim !== undefined),
      plans.map(({ claim }) => (claim?.isNew === true ? claim.id : null)),
    ],
  );
}

function toldOf(row: Row): ToldNotices {
  const told: ToldNotices = JSON.parse(row.text("told"));
  return told;
}

function pendingIn(row: Row): PendingNotice {
  return {
    record: recordOf(row),
    noticeAt: row.number("notice_at"),
    noticeId: row.isNull("notice_id") ? undefined : row.text("notice_id"),
  };
}
