import { expect } from "vitest";
import { joinDateTime, localOffset } from "../../src/react/form-elicitation/date-time.ts";
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
