import { expect, it } from "vitest";
import { toldSizes } from "./sizes-table.ts";
import { measureSizes } from "./sizes.ts";

const differs = (told: number | undefined, bytes: number) =>
  !(Math.abs((told ?? Number.NaN) - bytes / 1024) <= 0.1);

it("docs/start/package.md states the measured sizes, within 0.1 KiB; `node bench/sizes-table.ts` updates them", async () => {
  const told = toldSizes();
  const sizes = await measureSizes();
  expect(told.map(({ name }) => name)).toEqual(sizes.map(({ name }) => name));
  expect(sizes.filter(({ gzip }, row) => differs(told[row]?.gzip, gzip))).toEqual([]);
});
