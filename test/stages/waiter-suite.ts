import { describe, expect, test } from "vitest";
import { type TwoProcesses, ROME, newTestId, signal } from "./test-ports.ts";

/** Tests for every waiter. `create` is called before each test. */
export function testWaiter(name: string, create: () => Promise<TwoProcesses>): void {
  describe(`the waiter of ${name}`, () => {
    test("all waits in all processes get the first outcome, including waits that start later", async () => {
      const [here, there] = await create();
      const id = newTestId();
      const waits = [here, there, here, there].map(({ waiter }) => waiter.wait(id, { signal }));
      await there.waiter.settle(id, ROME);
      await here.waiter.settle(id, { outcome: "declined" });
      waits.push(here.waiter.wait(id, { signal }), there.waiter.wait(id, { signal }));
      expect(await Promise.all(waits)).toEqual(waits.map(() => ROME));
    });

    test("when several outcomes arrive at once, all waits get the same one", async () => {
      const [here, there] = await create();
      for (let round = 0; round < 5; round += 1) {
        const id = newTestId();
        const [first, ...others] = await Promise.all([
          here.waiter.wait(id, { signal }),
          there.waiter.wait(id, { signal }),
          there.waiter.settle(id, { outcome: "declined" }).then(() => here.waiter.wait(id, { signal })),
          here.waiter.settle(id, ROME).then(() => there.waiter.wait(id, { signal })),
        ]);
        expect(others).toEqual([first, first, first]);
      }
    });

    test("an aborted wait rejects with the reason, and the others continue", async () => {
      const [here, there] = await create();
      const id = newTestId();
      const impatient = new AbortController();
      const left = here.waiter.wait(id, { signal: impatient.signal });
      const stays = here.waiter.wait(id, { signal });
      impatient.abort(new Error("no longer needed"));
      await expect(left).rejects.toThrow("no longer needed");
      await expect(here.waiter.wait(id, { signal: impatient.signal })).rejects.toThrow("no longer needed");
      await there.waiter.settle(id, ROME);
      expect(await stays).toEqual(ROME);
    });

    test("a nudge reaches the listeners for its id in all processes, until they unsubscribe", async () => {
      const [here, there] = await create();
      const id = newTestId();
      const heard: string[] = [];
      const stop = here.waiter.onNudge(id, () => heard.push("here"));
      there.waiter.onNudge(id, () => heard.push("there"));
      here.waiter.onNudge(newTestId(), () => heard.push("another"));
      await there.waiter.nudge(id);
      await expect.poll(() => heard.toSorted()).toEqual(["here", "there"]);
      stop();
      await here.waiter.nudge(id);
      await expect.poll(() => heard.toSorted()).toEqual(["here", "there", "there"]);
    });
  });
}
