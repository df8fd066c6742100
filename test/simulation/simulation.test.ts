import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { runHistory } from "./history.ts";
import { MUTANTS } from "./mutants.ts";

const HISTORIES = 2000;
const AT_A_TIME = 500;

for (let first = 1; first <= HISTORIES; first += AT_A_TIME) {
  const tags = first > 2 * AT_A_TIME ? ["long"] : [];
  test(
    `no guarantee is broken when processes die, freeze and lose the database (histories from seed ${first})`,
    { timeout: 600_000, tags },
    async () => {
      for (let seed = first; seed < first + AT_A_TIME; seed += 1) {
        const { violations } = await runHistory(seed);
        expect(violations, `node test/simulation/run.ts --seed ${seed}`).toEqual([]);
      }
    },
  );
}

test("a simulated history is the same each time it runs", async () => {
  const [first, second] = [await runHistory(7, { isTold: true }), await runHistory(7, { isTold: true })];
  expect(second).toEqual(first);
  expect(first.story.length).toBeGreaterThan(0);
});

test.each(MUTANTS)("the place that a mutant changes exists once in the code: $name", ({ file, find }) => {
  const parts = readFileSync(new URL(`../../${file}`, import.meta.url), "utf8").split(find);
  expect(parts).toHaveLength(2);
});
