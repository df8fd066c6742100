import { expect, it } from "vitest";
import { readSizes } from "./sizes-table.ts";
import { measureSizes } from "./sizes.ts";

it("docs/start/package.md has the measured sizes, within 0.1 KiB; `node bench/sizes-table.ts` writes them anew", async () => {
  const sizes = await measureSizes();
  const rows = /^\| ([^|]+) \|[^|]+\| ([\d.]+) KiB \| (?:([\d.]+) KiB|–) \|$/gm;
  const told = new Map(
    [...readSizes().table.matchAll(rows)].map(([, name, gzip, growth = "0"]) => [
      name,
      { gzip: Number(gzip), growth: Number(growth) },
    ]),
  );
  expect([...told.keys()]).toEqual(sizes.map(({ name }) => name));
  const differs = (written = 0, measured = 0) => Math.abs(written - measured / 1024) > 0.1;
  const wrong = sizes.filter(
    ({ name, gzip, growth }) =>
      differs(told.get(name)?.gzip, gzip) || differs(told.get(name)?.growth, growth),
  );
  expect(wrong).toEqual([]);
});
