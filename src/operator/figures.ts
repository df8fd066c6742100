import type { ElicitationRecord, TriedNotice, TurnOverview } from "../runtime/internal.ts";
import { countOf, medianOf, spanOf } from "./format.ts";

/** Counting stops here, so that a page costs the same however much is open. */
export const COUNT_MOST = 10_000;
/** Of so many requests that ended last, the page knows how they ended. */
export const SAMPLE = 200;
/** Notices that are still to come, of one page. */
export const NOTICES_MOST = 50;

/** What the stores have said, for one drawing of the page. */
export interface Sight {
  readonly open: number;
  /** The last {@link SAMPLE} that have ended. */
  readonly ended: readonly ElicitationRecord[];
  readonly turns: TurnOverview | undefined;
  readonly notices: readonly TriedNotice[] | undefined;
}

export interface Figure {
  readonly name: string;
  readonly value: string;
  /** What the value is of. */
  readonly of: string;
}

/** Six figures. A figure that the stores cannot know is a dash. */
export function figuresOf({ open, ended, turns, notices }: Sight): readonly Figure[] {
  const answered = ended.filter(({ status }) => status === "accepted" || status === "declined");
  const expired = ended.filter(({ status }) => status === "expired").length;
  const median = medianOf(answered.map(({ createdAt, endedAt = createdAt }) => endedAt - createdAt));
  const sample = ended.length < SAMPLE ? `of ${ended.length} in 24 h` : `of the last ${SAMPLE}`;
  const alive = turns?.processes.filter(({ isAlive }) => isAlive).length;
  const again = notices?.filter(isTriedAgain).length;
  return [
    { name: "Open", value: countOf(open, COUNT_MOST), of: "now" },
    { name: "Answered", value: countOf(answered.length), of: sample },
    { name: "Time to answer", value: median === undefined ? "–" : spanOf(median), of: "median" },
    {
      name: "Expired",
      value: countOf(expired),
      of: ended.length === 0 ? "in 24 h" : `${((100 * expired) / ended.length).toFixed(1)} %`,
    },
    {
      name: "Processes",
      value: alive === undefined ? "–" : countOf(alive),
      of: turns === undefined ? "not known" : `of ${turns.processes.length}`,
    },
    {
      name: "Failures",
      value: again === undefined ? "–" : countOf(again, NOTICES_MOST),
      of: "notices",
    },
  ];
}

/** Its first delivery has failed, or its process died meanwhile. */
export function isTriedAgain({ noticeId, tries }: TriedNotice): boolean {
  return noticeId !== undefined && tries > 1;
}
