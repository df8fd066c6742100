import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import * as mockServer from "elicit-kit/mock-server";
import { describe, expect, it } from "vitest";
import { readHooks } from "../../extras/conformance/read-hooks.ts";

const read = (path: string) => readFileSync(fileURLToPath(new URL(`../../${path}`, import.meta.url)), "utf8");
const guide = read("docs/testing/mock-server.md") + read("docs/testing/your-server.md");
const quotes = [...guide.matchAll(/^`(\S+)`\n\n```tsx?\n(.*?)^```/gms)].map(([, path, code]) => ({
  path: path!,
  code: code!,
}));

function refusalOf(hooks: unknown): string {
  try {
    readHooks(hooks);
    return "";
  } catch (error) {
    return String(error);
  }
}

/** Several blocks of one file are its parts, in order. */
const paths = new Set(quotes.map(({ path }) => path));

describe("docs/testing/mock-server.md and your-server.md", () => {
  it.each([...paths])("contain %s completely, as a test of this package", (path) => {
    const parts = quotes.filter((quote) => quote.path === path);
    expect(parts.map(({ code }) => code).join("\n")).toBe(read(path));
  });

  it("contain only TypeScript that is a file of the tests", () => {
    expect(guide.match(/```tsx?\n/g)).toHaveLength(quotes.length);
  });

  it("show a test of a component in less than 15 lines of code", () => {
    const test = quotes.find(({ path }) => path === "test/guide/chat.test.tsx");
    const lines = test!.code.trimEnd().split("\n");
    expect(lines.filter((line) => !line.startsWith("//")).length).toBeLessThan(15);
  });

  const { createMockFetch: _, createMockServer, faults, scenarios, ...steps } = mockServer;
  it.each([
    ["scenario", Object.keys(scenarios)],
    ["step", Object.keys(steps)],
    ["fault", Object.keys(faults).map((name) => `faults.${name}`)],
    ["control", Object.keys(createMockServer(scenarios.connect))],
  ])("name every %s", (_kind, names) => {
    // The text and the examples name the functions that a test passes to MSW or to a server.
    const plumbing = new Set(["handlers", "fetch", "respond"]);
    const missing = names.filter((name) => !plumbing.has(name) && !new RegExp(`\`${name}[\`(]`).test(guide));
    expect(missing).toEqual([]);
  });

  it("name every hook of the conformance suite", () => {
    const names = /The hooks are: (.+)\./.exec(refusalOf({ unknown: true }))?.[1]?.split(", ") ?? [];
    expect(names.length).toBeGreaterThan(10);
    expect(names.filter((name) => !guide.includes(`\`${name}\``))).toEqual([]);
  });
});
