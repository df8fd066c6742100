import { expect, it } from "vitest";
import { createPausedTurns } from "./paused-turns.ts";
import { IDLE } from "./turn-state.ts";

it("a turn whose server ends the stream right after it asks waits for the user, although the card has not loaded", () => {
  const request = { id: "form-1", conversationId: "c1", mode: "form", isOpen: true } as const;
  const client = {
    subscribe: () => () => undefined,
    getSnapshot: () => ({ items: [], arriving: { requests: [request], hasFailed: false } }),
  };
  const { waits } = createPausedTurns(client, () => ({
    stateOf: () => IDLE,
    onStatus: () => () => undefined,
  }));
  expect(waits("c1")).toBe(true);
  expect(waits("c2")).toBe(false);
});
