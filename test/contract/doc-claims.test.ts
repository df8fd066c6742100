import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

const root = join(import.meta.dirname, "..", "..");
const read = (path: string) => readFileSync(join(root, path), "utf8");

/** The rows of the table below a heading, without its head. */
function tableBelow(page: string, heading: string): string {
  const [, after = ""] = page.split(`\n## ${heading}\n`);
  return (after.split("\n## ")[0] ?? "")
    .split("\n")
    .filter((line) => line.startsWith("|"))
    .slice(2)
    .join("\n");
}

test("the table of routes in docs/run/runtime.md has every route of the runtime", () => {
  const folder = "src/runtime/http";
  const code = readdirSync(join(root, folder))
    .filter((name) => name.endsWith(".ts") && !name.endsWith(".test.ts"))
    .map((name) => read(join(folder, name)))
    .join("\n");
  const routes = [...code.matchAll(/app\.(get|post|all)\("([^"]+)"/g)].map(
    ([, method = "", path = ""]) => `${method === "all" ? "GET" : method.toUpperCase()} ${path}`,
  );
  expect(routes.length).toBeGreaterThan(10);
  const table = tableBelow(read("docs/run/runtime.md"), "Routes");
  const listed = [...table.matchAll(/`(GET|POST) ([^`?]+)/g)].map(([, method, path]) => `${method} ${path}`);
  expect(routes.filter((route) => !listed.includes(route))).toEqual([]);
});

test("docs/run/decision-log.md has every event and every member of a row", () => {
  const code = read("src/audit/decision.ts");
  const [, union = ""] = /type DecisionEvent =([^;]+);/.exec(code) ?? [];
  const events = [...union.matchAll(/"([^"]+)"/g)].map(([, event = ""]) => event);
  const [, entry = ""] = /interface DecisionEntry \{([^]+?)\n\}/.exec(code) ?? [];
  const members = [...entry.matchAll(/readonly (\w+)/g)].map(([, member = ""]) => member);
  expect(events.length + members.length).toBeGreaterThan(15);
  const page = read("docs/run/decision-log.md");
  const [, rows = ""] = page.split("\n## What a row has\n");
  const named = (word: string) => rows.includes(`\`${word}\``) || rows.includes(`"${word}":`);
  expect([...events, ...members].filter((word) => !named(word))).toEqual([]);
});

test.each([
  ["docs/start/your-auth.md", "test/fixtures/auth/authenticate.ts"],
  ["docs/ask/approve-a-tool-call.md", "docs/examples/refund.ts"],
  ["docs/show/languages.md", "docs/examples/card-language.tsx"],
  ["docs/run/kubernetes.md", "docs/examples/whole-server.ts"],
  ["docs/protocols/mcp-tools.md", "docs/examples/mcp-deploy-server.ts"],
  ["docs/protocols/mcp-tools.md", "docs/examples/take-state.ts"],
])("%s contains %s unchanged, which a test runs", (page, file) => {
  expect(read(page)).toMatch(/^```tsx?$/m);
  expect(read(page)).toContain(`\n${read(file)}\`\`\`\n`);
});
