import { createAgentTurn } from "elicit-kit/agent";
import { expect, it, onTestFinished, vi } from "vitest";
import { type ReadStream, createChatClient } from "../../test/stages/chat-client.ts";
import { createTestRuntime } from "../../test/stages/test-runtime.ts";
import { createModel } from "./model.ts";
import { startPlanner } from "./planner.ts";

async function setUp() {
  const planner = await startPlanner({ port: 0 });
  onTestFinished(() => planner.close());
  const runtime = createTestRuntime((turn) => runTurn(turn));
  const runTurn = createAgentTurn({
    model: createModel({}),
    mcpServers: planner.servers,
    requester: { name: "Demo agent" },
    onError: (error) => runtime.errors.push(error),
  });
  return { runtime, ada: createChatClient(runtime.fetch, { user: "ada" }) };
}

/** How the chat has seen a request end. */
const lastOf = ({ chunks }: ReadStream, elicitationId: string) =>
  chunks.findLast(({ type, id }) => type === "data-elicitation-request" && id === elicitationId);

const asking = (text: string) => ({
  messages: [{ id: "m1", role: "user", parts: [{ type: "text", text }] }],
});

it.each(["2025-06", "2025-11", "2026-07"])(
  "the planner asks with a form, a page and a second form in MCP %s",
  async (revision) => {
    const { runtime, ada } = await setUp();
    const stream = await ada.send("c1", asking(`Plan a team day in MCP ${revision}`));
    const day = await stream.request();
    expect(day).toMatchObject({ mode: "form", requester: { name: "Planner", claimedName: "Demo planner" } });
    const content = { name: "Summer", date: "2027-06-01", outside: true };
    await ada.answer("c1", { elicitationId: day.elicitationId, action: "accept", content });

    if (revision !== "2025-06") {
      const { elicitationId, ...room } = await stream.request(0, ({ mode }) => mode === "url");
      if (room.mode !== "url") throw new Error("not a page");
      await ada.answer("c1", { elicitationId, action: "accept" });
      expect(await (await fetch(room.url)).text()).toContain("<button>Reserve</button>");
      await fetch(room.url, { method: "POST" });
      // In 2025-11 the server reports that the user has finished the page. In 2026 the client calls the tool again, and
      // the server checks.
      if (revision === "2026-07") await ada.answer("c1", { elicitationId, action: "accept" });
      await vi.waitFor(() =>
        expect(lastOf(stream, elicitationId)).toMatchObject({
          data: { resolution: { outcome: "accepted" } },
        }),
      );
    }
    const sure = await stream.request(0, ({ message }) => message.includes("invitations"));
    await ada.answer("c1", { elicitationId: sure.elicitationId, action: "accept", content: { sure: true } });
    await stream.done;
    const said = stream.chunks.map(({ delta }) => delta).join("");
    expect(said).toContain("Summer on 1 June 2027 is planned. Invitations are sent.");
    expect(runtime.errors).toEqual([]);
  },
);

it("the planner's reply says that the user has declined", async () => {
  const { ada } = await setUp();
  const stream = await ada.send("c1", asking("Plan a team day"));
  const { elicitationId } = await stream.request();
  await ada.answer("c1", { elicitationId, action: "decline" });
  await stream.done;
  expect(stream.chunks.map(({ delta }) => delta).join("")).toContain("answered with decline");
});
