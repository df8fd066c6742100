/** Tests for a call that waits while its card collects the answers, and then returns the tool's result. */
import type { McpServer } from "@modelcontextprotocol/server";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import {
  type Eliciting,
  type ToolElicitor,
  elicitorFor,
  registerElicitTools,
} from "../../../extras/mcp-server/index.ts";
import type { ElicitingOptions } from "../../../extras/mcp-server/elicitor/options.ts";
import { createSkippingClock } from "../../stages/skipping-clock.ts";
import { APP_CLIENT, type Era, accept, handedBy, serveApp, textOf } from "./host.ts";

const ERAS: readonly Era[] = ["2025-11-25", "2026-07-28"];

const tool =
  (run: (elicitor: ToolElicitor, to: string) => Promise<unknown>) =>
  (server: McpServer, eliciting: Eliciting) => {
    server.registerTool(
      "book",
      { inputSchema: z.object({ to: z.string().default("Lisbon") }) },
      eliciting("book", async ({ to }, ctx) => ({
        content: [{ type: "text", text: JSON.stringify(await run(elicitorFor(ctx), to)) }],
      })),
    );
  };
const asksTwice = tool(async (elicitor, to) => [
  await elicitor.text(`Who in ${to}?`, { minLength: 2 }),
  await elicitor.confirm("Sure?"),
]);
const asksOnce = tool((elicitor, to) => elicitor.text(`Who in ${to}?`, { minLength: 2 }));
const accepted = (value: unknown) => ({ outcome: "accepted", value });

describe.each(ERAS)("a call of a host with MCP Apps, in MCP %s", (era) => {
  const open = (register: Parameters<typeof serveApp>[0], options?: ElicitingOptions) =>
    serveApp(register, options).host({ era });

  test("returns the tool's result for the answers from its card", async () => {
    const host = await open(asksTwice);
    const call = host.call("book", { to: "Porto" });
    const view = host.view();
    const first = await view.asked();
    expect(first.inputRequests).toMatchObject({ "question-1": { params: { message: "Who in Porto?" } } });
    expect(await view.answer(first, { "question-1": accept("Ada") })).toEqual({ kind: "settled" });
    const second = await view.next(first.version, { call: first.call });
    expect(second).toMatchObject({
      status: "asked",
      round: { call: first.call, inputRequests: { "question-2": { params: { message: "Sure?" } } } },
    });
    if (second.status === "asked") await view.answer(second.round, { "question-2": accept(true) });
    expect(JSON.parse(textOf(await call))).toEqual([accepted("Ada"), accepted(true)]);
    expect(await view.next(0, { call: first.call })).toEqual({ status: "ended", withdrawn: false });
  });

  test("ends with its card when the host cancels it", async () => {
    let outcome: unknown;
    const host = await open(
      tool(async (elicitor) => {
        outcome = await elicitor.text("Who?");
      }),
    );
    const abort = new AbortController();
    const call = host.call("book", {}, { signal: abort.signal }).catch((error: unknown) => error);
    const view = host.view();
    const round = await view.asked();
    abort.abort();
    expect(await call).toBeInstanceOf(Error);
    expect(await view.next(round.version, { call: round.call })).toEqual({
      status: "ended",
      withdrawn: true,
    });
    expect(await view.answer(round, { "question-1": accept("Ada") })).toEqual({ kind: "gone" });
    expect(outcome).toBeUndefined();
  });

  test("continues when the user has finished on a page", async () => {
    const looks: string[] = [];
    const host = await open(
      tool((elicitor) =>
        elicitor.url("Pay", { url: (id) => `https://pay.example.com/${id}`, service: "Pay" }),
      ),
      { isCompleted: (id) => looks.push(id) > 1 },
    );
    const call = host.call("book");
    const view = host.view();
    const round = await view.asked();
    expect(round.inputRequests).toMatchObject({
      "question-1": { params: { mode: "url", url: expect.stringContaining("https://pay.example.com/") } },
    });
    await view.answer(round, { "question-1": { action: "accept" } });
    expect(JSON.parse(textOf(await call))).toEqual({ outcome: "accepted" });
    expect(looks).toHaveLength(2);
  });

  test("belongs to its own card when two calls run at the same time", async () => {
    const host = await open(asksOnce);
    const calls = [host.call("book", { to: "Lisbon" }), host.call("book", { to: "Porto" })];
    const porto = host.view({ tool: "book", arguments: { to: "Porto" } });
    const lisbon = host.view({ tool: "book", arguments: { to: "Lisbon" } });
    await porto.answer(await porto.asked(), { "question-1": accept("Bob") });
    await lisbon.answer(await lisbon.asked(), { "question-1": accept("Ada") });
    const [toLisbon, toPorto] = await Promise.all(calls);
    expect(JSON.parse(textOf(toLisbon!))).toEqual(accepted("Ada"));
    expect(JSON.parse(textOf(toPorto!))).toEqual(accepted("Bob"));
  });
});

// The card talks to the server in the same way, whatever the revision of the call.
describe("a call of a host with MCP Apps", () => {
  const open = (register: Parameters<typeof serveApp>[0], options?: ElicitingOptions) =>
    serveApp(register, options).host();

  test.each([
    ["decline", "declined"],
    ["cancel", "cancelled"],
  ])("passes %s to the tool", async (action, outcome) => {
    const host = await open(asksOnce);
    const call = host.call("book");
    const view = host.view();
    await view.answer(await view.asked(), { "question-1": { action } });
    expect(JSON.parse(textOf(await call)).outcome).toBe(outcome);
  });

  test("keeps the question when the answer is invalid, and names the field", async () => {
    const host = await open(asksOnce);
    const call = host.call("book");
    const view = host.view();
    const round = await view.asked();
    expect(await view.answer(round, { "question-1": accept("A") })).toMatchObject({
      kind: "refused",
      key: "question-1",
      errors: [{ field: "answer", code: "too-short" }],
    });
    expect(await view.answer(round, { "question-1": accept("Ada") })).toEqual({ kind: "settled" });
    expect(JSON.parse(textOf(await call))).toEqual(accepted("Ada"));
  });

  test("accepts one answer to each question, and the same answer again", async () => {
    const host = await open(asksTwice);
    void host.call("book");
    const view = host.view();
    const round = await view.asked();
    const answer = { "question-1": accept("Ada") };
    expect(await view.answer(round, answer)).toEqual({ kind: "settled" });
    expect(await view.answer(round, answer)).toEqual({ kind: "settled" });
    expect(await view.answer(round, { "question-1": accept("Bob") })).toEqual({ kind: "gone" });
  });

  test("gives the tool the outcome expired when a question expires", async () => {
    const clock = createSkippingClock();
    const host = await open(asksOnce, { clock, expiresInMs: 9000 });
    const call = host.call("book");
    const view = host.view();
    const round = await view.asked();
    expect(Date.parse(round.expiresAt ?? "")).toBeLessThanOrEqual(clock.now() + 9000);
    clock.skip(9000);
    expect(JSON.parse(textOf(await call)).outcome).toBe("expired");
    expect(await view.answer(round, { "question-1": accept("Ada") })).toEqual({ kind: "gone" });
  });

  test("belongs to only one card if the views do not know their calls", async () => {
    const host = await open(asksOnce);
    void host.call("book", { to: "Lisbon" });
    const first = host.view();
    const round = await first.asked();
    void host.call("book", { to: "Porto" });
    const second = await host.view().asked();
    expect(second.call).not.toBe(round.call);
  });

  test("belongs to its view until that is closed", async () => {
    const clock = createSkippingClock();
    const host = await open(asksOnce, { clock });
    void host.call("book");
    const view = host.view();
    const round = await view.asked();
    const other = host.view();
    expect(await other.answer(round, { "question-1": accept("Eve") })).toEqual({ kind: "gone" });
    const leaving = new AbortController();
    const poll = view.next(round.version, { call: round.call }, { signal: leaving.signal });
    const timers = clock.waiting;
    await expect.poll(() => clock.waiting).toBeGreaterThan(timers);
    leaving.abort();
    await poll.catch(() => {});
    const again = await host.view().asked();
    expect(again.call).toBe(round.call);
  });
});

test("a call is invisible to the view of another user", async () => {
  const clock = createSkippingClock();
  const server = serveApp(asksOnce, { clock });
  const ada = await server.host({ token: "ada" });
  const eve = await server.host({ token: "eve" });
  const call = ada.call("book");
  const view = ada.view();
  const round = await view.asked();
  const theirs = eve.view();
  const timers = clock.waiting;
  const poll = theirs.next(0, { call: round.call });
  await expect.poll(() => clock.waiting).toBeGreaterThan(timers + 1);
  clock.skip(2000);
  expect(await poll).toEqual({ status: "waiting" });
  expect(await theirs.answer(round, { "question-1": accept("Eve") })).toEqual({ kind: "gone" });
  await view.answer(round, { "question-1": accept("Ada") });
  expect(JSON.parse(textOf(await call))).toEqual(accepted("Ada"));
});

describe("the list of tools", () => {
  const names = (tools: readonly { name: string }[]) => tools.map(({ name }) => name);

  test("contains the card and its tools only for hosts with MCP Apps", async () => {
    const server = serveApp(asksOnce);
    const tools = await (await server.host()).tools();
    expect(names(tools)).toEqual(["book", "elicitation_next", "elicitation_answer", "elicitation_result"]);
    expect(tools.map(({ _meta: meta }) => meta)).toEqual([
      { ui: { resourceUri: expect.stringMatching(/^ui:\/\/elicit-kit\/card-/) } },
      { ui: { visibility: ["app"] } },
      { ui: { visibility: ["app"] } },
      { ui: { visibility: ["model"] } },
    ]);
    expect(await (await server.host({ capabilities: {} })).tools()).toMatchObject([{ name: "book" }]);
  });

  test("contains no card for a host that supports forms and pages", async () => {
    const host = await serveApp(asksOnce).host({
      capabilities: { ...APP_CLIENT, elicitation: { form: {}, url: {} } },
    });
    expect(names(await host.tools())).toEqual(["book"]);
  });

  test("contains no output schema for a tool whose result may be a question for the card", async () => {
    const host = await serveApp(registerElicitTools).host();
    const call = host.call("elicit_input", { message: "Name?" });
    const view = host.view();
    await view.answer(await view.asked(), { "question-1": accept("Ada") });
    expect((await call).structuredContent).toEqual({ outcome: "accepted", value: "Ada" });
    const [choice] = await host.tools();
    expect(choice).toMatchObject({ name: "elicit_choice" });
    expect(choice).not.toHaveProperty("outputSchema");
  });

  test("does not change a tool with its own app, unless the operator listed it", async () => {
    const withApp = (server: McpServer, eliciting: Eliciting) => {
      const config = { inputSchema: z.object({}), _meta: { ui: { resourceUri: "ui://own/app.html" } } };
      server.registerTool(
        "own",
        config,
        eliciting("own", async (_, ctx) => ({
          content: [{ type: "text", text: (await elicitorFor(ctx).text("Who?")).outcome }],
        })),
      );
    };
    const host = await serveApp(withApp).host();
    expect((await host.tools())[0]).toMatchObject({ _meta: { ui: { resourceUri: "ui://own/app.html" } } });
    expect(textOf(await host.call("own"))).toBe("unsupported");
    const named = await serveApp(withApp, { app: { tools: ["own"] } }).host();
    expect((await named.tools())[0]).toMatchObject({ _meta: { ui: { resourceUri: "ui://own/app.html" } } });
    const call = named.call("own");
    const view = named.view();
    await view.answer(await view.asked(), { "question-1": accept("Ada") });
    expect(textOf(await call)).toBe("accepted");
  });
});

test("with pagesOnly, a tool shows pages in the card and no forms", async () => {
  const register = tool(async (elicitor) => [
    await elicitor.confirm("Delete everything?"),
    await elicitor.url("Approve", { url: "https://approve.example.com/", service: "Approve" }),
  ]);
  const host = await serveApp(register, { app: { pagesOnly: ["book"] } }).host();
  const call = host.call("book");
  const view = host.view();
  const round = await view.asked();
  await view.answer(
    round,
    Object.fromEntries(Object.keys(round.inputRequests).map((key) => [key, { action: "accept" }])),
  );
  expect(JSON.parse(textOf(await call))).toMatchObject([{ outcome: "unsupported" }, { outcome: "accepted" }]);
});

test("a configured stateKey requires takeState, which remembers used states", () => {
  const stateKey = new Uint8Array(32);
  expect(() => serveApp(asksOnce, { stateKey })).toThrow("needs takeState");
});

test("a call without a user is immediately handed over to its view, because the view cannot be identified", async () => {
  const host = await serveApp(asksOnce).host({ token: undefined });
  const round = handedBy(await host.call("book"));
  expect(round.inputRequests).toHaveProperty("question-1");
});
