import { expect, it } from "vitest";
import { type Growth, installedWebpack, measureGrowth, tooLarge } from "../../bench/growth.ts";
import { toldGrowth } from "../../bench/sizes-table.ts";

const differs = (told: number | undefined, bytes: number) =>
  !(Math.abs((told ?? Number.NaN) - bytes / 1024) <= 0.1);

let measured: Promise<Growth[]> | undefined;
/** With webpack where `npm run bench` has installed it. */
const growth = () => (measured ??= installedWebpack().then(measureGrowth));

it("an app that adds the kit loads no more at first than the limits, with each bundler", async () => {
  expect(tooLarge(await growth())).toEqual([]);
});

it("docs/start/package.md states the measured growth; `node bench/sizes-table.ts` updates it", async () => {
  const told = toldGrowth();
  const grown = await growth();
  expect(told.map(({ name }) => name)).toEqual(grown.map(({ name }) => name));
  const wrong = grown.filter(
    ({ vite, esbuild }, row) => differs(told[row]?.vite, vite) || differs(told[row]?.esbuild, esbuild),
  );
  expect(wrong).toEqual([]);
});
