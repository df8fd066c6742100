import { expect, onTestFinished, test, vi } from "vitest";
import { createConducts } from "./conduct.ts";

/** A suspect turn that works in a process. */
function setUp() {
  const now = vi.spyOn(performance, "now").mockReturnValue(0);
  onTestFinished(() => now.mockRestore());
  const running = new Map<string, ReturnType<typeof conducts.begin> & { run: number }>();
  let cleared = 0;
  const database = { schema: "elicit_kit", query: async () => [] };
  const conducts = createConducts(database, { here: "3", running, onCleared: () => (cleared += 1) });
  const mine = { ...conducts.begin(1), run: 2 };
  running.set("t1", mine);
  /** Whether another suspect turn may run beside it. */
  async function mayRun(): Promise<boolean> {
    let mayRunNow = false;
    await conducts.alone(async () => void (mayRunNow = true));
    return mayRunNow;
  }
  return { conducts, mine, mayRun, cleared: () => cleared, passMs: (ms: number) => now.mockReturnValue(ms) };
}

test("one suspect turn works at a time, and after 30 seconds of work the next one no longer waits for it", async () => {
  const { mayRun, passMs } = setUp();
  expect(await mayRun()).toBe(false);
  passMs(29_999);
  expect(await mayRun()).toBe(false);
  passMs(30_000);
  expect(await mayRun()).toBe(true);
});

test("a suspect turn that waits for the user does not keep others waiting", async () => {
  const { conducts, mine, mayRun } = setUp();
  await conducts.note("t1", mine, { waits: 1 });
  expect(await mayRun()).toBe(true);
});

test.each(["records something", "ends"])("a suspect turn is cleared when it %s", async (how) => {
  const { conducts, mine, mayRun, cleared } = setUp();
  if (how === "ends") conducts.end(mine);
  else await conducts.note("t1", mine, "recorded");
  expect([await mayRun(), mine.deaths, cleared()]).toEqual([true, 0, 1]);
});
