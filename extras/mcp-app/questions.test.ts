import { describe, expect, onTestFinished, test } from "vitest";
import { createElicitationClient } from "../../src/client/index.ts";
import { createManualClock } from "../../src/base/testing/manual-clock.ts";
import { FakeBrowser } from "../../src/client/popup/testing/fake-browser.ts";
import { createMcpAppChannel } from "./channel.ts";
import { CARD_TOOLS, type CardRound } from "../../src/mcp/wire/app.ts";

const PAGE = {
  params: { mode: "url", message: "Pay", url: "https://pay.example.com/1", elicitationId: "p" },
};
const form = (message: string) => ({
  params: {
    message,
    requestedSchema: { type: "object", properties: { answer: { type: "string" } }, required: ["answer"] },
  },
});
/** A question that no client can show. */
const BROKEN = { params: { message: "?", requestedSchema: { type: "array" } } };

/** A view whose server asks round after round, each after the answers to the one before. */
function openView(...rounds: readonly CardRound["inputRequests"][]) {
  const clock = createManualClock();
  const sent: unknown[] = [];
  const channel = createMcpAppChannel({
    serverName: "Parcels",
    clock,
    host: {
      async callTool({ name, arguments: given }) {
        if (name === CARD_TOOLS.answer) {
          sent.push(given["responses"]);
          return { content: [], structuredContent: { kind: "settled" } };
        }
        const version = sent.length + 1;
        const inputRequests = rounds[sent.length];
        const isNew = inputRequests !== undefined && given["seen"] !== version;
        const round = { call: "c1", version, inputRequests };
        return { content: [], structuredContent: isNew ? { status: "asked", round } : { status: "waiting" } };
      },
      report: async () => {},
    },
  });
  const client = createElicitationClient({
    channel,
    storage: null,
    clock,
    popupEnvironment: new FakeBrowser(),
  });
  onTestFinished(() => {
    channel.close();
    client.dispose();
  });
  const items = () => client.getSnapshot().items;
  return {
    client,
    sent,
    items,
    async shown(message: string): Promise<string> {
      const found = () => items().find(({ request }) => request.message === message)?.id;
      await expect
        .poll(() => {
          clock.advance(250);
          return found();
        })
        .toBeDefined();
      return found() ?? "";
    },
  };
}

describe("the view sends the answer to a form", () => {
  test("that is asked beside a page on which the user is", async () => {
    const { client, sent, shown, items } = openView(
      { pay: PAGE, who: form("Who?") },
      { pay: PAGE, when: form("When?") },
    );
    void client.connect(await shown("Pay"));
    await client.accept(await shown("Who?"), { answer: "Ada" });
    await client.accept(await shown("When?"), { answer: "Now" });
    expect(sent).toEqual([
      { pay: { action: "accept" }, who: { action: "accept", content: { answer: "Ada" } } },
      { when: { action: "accept", content: { answer: "Now" } } },
    ]);
    expect(items().map(({ status }) => status)).toEqual(["opened", "accepted", "accepted"]);
  });

  test("that is asked beside a question that cannot be shown", async () => {
    const { client, sent, shown } = openView({ broken: BROKEN, who: form("Who?") });
    await client.accept(await shown("Who?"), { answer: "Ada" });
    expect(sent).toEqual([{ who: { action: "accept", content: { answer: "Ada" } } }]);
  });
});
