import * as fc from "fast-check";
import { expect, it, vi } from "vitest";
import { isDate, isTimestamp } from "./timestamp.ts";

// The machine may be busy, and FC_RUNS may ask for long runs.
vi.setConfig({ testTimeout: 600_000 });
const runs = { numRuns: Number(process.env["FC_RUNS"] ?? 300) };

it.each(["2024-02-29", "2000-02-29", "0000-01-01", "9999-12-31"])("isDate accepts the day %s", (day) => {
  expect(isDate(day)).toBe(true);
});

it.each([
  "2023-02-29",
  "1900-02-29",
  "2024-04-31",
  "2024-13-01",
  "2024-00-10",
  "2024-1-1",
  "24-01-01",
  "2024-01-01T00:00:00Z",
  " 2024-01-01",
  "2024-01-01\n",
  "+002024-01-01",
  "",
])("isDate refuses %j", (day) => {
  expect(isDate(day)).toBe(false);
});

it("isDate accepts exactly the days of the calendar", () => {
  const two = fc.integer({ min: 0, max: 39 }).map((number) => String(number).padStart(2, "0"));
  const year = fc.integer({ min: 0, max: 9999 }).map((number) => String(number).padStart(4, "0"));
  fc.assert(
    fc.property(year, two, two, (y, m, d) => {
      const leap = Number(y) % 4 === 0 && (Number(y) % 100 !== 0 || Number(y) % 400 === 0);
      const days = [31, leap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
      expect(isDate(`${y}-${m}-${d}`)).toBe(Number(d) >= 1 && Number(d) <= (days[Number(m) - 1] ?? 0));
    }),
    runs,
  );
});

it.each(["2026-11-20T23:59:59Z", "2026-11-20T00:00:00.123456789+05:30", "2026-11-20T00:00:00-23:59"])(
  "isTimestamp accepts %s",
  (time) => {
    expect(isTimestamp(time)).toBe(true);
  },
);

it.each([
  "2026-11-20T24:00:00Z",
  "2026-11-20T10:60:00Z",
  "2016-12-31T23:59:60Z",
  "2026-11-20T10:00:00",
  "2026-11-20T10:00Z",
  "2026-11-20t10:00:00z",
  "2026-11-20 10:00:00Z",
  "2026-11-20T10:00:00.Z",
  "2026-11-20T10:00:00+24:00",
  "2026-11-20T10:00:00+0100",
  "2026-02-30T10:00:00Z",
  "2026-11-20",
])("isTimestamp refuses %s", (time) => {
  expect(isTimestamp(time)).toBe(false);
});

it("isTimestamp accepts only moments that Date can parse", () => {
  const shaped = fc.stringMatching(
    /^\d{4}-[01]\d-[0-3]\dT[0-2]\d:[0-6]\d:[0-6]\d(\.\d{1,4})?(Z|[+-][0-2]\d:[0-6]\d)$/,
  );
  fc.assert(
    fc.property(shaped, (time) => {
      fc.pre(isTimestamp(time));
      expect(Date.parse(time)).not.toBeNaN();
    }),
    runs,
  );
});
