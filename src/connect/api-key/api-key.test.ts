import { inspect } from "node:util";
import { McpServer as SdkServer, createMcpHandler } from "@modelcontextprotocol/server";
import { metrics, trace } from "@opentelemetry/api";
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  SimpleSpanProcessor,
} from "@opentelemetry/sdk-trace-base";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { createAgentTurn } from "../../agent/index.ts";
import type { ApiKeyPlace } from "../../agent/credentials/api-key.ts";
import { createMemoryRecords } from "../../runtime/index.ts";
import type { ElicitationRecord, TelemetryAttributes } from "../../runtime/internal.ts";
import { createMemoryCredentials } from "../ports/credentials.ts";
import { originalOf } from "../../base/foreign-error.ts";
import { type Page, createBrowser, hiddenFields } from "../../../test/stages/browser.ts";
import { CHAT_ORIGIN, createChatClient } from "../../../test/stages/chat-client.ts";
import { AUTH, linkTo } from "../../../test/stages/page-stage.ts";
import { type Step, createScriptedModel, toolResultsSeen } from "../../../test/stages/scripted-model.ts";
import { createTestRuntime } from "../../../test/stages/test-runtime.ts";
import { createHostedPage, withConnectors } from "../index.ts";
import type { ApiKeyProvider } from "./api-key.ts";
import { KitError } from "../../contract/kit-error.ts";

const KEY = "sk-live/4f9c+Zq8=Vt2&x";
const NEW_KEY = "sk-live/second-key-77aa";
const SERVER = "https://weather.example.com/mcp";
const FORECAST = { weather_forecast: {} };
const POST_KEY = `${AUTH}/auth/connect/key`;

const spans = new InMemorySpanExporter();
beforeAll(() => {
  trace.setGlobalTracerProvider(
    new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(spans)] }),
  );
});
afterAll(() => trace.disable());
beforeEach(() => spans.reset());

/** A real MCP server that takes keys, and repeats the received key in every answer, as some servers do in error texts. */
function createKeyServer(place: ApiKeyPlace) {
  const good = new Set([KEY, NEW_KEY]);
  const keys: (string | null)[] = [];
  let failure: ((key: string) => Response) | undefined;
  const keyOf = (request: Request) =>
    "header" in place
      ? (request.headers.get(place.header)?.slice(place.prefix?.length ?? 0) ?? null)
      : new URL(request.url).searchParams.get(place.query);
  return {
    good,
    /** The key of each tool call. */
    keys,
    failWith(next: typeof failure) {
      failure = next;
    },
    fetch: (async (input, init) => {
      const request = new Request(input, init);
      const key = keyOf(request);
      const text = await request.clone().text();
      if (!text.includes('"tools/call"')) return handlerFor(key).fetch(request);
      keys.push(key);
      if (failure !== undefined) return failure(key ?? "");
      if (key === null || !good.has(key)) return new Response(`wrong key ${key}`, { status: 401 });
      return handlerFor(key).fetch(request);
    }) satisfies typeof globalThis.fetch,
  };
}

function handlerFor(key: string | null) {
  return createMcpHandler(() => {
    const server = new SdkServer({ name: "weather", version: "1" });
    server.registerTool("forecast", {}, async () => ({
      content: [{ type: "text", text: `Rain. Your key is ${key}, as base64 ${btoa(key ?? "")}.` }],
    }));
    return server;
  });
}

interface Options {
  place?: ApiKeyPlace;
  check?: ApiKeyProvider["apiKey"]["check"];
  keyUrl?: string;
  format?: ApiKeyProvider["apiKey"]["format"];
}

function setUp(
  steps: readonly Step[],
  { place = { header: "x-api-key" }, check, keyUrl, format }: Options = {},
) {
  const server = createKeyServer(place);
  const errors: unknown[] = [];
  const lines: [string, TelemetryAttributes][] = [];
  const written: ElicitationRecord[] = [];
  const records = createMemoryRecords();
  const store = createMemoryCredentials();
  const providers = {
    weather: {
      service: "Weather",
      apiKey: { check: check ?? (async (key: string) => server.good.has(key)), keyUrl, format },
    },
  };
  const credentials = withConnectors(store, { providers });
  const runtime = createTestRuntime((turn) => runTurn(turn), {
    hostedPage: { origin: AUTH },
    ports: {
      records: {
        ...records,
        create: (record) => {
          written.push(record);
          return records.create(record);
        },
        compareAndSet: (record) => {
          written.push(record);
          return records.compareAndSet(record);
        },
      },
    },
    telemetry: {
      tracer: trace.getTracer("elicit-kit"),
      meter: metrics.getMeter("elicit-kit"),
      logger: { info: (message, attributes) => void lines.push([message, attributes]) },
    },
  });
  const model = createScriptedModel(...steps);
  const runTurn = createAgentTurn({
    model,
    credentials,
    mcpServers: [
      {
        name: "weather",
        url: SERVER,
        service: "Weather",
        credentialScope: "user",
        apiKey: place,
        fetch: server.fetch,
      },
    ],
    connectUrl: `${AUTH}/auth/connect`,
    requester: { name: "Demo agent" },
    clock: runtime.clock,
    onError: (error) => errors.push(error),
  });
  const page = createHostedPage({
    origin: AUTH,
    vouch: { url: `${CHAT_ORIGIN}/run` },
    elicitations: runtime.elicitations,
    credentials,
    providers,
    clock: runtime.clock,
    onError: (error) => errors.push(error),
  });
  const newBrowser = (user: string, language = "en") => {
    const fetch = (request: Request) => {
      request.headers.set("accept-language", language);
      return page.fetch(request);
    };
    const browser = createBrowser({ [AUTH]: fetch, [CHAT_ORIGIN]: runtime.fetch });
    browser.setCookie(CHAT_ORIGIN, "user", user);
    return browser;
  };
  const ada = createChatClient(runtime.fetch, { user: "ada" });
  /** All output of the kit, except calls of the server and the credential store. */
  const seen = (...more: unknown[]) =>
    inspect(
      [
        [more, errors, errors.map(originalOf), runtime.errors, lines, written, model.doStreamCalls],
        spans
          .getFinishedSpans()
          .map(({ name, attributes, events, status }) => [name, attributes, events, status]),
      ],
      { depth: Infinity, maxStringLength: Infinity, maxArrayLength: Infinity },
    );
  return {
    server,
    runtime,
    store,
    credentials,
    model,
    errors,
    ada,
    seen,
    newBrowser,
    browser: newBrowser("ada"),
  };
}

type Stage = ReturnType<typeof setUp>;

async function open({ ada, browser }: Stage) {
  const stream = await ada.send("c1");
  const request = await stream.request();
  const form = await browser.visit(linkTo(request.elicitationId));
  return { stream, request, form };
}

const sendKey = ({ browser }: Stage, form: Page, key: string) =>
  browser.post(POST_KEY, { ...hiddenFields(form), key });

/** A key in every form in which it could be written. */
function formsOf(key: string): string[] {
  return [
    key,
    encodeURIComponent(key),
    new URLSearchParams({ key }).toString().slice(4),
    btoa(key),
    JSON.stringify(key).slice(1, -1),
  ];
}

test.each<[string, ApiKeyPlace]>([
  ["a header", { header: "x-api-key" }],
  ["a header with a prefix", { header: "authorization", prefix: "Token " }],
  ["a query parameter", { query: "api_key" }],
])(
  "the user types a key, the server gets it as %s, and it appears nowhere else: no log, record, span, chat or model input",
  async (_, place) => {
    const s = setUp([FORECAST, "Done."], { place });
    const { stream, request, form } = await open(s);
    expect(request.context).toMatchObject({ trigger: "credential_required", credentialType: "api-key" });
    expect(request.message).toBe("To continue with an API key for Weather.");
    expect(s.server.keys).toEqual([]);
    expect(form.text).toContain('type="password"');
    // Chrome fills saved passwords in at "off".
    expect(form.text).toContain('autocomplete="new-password"');
    const sent = await sendKey(s, form, ` ${KEY}\r\n`);
    const done = await s.browser.follow(sent);
    expect(done.text).toContain("Weather is connected");
    await stream.done;
    expect(s.server.keys).toEqual([KEY]);
    expect(await s.credentials.get("weather", "ada")).toEqual({
      type: "api-key",
      accessToken: KEY,
      connectedAt: expect.any(Number),
    });
    const pages = [form, sent, done].map(({ url, text, headers }) => [url, text, [...headers]]);
    const everything = s.seen(stream.chunks, pages);
    for (const one of formsOf(KEY)) expect(everything).not.toContain(one);
    expect(toolResultsSeen(s.model)).toEqual([
      {
        type: "text",
        value: expect.stringMatching(/^Rain\. Your key is \[credential\], as base64 \[credential\]/),
      },
    ]);
    expect(spans.getFinishedSpans().map(({ attributes }) => attributes["credential.type"])).toContain(
      "api-key",
    );
    expect(s.errors).toEqual([]);
  },
);

test.each([
  ["fails with the key in its text", (key: string) => new Response(`no such key: ${key}`, { status: 500 })],
  [
    "redirects to another host",
    () => new Response(null, { status: 307, headers: { location: "https://evil.example/" } }),
  ],
  [
    "cannot be reached, and the error has the URL in it",
    (key: string) => {
      throw new TypeError(`connect failed: ${SERVER}?api_key=${encodeURIComponent(key)}`);
    },
  ],
])("the API key reaches nobody else when the server %s", async (_, failure) => {
  const s = setUp([FORECAST, "Sorry."], { place: { query: "api_key" } });
  await s.store.set("weather", "ada", { type: "api-key", accessToken: KEY });
  s.server.failWith(failure);
  const stream = await s.ada.send("c1");
  await stream.done;
  expect(s.server.keys).toEqual([KEY]);
  const everything = s.seen(stream.chunks);
  for (const one of formsOf(KEY)) expect(everything).not.toContain(one);
});

test("a key that the service refuses is not stored, and the page and the card show that", async () => {
  const s = setUp([FORECAST, "Done."]);
  const { stream, request, form } = await open(s);
  const again = await sendKey(s, form, "wrong-key-000");
  expect(again.status).toBe(422);
  expect(again.text).toContain("Weather did not accept this key.");
  expect(again.text).not.toContain("wrong-key-000");
  expect(await s.credentials.get("weather", "ada")).toBeUndefined();
  const status = await (await s.ada.fetch(`/run/api/elicitations/${request.elicitationId}`)).json();
  expect(status).toMatchObject({ status: "pending", lastError: "Weather did not accept this key." });
  const byAda = { changedBy: { userId: "ada", through: "page" } };
  const record = async () => s.runtime.elicitations.get(request.elicitationId);
  expect(await record()).toMatchObject(byAda);
  expect((await s.browser.follow(await sendKey(s, again, KEY))).text).toContain("Weather is connected");
  expect(await record()).toMatchObject({ status: "accepted", ...byAda });
  await stream.done;
  expect(s.server.keys).toEqual([KEY]);
});

test.each([
  ["empty", ""],
  ["of blanks", "  \t "],
  ["with a line break in it", "sk-live\r\nx-admin: true"],
  ["with characters that no header can carry", "schlüssel-☃"],
  ["longer than any key", "k".repeat(3000)],
])("a key that is %s is refused without asking the service", async (_, key) => {
  const checked: string[] = [];
  const s = setUp([FORECAST, "Done."], { check: async (one) => checked.push(one) > 0 });
  const { form } = await open(s);
  expect((await sendKey(s, form, key)).status).toBe(422);
  expect(checked).toEqual([]);
  expect(await s.credentials.get("weather", "ada")).toBeUndefined();
});

test("when checking a key fails, nothing is stored, the user is asked to try again, and the operator gets the error without the key", async () => {
  const s = setUp([FORECAST, "Done."], {
    check: async (key) => {
      throw new KitError(`elicit-kit: GET https://api.example.com/?key=${key} answered 503`);
    },
  });
  const { form } = await open(s);
  const again = await sendKey(s, form, KEY);
  expect(again.text).toContain("Weather could not check the key. Try again.");
  expect(await s.credentials.get("weather", "ada")).toBeUndefined();
  expect(String(s.errors[0])).toContain("the check of an API key for Weather failed");
  for (const one of formsOf(KEY)) expect(s.seen(again.text)).not.toContain(one);
});

test("when checking a key takes more than ten seconds, nothing is stored", async () => {
  const s = setUp([FORECAST, "Done."], { check: () => new Promise(() => {}) });
  const { form } = await open(s);
  const before = s.runtime.clock.waiting;
  const answer = sendKey(s, form, KEY);
  await expect.poll(() => s.runtime.clock.waiting).toBeGreaterThan(before);
  s.runtime.clock.advance(10_000);
  expect((await answer).status).toBe(422);
  expect(await s.credentials.get("weather", "ada")).toBeUndefined();
});

test("a key that the server refuses later is deleted, and the user is asked for another", async () => {
  const s = setUp([FORECAST, "Done."]);
  await s.store.set("weather", "ada", { type: "api-key", accessToken: "old-key-1234" });
  const { stream, form } = await open(s);
  expect(await s.credentials.get("weather", "ada")).toBeUndefined();
  await sendKey(s, form, KEY);
  await stream.done;
  expect(s.server.keys).toEqual(["old-key-1234", KEY]);
});

test("the user can replace the key on the same page, and an invalid key does not replace it", async () => {
  const s = setUp([FORECAST, "Done."]);
  const { stream, form } = await open(s);
  const done = await s.browser.follow(await sendKey(s, form, KEY));
  await stream.done;
  expect(done.text).toContain("Replace key");
  const refused = await sendKey(s, done, "wrong-key-000");
  expect(refused.text).toContain("Weather did not accept this key.");
  expect((await s.credentials.get("weather", "ada"))?.accessToken).toBe(KEY);
  const replaced = await s.browser.follow(await sendKey(s, done, NEW_KEY));
  expect(replaced.text).toContain("Weather is connected");
  expect((await s.credentials.get("weather", "ada"))?.accessToken).toBe(NEW_KEY);
});

test("the user can delete the key on the same page", async () => {
  const s = setUp([FORECAST, "Done."], { check: async () => ({ account: "ada@weather.example" }) });
  const { stream, form } = await open(s);
  const done = await s.browser.follow(await sendKey(s, form, KEY));
  await stream.done;
  expect(done.text).toContain("ada@weather.example");
  const gone = await s.browser.follow(
    await s.browser.post(`${AUTH}/auth/connect/remove`, hiddenFields(done)),
  );
  expect(gone.text).toContain("Weather is no longer connected");
  expect(gone.text).not.toContain('type="password"');
  expect(await s.credentials.get("weather", "ada")).toBeUndefined();
});

test("a key is sent only to servers that take keys, and a token is never sent as a key", async () => {
  const s = setUp([FORECAST, "Done."]);
  await s.store.set("weather", "ada", { accessToken: "a-token-of-oauth" });
  const { form } = await open(s);
  expect(s.server.keys).toEqual([]);
  expect(form.text).toContain('type="password"');
});

test("only the user can send a key: neither another site nor another user with the link can", async () => {
  const s = setUp([FORECAST, "Done."]);
  const { form } = await open(s);
  const mallory = s.newBrowser("mallory");
  expect((await mallory.visit(form.url)).text).not.toContain('type="password"');
  const forged = { ...hiddenFields(form), key: KEY };
  expect((await mallory.post(POST_KEY, forged)).status).toBe(403);
  const elsewhere = { "sec-fetch-site": "cross-site" };
  expect((await s.browser.post(POST_KEY, forged, elsewhere)).status).toBe(403);
  expect((await s.browser.post(POST_KEY, { ...forged, csrf: "guessed" })).status).toBe(403);
  expect(await s.credentials.get("weather", "ada")).toBeUndefined();
});

test("a key for a request that was declined is not stored", async () => {
  const s = setUp([FORECAST, "Sorry."]);
  const { stream, form } = await open(s);
  await s.browser.post(`${AUTH}/auth/connect/decline`, hiddenFields(form));
  await stream.done;
  await sendKey(s, form, KEY);
  expect(await s.credentials.get("weather", "ada")).toBeUndefined();
});

test.each([
  ["ar", "مفتاح API الخاص بك في Weather"],
  ["de", "Ihr API-Schlüssel für Weather"],
])("the page asks for the key in %s, with a link to the page that shows keys", async (language, label) => {
  const s = setUp([FORECAST, "Done."], { keyUrl: "https://weather.example.com/keys" });
  const { request } = await open(s);
  const form = await s.newBrowser("ada", language).visit(linkTo(request.elicitationId));
  expect(form.text).toContain(`<label for="key">${label}</label>`);
  expect(form.text).toContain('href="https://weather.example.com/keys"');
});

test("a key link that is not https is refused when the page is created", () => {
  expect(() => setUp([], { keyUrl: "javascript:alert(1)" })).toThrow(
    "keyUrl of Weather must be an https URL",
  );
});

test("the page describes the format of keys, and neither sends nor checks other input", async () => {
  const checked: string[] = [];
  const check = async (key: string) => checked.push(key) > 0;
  const s = setUp([FORECAST, "Done."], { check, format: { prefix: "w+k.", length: 12 } });
  const { form } = await open(s);
  expect(form.text).toContain("Starts with “w+k.”, 12 characters.");
  // Browsers compile it with the flag "v", and match it against the whole value.
  const pattern = /pattern="([^"]+)"/.exec(form.text)?.[1] ?? "";
  const fits = (key: string) => new RegExp(`^(?:${pattern})$`, "v").test(key);
  expect(["w+k.12345678", " w+k.12345678\t", "w+k.1234567", "wwk.12345678"].map(fits)).toEqual([
    true,
    true,
    false,
    false,
  ]);
  const refused = await sendKey(s, form, "ghp_12345678");
  expect(refused.status).toBe(422);
  expect(refused.text).toContain("This is not a Weather key. Those start with “w+k.”.");
  expect(checked).toEqual([]);
  await s.browser.follow(await sendKey(s, form, " w+k.12345678 "));
  expect(checked).toEqual(["w+k.12345678"]);
});
