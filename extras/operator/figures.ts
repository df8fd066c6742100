import type { ElicitationRecord, TriedNotice, TurnOverview } from "../../src/runtime/internal.ts";
import { countOf, medianOf, spanOf } from "./format.ts";

/** Counting stops at this number, so that the cost of a page has a limit. */
export const COUNT_MOST = 10_000;
/** The number of recently ended requests whose outcomes the page counts. */
export const SAMPLE = 200;
/** The largest number of pending notices that the page reads. */
export const NOTICES_MOST = 50;

/** The data that the stores returned for one rendering of the page. */
export interface Sight {
  readonly open: number;
  /** The last {@link SAMPLE} requests that have ended. */
  readonly ended: readonly ElicitationRecord[];
  readonly turns: TurnOverview | undefined;
  readonly notices: readonly TriedNotice[] | undefined;
}

export interface Figure {
  readonly name: string;
  readonly value: string;
  /** The unit or subject of the value. */
  readonly of: string;
}

/** Six figures. A dash stands for a figure that the stores cannot provide. */
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

/** The first delivery failed, or its process died. */
export function isTriedAgain({ noticeId, tries }: TriedNotice): boolean {
  return noticeId !== undefined && tries > 1;
}
