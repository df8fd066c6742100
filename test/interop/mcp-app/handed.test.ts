/** Tests for a call that cannot wait: it returns, and the card continues it, in any process. */
import type { McpServer } from "@modelcontextprotocol/server";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { type Eliciting, elicitorFor } from "../../../extras/mcp-server/index.ts";
import type { ElicitingOptions } from "../../../extras/mcp-server/elicitor/options.ts";
import { createSkippingClock } from "../../stages/skipping-clock.ts";
import { type Era, accept, handedBy, serveApp, textOf } from "./host.ts";

const ERAS: readonly Era[] = ["2025-11-25", "2026-07-28"];

/** Books once, however often the handler runs. */
function bookings() {
  const booked: string[] = [];
  const register = (server: McpServer, eliciting: Eliciting) => {
    server.registerTool(
      "book",
      { inputSchema: z.object({ to: z.string().default("Lisbon") }) },
      eliciting("book", async ({ to }, ctx) => {
        const elicitor = elicitorFor(ctx);
        const who = await elicitor.text(`Who in ${to}?`, { minLength: 2 });
        const sure = await elicitor.confirm("Sure?");
        if (who.outcome !== "accepted" || sure.outcome !== "accepted") {
          return { content: [{ type: "text", text: `${who.outcome}, ${sure.outcome}` }] };
        }
        await elicitor.once("book", () => booked.push(who.value));
        return { content: [{ type: "text", text: `Booked for ${who.value}.` }] };
      }),
    );
  };
  return { booked, register };
}

/** A host that shows the view only after the result, or never. */
async function handedOver(era: Era, options: ElicitingOptions = {}) {
  const clock = createSkippingClock();
  const { booked, register } = bookings();
  const server = serveApp(register, { clock, ...options });
  const host = await server.host({ era });
  const called = host.call("book");
  const timers = clock.waiting;
  await expect.poll(() => clock.waiting).toBeGreaterThan(timers);
  clock.skip(8000);
  const result = await called;
  return { clock, booked, server, host, register, result, round: handedBy(result) };
}

describe.each(ERAS)("a call whose view appears after the result, in MCP %s", (era) => {
  test("returns a text that keeps the model from calling again, and the questions for the card", async () => {
    const { result, round } = await handedOver(era);
    expect(textOf(result)).toContain(`Call elicitation_result with call "${round.call}"`);
    expect(result.structuredContent).toEqual({ elicitation: { status: "waiting", call: round.call } });
    expect(round).toMatchObject({
      tool: "book",
      arguments: {},
      requestState: expect.stringMatching(/^ek1\./),
    });
  });

  test("is continued by the card, whose last answer returns the result", async () => {
    const { booked, host, round } = await handedOver(era);
    const view = host.view();
    const first = await view.continue(round, { "question-1": accept("Ada") });
    if (first.kind !== "settled" || first.round === undefined) throw new Error("no second round");
    const last = await view.continue(first.round, { "question-2": accept(true) });
    expect(last).toEqual({
      kind: "settled",
      result: { taken: false, content: [{ type: "text", text: "Booked for Ada." }] },
    });
    expect(booked).toEqual(["Ada"]);
    await view.delivered(round, true);
    expect(textOf(await host.call("elicitation_result", { call: round.call }))).toContain("already brought");
  });

  test("gives its result once to a model that waits for it", async () => {
    const { clock, host, round } = await handedOver(era);
    const timers = clock.waiting;
    const waiting = host.call("elicitation_result", { call: round.call });
    await expect.poll(() => clock.waiting).toBeGreaterThan(timers);
    const view = host.view();
    const first = await view.continue(round, { "question-1": accept("Ada") });
    if (first.kind !== "settled" || first.round === undefined) throw new Error("no second round");
    expect(await view.continue(first.round, { "question-2": accept(true) })).toMatchObject({
      kind: "settled",
      result: { taken: true },
    });
    expect(textOf(await waiting)).toBe("Booked for Ada.");
  });

  test("cannot be continued by another user, with other arguments, or twice", async () => {
    const { booked, host, server, round } = await handedOver(era);
    const answer = { "question-1": accept("Ada") };
    const eve = await server.host({ era, token: "eve" });
    expect(await eve.view().continue(round, answer)).toEqual({ kind: "gone" });
    const view = host.view();
    expect(await view.continue({ ...round, arguments: { to: "Rome" } }, answer)).toEqual({ kind: "gone" });
    expect(await view.continue({ ...round, tool: "elicitation_next" }, answer)).toEqual({ kind: "gone" });
    const first = await view.continue(round, answer);
    expect(first).toMatchObject({ kind: "settled", round: { tool: "book" } });
    expect(await view.continue(round, answer)).toEqual({ kind: "gone" });
    expect(booked).toEqual([]);
  });
});

// The card talks to the server in the same way, whatever the revision of the call.
describe("a call whose view appears after the result", () => {
  test.each([
    ["that says that its host has not accepted the result", false],
    ["that goes away before it can say so", undefined],
  ])("leaves its result to the model after a view %s", async (_, delivered) => {
    const { clock, host, round } = await handedOver("2026-07-28");
    const view = host.view();
    const first = await view.continue(round, { "question-1": accept("Ada") });
    if (first.kind !== "settled" || first.round === undefined) throw new Error("no second round");
    await view.continue(first.round, { "question-2": accept(true) });
    const waiting = host.call("elicitation_result", { call: round.call });
    if (delivered === undefined) clock.skip(10_000);
    else await view.delivered(round, delivered);
    expect(textOf(await waiting)).toBe("Booked for Ada.");
    expect(textOf(await host.call("elicitation_result", { call: round.call }))).toContain("already");
  });

  test("gives its questions to a poll of the view, for hosts that do not pass the result to the view", async () => {
    const { host, round } = await handedOver("2026-07-28");
    expect(await host.view().next()).toEqual({ status: "handed", round });
  });

  test("keeps the question when an answer is invalid", async () => {
    const { host, round } = await handedOver("2026-07-28");
    expect(await host.view().continue(round, { "question-1": accept("A") })).toMatchObject({
      kind: "refused",
      errors: [{ field: "answer", code: "too-short" }],
    });
    // A view that modifies the form cannot bypass the tool's checks.
    const { requestedSchema: _, ...loose } = { requestedSchema: undefined, mode: "form", message: "Who?" };
    const changed = { ...round, inputRequests: { "question-1": { params: loose } } };
    expect(await host.view().continue(changed, { "question-1": accept("A") })).toMatchObject({
      kind: "settled",
      round: {
        inputRequests: { "question-1": { params: { message: expect.stringContaining("Please check") } } },
      },
    });
  });

  test("ends as expired when the answer comes too late", async () => {
    const { clock, host, round } = await handedOver("2026-07-28", { expiresInMs: 60_000 });
    clock.skip(60_000);
    const reply = await host.view().continue(round, { "question-1": accept("Ada") });
    expect(reply).toMatchObject({ kind: "settled", round: { inputRequests: { "question-2": {} } } });
  });
});

test("a call that was handed over to its view continues in another process", async () => {
  const taken = new Set<string>();
  const shared: ElicitingOptions = {
    stateKey: new Uint8Array(32).fill(7),
    takeState: (id) => !taken.has(id) && taken.add(id).has(id),
  };
  const { booked, register, round } = await handedOver("2026-07-28", shared);
  const other = serveApp(register, shared);
  const view = (await other.host()).view();
  const first = await view.continue(round, { "question-1": accept("Ada") });
  if (first.kind !== "settled" || first.round === undefined) throw new Error("no second round");
  const answers = { "question-2": accept(true) };
  const both = await Promise.all([view.continue(first.round, answers), view.continue(first.round, answers)]);
  expect(both.map(({ kind }) => kind).toSorted()).toEqual(["gone", "settled"]);
  expect(booked).toEqual(["Ada"]);
});

test("calls of a client whose views are always late no longer wait for the view, until one is in time", async () => {
  const clock = createSkippingClock();
  const { register } = bookings();
  const host = await serveApp(register, { clock }).host();
  for (const _ of [1, 2]) {
    const called = host.call("book");
    const timers = clock.waiting;
    await expect.poll(() => clock.waiting).toBeGreaterThan(timers);
    clock.skip(8000);
    handedBy(await called);
  }
  const round = handedBy(await host.call("book"));
  const view = host.view();
  expect(await view.next(0, { call: round.call })).toMatchObject({ status: "handed" });
  const call = host.call("book", { to: "Porto" });
  const next = host.view({ arguments: { to: "Porto" } });
  await next.answer(await next.asked(), { "question-1": { action: "decline" } });
  void call;
});

test("a call that reaches its time limit is handed over to its view while the user types", async () => {
  const clock = createSkippingClock();
  const { register } = bookings();
  const host = await serveApp(register, { clock }).host();
  const called = host.call("book");
  const view = host.view();
  const asked = await view.asked();
  const poll = view.next(asked.version, { call: asked.call });
  clock.skip(45_000);
  const round = handedBy(await called);
  expect(round.inputRequests).toEqual(asked.inputRequests);
  expect(["handed", "waiting"]).toContain((await poll).status);
  expect(await view.answer(asked, { "question-1": accept("Ada") })).toEqual({ kind: "gone" });
  expect(await view.continue(round, { "question-1": accept("Ada") })).toMatchObject({ kind: "settled" });
});
