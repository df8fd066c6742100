import { spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { root } from "./bootstrap.mjs";

const isOfTests = (file: string) => /\.(?:test|test-d|stories)\.|\btesting\b/.test(file);

interface Feature {
  /** The name of its folder. */
  feature: string;
  /** The files that import it: the composition, and the exports. */
  importers: readonly string[];
  /** The files that name its options. */
  naming?: readonly string[];
  /** The lines that name it. */
  lines: RegExp;
  /** The interface of its options, if it has any. */
  options?: string;
}

const FEATURES: readonly Feature[] = [
  {
    feature: "assign",
    importers: ["mock-server/features.ts", "src/runtime/features.ts"],
    naming: ["mock-server/mock-server.ts", "src/runtime/create-runtime.ts"],
    lines: /features\/assign\/|\bassignFor\b|^ {2}\| "assign"$|assign: (?:true|options\.assign)/,
    options: "AssignOptions",
  },
  {
    feature: "notices",
    importers: ["mock-server/features.ts", "src/runtime/features.ts", "src/runtime/index.ts"],
    naming: ["mock-server/mock-server.ts", "src/runtime/create-runtime.ts"],
    lines: /features\/notices\/|\bnoticesFor\b|^ {2}\| "notices"$|notices: true/,
    options: "NoticeOptions",
  },
  {
    feature: "proposals",
    importers: ["mock-server/features.ts", "src/agent/index.ts", "src/runtime/features.ts"],
    naming: ["mock-server/mock-server.ts", "mock-server/scenarios.ts", "src/runtime/create-runtime.ts"],
    lines: /features\/proposals\/|\bproposalsFor\b|^ {2}\| "proposeAnswer"$|proposeAnswer[?:]|\/lisbon\/i/,
    options: "ProposalOptions",
  },
  {
    feature: "inbox",
    importers: ["mock-server/features.ts", "src/runtime/features.ts"],
    lines: /features\/inbox\/|\binboxFor\b/,
  },
  {
    feature: "remember",
    importers: [
      "mock-server/features.ts",
      "mock-server/mock-server.ts",
      "src/runtime/features.ts",
      "src/runtime/index.ts",
    ],
    lines: /features\/remember\/|\brememberFor\b|createMemoryRemembered/,
    options: "RememberPorts",
  },
  {
    feature: "receipts",
    importers: ["src/runtime/features.ts"],
    naming: ["src/runtime/create-runtime.ts"],
    lines: /features\/receipts\/|\breceiptsFor\b|accounts: true/,
    options: "ReceiptOptions",
  },
  {
    feature: "telemetry",
    importers: ["src/runtime/features.ts"],
    naming: ["src/runtime/create-runtime.ts"],
    lines: /features\/telemetry\/|\btelemetryFor\b|telemetry: true/,
    options: "TelemetryOptions",
  },
];

describe.each(FEATURES)("the feature $feature", ({ feature, importers, naming = [], lines, options }) => {
  it("is imported by the composition only", () => {
    const found = ["src", "extras", "mock-server"].flatMap((folder) =>
      readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
        .map((file) => `${folder}/${file.replaceAll("\\", "/")}`)
        .filter((file) => /\.tsx?$/.test(file) && !isOfTests(file) && !file.includes(`features/${feature}/`))
        .filter((file) => readFileSync(join(root, file), "utf8").includes(`features/${feature}/`)),
    );
    expect(found.toSorted()).toEqual(importers);
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
    for (const file of [...importers, ...naming]) {
      const all = readFileSync(join(root, file), "utf8").split("\n");
      const left = all.filter((line) => !lines.test(line)).join("\n");
      writeFileSync(
        join(copy, file),
        left.replace(new RegExp(`, ${options}|\\b${options}, |extends ${options} (?=\\{)`), ""),
      );
    }
    const { compilerOptions } = JSON.parse(readFileSync(join(root, "tsconfig.json"), "utf8"));
    const tsconfig = {
      // A type import that only the feature used may stay.
      compilerOptions: { ...compilerOptions, paths: {}, noUnusedLocals: false },
      include: ["src", "extras", "mock-server"],
    };
    writeFileSync(join(copy, "tsconfig.json"), JSON.stringify(tsconfig));
    const tsc = join(root, "node_modules/typescript/bin/tsc");
    const { stdout } = spawnSync(process.execPath, [tsc, "-p", copy], { encoding: "utf8" });
    expect(stdout).toBe("");
  });
});
