/** Forms that the contract allows, for example from a server behind the agent, and that MCP's official clients refuse. */
import { describe, expect, test } from "vitest";
import type { RunTurn } from "../../../src/runtime/index.ts";
import { text } from "../../stages/test-runtime.ts";
import { type AgentOptions, serveAgent } from "./agent.ts";
import { clientV1, clientV2 } from "./clients.ts";
import { ASK, wireClient } from "./wire.ts";

const FORMS = {
  "a format that MCP lacks": { type: "string", format: "uuid" },
  "a choice without a type": { enum: ["a", "b"] },
  "a text that may be null": { type: ["string", "null"] },
} as const;
const withPage: AgentOptions = { runtime: { hostedPage: { origin: "https://auth.example.com" } } };
const FAILED = { outcome: "failed", reason: "the client cannot show this form" };

const asksWith = (property: object): RunTurn =>
  async function* run(turn) {
    const requestedSchema = { type: "object", properties: { it: { ...property } } } as const;
    yield { type: "start", messageId: turn.id };
    yield* text(JSON.stringify(await turn.ask({ mode: "form", message: "Which?", requestedSchema })));
    yield { type: "finish" };
  };

describe.each(Object.entries(FORMS))("a form with %s", (_, property) => {
  test.each([
    ["2025-06-18", clientV1],
    ["2025-11-25", clientV1],
    ["2025-11-25", clientV2],
    ["2026-07-28", clientV2],
  ] as const)(
    "fails for a client of %s, and is not taken for dismissed by its user",
    async (era, connect) => {
      const { url } = await serveAgent(asksWith(property));
      const client = await connect(url, era);
      const { text: told } = await client.call({ message: "Go" });
      expect(JSON.parse(told)).toEqual(FAILED);
    },
  );

  test("becomes a link to the answer page, if there is one", async () => {
    const { url } = await serveAgent(asksWith(property), withPage);
    const links: string[] = [];
    const client = await clientV2(url, "2025-11-25", {
      answer(params) {
        if (params.mode === "url") links.push(params.url);
        return { action: "decline" };
      },
    });
    const { text: told } = await client.call({ message: "Go" });
    expect(links).toEqual([expect.stringMatching(/^https:\/\/auth.example.com\/auth\/answer/)]);
    expect(JSON.parse(told)).toMatchObject({ outcome: "declined" });
  });

  test("does not keep a task waiting", async () => {
    const { url } = await serveAgent(asksWith(property));
    const client = wireClient(url);
    const capabilities = {
      elicitation: { form: {}, url: {} },
      extensions: { "io.modelcontextprotocol/tasks": {} },
    };
    const { result: started } = await client.call(ASK, { capabilities });
    const task = { taskId: Object(started)["taskId"] };
    const look = async () => (await client.request("tasks/get", task, { capabilities })).result;
    await expect.poll(look).toMatchObject({ status: "completed" });
    expect(Object(await look())["result"].structuredContent.answer).toBe(JSON.stringify(FAILED));
  });
});
