import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { build } from "vite";
import { checkout, execute, type Installed, installPacked } from "./installed.ts";

let installed: Installed;
beforeAll(async () => {
  installed = await installPacked();
}, 60_000);
afterAll(() => installed.remove());

const bin = (name: string): string => join(checkout, "node_modules", ".bin", name);

describe("the packed package", () => {
  it("holds what was built, the words about it and the licence, and nothing else", () => {
    const strange = installed.files.filter(
      (path) =>
        !/^(?:dist\/.*\.(?:js|js\.map|d\.ts|css|html)|(?:README|CHANGELOG)\.md|LICENSE|package\.json)$/.test(
          path,
        ),
    );
    expect(strange).toEqual([]);
    expect(
      installed.files.filter((path) => /\.(?:test|test-d|stories)\.|runtime\/testing/.test(path)),
    ).toEqual([]);
    expect(installed.files).toEqual(expect.arrayContaining(["LICENSE", "README.md", "CHANGELOG.md"]));
  });

  it("is well formed, says publint", async () => {
    await expect(execute(bin("publint"), [installed.tarball, "--strict"])).resolves.toBeTruthy();
  }, 60_000);

  it("has types that every module resolution finds, says attw", async () => {
    const options = [
      "--profile",
      "esm-only",
      "--exclude-entrypoints",
      "styles.css",
      "mock-server/connect.html",
    ];
    await expect(execute(bin("attw"), [installed.tarball, ...options])).resolves.toBeTruthy();
  }, 120_000);

  it("can be imported by every name in Node, with nothing around it but what it declares", async () => {
    const script = installed.modules
      .map(
        (name) =>
          `console.log(${JSON.stringify(name)}, Object.keys(await import(${JSON.stringify(name)})).length);`,
      )
      .join("\n");
    await writeFile(join(installed.project, "all.mjs"), script);
    const { stdout } = await execute(process.execPath, ["all.mjs"], { cwd: installed.project });
    const found = stdout
      .trim()
      .split("\n")
      .map((line) => line.split(" "));
    expect(found.map(([name]) => name)).toEqual(installed.modules);
    expect(found.filter(([, names]) => names === "0")).toEqual([]);
  }, 60_000);

  it("runs as a program, with nothing around it but what it declares", async () => {
    const { bin: programs } = JSON.parse(
      await readFile(join(installed.project, "node_modules/elicit-kit/package.json"), "utf8"),
    ) as { bin: { "elicit-kit": string } };
    const program = join(installed.project, "node_modules/elicit-kit", programs["elicit-kit"]);
    const { stdout } = await execute(process.execPath, [program, "--help"]);
    expect(stdout).toContain("elicit-kit conformance <baseUrl>");
  });

  it("builds into a page with Vite, without the server's code or a schema library", async () => {
    await writeFile(join(installed.project, "package.json"), '{ "type": "module" }');
    await writeFile(join(installed.project, "index.html"), '<script type="module" src="./page.js"></script>');
    await writeFile(
      join(installed.project, "page.js"),
      `import "elicit-kit/styles.css";
       import { Elicitations, useElicitation } from "elicit-kit";
       import { createElicitation } from "elicit-kit/ai-sdk";
       document.title = [Elicitations, useElicitation, createElicitation].map(String).join();`,
    );
    const output = await build({
      root: installed.project,
      configFile: false,
      logLevel: "error",
      build: { write: false, minify: false },
    });
    const outputs = Array.isArray(output) ? output : [output];
    const files = outputs.flatMap((one) => ("output" in one ? one.output : []));
    expect(files.some(({ fileName }) => fileName.endsWith(".css"))).toBe(true);
    const modules = files.flatMap((file) => (file.type === "chunk" ? Object.keys(file.modules) : []));
    expect(modules.some((id) => id.includes("elicit-kit"))).toBe(true);
    expect(modules.filter((id) => /\/(?:zod|hono|ai|msw)\//.test(id))).toEqual([]);
  }, 60_000);
});
