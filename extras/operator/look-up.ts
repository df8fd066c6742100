import type { Decision } from "../audit/decision.ts";
import type { DecisionLog } from "../audit/log.ts";
import type { Clock } from "../../src/base/clock.ts";
import type {
  ElicitationRecord,
  ElicitationRecords,
  ElicitationService,
  TurnRunner,
} from "../../src/runtime/internal.ts";
import { COUNT_MOST, NOTICES_MOST, SAMPLE } from "./figures.ts";
import { type ShownLimits, limitsOf } from "./limits.ts";
import { readTail, rowsOf } from "./log-tail.ts";
import { namesOf, peopleOf } from "./naming.ts";
import type { Overview } from "./overview-page.ts";
import type { RequestView } from "./request-page.ts";

const OPEN_ROWS = 25;
const ENDED_ROWS = 10;
const LOG_ROWS = 8;

/** The stores that the page reads. */
export interface Sources {
  readonly elicitations: Pick<ElicitationService, "get" | "users">;
  readonly records: ElicitationRecords;
  readonly runner?: Pick<TurnRunner, "overview"> | undefined;
  readonly decisionLog?: DecisionLog | undefined;
  readonly shownLimits: ShownLimits;
  readonly clock: Clock;
  readonly showContent: boolean;
  /** Path of the first page. */
  readonly home: string;
}

/** Reads what the first page shows. `open` and `ended` name the last request of the previous page. */
export async function readOverview(
  { elicitations, records, runner, decisionLog, shownLimits, clock, showContent, home }: Sources,
  cursors: { readonly open: string | undefined; readonly ended: string | undefined },
): Promise<Overview> {
  const list = async (page: { isOpen: boolean; limit: number; after?: string | undefined }) =>
    (await records.overview?.list(page)) ?? [];
  const [open, openPage, ended, laterEnded, turns, notices, tail] = await Promise.all([
    records.overview?.countOpen(COUNT_MOST) ?? 0,
    list({ isOpen: true, limit: OPEN_ROWS + 1, after: cursors.open }),
    list({ isOpen: false, limit: SAMPLE }),
    cursors.ended === undefined
      ? undefined
      : list({ isOpen: false, limit: ENDED_ROWS + 1, after: cursors.ended }),
    runner?.overview?.(COUNT_MOST),
    records.notices?.pending?.(NOTICES_MOST),
    decisionLog && readTail(decisionLog, LOG_ROWS),
  ]);
  const endedPage = laterEnded ?? ended.slice(0, ENDED_ROWS + 1);
  const openRows = openPage.slice(0, OPEN_ROWS);
  const endedRows = endedPage.slice(0, ENDED_ROWS);
  const shown = [...openRows, ...endedRows, ...(notices ?? []).map(({ record }) => record)];
  const moreOf = (name: string, page: readonly ElicitationRecord[], rows: readonly ElicitationRecord[]) => {
    const last = rows.at(-1);
    if (page.length <= rows.length || last === undefined) return undefined;
    return `${home}?${new URLSearchParams({ [name]: last.request.elicitationId })}`;
  };
  return {
    now: clock.now(),
    open,
    ended,
    turns,
    notices,
    openRows,
    endedRows,
    moreOpen: moreOf("open", openPage, openRows),
    moreEnded: moreOf("ended", endedPage, endedRows),
    limits: await limitsOf(shownLimits, records, openRows),
    tail,
    names: await namesOf([...shown.flatMap(peopleOf), ...idsIn(tail?.rows)], { elicitations, showContent }),
  };
}

/** Reads what the page of a request shows. `undefined`: there is no such request any more. */
export async function readRequest(
  { elicitations, decisionLog, clock, showContent }: Sources,
  elicitationId: string,
): Promise<Omit<RequestView, "csrfToken"> | undefined> {
  const record = await elicitations.get(elicitationId);
  if (record === undefined) return undefined;
  const log = decisionLog && (await rowsOf(decisionLog, record));
  const names = await namesOf([...peopleOf(record), ...idsIn(log?.rows)], { elicitations, showContent });
  return { now: clock.now(), record, log, names };
}

/** The users in rows of the log: those who were asked, and those who acted. */
function idsIn(rows: readonly Decision[] = []): readonly { readonly id: string }[] {
  return rows.flatMap(({ userId, by }) => [userId, ...(by === undefined ? [] : [by])]).map((id) => ({ id }));
}
