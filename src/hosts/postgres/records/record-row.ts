import type { ElicitationRecord } from "../../../runtime/internal.ts";
import type { Row } from "../database/row.ts";

export function recordOf(row: Row): ElicitationRecord {
  const record: ElicitationRecord = JSON.parse(row.text("record"));
  return record;
}
