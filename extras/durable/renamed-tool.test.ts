import { expect, test } from "vitest";
import { runTurn } from "./testing/run-turn.ts";

/** This question has a key, so it may be asked in any order. */
const CITY = { kind: "question", name: "book", identity: "city", shape: "", hasKey: true } as const;

test("when a turn runs again with another tool in a waiting call, the turn ends", async () => {
  const before = runTurn([]);
  const isAsked = new Promise<void>((resolve) => {
    void before.root.call({ id: "c1", name: "book" }, (scope) =>
      scope.ask(CITY, () => {
        resolve();
        return new Promise(() => {});
      }),
    );
  });
  await isAsked;

  const after = runTurn(before.recorded);
  const asks = after.root.call({ id: "c1", name: "reserve" }, (scope) =>
    scope.ask({ ...CITY, name: "reserve", identity: "city of reserve" }, async () => "asked"),
  );
  await expect(asks).rejects.toThrow('calls "reserve" where it called another tool');
  expect(after.changes).toHaveLength(1);
  expect(after.recorded).toEqual([]);
});
