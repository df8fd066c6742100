import { describe, expect, test, vi } from "vitest";
import { SETTLING_MS } from "../../src/runtime/request/expiry.ts";
import { createManualClock } from "../../src/base/testing/manual-clock.ts";
import { createChatClient } from "./chat-client.ts";
import type { TwoProcesses } from "./test-ports.ts";
import { CONNECT, asking, createTestRuntime } from "./test-runtime.ts";

/**
 * Tests for the results of a turn on every implementation of the ports, after a process died. `create` is called before
 * each test.
 */
export function testSettlements(name: string, create: () => Promise<TwoProcesses>): void {
  describe(`settlements in ${name}`, () => {
    test("a turn continues when the process that stored its sign-in dies before it could report that", async () => {
      const [here, there] = await create();
      const clock = createManualClock(Date.now());
      const { fetch } = createTestRuntime(asking(CONNECT), { ports: { ...portsOf(here), clock } });
      const dying = createTestRuntime(asking(CONNECT), {
        ports: {
          ...portsOf(there),
          clock,
          waiter: { ...there.waiter, settle: () => new Promise<never>(() => {}) },
        },
      });
      const stream = await createChatClient(fetch, { user: "ada" }).send("c1");
      const { elicitationId } = await stream.request();
      const timers = clock.waiting;
      let isStored = false;
      void dying.elicitations.complete(elicitationId, async () => {
        isStored = true;
      });
      await vi.waitFor(() => expect(isStored).toBe(true));
      clock.advance(60_000);
      await vi.waitFor(() => expect(clock.waiting).toBe(timers));
      clock.advance(SETTLING_MS);
      await stream.done;
      expect(stream.chunks).toContainEqual(
        expect.objectContaining({ delta: '{"outcome":"accepted","content":{}}' }),
      );
    });
  });
}

/** Without the clock of the database. */
function portsOf({ records, waiter, stream }: TwoProcesses[number]): TwoProcesses[number] {
  return { records, waiter, stream };
}
