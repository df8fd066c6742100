import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { conformanceCases, runCase } from "elicit-kit/conformance";
import { beforeAll, describe, expect, it } from "vitest";
import hooks from "../../docs/examples/tiny-server-hooks.ts";
import { server } from "../../docs/examples/tiny-server.ts";
import { patience } from "../patience.ts";
import { listen } from "../stages/listen.ts";

const patienceMs = patience.expect.poll.timeout;
const path = (relative: string) => fileURLToPath(new URL(relative, import.meta.url));
const SOURCE = "../../docs/examples/tiny-server.ts";

const basic = conformanceCases.filter(({ level }) => level === "basic");

describe("docs/reference/first-server.md", () => {
  const text = readFileSync(new URL("../../docs/reference/first-server.md", import.meta.url), "utf8");

  it("lists exactly the rules of the basic level", () => {
    const listed = [...text.matchAll(/^\| `([^`]+)` \| (.+) \|$/gm)].map(([, id, rule]) => ({ id, rule }));
    expect(listed).toEqual(basic.map(({ id, rule }) => ({ id, rule })));
  });

  it("is no longer than two pages", () => {
    expect(text.split(/\s+/).length).toBeLessThanOrEqual(1_050);
  });
});

describe("the tiny server of docs/examples", () => {
  let api: string;
  beforeAll(async () => {
    const { url, close } = await listen(server);
    api = `${url}/run/api`;
    return close;
  });

  // This server asks only with forms.
  const rules = basic.filter(({ id }) => id !== "basic/url");

  it.each(rules)("$id: $rule", async (rule) => {
    expect(await runCase(rule, { api, hooks, patienceMs })).toMatchObject({ status: "passed" });
  });

  it("is checked at the basic level by default, and the first line says so", async () => {
    const args = ["conformance", api, "--hooks", path("../../docs/examples/tiny-server-hooks.ts")];
    const suite = spawn(process.execPath, [path("../../extras/cli/start.ts"), ...args]);
    let out = "";
    suite.stdout.on("data", (text: Buffer) => (out += text.toString()));
    const [code] = await once(suite, "close");
    expect(out).toMatch(/^Level basic: /);
    expect(out).toContain(`\n${rules.length} passed, 0 failed, 1 not checked\n`);
    expect(code).toBe(0);
  });

  it.each([
    ["answers the status of a request", "/elicitations/unknown", "anna", 404],
    ["refuses to read without an identity", "/elicitations/unknown", "nobody", 401],
    ["has no other route", "/elicitations?conversationId=c1", "anna", 404],
  ])("the file %s", async (_, route, user, status) => {
    const response = await fetch(`${api}${route}`, { headers: { authorization: `Bearer ${user}` } });
    expect([response.status, await response.json()]).toEqual([status, expect.objectContaining({ status })]);
  });

  it("has at most 300 lines and needs no package", () => {
    const text = readFileSync(new URL(SOURCE, import.meta.url), "utf8");
    expect(text.split("\n").length).toBeLessThanOrEqual(300);
    const imported = [...text.matchAll(/from "([^"]+)"/g)].map(([, name]) => name);
    expect(imported.filter((name) => !name?.startsWith("node:"))).toEqual([]);
  });
});
