import { describe, expect, it } from "vitest";
import { type StreamChunk, discardChunk } from "../../../src/runtime/internal.ts";
import { createTaskLog } from "./task-log.ts";

const text = (id: string, ...deltas: string[]): (StreamChunk & { delta?: string })[] => [
  { type: "text-start" },
  ...deltas.map((delta) => ({ type: "text-delta", id, delta })),
  { type: "text-end" },
];

function read(...chunks: readonly StreamChunk[]) {
  const log = createTaskLog();
  const changes = chunks.map((chunk, seq) => log.see({ seq, at: 1000 + seq, chunk }));
  return { log, changes };
}

describe("the reply of a task", () => {
  it("has a paragraph for each text", () => {
    const { log } = read(...text("a", "One ", "moment."), ...text("b", "Done."));
    expect(log.text).toBe("One moment.\n\nDone.");
  });

  it("loses discarded text, and reports that once", () => {
    const { log, changes } = read(
      ...text("a", "Kept."),
      ...text("b", "Half a sen"),
      discardChunk(3),
      ...text("c", "A sentence."),
    );
    expect(log.text).toBe("Kept.\n\nA sentence.");
    expect(changes.map(({ kind }) => kind).filter((kind) => kind !== "other")).toEqual([
      "text",
      "text",
      "rewritten",
      "text",
    ]);
    expect(read(...text("a", "Kept."), discardChunk(3)).changes.at(-1)).toEqual({ kind: "other" });
  });
});

describe("the log of a task", () => {
  it("has its last position, and the reason why the turn has ended", () => {
    const failed = { type: "error", errorText: "No model." };
    const { log } = read({ type: "start" }, failed);
    expect(log).toMatchObject({ after: 1, at: 1001, failure: "No model.", isStopped: false });
    expect(read({ type: "abort" }).log.isStopped).toBe(true);
  });

  it("has the ids of the newest ten questions that ended without an accept", () => {
    const ended = (outcome: string, n: number) => ({
      type: "data-elicitation-request",
      data: {
        type: "elicitation-request",
        elicitationId: `q-${n}`,
        mode: "url",
        message: "Pay",
        url: "https://pay.example.com/",
        resolution: { outcome, at: "2027-01-01T12:00:00.000Z" },
      },
    });
    const { log } = read(
      ended("accepted", 0),
      ...Array.from({ length: 12 }, (_, n) => ended("expired", n + 1)),
    );
    expect(log.withdrawn).toEqual(Array.from({ length: 10 }, (_, n) => `q-${n + 3}`));
  });
});
