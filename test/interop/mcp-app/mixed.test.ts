/** Tests for a host that supports only forms or only pages, and shows the card for the others, in the same call. */
import type { CallToolResult, ElicitResult } from "@modelcontextprotocol/client";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { type ToolElicitor, elicitorFor } from "../../../extras/mcp-server/index.ts";
import type { ElicitingOptions } from "../../../extras/mcp-server/elicitor/options.ts";
import { createSkippingClock } from "../../stages/skipping-clock.ts";
import { APP_CLIENT, type Era, accept, handedBy, serveApp, textOf } from "./host.ts";

const PAGE = { url: "https://pay.example.com/1", service: "Pay" };

interface Given {
  readonly era: Era;
  readonly elicitation: Record<string, Record<string, never>>;
  readonly ask: (elicitor: ToolElicitor) => Promise<readonly { outcome: string }[]>;
  readonly options?: ElicitingOptions;
}

async function open({ era, elicitation, ask, options }: Given) {
  const asked: string[] = [];
  const server = serveApp(
    (mcp, eliciting) =>
      mcp.registerTool(
        "book",
        { inputSchema: z.object({}) },
        eliciting("book", async (_, ctx) => {
          const outcomes = (await ask(elicitorFor(ctx))).map(({ outcome }) => outcome);
          return { content: [{ type: "text", text: outcomes.join(", ") }] };
        }),
      ),
    options,
  );
  const elicit = ({
    mode = "form",
    message,
  }: {
    mode?: string | undefined;
    message: string;
  }): ElicitResult => {
    asked.push(message);
    return mode === "url" ? { action: "accept" } : { action: "accept", content: { answer: "Ada" } };
  };
  const host = await server.host({ era, capabilities: { ...APP_CLIENT, elicitation }, elicit });
  return { host, asked };
}

/** The round of a call without a view in time. */
async function handedAfter(
  call: Promise<CallToolResult>,
  clock: ReturnType<typeof createSkippingClock>,
): Promise<ReturnType<typeof handedBy>> {
  let result: CallToolResult | undefined;
  void call.then((returned) => (result = returned));
  await expect
    .poll(() => {
      clock.skip(4000);
      return result;
    })
    .toBeDefined();
  if (result === undefined) throw new Error("not handed over");
  return handedBy(result);
}

const together = (elicitor: ToolElicitor) => Promise.all([elicitor.text("Who?"), elicitor.url("Pay", PAGE)]);
const inTurn = async (elicitor: ToolElicitor) => [
  await elicitor.text("Who?"),
  await elicitor.url("Pay", PAGE),
  await elicitor.text("When?"),
];

describe.each<Era>(["2025-11-25", "2026-07-28"])("a host that supports forms, in MCP %s", (era) => {
  const elicitation = { form: {} };

  test("shows the form, and then the card shows the page that was asked at the same time", async () => {
    const { host, asked } = await open({ era, elicitation, ask: together });
    const call = host.call("book");
    const view = host.view();
    const round = await view.asked();
    expect(asked).toEqual(["Who?"]);
    expect(round.inputRequests).toEqual({ "question-2": expect.objectContaining({}) });
    await view.answer(round, { "question-2": { action: "accept" } });
    expect(textOf(await call)).toBe("accepted, accepted");
  });

  test("shows forms while the card shows pages, in one call", async () => {
    const { host, asked } = await open({ era, elicitation, ask: inTurn });
    const call = host.call("book");
    const view = host.view();
    await view.answer(await view.asked(), { "question-2": { action: "decline" } });
    expect(textOf(await call)).toBe("accepted, declined, accepted");
    expect(asked).toEqual(["Who?", "When?"]);
  });

  test("leaves the remaining questions to the card after the call was handed over", async () => {
    const clock = createSkippingClock();
    const { host, asked } = await open({ era, elicitation, ask: inTurn, options: { clock } });
    const call = host.call("book");
    const round = await handedAfter(call, clock);
    const view = host.view();
    const next = await view.continue(round, { "question-2": { action: "accept" } });
    if (next.kind !== "settled" || next.round === undefined) throw new Error("no form");
    expect(next.round.inputRequests).toMatchObject({ "question-3": { params: { message: "When?" } } });
    expect(await view.continue(next.round, { "question-3": accept("Now") })).toMatchObject({
      result: { content: [{ text: "accepted, accepted, accepted" }] },
    });
    expect(asked).toEqual(["Who?"]);
  });

  test("shows no form in the card of a tool with pagesOnly", async () => {
    const clock = createSkippingClock();
    const options = { clock, app: { pagesOnly: ["book"] } };
    const { host, asked } = await open({ era, elicitation, ask: inTurn, options });
    const call = host.call("book");
    const round = await handedAfter(call, clock);
    expect(await host.view().continue(round, { "question-2": { action: "accept" } })).toMatchObject({
      result: { content: [{ text: "accepted, accepted, cancelled" }] },
    });
    expect(asked).toEqual(["Who?"]);
  });
});

describe.each<Era>(["2025-11-25", "2026-07-28"])("a host that supports pages, in MCP %s", (era) => {
  test("shows a slow page only once, and the card shows the form", async () => {
    let looks = 0;
    const { host, asked } = await open({
      era,
      elicitation: { url: {} },
      ask: together,
      options: { isCompleted: () => (looks += 1) > 2 },
    });
    const call = host.call("book");
    const view = host.view();
    await view.answer(await view.asked(), { "question-1": accept("Ada") });
    expect(textOf(await call)).toBe("accepted, accepted");
    expect(asked).toEqual(["Pay"]);
  });
});
