/** Apart from the states, because every page that shows requests loads this, and the states only with a request. */
import { type ElicitationOutcome, outcomeOfAction } from "../contract/contract.ts";
import type { ElicitationItem, ElicitationStatus } from "./elicitation.ts";

const BY_ANSWER: ReadonlySet<ElicitationStatus> = new Set(Object.values(outcomeOfAction));
const ENDED: ReadonlySet<ElicitationStatus> = new Set([...BY_ANSWER, "expired", "withdrawn", "failed"]);

/** Whether the request has ended. `gone` does not count, because the server has not reported an outcome. */
export function hasEnded(status: ElicitationStatus): status is ElicitationOutcome {
  return ENDED.has(status);
}

/** Whether the request is still open: it has not ended, and the server knows it. */
export function isOpen<Item extends Pick<ElicitationItem, "status">>(
  item: Item,
): item is Exclude<Item, { status: ElicitationOutcome | "gone" }> {
  return !hasEnded(item.status) && item.status !== "gone";
}

/** Whether it ended by an answer, here or elsewhere. */
export function hasEndedByAnswer(status: ElicitationStatus): boolean {
  return BY_ANSWER.has(status);
}
