import { execFileSync } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { root } from "./bootstrap.mjs";

const isOfTests = (file: string) => /\.(?:test|test-d|stories)\.|\btesting\b/.test(file);

/** What imports a feature: the composition, and the exports. */
const COMPOSITION = ["src/runtime/features.ts", "src/runtime/index.ts"];
/** The mock server names the options that it passes on. */
const NAMING = [...COMPOSITION, "mock-server/mock-server.ts"];

describe.each([
  {
    feature: "notices",
    names: /features\/notices\/|\bnoticesFor\b|^ {2}\| "onWaiting"$/,
    options: "NoticeOptions",
  },
])("the feature $feature", ({ feature, names, options }) => {
  it("is imported by the composition only", () => {
    const importers = ["src", "extras", "mock-server"].flatMap((folder) =>
      readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
        .map((file) => `${folder}/${file.replaceAll("\\", "/")}`)
        .filter((file) => /\.tsx?$/.test(file) && !isOfTests(file) && !file.includes(`features/${feature}/`))
        .filter((file) => readFileSync(join(root, file), "utf8").includes(`features/${feature}/`)),
    );
    expect(importers.toSorted()).toEqual(COMPOSITION);
  });

  it("can be deleted with its lines, and the rest compiles", { tags: ["long"], timeout: 600_000 }, () => {
    const copy = mkdtempSync(join(tmpdir(), "elicit-kit-feature-"));
    onTestFinished(() => rmSync(copy, { recursive: true }));
    for (const folder of ["src", "extras", "mock-server"])
      cpSync(join(root, folder), join(copy, folder), {
        recursive: true,
        filter: (file) => !isOfTests(file.slice(root.length)) && !file.endsWith(join("features", feature)),
      });
    for (const name of ["node_modules", "package.json"]) symlinkSync(join(root, name), join(copy, name));
    for (const file of NAMING) {
      const lines = readFileSync(join(root, file), "utf8").split("\n");
      const left = lines.filter((line) => !names.test(line)).join("\n");
      writeFileSync(join(copy, file), left.replace(` extends ${options}`, ""));
    }
    const { compilerOptions } = JSON.parse(readFileSync(join(root, "tsconfig.json"), "utf8"));
    const tsconfig = {
      compilerOptions: { ...compilerOptions, paths: {} },
      include: ["src", "extras", "mock-server"],
    };
    writeFileSync(join(copy, "tsconfig.json"), JSON.stringify(tsconfig));
    const tsc = join(root, "node_modules/typescript/bin/tsc");
    expect(() => execFileSync(process.execPath, [tsc, "-p", copy], { encoding: "utf8" })).not.toThrow();
  });
});
