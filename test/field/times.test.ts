import { expect } from "vitest";
import { joinDateTime, localOffset } from "../../src/form/date-time.ts";
import { fieldCase } from "./field-case.ts";

/** The moment that a card sends for a local time in a time zone. */
function sentIn(zone: string, wall: string): string {
  const before = process.env["TZ"];
  process.env["TZ"] = zone;
  try {
    return new Date(joinDateTime({ wall, offset: localOffset(wall) })).toISOString();
  } finally {
    if (before === undefined) delete process.env["TZ"];
    else process.env["TZ"] = before;
  }
}

fieldCase(
  { sources: ["dangrossman/daterangepicker#1014"], before: "failed" },
  "a time that the clocks skip or repeat is the one that calendars mean by it",
  () => {
    expect(sentIn("Europe/Berlin", "2026-03-29T02:30")).toBe("2026-03-29T01:30:00.000Z");
    expect(sentIn("America/New_York", "2026-03-08T02:30")).toBe("2026-03-08T07:30:00.000Z");
    expect(sentIn("Australia/Lord_Howe", "2026-10-04T02:15")).toBe("2026-10-03T15:45:00.000Z");
    expect(sentIn("Europe/Berlin", "2026-10-25T02:30")).toBe("2026-10-25T00:30:00.000Z");
    expect(sentIn("Europe/Berlin", "2026-06-01T09:00")).toBe("2026-06-01T07:00:00.000Z");
  },
);

fieldCase(
  { sources: ["formatjs/formatjs#2173"], before: "passed" },
  "a time at the very moment when the clocks change has the offset of that moment",
  () => {
    expect(sentIn("Europe/London", "2026-03-29T02:00")).toBe("2026-03-29T01:00:00.000Z");
    expect(sentIn("Europe/London", "2026-10-25T02:00")).toBe("2026-10-25T02:00:00.000Z");
    expect(sentIn("America/Sao_Paulo", "2018-11-04T00:00")).toBe("2018-11-04T03:00:00.000Z");
  },
);

fieldCase(
  {
    sources: ["Netflix/metaflow-ui#43", "iamkun/dayjs#2967", "sheltermanager/asm3#899", "iLib-js/iLib#119"],
    before: "passed",
  },
  "a time in the other half of the year has the offset of its own day",
  () => {
    expect(sentIn("Europe/Lisbon", "2026-01-10T00:00")).toBe("2026-01-10T00:00:00.000Z");
    expect(sentIn("Europe/Lisbon", "2026-07-10T00:00")).toBe("2026-07-09T23:00:00.000Z");
    expect(sentIn("Asia/Tehran", "2018-07-10T21:00")).toBe("2018-07-10T16:30:00.000Z");
    expect(sentIn("Asia/Kathmandu", "2026-01-01T00:00")).toBe("2025-12-31T18:15:00.000Z");
  },
);
