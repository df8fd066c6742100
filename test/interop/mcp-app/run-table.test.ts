/**
 * Tests for the behaviour of hosts, and how the answer reaches the tool. Both sides use ext-apps: its AppBridge is the
 * host, with the switches of test/stages/bridge-host.ts, and its App is the view, with the kit's channel. The same host
 * shows the card itself, in a real browser, in test/e2e/mcp-app.spec.ts.
 *
 * Rows that only a browser can show, and where they are:
 * - the strict policy of the specification, the whole address of a page, a form that is half filled in at a handover, and
 *   a host that asks by itself and shows the card (SEP-3118): test/e2e/mcp-app.spec.ts
 * - MCP Inspector: test/fixtures/mcp-inspector/page.test.ts (`npm run test:long -- mcp-inspector`)
 */
import type { CallToolResult } from "@modelcontextprotocol/client";
import { describe, expect, test } from "vitest";
import type { ElicitingOptions } from "../../../extras/mcp-server/elicitor/options.ts";
import type { HostSwitches } from "../../stages/bridge-host.ts";
import { PAGE, type Stage, openHost, parcels } from "./app-view.ts";
import { createSkippingClock } from "../../stages/skipping-clock.ts";
import { type Era, accept, handedBy, serveApp, textOf } from "./host.ts";

/** The user's reaction to the questions. */
type User =
  | "answers"
  | "answers wrongly, then well"
  | "declines"
  | "dismisses"
  | "opens the page"
  | "thinks for 45 s";
/** How the answer reaches the tool, or whether the call ends without it. */
type Way = "held" | "waited for" | "handed over" | "ended";

interface Row {
  readonly host: string;
  readonly does: HostSwitches;
  /** @default answers */
  readonly user?: User;
  /** The model calls `elicitation_result`. @default false */
  readonly waits?: boolean;
  readonly way: Way;
  /** The result of the tool, wherever it arrives. */
  readonly result: string;
  /** How many messages the view sends, and how often it sets the model's context. @default 0 */
  readonly messages?: number;
  readonly contexts?: number;
}

const BOOKED = "Booked for Ada.";

const HELD = { way: "held", result: BOOKED } as const;
const HANDED_OVER = { way: "handed over", result: BOOKED, messages: 1, contexts: 1 } as const;

const TABLE: readonly Row[] = [
  { host: "shows the view while the call runs", does: {}, ...HELD },
  { host: "shows the view, and the user declines", does: {}, user: "declines", ...HELD, result: "declined" },
  {
    host: "shows the view, and the user dismisses the question",
    does: {},
    user: "dismisses",
    ...HELD,
    result: "cancelled",
  },
  { host: "shows the view, and an answer is invalid", does: {}, user: "answers wrongly, then well", ...HELD },
  { host: "opens a page for the view", does: {}, user: "opens the page", ...HELD, result: "Paid." },
  { host: "does not pass on the arguments (claude.ai)", does: { late: true }, ...HELD },
  { host: "sends the view nothing (Claude on iOS)", does: { mute: true }, ...HELD },
  { host: "shows the view after the result (Claude Desktop)", does: { after: true }, ...HANDED_OVER },
  { host: "makes one call after the other", does: { serial: true }, ...HANDED_OVER },
  {
    host: "shows the view after the result, and sends it nothing",
    does: { after: true, mute: true },
    ...HANDED_OVER,
  },
  {
    host: "accepts no messages (basic-host)",
    does: { after: true, quiet: true },
    ...HANDED_OVER,
    messages: 0,
  },
  { host: "has a model that waits", does: { after: true }, waits: true, way: "waited for", result: BOOKED },
  { host: "has a user who types longer", does: {}, user: "thinks for 45 s", ...HANDED_OVER },
  { host: "ends the call after five seconds", does: { timeout: 5000 }, way: "ended", result: "timed out" },
];

const ERAS: readonly Era[] = ["2025-11-25", "2026-07-28"];

/** Simulates the user, in the view. */
async function play(user: User, { view, clock, links }: Stage, called: Promise<unknown>): Promise<void> {
  const { client, asked, items } = await view;
  const { id } = await asked();
  if (user === "declines") return client.decline(id);
  if (user === "dismisses") return client.cancel(id);
  if (user === "opens the page") {
    void client.connect(id);
    await expect.poll(() => links).toEqual([PAGE]);
    return;
  }
  if (user === "answers wrongly, then well") {
    await client.accept(id, { answer: "A" });
    expect(items()[0]).toMatchObject({ status: "pending", fieldErrors: { answer: { code: "too-short" } } });
  }
  if (user === "thinks for 45 s") {
    clock.skip(45_000);
    await called;
    expect(items()).toMatchObject([{ id, status: "pending" }]);
  }
  await client.accept(id, { answer: "Ada" });
  await expect.poll(async () => (await asked()).id).not.toBe(id);
  const next = await asked();
  await client.accept(next.id, { answer: true });
}

/** Advances the clock until the call is handed over, or the poll of a view ends. */
async function untilOver({ clock }: Pick<Stage, "clock">, request: Promise<unknown>): Promise<void> {
  let isDone = false;
  void request.finally(() => (isDone = true)).catch(() => {});
  await expect
    .poll(() => {
      if (!isDone) clock.skip(4000);
      return isDone;
    })
    .toBe(true);
}

async function runRow({ does, user = "answers", waits = false, way }: Row, era: Era) {
  const stage = await openHost(era, does);
  const called =
    user === "opens the page" ? stage.host.call("pay", {}) : stage.host.call("book", { to: "Lisbon" });
  called.catch(() => {});
  if (way === "ended") {
    const { asked, items } = await stage.view;
    await asked();
    const error = await called.catch((reason: unknown) => reason);
    await expect.poll(() => items()[0]?.status).toBe("withdrawn");
    return { way, result: String(error), stage };
  }
  if (does.after === true || does.serial === true) await untilOver(stage, called);
  let waited: Promise<CallToolResult> | undefined;
  if (waits) {
    const { call } = handedBy(await called);
    const timers = stage.clock.waiting;
    waited = stage.callTool("elicitation_result", { call });
    await expect.poll(() => stage.clock.waiting).toBeGreaterThan(timers);
  }
  await play(user, stage, called);
  const text = textOf(await called);
  if (!text.includes("elicitation_result")) return { way: "held", result: text, stage };
  if (waited !== undefined) return { way: "waited for", result: textOf(await waited), stage };
  await expect.poll(() => stage.contexts).not.toEqual([]);
  return { way: "handed over", result: stage.contexts.join(), stage };
}

describe.each(ERAS)("in MCP %s, a host with MCP Apps and without elicitation", (era) => {
  test.each(TABLE)("that $host: the call is $way", async (row) => {
    const { way, result, stage } = await runRow(row, era);
    expect({ way, result }).toEqual({ way: row.way, result: expect.stringContaining(row.result) });
    expect(stage.booked).toEqual(row.result === BOOKED ? ["Ada"] : []);
    await expect.poll(() => stage.messages).toHaveLength(row.messages ?? 0);
    expect(stage.contexts).toHaveLength(row.contexts ?? 0);
    for (const message of stage.messages) expect(message).toContain(row.result);
  });
});

/** One or two processes of a server. `handedOver` is a call whose view appeared too late. */
function serve(era: Era, options: ElicitingOptions = {}) {
  const clock = createSkippingClock();
  const { booked, register } = parcels();
  const start = () => serveApp(register, { clock, ...options });
  const server = start();
  const host = (token = "ada") => server.host({ era, token });
  async function handedOver() {
    const called = (await host()).call("book", { to: "Lisbon" });
    await untilOver({ clock }, called);
    return handedBy(await called);
  }
  return { clock, booked, start, server, host, handedOver };
}
const shared = (): ElicitingOptions => {
  const taken = new Set<string>();
  return {
    stateKey: new Uint8Array(32).fill(7),
    takeState: (id) => !taken.has(id) && taken.add(id).has(id),
  };
};
const ADA = { "question-1": accept("Ada") };
const SURE = { "question-2": accept(true) };
const GONE = { kind: "gone" };

describe.each(ERAS)("in MCP %s, an answer counts once, and only from the view of its call:", (era) => {
  test("each of two calls at once has its own view, found by its arguments or by the order", async () => {
    const host = await serve(era).host();
    for (const to of ["Lisbon", "Porto", "Rome"]) void host.call("book", { to });
    const porto = await host.view({ arguments: { to: "Porto" } }).asked();
    expect(porto.inputRequests).toMatchObject({ "question-1": { params: { message: "Who in Porto?" } } });
    const others = [await host.view().asked(), await host.view().asked()];
    expect(new Set([porto, ...others].map(({ call }) => call)).size).toBe(3);
  });

  test("another user, another view and a second answer are refused", async () => {
    const { host: hostOf, booked } = serve(era);
    const host = await hostOf();
    const called = host.call("book");
    const view = host.view();
    const first = await view.asked();
    expect(await (await hostOf("eve")).view().answer(first, ADA)).toEqual(GONE);
    expect(await host.view().answer(first, ADA)).toEqual(GONE);
    expect(await view.answer(first, ADA)).toEqual({ kind: "settled" });
    expect(await view.answer(first, { "question-1": accept("Eve") })).toEqual(GONE);
    const second = await view.next(first.version, { call: first.call });
    if (second.status === "asked") await view.answer(second.round, SURE);
    expect(textOf(await called)).toBe(BOOKED);
    expect(booked).toEqual(["Ada"]);
  });

  test("a call that was handed over refuses another user and other arguments, and stays usable", async () => {
    const { host: hostOf, handedOver, booked } = serve(era);
    const round = await handedOver();
    const view = (await hostOf()).view();
    expect(await (await hostOf("eve")).view().continue(round, ADA)).toEqual(GONE);
    expect(await view.continue({ ...round, arguments: { to: "Rome" } }, ADA)).toEqual(GONE);
    const next = await view.continue(round, ADA);
    if (next.kind !== "settled" || next.round === undefined) throw new Error("no second round");
    expect(await view.continue(round, ADA)).toEqual(GONE);
    expect(await view.continue(next.round, SURE)).toMatchObject({ result: { taken: false } });
    expect(booked).toEqual(["Ada"]);
  });

  test("a model that has the card's tools cannot answer instead of the view, and never sees the state", async () => {
    const { clock, host: hostOf } = serve(era);
    const host = await hostOf();
    const called = host.call("book");
    const { call, version } = await host.view().asked();
    const answer = { view: "model", call, version, responses: ADA };
    const { structuredContent } = await host.call("elicitation_answer", answer);
    expect(structuredContent).toEqual(GONE);
    await untilOver({ clock }, called);
    const { content, structuredContent: seen } = await called;
    expect(JSON.stringify([content, seen])).not.toContain("ek1.");
    const again = await host.call("elicitation_answer", { ...answer, version: version + 1 });
    expect(again.structuredContent).toEqual(GONE);
  });

  test("an answer two seconds after the expiry does not count", async () => {
    const { clock, host, handedOver, booked } = serve(era, { expiresInMs: 60_000 });
    const round = await handedOver();
    clock.skip(62_000);
    expect(await (await host()).view().continue(round, ADA)).toMatchObject({
      kind: "settled",
      result: { content: [{ text: "expired" }] },
    });
    expect(booked).toEqual([]);
  });

  test("a reloaded host that calls again gets a separate card", async () => {
    const { clock, host: hostOf } = serve(era);
    const old = await hostOf();
    void old.call("book");
    const left = await old.view().asked();
    await old.close();
    const host = await hostOf();
    void host.call("book");
    expect((await host.view().asked()).call).not.toBe(left.call);
    // The view that was left keeps its call for 30 seconds.
    clock.skip(30_000);
    const state = await host.view().next(0, { call: left.call });
    const isCancelled = era === "2026-07-28";
    expect(state).toMatchObject(isCancelled ? { status: "ended", withdrawn: true } : { status: "asked" });
  });

  test("when a view reaches another process, the call is handed over, and its questions continue in both processes", async () => {
    const { clock, start, host, booked } = serve(era, shared());
    const called = (await host()).call("book");
    const there = (await start().host({ era })).view();
    const poll = there.next();
    await untilOver({ clock }, called);
    await untilOver({ clock }, poll);
    expect((await poll).status).toBe("waiting");
    const next = await there.continue(handedBy(await called), ADA);
    if (next.kind !== "settled" || next.round === undefined) throw new Error("no second round");
    expect(await (await host()).view().continue(next.round, SURE)).toMatchObject({ kind: "settled" });
    expect(booked).toEqual(["Ada"]);
  });

  test("the same last answer in two processes has one effect, and a stateKey without a shared takeState is refused", async () => {
    const { start, host, handedOver, booked } = serve(era, shared());
    const views = [(await host()).view(), (await start().host({ era })).view()];
    const next = await views[0]!.continue(await handedOver(), ADA);
    if (next.kind !== "settled" || next.round === undefined) throw new Error("no second round");
    const { round } = next;
    const replies = await Promise.all(views.map((view) => view.continue(round, SURE)));
    expect(replies.map(({ kind }) => kind).toSorted()).toEqual(["gone", "settled"]);
    expect(booked).toEqual(["Ada"]);
    expect(() => serve(era, { stateKey: new Uint8Array(32) })).toThrow("needs takeState");
  });
});
