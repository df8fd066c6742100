import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { promisify } from "node:util";
import { execFile } from "node:child_process";
import { expect, onTestFinished, test } from "vitest";

const root = join(import.meta.dirname, "..", "..");

/** Mutates `code`, and returns what the run prints. */
async function mutate(code: string, tests: string, ...more: readonly string[]): Promise<string> {
  const folder = mkdtempSync(join(import.meta.dirname, "run-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  writeFileSync(join(folder, "code.ts"), code);
  writeFileSync(
    join(folder, "tests.ts"),
    `import { expect, it } from "vitest"; import * as code from "./code.ts";\n${tests}`,
  );
  const files = ["code.ts", "tests.ts"].map((name) => relative(root, join(folder, name)));
  const args = [join(import.meta.dirname, "run.ts"), ...files, ...more];
  const run = promisify(execFile)(process.execPath, args, { cwd: root });
  const { stdout } = await run.catch((error: { stdout: string }) => error);
  return stdout.replaceAll(/^.*code\.ts:/gm, "");
}

test("a mutation run prints the changes that no test detects", async () => {
  const code = "export const isAdult = (age: number) => age >= 18;\nexport const unused = () => 1 + 1;";
  const tests = `
    it("knows adults", () => expect(code.isAdult(30)).toBe(true));
    it("knows children", () => expect(code.isAdult(3)).toBe(false));`;
  expect(await mutate(code, tests)).toBe(
    [
      "1:41 EqualityOperator: age > 18",
      "2:29 ArithmeticOperator (no test reaches it): 1 - 1",
      "5 mutants, 3 detected, 2 survived: 60.0 %. 2 more are reached only when a module loads.\n",
    ].join("\n"),
  );
});

test("a mutation run tries a test again without the expectation that a mutant left waiting", async () => {
  const code = `
    export const fail = (isBroken: boolean) =>
      new Promise((_, reject) => { if (isBroken) reject(new Error("broken")); });`;
  const tests = `it("fails", async () => { await expect(code.fail(true)).rejects.toThrow("broken"); });`;
  expect(await mutate(code, tests)).toMatch(/^3:40 ConditionalExpression: true\n4 mutants, 3 /);
});

test("a mutation run ends loops without an end, and detects what only a mutant leaves behind", async () => {
  const code = `
    let used = 0;
    export function count(upTo: number) { let at = 0; while (at < upTo) at += 1; return at; }
    export function use() { used += 1; const result = used; used -= 1; return result; }`;
  const tests = `
    it("counts", () => expect(code.count(3)).toBe(3));
    it("uses", () => expect(code.use()).toBe(1));`;
  const output = await mutate(code, tests);
  expect(output).toMatch(/Tests that do not load, or fail without a mutant, here or after one:\n.* > uses\n/);
  expect(output).not.toContain("3:");
});

test("a mutation run names the files of tests that did not load", async () => {
  const tests = `
    it("adds", () => expect(code.add(1, 2)).toBe(3));
    throw new Error("broken");`;
  expect(await mutate("export const add = (a: number, b: number) => a + b;", tests)).toMatch(
    /Tests that do not load, or fail without a mutant, here or after one:\n.*tests\.ts\n/,
  );
});

test("a mutation run of one mutant in two tries and counts only those", async () => {
  const code = "export const isAdult = (age: number) => age >= 18;\nexport const unused = () => 1 + 1;";
  const tests = `it("knows adults", () => expect(code.isAdult(30)).toBe(true));`;
  expect(await mutate(code, tests, "2")).toMatch(
    /^2:29 .*\n3 mutants, 2 detected, 1 survived: 66\.7 %\. 1 more are reached only when a module loads\.\n$/,
  );
});

test(
  "a mutation run ends a loop that no mutant is in, and continues with the other mutants",
  { tags: ["long"] },
  async () => {
    const code = `
    export const isOver = (left: number) => left === 0;
    export const add = (a: number, b: number) => a + b;`;
    const tests = `
    it("ends", () => { const isOver = code.isOver(0); while (!isOver); });
    it("adds", () => expect(code.add(1, 2)).toBe(3));`;
    const output = await mutate(code, tests);
    expect(output).toMatch(/^2:45 ConditionalExpression: true\n4 mutants, 3 detected, 1 survived/);
  },
);
