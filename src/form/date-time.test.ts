import { assert, date as anyDate, property } from "fast-check";
import { describe, expect, it } from "vitest";
import { joinDateTime, localOffset, splitDateTime } from "./date-time.ts";

const numRuns = Number(process.env["FC_RUNS"] ?? 300);

describe("splitDateTime and joinDateTime", () => {
  it.each([
    ["2026-11-21T09:30:00Z", "2026-11-21T09:30:00", "Z"],
    ["2026-11-21t09:30:00.25z", "2026-11-21T09:30:00.25", "Z"],
    ["2026-11-21T09:30:00.123456+01:00", "2026-11-21T09:30:00.123", "+01:00"],
    ["2026-11-21T09:30", "2026-11-21T09:30", ""],
    // Browsers have years of six digits. The control shows what the user types, and the form refuses it.
    ["20261-11-21T09:30:00+01:00", "20261-11-21T09:30:00", "+01:00"],
    ["tomorrow", "", ""],
    ["", "", ""],
  ])("read %s", (draft, wall, offset) => {
    expect(splitDateTime(draft)).toEqual({ wall, offset });
  });

  it("add the seconds that native inputs leave out", () => {
    expect(joinDateTime({ wall: "2026-11-21T09:30", offset: "Z" })).toBe("2026-11-21T09:30:00Z");
  });

  it("return empty strings while there is no time", () => {
    expect(joinDateTime({ wall: "", offset: "+01:00" })).toBe("");
  });

  it("preserve every point in time", () => {
    const dates = anyDate({ min: new Date("1970-01-01"), max: new Date("2100-01-01"), noInvalidDate: true });
    assert(
      property(dates, (date) => {
        expect(joinDateTime(splitDateTime(date.toISOString()))).toBe(date.toISOString());
      }),
      { numRuns },
    );
  });
});

describe("localOffset", () => {
  it("names the same moment that JavaScript reads from local time", () => {
    const walls = anyDate({
      min: new Date("1990-01-01"),
      max: new Date("2060-01-01"),
      noInvalidDate: true,
    }).map((date) => date.toISOString().slice(0, 16));
    assert(
      property(walls, (wall) => {
        expect(new Date(`${wall}${localOffset(wall)}`).getTime()).toBe(new Date(wall).getTime());
      }),
      { numRuns },
    );
  });

  it("is UTC while there is no time", () => {
    expect(localOffset("")).toBe("Z");
  });
});
