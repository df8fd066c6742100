import { expect, it } from "vitest";
import { readSizes } from "./readme.ts";
import { measureSizes } from "./sizes.ts";

it("the README tells the sizes as they are measured, within 0.1 KiB; `node bench/readme.ts` writes them anew", async () => {
  const sizes = await measureSizes();
  const told = new Map(
    [...readSizes().table.matchAll(/^\| ([^|]+) \|[^|]+\| ([\d.]+) KiB \|$/gm)].map(([, name, kib]) => [
      name,
      Number(kib),
    ]),
  );
  expect([...told.keys()]).toEqual(sizes.map(({ name }) => name));
  const wrong = sizes.filter(({ name, gzip }) => Math.abs((told.get(name) ?? 0) - gzip / 1024) > 0.1);
  expect(wrong).toEqual([]);
});
