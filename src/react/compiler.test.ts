import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { compile } from "../../tools/react-compiler.ts";

const folder = fileURLToPath(new URL(".", import.meta.url));
const sources = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter(
  (file) => /\.tsx?$/.test(file) && !file.includes(".test."),
);

it("React Compiler can compile every component and hook", async () => {
  const left = await Promise.all(
    sources.map(async (file) => (await compile(file, readFileSync(join(folder, file), "utf8"))).left),
  );
  expect(left.flat()).toEqual([]);
});
