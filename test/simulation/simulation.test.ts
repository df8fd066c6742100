import { expect, test } from "vitest";
import { runHistory } from "./history.ts";

const HISTORIES = 2000;
const AT_A_TIME = 500;

test.each(Array.from({ length: HISTORIES / AT_A_TIME }, (_, part) => 1 + part * AT_A_TIME))(
  "processes that die, freeze and lose the database break no promise to users (histories from seed %i)",
  { timeout: 600_000 },
  async (first) => {
    for (let seed = first; seed < first + AT_A_TIME; seed += 1) {
      const { violations } = await runHistory(seed);
      expect(violations, `node test/simulation/run.ts --seed ${seed}`).toEqual([]);
    }
  },
);

test("a history is the same each time it runs", async () => {
  const [first, second] = [await runHistory(7, { isTold: true }), await runHistory(7, { isTold: true })];
  expect(second).toEqual(first);
  expect(first.story.length).toBeGreaterThan(0);
});
