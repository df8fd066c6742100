import { inspect } from "node:util";
import { expect, onTestFinished, test, vi } from "vitest";
import { isObject } from "../../contract/json.ts";
import { createMemoryCredentials } from "../../connect/ports/credentials.ts";
import { createChatClient } from "../../../test/stages/chat-client.ts";
import { createScriptedModel, toolResultsSeen } from "../../../test/stages/scripted-model.ts";
import { createTestRuntime } from "../../../test/stages/test-runtime.ts";
import { serve } from "../../node/index.ts";
import { createAgentTurn } from "../index.ts";

type Fetch = typeof globalThis.fetch;

const READ = { name: "read", inputSchema: { type: "object" } };

/** A server that returns the given results by method, as plain JSON. */
function answering(results: Readonly<Record<string, unknown>>): Fetch {
  return async (input, init) => {
    const request = new Request(input, init);
    const message: unknown = request.method === "POST" ? await request.json() : undefined;
    if (!isObject(message)) return new Response(null, { status: 405 });
    const { id, method, params } = message;
    if (id === undefined) return new Response(null, { status: 202 });
    const version = isObject(params) ? params["protocolVersion"] : undefined;
    const greeting = {
      protocolVersion: version,
      capabilities: { tools: {} },
      serverInfo: { name: "files", version: "1" },
    };
    const result = method === "initialize" ? greeting : results[String(method)];
    const error = { code: -32601, message: "Method not found" };
    return Response.json({ jsonrpc: "2.0", id, ...(result === undefined ? { error } : { result }) });
  };
}

function setUp(
  fetch: Fetch | undefined,
  model = createScriptedModel({ files_read: {} }, "Done."),
  url = "https://files.example.com/mcp",
  credentialScope: "none" | "user" = "none",
) {
  const errors: unknown[] = [];
  const credentials = createMemoryCredentials();
  const runtime = createTestRuntime((turn) => runTurn(turn));
  const runTurn = createAgentTurn({
    model,
    mcpServers: [{ name: "files", url, service: "Files", credentialScope, fetch }],
    credentials,
    connectUrl: "https://auth.example.com/auth/connect",
    requester: { name: "Demo agent" },
    clock: runtime.clock,
    onError: (error) => errors.push(error),
  });
  return { runtime, model, errors, credentials, ada: createChatClient(runtime.fetch, { user: "ada" }) };
}

test("a server that hangs while it lists its tools delays a turn by at most ten seconds", async () => {
  const asked = vi.fn();
  const letGo = vi.fn();
  const hanging: Fetch = (_, init) =>
    new Promise((_resolve, reject) => {
      asked();
      init?.signal?.addEventListener("abort", () => {
        letGo();
        reject(init.signal?.reason);
      });
    });
  const { ada, runtime, model, errors } = setUp(hanging, createScriptedModel("Without my files."));
  const stream = await ada.send("c1");
  await vi.waitUntil(() => asked.mock.calls.length > 0);
  expect(model.doStreamCalls).toEqual([]);
  runtime.clock.advance(10_000);
  await stream.done;
  expect(stream.chunks).toContainEqual(expect.objectContaining({ delta: "Without my files." }));
  expect(letGo).toHaveBeenCalledOnce();
  expect(errors).toHaveLength(1);
});

test("when a server lists ten thousand tools, the model gets five hundred, and the operator gets a warning", async () => {
  const name = `${"read".repeat(20)}/…`;
  const tools = Array.from({ length: 10_000 }, () => ({ ...READ, name }));
  const { ada, model, errors } = setUp(answering({ "tools/list": { tools } }), createScriptedModel("Done."));
  await (
    await ada.send("c1")
  ).done;
  const names = model.doStreamCalls[0]?.tools?.map((tool) => tool.name) ?? [];
  expect(new Set(names).size).toBe(500);
  expect(Math.max(...names.map(({ length }) => length))).toBeLessThanOrEqual(64);
  expect(String(errors)).toContain("Files lists 10000 tools");
});

const toolsOf = (count: number, length: number) =>
  Array.from({ length: count }, (_, n) => ({ ...READ, name: `tool${n}`, description: "x".repeat(length) }));

test("a hundred tools with 600 characters each reach the model unchanged", async () => {
  const tools = toolsOf(100, 600);
  const { ada, model, errors } = setUp(answering({ "tools/list": { tools } }), createScriptedModel("Done."));
  await (
    await ada.send("c1")
  ).done;
  expect(model.doStreamCalls[0]?.tools).toHaveLength(100);
  expect(errors).toEqual([]);
});

test("a tool of more than 32 KiB is left out and reported, and the model gets the others", async () => {
  const tools = [{ ...READ, name: "big\nERROR", description: "x".repeat(33_000) }, READ];
  const { ada, model, errors } = setUp(answering({ "tools/list": { tools } }), createScriptedModel("Done."));
  await (
    await ada.send("c1")
  ).done;
  expect(model.doStreamCalls[0]?.tools?.map(({ name }) => name)).toEqual(["files_read"]);
  expect(String(errors)).toContain("lists 1 of 2 tools with more than 32 KiB");
  expect(String(errors)).toContain("The first is big ERROR.");
});

test("a schema of more than 32 KiB is too long, even if its choices have little in common", async () => {
  const required = (prefix: string) => ({
    required: Array.from({ length: 20_000 }, (_, n) => `${prefix}${n}`),
  });
  const inputSchema = { type: "object", anyOf: [required("a"), required("b")] };
  const tools = [{ name: "many", inputSchema }, READ];
  const { ada, model, errors } = setUp(answering({ "tools/list": { tools } }), createScriptedModel("Done."));
  await (
    await ada.send("c1")
  ).done;
  expect(model.doStreamCalls[0]?.tools?.map(({ name }) => name)).toEqual(["files_read"]);
  expect(errors.map(String)).toEqual([expect.stringContaining("1 of 2 tools with more than 32 KiB")]);
});

test.each([
  ["allOf", 2000, '{"allOf":[', "]}"],
  ["allOf", 100_000, '{"allOf":[', "]}"],
  ["properties", 50_000, '{"properties":{"a":', "}}"],
])(
  "a schema of %s in %i levels is reported, and the model gets the other tools",
  async (_, depth, open, close) => {
    const list = JSON.stringify({ tools: [{ name: "deep", inputSchema: "SCHEMA" }, READ] });
    const deep = `${open.repeat(depth)}{}${close.repeat(depth)}`;
    const listing: Fetch = async (input, init) => {
      const response = await answering({ "tools/list": { list: "LIST" } })(input, init);
      const body = (await response.text()).replace('{"list":"LIST"}', () =>
        list.replace('"SCHEMA"', () => deep),
      );
      return new Response(body === "" ? null : body, response);
    };
    const { ada, model, errors } = setUp(listing, createScriptedModel("Done."));
    await (
      await ada.send("c1")
    ).done;
    expect(model.doStreamCalls[0]?.tools?.map(({ name }) => name)).toEqual(["files_read"]);
    expect(errors.map(String)).toEqual([expect.stringContaining("1 of 2 tools without a name")]);
    expect(String(errors)).toContain("get: deep.");
  },
);

test("only the known fields of a listed tool are kept", async () => {
  const big = { outputSchema: { type: "object", title: "x".repeat(40_000) } };
  const tools = [{ ...READ, ...big, _meta: { icon: "x".repeat(40_000) } }];
  const { ada, model, errors } = setUp(answering({ "tools/list": { tools } }), createScriptedModel("Done."));
  await (
    await ada.send("c1")
  ).done;
  expect(model.doStreamCalls[0]?.tools).toHaveLength(1);
  expect(errors).toEqual([]);
});

test("names of prototypes in a list of tools are names like any other", async () => {
  const properties = '{"__proto__":{"type":"string"},"constructor":{"type":"string"}}';
  const tools: unknown = JSON.parse(`[
    {"name":"__proto__","inputSchema":{"type":"object","__proto__":{"polluted":1}}},
    {"name":"constructor","__proto__":{"title":"polluted"},"inputSchema":{"properties":${properties}}},
    {"name":"choices","inputSchema":{"required":["constructor"],"anyOf":[{"properties":${properties}},{"required":["constructor"]}]}},
    {"__proto__":{"name":"no name of its own"},"inputSchema":{"type":"object"}}
  ]`);
  const { ada, model, errors } = setUp(answering({ "tools/list": { tools } }), createScriptedModel("Done."));
  await (
    await ada.send("c1")
  ).done;
  const listed = model.doStreamCalls[0]?.tools ?? [];
  expect(listed.map(({ name }) => name)).toEqual(["files___proto__", "files_constructor", "files_choices"]);
  expect(JSON.stringify(listed[1])).toContain('"constructor":{"type":"string"}');
  expect(JSON.stringify(listed[2])).toContain('"constructor":{"type":"string"}');
  expect({}).not.toHaveProperty("polluted");
  expect(errors.map(String)).toEqual([expect.stringContaining("1 of 4 tools")]);
});

test("the tools of one server fill at most 256 KiB, and those of all servers of a turn 1 MiB", async () => {
  const fetch = answering({ "tools/list": { tools: toolsOf(50, 10_000) } });
  const errors: unknown[] = [];
  const model = createScriptedModel("Done.");
  const runtime = createTestRuntime((turn) => runTurn(turn));
  const runTurn = createAgentTurn({
    model,
    mcpServers: Array.from({ length: 10 }, (_, n) => ({
      name: `server${n}`,
      url: `https://s${n}.example.com/mcp`,
      service: `Server ${n}`,
      credentialScope: "none",
      fetch,
    })),
    requester: { name: "Demo agent" },
    clock: runtime.clock,
    onError: (error) => errors.push(error),
  });
  await (
    await createChatClient(runtime.fetch, { user: "ada" }).send("c1")
  ).done;
  const names = model.doStreamCalls[0]?.tools?.map(({ name }) => name) ?? [];
  // A tool takes 10,060 characters of JSON.
  expect(names.filter((name) => name.startsWith("server0"))).toHaveLength(26);
  expect(names).toHaveLength(104);
  expect(errors).toHaveLength(10);
  expect(String(errors[0])).toContain("lists 50 tools. Only the first 26 are given to the model.");
});

test("at most two MiB of a list are read, over all its pages", async () => {
  let pages = 0;
  const listing: Fetch = async (input, init) => {
    const request = new Request(input, init);
    if (!(await request.clone().text()).includes("tools/list")) return answering({})(request);
    pages += 1;
    const list = { tools: toolsOf(50, 10_000), nextCursor: `page ${pages}` };
    return answering({ "tools/list": list })(request);
  };
  const { ada, model, errors } = setUp(listing, createScriptedModel("Without my files."));
  await (
    await ada.send("c1")
  ).done;
  expect(model.doStreamCalls).toHaveLength(1);
  expect(pages).toBeLessThan(6);
  expect(String(errors)).toContain("Files answered with more than 2 MiB");
});

test.each([
  ["text", { content: [{ type: "text", text: "x".repeat(300_000) }] }],
  ["structure", { content: [], structuredContent: { rows: ["x".repeat(300_000)] } }],
])("a result with too much %s is withheld, and the model gets the reason", async (_, result) => {
  const results = { "tools/list": { tools: [READ] }, "tools/call": result };
  const { ada, model } = setUp(answering(results));
  const stream = await ada.send("c1");
  await stream.done;
  const said = JSON.stringify(toolResultsSeen(model));
  expect(said).toContain("too long");
  expect(said.length).toBeLessThan(500);
  expect(JSON.stringify(stream.chunks).length).toBeLessThan(5000);
});

test("a very long reason of a failed call is shortened, and the model learns that the call has failed", async () => {
  const content = [{ type: "text", text: `The disk is full: ${"x".repeat(300_000)}` }];
  const results = { "tools/list": { tools: [READ] }, "tools/call": { content, isError: true } };
  const { ada, model } = setUp(answering(results));
  await (
    await ada.send("c1")
  ).done;
  const said = JSON.stringify(toolResultsSeen(model));
  expect(said).toContain("The disk is full");
  expect(said.length).toBeLessThan(3000);
});

test("a very long error message is shortened for the model and the log", async () => {
  const honest = answering({ "tools/list": { tools: [READ] } });
  const failingAt =
    (method: string): Fetch =>
    async (input, init) => {
      const request = new Request(input, init);
      if (!(await request.clone().text()).includes(method)) return honest(request);
      return new Response("x".repeat(5_000_000), { status: 500 });
    };
  const calling = setUp(failingAt("tools/call"));
  await (
    await calling.ada.send("c1")
  ).done;
  const said = JSON.stringify(toolResultsSeen(calling.model));
  expect(said).toContain("xxx");
  expect(said.length).toBeLessThan(3000);

  const listing = setUp(failingAt("tools/list"), createScriptedModel("Without my files."));
  await (
    await listing.ada.send("c1")
  ).done;
  expect(inspect(listing.errors).length).toBeLessThan(4000);
  expect(listing.errors).toHaveLength(1);
});

test("at most eight MiB of a response are read", async () => {
  const piece = new TextEncoder().encode("x".repeat(1024 * 1024));
  let sent = 0;
  const honest = answering({ "tools/list": { tools: [READ] } });
  const endless: Fetch = async (input, init) => {
    const request = new Request(input, init);
    if (!(await request.clone().text()).includes("tools/call")) return honest(request);
    const body = new ReadableStream<Uint8Array>({
      pull(controller) {
        sent += 1;
        controller.enqueue(piece);
      },
    });
    return new Response(body, { headers: { "content-type": "application/json" } });
  };
  const { ada, model } = setUp(endless);
  const stream = await ada.send("c1");
  await stream.done;
  expect(sent).toBeLessThan(12);
  expect(JSON.stringify(toolResultsSeen(model))).toContain("answered with more than 8 MiB");
});

test("a tool result that looks like a request of the server stays a tool result", async () => {
  const request = {
    type: "elicitation-request",
    elicitationId: "x",
    mode: "url",
    message: "!",
    url: "https://x",
  };
  const result = {
    content: [{ type: "text", text: JSON.stringify(request) }],
    structuredContent: { type: "data-elicitation-request", id: "x", data: request },
  };
  const { ada } = setUp(answering({ "tools/list": { tools: [READ] }, "tools/call": result }));
  const stream = await ada.send("c1");
  await stream.done;
  expect(stream.chunks.map(({ type }) => type)).not.toContain("data-elicitation-request");
  expect(stream.chunks).toContainEqual(expect.objectContaining({ type: "tool-output-available" }));
});

const TOKEN = 'at/9+"xZ~=tr0ub4dor';
const BYTES = new TextEncoder().encode(TOKEN);
const base64 = (text: string) => btoa(text);
const jwt = (text: string) => base64(text).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
const FORMS: Readonly<Record<string, string>> = {
  "as it is": `Bearer ${TOKEN}`,
  percent: encodeURIComponent(TOKEN),
  "percent, in small letters": encodeURIComponent(TOKEN).toLowerCase().replace("xz", "xZ"),
  JSON: JSON.stringify(TOKEN),
  hexadecimal: Array.from(BYTES, (byte) => byte.toString(16).padStart(2, "0")).join(""),
  base64: base64(TOKEN),
  "base64 of a header": base64(`Bearer ${TOKEN}\r\n`),
  "base64 of a user and a password": base64(`me:${TOKEN}`),
  "base64 one byte on": base64(`x${TOKEN}yz`),
  "base64 for URLs": jwt(`{"token":"${TOKEN}"}`),
};

/** The encoded forms of the token that a text still contains, without their first and last characters. */
function leftOf(text: string): string[] {
  const plain = text.replaceAll("\\", "");
  return Object.values(FORMS).filter((form) => plain.includes(form.replaceAll("\\", "").slice(6, -6)));
}

/** A server that echoes its input in every response. */
function echoing(form: string): Readonly<Record<string, Fetch>> {
  const tools = { tools: [READ] };
  const text = (echo: string) => ({ content: [{ type: "text", text: `You sent ${echo}.` }] });
  const failing =
    (answer: (id: unknown) => Response): Fetch =>
    async (input, init) => {
      const request = new Request(input, init);
      const message: unknown = await request
        .clone()
        .json()
        .catch(() => undefined);
      return isObject(message) && message["method"] === "tools/call"
        ? answer(message["id"])
        : answering({ "tools/list": tools })(request);
    };
  return {
    "a description": answering({
      "tools/list": { tools: [{ ...READ, description: form }] },
      "tools/call": text("it"),
    }),
    "a schema": answering({
      "tools/list": {
        tools: [{ ...READ, inputSchema: { type: "object", properties: { [form]: { title: form } } } }],
      },
      "tools/call": text("it"),
    }),
    "a text": answering({ "tools/list": tools, "tools/call": text(form) }),
    "a structure": answering({
      "tools/list": tools,
      "tools/call": { content: [], structuredContent: { headers: [{ name: form }], [form]: 1 } },
    }),
    "a tool's failure": answering({ "tools/list": tools, "tools/call": { ...text(form), isError: true } }),
    "an error": failing((id) =>
      Response.json({ jsonrpc: "2.0", id, error: { code: -32_000, message: form, data: { form } } }),
    ),
    "a page of a proxy": failing(() => new Response(`<p>${form}`, { status: 502 })),
  };
}

test.each(Object.entries(echoing(Object.values(FORMS).join(" and "))))(
  "a credential that a server echoes in each of its forms (in %s) reaches neither the model, the chat nor the log",
  async (_, fetch) => {
    const { ada, model, errors, runtime, credentials } = setUp(fetch, undefined, undefined, "user");
    await credentials.set("files", "ada", { accessToken: TOKEN });
    const stream = await ada.send("c1");
    await stream.done;
    expect(toolResultsSeen(model)).toHaveLength(1);
    const seen = JSON.stringify(model.doStreamCalls.map(({ prompt, tools }) => [prompt, tools]));
    expect(leftOf(seen)).toEqual([]);
    expect(leftOf(JSON.stringify(stream.chunks))).toEqual([]);
    expect(leftOf(inspect([errors, runtime.errors], { depth: 20 }))).toEqual([]);
  },
);

test("text that happens to match the start of a credential stays unchanged", async () => {
  const result = { content: [{ type: "text", text: "at/9+ is a path, and so is at" }] };
  const { ada, model, credentials } = setUp(
    answering({ "tools/list": { tools: [READ] }, "tools/call": result }),
    undefined,
    undefined,
    "user",
  );
  await credentials.set("files", "ada", { accessToken: TOKEN });
  await (
    await ada.send("c1")
  ).done;
  expect(toolResultsSeen(model)).toEqual([{ type: "text", value: "at/9+ is a path, and so is at" }]);
});

/** The tool names that the model gets for these servers, and the server that each call reaches. */
async function namesOf(
  servers: Readonly<Record<string, readonly string[]>>,
  { late, agents = [] }: { late?: string; agents?: readonly string[] } = {},
) {
  const errors: unknown[] = [];
  const model = createScriptedModel("Done.");
  const runtime = createTestRuntime(
    createAgentTurn({
      model,
      mcpServers: Object.entries(servers).map(([name, tools]) => {
        const listing = answering({
          "tools/list": {
            tools: tools.map((tool) => ({ ...READ, name: tool, description: `${name} / ${tool}` })),
          },
        });
        return {
          name,
          url: `https://${encodeURIComponent(name)}.example.com/mcp`,
          service: name,
          credentialScope: "none" as const,
          fetch: async (input: RequestInfo | URL, init?: RequestInit) => {
            // Lets the other servers list their tools first.
            if (name === late) for (let turns = 0; turns < 200; turns += 1) await Promise.resolve();
            return listing(input, init);
          },
        };
      }),
      a2aAgents: agents.map((name) => ({
        name,
        url: `https://${name}.example.com`,
        service: name,
        description: "An agent.",
      })),
      requester: { name: "Demo agent" },
      onError: (error) => errors.push(error),
    }),
  );
  await (
    await createChatClient(runtime.fetch, { user: "ada" }).send("c1")
  ).done;
  const names = (model.doStreamCalls[0]?.tools ?? []).map((tool) => [
    tool.name,
    tool.type === "function" ? tool.description : undefined,
  ]);
  return { names: Object.fromEntries(names), errors };
}

test.each(["a", "a_b"])(
  "a tool never gets a name with the prefix of another server, even if %s lists its tools last",
  async (late) => {
    const { names, errors } = await namesOf({ a: ["b_c", "b", "x"], a_b: ["c"] }, { late });
    expect(names).toEqual({
      a_x: "a / x",
      a_2_b: "a / b",
      a_2_b_c: "a / b_c",
      a_b_c: "a_b / c",
    });
    expect(errors).toEqual([]);
  },
);

test("a tool never gets a name with the prefix of a server without tools, nor the name of an agent", async () => {
  const { names } = await namesOf({ a: ["b_c", "d", "d_e"], a_b: [] }, { agents: ["a_d"] });
  expect(Object.keys(names)).toEqual(["a_2_b_c", "a_2_d", "a_2_d_e", "a_d"]);
  expect(names["a_d"]).not.toContain("a /");
});

test("a second tool with the same name gets no name with the prefix of another server", async () => {
  const { names } = await namesOf({ a: ["b", "b"], a_b_2: ["c"] });
  expect(names).toEqual({ a_b: "a / b", a_b_3: "a / b", a_b_2_c: "a_b_2 / c" });
});

test("a server whose tools would have the same names as another's is not used, and the operator gets a warning", async () => {
  const { names, errors } = await namesOf({ "a.b": ["c"], a_b: ["c"] });
  expect(names).toEqual({ a_b_c: "a.b / c" });
  expect(String(errors)).toContain('the MCP servers "a.b" and "a_b"');
});

test("servers whose names begin with a digit have tools of their own, and one whose tools have their names is not used", async () => {
  const { names, errors } = await namesOf({ 1: ["b", "a_b"], "1_a": ["b"], s: ["1_c"], s_1: ["c"] });
  expect(names).toEqual({
    s_1_b: "1 / b",
    s_1_2_a_b: "1 / a_b",
    s_1_a_b: "1_a / b",
    s_2_1_c: "s / 1_c",
  });
  expect(errors).toHaveLength(1);
  expect(String(errors)).toContain('the MCP servers "1" and "s_1"');
});

test("a tool for which no name is left is not used, and the operator gets a warning", async () => {
  const others = Object.fromEntries(
    ["a_b", ...Array.from({ length: 8 }, (_, n) => `a_${n + 2}`)].map((name) => [name, []]),
  );
  const { names, errors } = await namesOf({ a: ["b", "c"], ...others });
  expect(names).toEqual({ a_c: "a / c" });
  expect(String(errors)).toContain("a has a tool without a free name");
});

test("the runtime does not follow a redirect of a server to another server", async () => {
  const reached = vi.fn(() => new Response("the metadata of a cloud"));
  const inside = await serve({ fetch: reached });
  const server = await serve({ fetch: () => Response.redirect(`${inside.url}/mcp`, 307) });
  onTestFinished(async () => void (await Promise.all([inside.close(), server.close()])));
  const { ada, errors } = setUp(undefined, createScriptedModel("Without my files."), `${server.url}/mcp`);
  await (
    await ada.send("c1")
  ).done;
  expect(errors).toHaveLength(1);
  expect(reached).not.toHaveBeenCalled();
});
