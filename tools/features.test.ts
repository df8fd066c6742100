import { execFileSync } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { conformanceCases, runCase } from "elicit-kit/conformance";
import { describe, expect, it, onTestFinished } from "vitest";
import { contractAgent } from "../test/contract/contract-agent.ts";
import { completionsHook, contractHooks, outsideHooks } from "../test/contract/contract-options.ts";
import { root } from "./bootstrap.mjs";

const isOfTests = (file: string) => /\.(?:test|test-d|stories)\.|\btesting\b/.test(file);

/** The lines that name a feature: in the composition, and in the exports. */
const COMPOSITION = ["src/runtime/features.ts", "src/runtime/index.ts"];

describe.each([
  { feature: "notices", names: /features\/notices\/|\bnoticesFor\b/, options: "NoticeOptions" },
])("the feature $feature", ({ feature, names, options }) => {
  it("is imported by the composition only", () => {
    const importers = ["src", "mock-server"].flatMap((folder) =>
      readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
        .map((file) => `${folder}/${file.replaceAll("\\", "/")}`)
        .filter((file) => /\.tsx?$/.test(file) && !isOfTests(file) && !file.includes(`features/${feature}/`))
        .filter((file) => readFileSync(join(root, file), "utf8").includes(`features/${feature}/`)),
    );
    expect(importers.toSorted()).toEqual(COMPOSITION);
  });

  it(
    "can be deleted: the rest compiles, and a server keeps the contract",
    { tags: ["long"], timeout: 600_000 },
    async () => {
      const copy = mkdtempSync(join(tmpdir(), "elicit-kit-feature-"));
      onTestFinished(() => rmSync(copy, { recursive: true }));
      for (const folder of ["src", "mock-server"])
        cpSync(join(root, folder), join(copy, folder), {
          recursive: true,
          filter: (file) => !isOfTests(file.slice(root.length)) && !file.endsWith(join("features", feature)),
        });
      for (const name of ["node_modules", "package.json"]) symlinkSync(join(root, name), join(copy, name));
      for (const file of COMPOSITION) {
        const lines = readFileSync(join(root, file), "utf8").split("\n");
        const left = lines.filter((line) => !names.test(line)).join("\n");
        writeFileSync(join(copy, file), left.replace(` extends ${options}`, ""));
      }
      const { compilerOptions } = JSON.parse(readFileSync(join(root, "tsconfig.json"), "utf8"));
      const tsconfig = {
        compilerOptions: { ...compilerOptions, paths: {} },
        include: ["src", "mock-server"],
      };
      writeFileSync(join(copy, "tsconfig.json"), JSON.stringify(tsconfig));
      const tsc = join(root, "node_modules/typescript/bin/tsc");
      expect(() => execFileSync(process.execPath, [tsc, "-p", copy], { encoding: "utf8" })).not.toThrow();

      const { createMockServer }: typeof import("../mock-server/index.ts") = await import(
        /* @vite-ignore */ pathToFileURL(join(copy, "mock-server/index.ts")).href
      );
      const server = createMockServer(contractAgent);
      onTestFinished(() => server.close());
      const hooks = { ...contractHooks, ...completionsHook("http://mock.test"), ...outsideHooks(server) };
      const options = { api: "http://mock.test/run/api", fetch: server.fetch, hooks, patienceMs: 5_000 };
      const results = [];
      for (const testCase of conformanceCases) results.push(await runCase(testCase, options));
      expect(results.filter(({ status }) => status !== "passed")).toEqual([]);
    },
  );
});
