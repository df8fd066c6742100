import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { root } from "./bootstrap.mjs";
import { countPlaywright, countVitest, summarise } from "./report.mjs";

let project: string;
beforeEach(() => {
  project = mkdtempSync(join(tmpdir(), "report-"));
});
afterEach(() => rmSync(project, { recursive: true }));

/** Runs a real runner on small files and returns its report, whatever its exit code. */
function reportOf(files: Record<string, string>, script: string, ...args: string[]) {
  for (const [name, text] of Object.entries(files)) writeFileSync(join(project, name), text);
  const report = join(project, "report.json");
  const env = { PATH: process.env["PATH"], PLAYWRIGHT_JSON_OUTPUT_FILE: report };
  try {
    execFileSync(process.execPath, [join(root, "node_modules", script), ...args], {
      cwd: project,
      env,
      stdio: "ignore",
    });
  } catch {
    // The runner exits with an error if tests fail; only the report matters.
  }
  return JSON.parse(readFileSync(report, "utf8"));
}

const runVitest = (files: Record<string, string>) =>
  countVitest(
    reportOf(
      files,
      "vitest/vitest.mjs",
      "run",
      "--globals",
      "--reporter=json",
      "--outputFile.json=report.json",
    ),
  );

const runPlaywright = (files: Record<string, string>) =>
  countPlaywright(reportOf(files, "@playwright/test/cli.js", "test", "--reporter=json"));
const PLAYWRIGHT = `import { test, expect } from ${JSON.stringify(join(root, "node_modules/@playwright/test/index.mjs"))};`;

describe("the result of Vitest", () => {
  it("counts a file that cannot be loaded as a failure", () => {
    expect(
      runVitest({
        "a.test.js": `test("a", () => {}); test("b", () => {}); test.skip("c", () => {}); test.todo("d");`,
        "b.test.js": `test("a", () => { throw new Error("no"); });`,
        "c.test.js": `throw new Error("cannot be loaded");`,
      }),
    ).toEqual({
      passed: 2,
      failed: 2,
      skipped: 2,
      failures: [
        expect.stringMatching(/c\.test\.js\n.*cannot be loaded/),
        expect.stringMatching(/b\.test\.js › a\n {2}Error: no\n/),
      ],
    });
  });
});

describe("the result of Playwright", () => {
  it("counts each test, and lists the failed ones with their reasons", () => {
    expect(
      runPlaywright({
        "a.spec.mjs": `${PLAYWRIGHT}
          test("a", () => {});
          test("b", () => expect(1).toBe(2));
          test.skip("c", () => {});`,
      }),
    ).toEqual({
      passed: 1,
      failed: 1,
      skipped: 1,
      failures: [expect.stringMatching(/^a\.spec\.mjs:3 › b\n[^]*Expected: 2/)],
    });
  });

  it("counts a file that cannot be loaded as a failure", () => {
    expect(runPlaywright({ "a.spec.mjs": `${PLAYWRIGHT} throw new Error("cannot be loaded");` })).toEqual({
      passed: 0,
      failed: 1,
      skipped: 0,
      failures: [expect.stringMatching(/^outside of any test\n.*cannot be loaded/), expect.any(String)],
    });
  });
});

const stage = (name: string, passed: number, failed: number) => ({
  name,
  seconds: 1.26,
  count: {
    passed,
    failed,
    skipped: 0,
    failures: Array.from({ length: failed }, (_, i) => `test ${i}\n  why`),
  },
});

describe("the summary of all stages", () => {
  it("ends with a line that contains only the result", () => {
    const { lines, ok } = summarise([stage("unit", 10, 0), stage("e2e", 3, 0)]);
    expect(lines.at(-1)).toBe("13 passed, 0 failed");
    expect(lines).toContain("unit        1.3 s  10 passed, 0 failed");
    expect(ok).toBe(true);
  });

  it("is a failure if a test failed", () => {
    const { lines, ok } = summarise([stage("unit", 10, 0), stage("e2e", 3, 1)]);
    expect(lines[0]).toBe("\nfailed in e2e: test 0\n  why");
    expect(lines.at(-1)).toBe("13 passed, 1 failed");
    expect(ok).toBe(false);
  });

  it("is a failure if a stage ran no test, and names the stage", () => {
    const { lines, ok } = summarise([stage("unit", 10, 0), stage("e2e", 0, 0)]);
    expect(lines.at(-1)).toBe("10 passed, 0 failed");
    expect(lines.at(-2)).toBe("elicit-kit: stage e2e ran no test, which counts as a failure.");
    expect(ok).toBe(false);
  });
});
