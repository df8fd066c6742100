import { describe, expect, it } from "vitest";
import { clock, lengthOf, segmentsOf } from "./turn.ts";

const wait = (from: number, to: number, outcome?: "accepted" | "declined") => ({
  elicitationId: `at-${from}`,
  message: "A question",
  from,
  to,
  outcome,
});

describe("the segments of a turn", () => {
  it("are one segment if the agent asks nothing", () => {
    expect(segmentsOf({ from: 100, to: 400, waits: [] })).toEqual([{ kind: "work", ms: 300 }]);
  });

  it("alternate between work and waiting", () => {
    const turn = { from: 0, to: 1000, waits: [wait(200, 500, "accepted"), wait(700, 900, "declined")] };
    expect(segmentsOf(turn)).toEqual([
      { kind: "work", ms: 200 },
      { kind: "wait", ms: 300 },
      { kind: "work", ms: 200 },
      { kind: "wait", ms: 200 },
      { kind: "work", ms: 100 },
    ]);
  });

  it("count two simultaneous requests as one wait, in any order of requests and answers", () => {
    const waits = [wait(300, 350, "accepted"), wait(100, 600, "accepted"), wait(500, 800, "accepted")];
    const segments = segmentsOf({ from: 0, to: 1000, waits });
    expect(segments).toEqual([
      { kind: "work", ms: 100 },
      { kind: "wait", ms: 700 },
      { kind: "work", ms: 200 },
    ]);
    expect(lengthOf(segments)).toBe(1000);
    expect(lengthOf(segments, "wait")).toBe(700);
  });

  it("grow with the clock while a request is open", () => {
    const turn = { from: 0, to: 210, waits: [wait(200, 210)] };
    expect(segmentsOf(turn, 5000)).toEqual([
      { kind: "work", ms: 200 },
      { kind: "wait", ms: 4800 },
    ]);
  });

  it("grow with the clock while the agent works", () => {
    const turn = { from: 0, to: 600, waits: [wait(200, 500, "accepted")] };
    expect(segmentsOf(turn, 900).at(-1)).toEqual({ kind: "work", ms: 400 });
  });
});

describe("the clock", () => {
  it.each([
    [-5, "0:00"],
    [999, "0:00"],
    [7_400, "0:07"],
    [61_000, "1:01"],
    [750_000, "12:30"],
  ])("shows %i ms as %s", (ms, text) => {
    expect(clock(ms)).toBe(text);
  });
});
