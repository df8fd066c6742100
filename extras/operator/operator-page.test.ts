import { expect, test } from "vitest";
import { systemClock } from "../../src/base/clock.ts";
import { sha256Hex } from "../../src/base/canonical.ts";
import { createMemoryDecisionLog } from "../audit/index.ts";
import {
  type FormQuestion,
  type RuntimeOptions,
  createMemoryRecords,
  createMemoryTurnRunner,
} from "../../src/runtime/index.ts";
import { createChatClient } from "../../test/stages/chat-client.ts";
import {
  CITY,
  CONNECT,
  type TestRuntime,
  asking,
  createTestRuntime,
} from "../../test/stages/test-runtime.ts";
import { type OperatorPageOptions, createOperatorPage } from "./index.ts";

const ORIGIN = "https://ops.example.com";
const SAME = { "sec-fetch-site": "same-origin" };

const ASSIGN: RuntimeOptions["assign"] = {
  may: () => true,
  nameOf: ({ user, group }) => (user === undefined ? `The ${group} team` : "Cynthia"),
  groupsOf: (userId) => (userId === "cy" ? ["finance"] : []),
  membersOf: () => [{ id: "cy" }],
};

/** A runtime with an operator page, and a browser in which Olga is signed in. */
function setUp(
  {
    ports,
    ...options
  }: Partial<Omit<OperatorPageOptions, "ports">> & { ports?: Partial<OperatorPageOptions["ports"]> } = {},
  question: FormQuestion | typeof CONNECT = CITY,
  ofRuntime: Partial<RuntimeOptions> = {},
) {
  const decisionLog = createMemoryDecisionLog();
  let runtime: TestRuntime | undefined = undefined;
  const clock = { ...systemClock, now: (): number => runtime?.clock.now() ?? Date.now() };
  const records = decisionLog.watch(createMemoryRecords({ clock }));
  const runner = createMemoryTurnRunner();
  runtime = createTestRuntime(asking(question), {
    ...ofRuntime,
    ports: { records, runner, ...ofRuntime.ports },
  });
  const errors: unknown[] = [];
  const page = createOperatorPage({
    origin: ORIGIN,
    authenticate: (request) =>
      request.headers.get("authorization") === "Bearer olga" ? { id: "olga" } : null,
    elicitations: runtime.elicitations,
    ports: { records, runner, decisionLog, clock: runtime.clock, ...ports },
    onError: (error) => errors.push(error),
    ...options,
  });
  let cookie = "";
  async function load(path: string, init: RequestInit = {}, authorization = "Bearer olga") {
    const headers = { authorization, ...(cookie !== "" && { cookie }), ...init.headers };
    const reply = await page.fetch(new Request(`${ORIGIN}${path}`, { ...init, headers }));
    cookie = reply.headers.get("set-cookie")?.split(";")[0] ?? cookie;
    return { status: reply.status, headers: reply.headers, text: await reply.text() };
  }
  const withdraw = (id: string, csrf: string | undefined, headers: HeadersInit = SAME) =>
    load(`/operator/requests/${id}/withdraw`, {
      method: "POST",
      headers,
      body: new URLSearchParams(csrf === undefined ? {} : { csrf }),
    });
  const ada = createChatClient(runtime.fetch, { user: "ada" });
  const cy = createChatClient(runtime.fetch, { user: "cy" });
  return { runtime, records, decisionLog, errors, load, withdraw, ada, cy };
}

const wordsOf = (page: string) =>
  page.replaceAll(/<style>.*?<\/style>|<[^>]+>/gs, " ").replaceAll(/\s+/g, " ");

const csrfIn = (text: string) => /name="csrf" value="([^"]+)"/.exec(text)?.[1];

test("an operator sees open requests and the outcomes of ended ones, but neither users nor questions", async () => {
  const { runtime, load, ada } = setUp();
  const first = await ada.send("c1");
  const { elicitationId } = await first.request();
  await ada.answer("c1", { elicitationId, action: "accept", content: { city: "Rome" } });
  await first.done;
  runtime.clock.advance(1);
  const second = await ada.send("c2");
  await second.request();
  runtime.clock.advance(120_000);

  const { status, text } = await load("/operator");
  expect(status).toBe(200);
  const words = wordsOf(text);
  expect(words).toContain("Read only · content hidden");
  expect(words).toContain("Open 1 now Answered 1 of 1 in 24 h");
  expect(words).toMatch(/weather form user [0-9a-f]{6} Chat waits 2 min/);
  expect(words).toMatch(/weather form user [0-9a-f]{6} Chat accepted/);
  expect(words).toContain("this one alive 1 turn");
  expect(words).toContain("verified from row 1 to 3");
  expect(words).toContain("Open a user 1 of 100");
  expect(text).not.toMatch(/\bada\b|Where to|Rome/);
  expect(text).not.toMatch(/<form|<script/);
  await runtime.close();
});

test("only the key of the runtime leads from a user to the short id on the page", async () => {
  const shown = async (answerKey: string | undefined) => {
    const { runtime, load, ada } = setUp({}, CITY, { answerKey });
    await (await ada.send("c1")).request();
    const [user = ""] = /user [0-9a-f]{6}/.exec((await load("/operator")).text) ?? [];
    await runtime.close();
    return user;
  };
  const key = "A".repeat(43);
  const [one, same, other] = [await shown(key), await shown(key), await shown(undefined)];
  expect(one).toBe(same);
  expect([other, `user ${(await sha256Hex("ada")).slice(0, 6)}`]).not.toContain(one);
});

test("with showContent, the page shows questions and names of users, but never answers", async () => {
  const { runtime, load, ada } = setUp({ showContent: true });
  const turn = await ada.send("c1");
  const { elicitationId } = await turn.request();
  await ada.answer("c1", { elicitationId, action: "accept", content: { city: "Rome" } });
  await turn.done;
  for (const path of ["/operator", `/operator/requests/${elicitationId}`]) {
    const { text } = await load(path);
    expect(text).toContain("<bdi>Ada</bdi>".slice(5, 8));
    expect(text).toContain("Where to?");
    expect(text).not.toContain("Rome");
  }
  await runtime.close();
});

const USER = "user [0-9a-f]{6}";

test.each([
  { to: { group: "finance" }, hidden: "group finance", shown: "The finance team" },
  { to: { user: "cy" }, hidden: USER, shown: "Cynthia" },
])("the row of a question for $to says for whom it is, and who asks", async ({ to, hidden, shown }) => {
  const question = { ...CITY, assignee: to };
  const stage = setUp({}, question, { assign: ASSIGN, notices: { onWaiting: () => {} } });
  const turn = await stage.ada.send("c1");
  const { elicitationId } = await turn.request();
  const open = wordsOf((await stage.load("/operator")).text);
  expect(open).toMatch(new RegExp(`weather form ${hidden} from ${USER} Chat waits`));
  expect(open).toMatch(new RegExp(`Notices ${hidden}, at`));
  expect(open).toContain("Open a user 1 of 100");
  await stage.cy.answer(elicitationId, { elicitationId, action: "accept", content: { city: "Rome" } });
  await turn.done;

  const ended = wordsOf((await stage.load("/operator")).text);
  expect(ended).toMatch(new RegExp(`weather form ${hidden} from ${USER} Chat accepted`));
  const path = `/operator/requests/${elicitationId}`;
  const { text } = await stage.load(path);
  expect(wordsOf(text)).toMatch(new RegExp(`For ${hidden} From ${USER} Shown`));
  // The decision log shows who has answered.
  expect(wordsOf(text)).toMatch(new RegExp(`accepted ${USER} Chat`));
  expect(`${ended} ${wordsOf(text)}`).not.toMatch(/\b(ada|cy)\b|Cynthia|team/i);

  const { records, runtime } = stage;
  const reading = setUp({ ports: { records }, elicitations: runtime.elicitations, showContent: true });
  expect(wordsOf((await reading.load("/operator")).text)).toContain(`${shown} from Ada`);
  expect(wordsOf((await reading.load(path)).text)).toContain(`For ${shown} From Ada Shown`);
  await runtime.close();
});

test.each(["/operator", "/operator/requests/x", "/operator/images/1", "/operator/nothing"])(
  "only an operator gets any information at %s",
  async (path) => {
    const { load } = setUp({ brand: { name: "Acme" } });
    for (const who of ["", "Bearer ada"]) {
      const { status, text, headers } = await load(path, {}, who);
      expect(status).toBe(403);
      expect(text).toContain("You are not signed in as one.");
      expect(headers.get("set-cookie")).toBeNull();
    }
  },
);

test("createOperatorPage refuses missing options, plain http, and records that cannot be listed", () => {
  // A caller in plain JavaScript can forget these options.
  expect(() =>
    createOperatorPage({ origin: ORIGIN, authenticate: () => null, onError: () => {} } as never),
  ).toThrow("elicit-kit: createOperatorPage needs `ports`");
  expect(() => setUp({ authenticate: undefined } as never)).toThrow(
    "elicit-kit: createOperatorPage needs authenticate",
  );
  expect(() => setUp({ origin: "http://ops.example.com" })).toThrow("must be an https origin");
  expect(() => setUp({ ports: { records: { ...createMemoryRecords(), overview: undefined } } })).toThrow(
    "elicit-kit: the records of createOperatorPage have no overview",
  );
});

test("the page fails with an error for an operator without an id", async () => {
  const { load, errors } = setUp({ authenticate: () => ({ id: "" }) });
  expect((await load("/operator")).status).toBe(500);
  expect(errors).toHaveLength(1);
});

test("the page runs no script, loads nothing from other origins, and cannot be cached or framed", async () => {
  const { load } = setUp();
  const { headers } = await load("/operator");
  expect(headers.get("content-security-policy")).toMatch(
    /^default-src 'none'; style-src 'sha256-[^']+'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'$/,
  );
  expect(headers.get("referrer-policy")).toBe("no-referrer");
  expect(headers.get("cache-control")).toBe("no-store");
  expect(headers.get("set-cookie")).toMatch(
    /^__Host-elicit-operator=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax; Secure$/,
  );
});

test("an operator withdraws a request: the turn continues, and the log names the operator", async () => {
  const { runtime, decisionLog, load, withdraw, ada } = setUp({ allowWithdraw: true });
  const turn = await ada.send("c1");
  const { elicitationId } = await turn.request();
  const { text } = await load(`/operator/requests/${elicitationId}`);
  const { status, headers } = await withdraw(elicitationId, csrfIn(text));
  expect([status, headers.get("location")]).toEqual([303, `/operator/requests/${elicitationId}`]);
  await turn.done;
  expect(JSON.stringify(turn.chunks)).toContain('{\\"outcome\\":\\"withdrawn\\"}');
  expect((await decisionLog.read({ limit: 10 })).at(-1)).toMatchObject({
    event: "withdrawn",
    userId: "ada",
    by: "olga",
    through: "operator",
    reason: "An operator withdrew the question.",
  });
  const after = await load(`/operator/requests/${elicitationId}`);
  expect(after.text).toContain("operator olga");
  expect(after.text).not.toContain("<form");
  // The button was pressed twice, or in two tabs.
  expect((await withdraw(elicitationId, csrfIn(text))).status).toBe(303);
  expect(await decisionLog.read({ limit: 10 })).toHaveLength(2);
  await runtime.close();
});

test("a forged form withdraws nothing, and neither does a form sent to a read-only page", async () => {
  const { runtime, records, load, withdraw, ada } = setUp({ allowWithdraw: true });
  const turn = await ada.send("c1");
  const { elicitationId } = await turn.request();
  const csrf = csrfIn((await load(`/operator/requests/${elicitationId}`)).text);
  expect((await withdraw(elicitationId, csrf, { "sec-fetch-site": "cross-site" })).status).toBe(403);
  expect((await withdraw(elicitationId, csrf, { origin: "https://evil.example" })).status).toBe(403);
  expect((await withdraw(elicitationId, undefined)).status).toBe(403);
  expect((await withdraw(elicitationId, "x".repeat(43))).status).toBe(403);
  expect((await withdraw("another-request", csrf)).status).toBe(403);
  const large = { method: "POST", headers: SAME, body: new URLSearchParams({ csrf: "x".repeat(5000) }) };
  expect((await load(`/operator/requests/${elicitationId}/withdraw`, large)).status).toBe(403);

  const reading = setUp({ ports: { records }, elicitations: runtime.elicitations });
  expect((await reading.load(`/operator/requests/${elicitationId}`)).text).not.toContain("<form");
  expect((await reading.withdraw(elicitationId, csrf)).status).toBe(404);
  expect((await records.get(elicitationId))?.status).toBe("pending");
  await runtime.close();
});

test("long lists of requests are paged, and an unknown cursor gives an empty page", async () => {
  const { runtime, load } = setUp();
  for (let index = 0; index < 30; index += 1) {
    await (await createChatClient(runtime.fetch, { user: `user${index}` }).send("c1")).request();
  }
  const { text } = await load("/operator");
  const rowsIn = (page: string) => page.match(/href="\/operator\/requests\/[^"]+"><bdi>weather/g) ?? [];
  const [, next = ""] = /href="(\/operator\?open=[^"]+)"/.exec(text) ?? [];
  const rest = (await load(next)).text;
  // Eight other matches are rows of the decision log.
  expect([rowsIn(text).length, rowsIn(rest).length]).toEqual([25 + 8, 5 + 8]);
  expect(rest).not.toContain("?open=");
  expect(rowsIn((await load("/operator?open=unknown&ended=../x")).text)).toHaveLength(8);
  await runtime.close();
});

test("names of tools and users are shown as text, not as markup", async () => {
  const evil = { ...CITY, message: "<b>x</b>", tool: { id: "t", name: "<img src=x>" } };
  const { runtime, load, ada } = setUp({ showContent: true }, evil);
  const turn = await ada.send("c1");
  await turn.request();
  const { text } = await load("/operator");
  expect(text).toContain("&lt;img src=x&gt;");
  expect(text).toContain("&lt;b&gt;x&lt;/b&gt;");
  expect(text).not.toMatch(/<img|<b>x/);
  await runtime.close();
});

test("when the chain of the decision log is broken, the page names the row", async () => {
  const log = createMemoryDecisionLog();
  const broken: typeof log = {
    ...log,
    read: async (page) =>
      (await log.read(page)).map((row) => (row.seq === 2 ? { ...row, event: "accepted" } : row)),
  };
  const { load } = setUp({ ports: { decisionLog: broken } });
  const other = createTestRuntime(asking(CITY), { ports: { records: log.watch(createMemoryRecords()) } });
  const bob = createChatClient(other.fetch, { user: "bob" });
  for (const id of ["c1", "c2", "c3"]) await (await bob.send(id)).request();
  expect((await load("/operator")).text).toContain("row 2: this row was changed");
  await other.close();
});
