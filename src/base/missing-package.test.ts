import { readFileSync, readdirSync } from "node:fs";
import { expect, test } from "vitest";

const root = new URL("../../", import.meta.url);
const sources = ["src", "extras"]
  .flatMap((folder) =>
    readdirSync(new URL(folder, root), { recursive: true, encoding: "utf8" }).map(
      (path) => `${folder}/${path.replaceAll("\\", "/")}`,
    ),
  )
  // `init` writes code of an app that has the package installed.
  .filter((path) => /^(?!extras\/init\/|.*(?:testing|\.test)).*\.tsx?$/.test(path))
  .map((path) => ({ path, code: readFileSync(new URL(path, root), "utf8") }));

/** Comments are removed, because docstrings show how an application loads a package. */
const withoutComments = (code: string) => code.replaceAll(/^ *(?:\/?\*|\/\/).*\n/gm, "");

test("an optional package is loaded inside try, because Next.js would otherwise refuse to build an app without it", () => {
  const loads = sources.flatMap(({ path, code }) =>
    [...withoutComments(code).matchAll(/^.*\n.*(?<!typeof )import\("[^"]+"\).*$/gm)]
      .filter(([lines]) => !lines.includes('import(".'))
      .map(([lines]) => ({ path, lines })),
  );
  expect(loads.length).toBeGreaterThanOrEqual(5);
  expect(loads.filter(({ lines }) => !/^ *try \{\n *return await import\(/.test(lines))).toEqual([]);
});
