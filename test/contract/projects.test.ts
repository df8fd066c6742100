import { execFile } from "node:child_process";
import { readdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, it } from "vitest";

const root = fileURLToPath(new URL("../..", import.meta.url));

/** The folders with packages of their own: of the benchmarks, and of apps that tests install. */
const projects = ["bench", "test/fixtures"]
  .flatMap((folder) =>
    readdirSync(`${root}/${folder}`, { recursive: true, encoding: "utf8" }).map(
      (path) => `${folder}/${path}`,
    ),
  )
  .filter((path) => path.endsWith("/package-lock.json") && !path.includes("node_modules"))
  .map((path) => path.slice(0, path.lastIndexOf("/")));

it("the search finds the projects of the benchmarks", () => {
  expect(projects).toEqual(expect.arrayContaining(["bench", "bench/answer/peers"]));
});

// npm ends an installation that it cannot make: with a lockfile that does not fit, or a package whose install script
// nobody allowed or refused.
it.each(projects)("npm can install %s from its lockfile", async (project) => {
  const { stdout } = await promisify(execFile)(
    "npm",
    ["ci", "--dry-run", "--offline", "--loglevel", "notice"],
    {
      cwd: `${root}/${project}`,
    },
  );
  // Where the packages are already installed, also of an older lockfile: "changed", "removed", "up to date".
  expect(stdout).toMatch(/^(?:added|changed|removed|up to date)/m);
});
