import { readFileSync, readdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { join } from "node:path";
import { describe, expect, it } from "vitest";

const root = fileURLToPath(new URL("../..", import.meta.url));
const read = (path: string) => readFileSync(join(root, path), "utf8");
/** The code as it is read, with messages joined that are split over lines or contain quotes. */
const asRead = (code: string) =>
  code
    .replaceAll(/["`] \+\s+["`]/g, "")
    .replaceAll("\\\n", "")
    .replaceAll('\\"', '"');

const sources = ["src", "extras"]
  .flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: "utf8" }).map((path) => join(folder, path)),
  )
  .filter((path) => /\.tsx?$/.test(path) && !/\.test/.test(path))
  .map((path) => asRead(read(path)))
  .join("\n");

describe("docs/help/troubleshooting.md", () => {
  const [named = ""] = read("docs/help/troubleshooting.md").split("## Without a message");
  const messages = [...named.matchAll(/^\| `([^`]+)` \|/gm)].map(([, message = ""]) => message);

  it("lists more than 15 messages, which the kit contains", () => {
    expect(messages.length).toBeGreaterThan(15);
    expect(messages.filter((message) => !sources.includes(message))).toEqual([]);
  });
});

it("docs/protocols/mcp.md names every option of an MCP server", () => {
  const code = read("src/agent/mcp/mcp-server.ts");
  const [types = ""] = code.split("export type AgentMcpServer");
  const options = [...types.matchAll(/^ {2}(\w+)\??: /gm)].map(([, name = ""]) => name);
  const [, section = ""] = read("docs/protocols/mcp.md").split("## Options of a server");
  const [table = ""] = section.split("\n## ");
  expect(options).toContain("credentialScope");
  expect([...new Set(options)].filter((name) => !new RegExp(`\`${name}\\b`).test(table))).toEqual([]);
});
