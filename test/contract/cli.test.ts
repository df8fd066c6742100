import { spawn } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:http";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { conformanceCases } from "elicit-kit/conformance";
import { serve } from "elicit-kit/node";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { listen } from "../stages/listen.ts";
import { type ServedContractRuntime, startContractRuntime } from "./serve-contract-runtime.ts";

const path = (relative: string) => fileURLToPath(new URL(relative, import.meta.url));
const HOOKS = path("../guide/conformance-hooks.ts");

async function elicitKit(...args: string[]) {
  const child = spawn(process.execPath, [path("../../extras/cli/start.ts"), ...args], {
    env: { ...process.env, SERVER: server.url },
  });
  let [out, err] = ["", ""];
  child.stdout.on("data", (text: Buffer) => (out += text.toString()));
  child.stderr.on("data", (text: Buffer) => (err += text.toString()));
  const [code] = await once(child, "close");
  return { code: Number(code), out, err, lines: out.split("\n").map((line) => line.split(/ {2,}/)) };
}

let server: ServedContractRuntime;
let api: string;
const files = mkdtempSync(join(tmpdir(), "elicit-kit-hooks-"));
function file(text: string): string {
  const name = join(files, `${crypto.randomUUID()}.mjs`);
  writeFileSync(name, text);
  return name;
}
beforeAll(async () => {
  server = await startContractRuntime();
  api = `${server.url}/run/api`;
});
afterAll(async () => {
  await server.close();
  rmSync(files, { recursive: true });
});

describe("npx elicit-kit conformance", () => {
  it("prints every case with its result and exits with 0 if none has failed", async () => {
    const { code, out, lines } = await elicitKit("conformance", `${api}/`, "--hooks", HOOKS);
    const results = new Map(lines.map(([result, id]) => [id, result]));
    for (const { id } of conformanceCases) {
      expect([id, results.get(id)]).toEqual([id, "passed"]);
    }
    expect(out).toContain(`\n${conformanceCases.length} passed, 0 failed, 0 not checked\n`);
    expect(code).toBe(0);
  });

  it("reports what is wrong with a server and exits with 1", async () => {
    const forgetful = await serve({
      async fetch(request) {
        const response = await server.runtime.fetch(request);
        const headers = new Headers(response.headers);
        headers.delete("x-vercel-ai-ui-message-stream");
        return new Response(response.body, { status: response.status, headers });
      },
    });
    const wrong = `${forgetful.url}/run/api`;
    const { code, out } = await elicitKit(
      "conformance",
      wrong,
      "--hooks",
      HOOKS,
      "--only",
      "streams/headers",
    );
    await forgetful.close();
    expect(out).toMatch(/FAILED +streams\/headers +A turn is a text\/event-stream/);
    expect(out).toContain('→ x-vercel-ai-ui-message-stream: expected "v1", got null');
    expect(out).toContain("0 passed, 1 failed, 0 not checked");
    expect(code).toBe(1);
  });

  it("prints text from a server without control characters and direction marks", async () => {
    const hostile = await serve({
      async fetch(request) {
        const response = await server.runtime.fetch(request);
        const headers = new Headers(response.headers);
        // Headers have one byte for each character. An 8-bit CSI would clear the screen.
        headers.set("x-vercel-ai-ui-message-stream", "v1\u009b2J\u009b1;1Hpassed\u00ad");
        return new Response(response.body, { status: response.status, headers });
      },
    });
    const { out, code } = await elicitKit(
      "conformance",
      `${hostile.url}/run/api`,
      "--hooks",
      HOOKS,
      "--only",
      "streams/headers",
    );
    await hostile.close();
    // Node writes a header as UTF-8 when it sends it together with text, so each byte has an "Â" before it.
    expect(out.replaceAll("Â", "")).toContain(String.raw`got "v1\u{9b}2J\u{9b}1;1Hpassed\u{ad}"`);
    expect(out).not.toMatch(/[\u0080-\u009f\u00ad]/);
    expect(code).toBe(1);
  });

  it("follows no redirect with the headers of the hooks, and names the origin", async () => {
    let reached = 0;
    const other = await serve({
      fetch() {
        reached += 1;
        return new Response("{}");
      },
    });
    const moved = await serve({
      fetch: () => new Response(null, { status: 307, headers: { location: `${other.url}/run/api` } }),
    });
    const { code, err } = await elicitKit("conformance", `${moved.url}/run/api`, "--hooks", HOOKS);
    await moved.close();
    await other.close();
    expect(reached).toBe(0);
    expect(err).toContain(`redirects to ${other.url}. No redirect is followed`);
    expect(code).toBe(2);
  });

  it("exits with 2 when a server accepts connections and never replies", async () => {
    const { url, close } = await listen(createServer(() => undefined));
    const { code, err } = await elicitKit("conformance", url, "--hooks", HOOKS);
    await close();
    expect(err).toContain("did not reply within 10 seconds");
    expect(code).toBe(2);
  });

  it("reports a case without its hook as not checked, and fails a run without any check", async () => {
    const hooks = file("export default { keepAliveMs: 15_000 }");
    const { code, out } = await elicitKit("conformance", api, "--hooks", hooks);
    expect(out).toContain('→ needs the hook "connect", "consent" or "form"');
    expect(out).toContain(`0 passed, 0 failed, ${conformanceCases.length} not checked`);
    expect(code).toBe(1);
  });

  it("prints a single JSON object for programs", async () => {
    const { code, out } = await elicitKit("conformance", api, "--hooks", HOOKS, "--only", "status", "--json");
    const cases = conformanceCases.filter(({ id }) => id.startsWith("status"));
    expect(JSON.parse(out)).toEqual({
      api,
      level: "full",
      passed: cases.length,
      failed: 0,
      notChecked: 0,
      cases: cases.map(({ id, rule }) => ({ id, rule, status: "passed" })),
    });
    expect(code).toBe(0);

    const hooks = file("export default { keepAliveMs: 15_000 }");
    const only = ["--only", "status/list-after", "--json"];
    const unknown = await elicitKit("conformance", api, "--hooks", hooks, ...only);
    expect(JSON.parse(unknown.out)).toMatchObject({
      notChecked: 1,
      cases: [{ status: "not-checked", detail: 'needs the hook "connect", "consent" or "form"' }],
    });
    expect(unknown.code).toBe(1);
  });

  it.each([
    [
      "a misspelt hook",
      "export default { conect: 'Hi.' }",
      'there is no hook "conect". The hooks are: people, ',
    ],
    [
      "a hook of another shape",
      "export default { people: [{ headers: {} }] }",
      'the hook "people" must be two people, each { headers, userId? }',
    ],
    [
      "a hook that was renamed",
      'export default { form: { say: "Hi.", fits: {}, alsoFits: {}, misfits: {} } }',
      'the hook "form" has the member "say", which is named "message" now',
    ],
    [
      "a hook of the completions route that was renamed",
      'export default { completions: { url: "/v1", sayJson: "Hi." } }',
      'the hook "completions" has the member "sayJson", which is named "jsonMessage" now',
    ],
    ["a module without hooks", "export const hooks = {}", "the hooks are not an object"],
    ["a module that breaks", "throw new Error('No token.')", "No token."],
  ])("refuses %s", async (_, text, problem) => {
    const { code, err } = await elicitKit("conformance", api, "--hooks", file(text));
    expect(err).toContain(problem);
    expect(code).toBe(2);
  });

  it("says what to change if no case can run", async () => {
    const nowhere = await serve({ fetch: () => new Response(null, { status: 404 }) });
    expect(await elicitKit("conformance", nowhere.url)).toMatchObject({
      code: 2,
      err: expect.stringContaining(`${nowhere.url} has neither a route /elicitations nor a route /chat.`),
    });
    await nowhere.close();
    expect(await elicitKit("conformance", nowhere.url)).toMatchObject({
      code: 2,
      err: expect.stringMatching(/cannot be reached: GET \S+\/elicitations\S*: connect ECONNREFUSED/),
    });
    expect(await elicitKit("conformance", "example.com")).toMatchObject({
      code: 2,
      err: expect.stringContaining("not an http or https address: example.com"),
    });
  });

  it.each([
    ["full", []],
    ["basic", ["--level", "basic"]],
  ] as const)("says where to start if there are no hooks, at the level %s", async (level, more) => {
    const { code, out, err } = await elicitKit("conformance", api, ...more);
    const cases = conformanceCases.filter((each) => level === "full" || each.level === level);
    expect(err).toContain(
      `No hooks given, so none of the ${cases.length} cases can run. Start with people and form: `,
    );
    expect(err).toContain("docs/testing/your-server.md");
    expect([code, out]).toEqual([2, ""]);
    const empty = file("export default {}");
    expect(await elicitKit("conformance", api, "--hooks", empty, ...more)).toMatchObject({ code, err });
  });

  it("prints its usage", async () => {
    const { code, out } = await elicitKit("conformance", "--help");
    expect(out).toContain("elicit-kit conformance <baseUrl>");
    expect(out).toContain("--hooks");
    expect(code).toBe(0);
  });
});

describe("npx elicit-kit", () => {
  it.each([[[]], [["--help"]]])("lists its commands (%j)", async (args) => {
    const { code, out } = await elicitKit(...args);
    expect(out).toMatch(/^ {2}conformance +\S/m);
    expect(out).toContain("elicit-kit <command> --help");
    expect(out).not.toContain("--hooks");
    expect(code).toBe(0);
  });

  it("lists its commands for an unknown one", async () => {
    const { code, err } = await elicitKit("conform");
    expect(err).toContain('There is no command "conform". The commands are: init, conformance, audit.');
    expect(code).toBe(2);
  });
});
