/** The agent of a runtime asks through the card, too: its turn waits. */
import { describe, expect, test } from "vitest";
import { type RunTurn, createElicitor } from "../../../src/runtime/index.ts";
import type { McpSurfaceOptions } from "../../../extras/mcp-server/mcp-surface.ts";
import { serveAgent } from "../mcp-server/agent.ts";
import { asks, asksForCity } from "../mcp-server/turns.ts";
import { createSkippingClock } from "../../stages/skipping-clock.ts";
import { type Era, accept, connectHost, handedBy, textOf } from "./host.ts";

const ERAS: readonly Era[] = ["2025-11-25", "2026-07-28"];
const ASK = { message: "Book a trip" };

async function open(
  runTurn: RunTurn,
  {
    era = "2026-07-28",
    token = "ada",
    ...surface
  }: Partial<McpSurfaceOptions> & { era?: Era; token?: string } = {},
) {
  const agent = await serveAgent(runTurn, {
    surface: { app: true, ...surface },
    runtime: { hostedPage: { origin: "https://auth.example.com" } },
  });
  const hostOf = (user: string) =>
    connectHost(
      new URL("http://localhost/run/v1/mcp"),
      (request) => {
        request.headers.set("authorization", `Bearer ${user}`);
        return agent.surface.fetch(request);
      },
      { era },
    );
  return { ...agent, hostOf, host: await hostOf(token) };
}

const keyOf = ({ inputRequests }: { inputRequests: object }) => Object.keys(inputRequests)[0] ?? "";

describe.each(ERAS)("an agent in a host with MCP Apps, in MCP %s", (era) => {
  test("continues its turn with the answer, and the same call returns its reply", async () => {
    const { host } = await open(asksForCity, { era });
    const call = host.call("ask_agent", ASK);
    const view = host.view();
    const round = await view.asked();
    expect(Object.values(round.inputRequests)).toMatchObject([{ params: { message: "Where to?" } }]);
    expect(await view.answer(round, { [keyOf(round)]: accept("Oslo") })).toEqual({ kind: "settled" });
    expect(textOf(await call)).toBe('{"outcome":"accepted","value":"Oslo"}');
  });

  test("stops its turn when the host cancels the call", async () => {
    let outcome: string | undefined;
    const { host } = await open(
      async function* run(turn) {
        yield { type: "start", messageId: turn.id };
        outcome = (await createElicitor({ turn, tool: "book" }).text("Where to?")).outcome;
      },
      { era },
    );
    const abort = new AbortController();
    void host.call("ask_agent", ASK, { signal: abort.signal });
    await host.view().asked();
    abort.abort();
    await expect.poll(() => outcome).toBe("withdrawn");
  });

  test("continues through the card when the view appears after the result", async () => {
    const clock = createSkippingClock();
    const { host, hostOf } = await open(asksForCity, { era, clock });
    const call = host.call("ask_agent", ASK);
    const timers = clock.waiting;
    await expect.poll(() => clock.waiting).toBeGreaterThan(timers);
    let result: Awaited<typeof call> | undefined;
    void call.then((done) => (result = done));
    await expect
      .poll(() => {
        clock.skip(4000);
        return result;
      })
      .toBeDefined();
    const round = handedBy(await call);
    const answer = { [keyOf(round)]: accept("Oslo") };
    expect(await (await hostOf("eve")).view().continue(round, answer)).toEqual({ kind: "gone" });
    expect(await host.view().continue(round, answer)).toMatchObject({
      kind: "settled",
      result: { taken: false, content: [{ text: '{"outcome":"accepted","value":"Oslo"}' }] },
    });
  });
});

test("an agent lists the tools and the card for hosts with MCP Apps", async () => {
  const { host } = await open(asksForCity);
  const tools = await host.tools();
  expect(tools.map(({ name }) => name)).toEqual([
    "ask_agent",
    "elicitation_next",
    "elicitation_answer",
    "elicitation_result",
  ]);
  const [card] = await host.resources();
  expect(tools[0]).toMatchObject({ _meta: { ui: { resourceUri: card?.uri } } });
  expect(card?.mimeType).toBe("text/html;profile=mcp-app");
});

test("with pagesOnly, an agent's question is a link to the answer page and not a form", async () => {
  const { host } = await open(
    asks((elicitor) => elicitor.confirm("Delete everything?")),
    { app: { pagesOnly: true } },
  );
  void host.call("ask_agent", ASK);
  const round = await host.view().asked();
  expect(Object.values(round.inputRequests)).toMatchObject([
    { params: { mode: "url", url: expect.stringContaining("https://auth.example.com/auth/answer") } },
  ]);
});
