import { fileURLToPath } from "node:url";
import { Client, type ClientCapabilities } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { Client as ClientV1 } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport as TransportV1 } from "@modelcontextprotocol/sdk/client/stdio.js";
import { ElicitRequestSchema } from "@modelcontextprotocol/sdk/types.js";
import { expect, onTestFinished, test } from "vitest";
import { type Answer, BOTH, type Era, calledOf } from "./clients.ts";

const program = fileURLToPath(new URL("stdio-tools.ts", import.meta.url));
const spawned = { command: process.execPath, args: [program] };

type Result = Readonly<Record<"key" | "paid", unknown>>;

/** Calls the tool with version 2 of the official SDK, over the standard input and output of its process. */
async function callWithV2(era: Era, capabilities: ClientCapabilities, answer: Answer): Promise<Result> {
  const client = new Client(
    { name: "client-v2", version: "2" },
    {
      capabilities,
      ...(era === "2026-07-28"
        ? { versionNegotiation: { mode: { pin: era } } }
        : { supportedProtocolVersions: [era] }),
    },
  );
  client.setRequestHandler("elicitation/create", async ({ params }, ctx) =>
    answer(params, ctx.mcpReq.signal),
  );
  await client.connect(new StdioClientTransport(spawned));
  onTestFinished(() => client.close());
  return JSON.parse(calledOf(await client.callTool({ name: "ask", arguments: {} })).text);
}

/** The same with version 1, whose newest revision is 2025-11-25. */
async function callWithV1(_: Era, capabilities: ClientCapabilities, answer: Answer): Promise<Result> {
  const client = new ClientV1({ name: "client-v1", version: "1" }, { capabilities });
  client.setRequestHandler(ElicitRequestSchema, async ({ params }, { signal }) => answer(params, signal));
  await client.connect(new TransportV1(spawned));
  onTestFinished(() => client.close());
  return JSON.parse(calledOf((await client.callTool({ name: "ask", arguments: {} })) as object).text);
}

const FORM_ONLY = { elicitation: {} };
const titles = { enum: ["c", "a"], enumNames: ["C major", "a"] };
const titled = {
  oneOf: [
    { const: "c", title: "C major" },
    { const: "a", title: "a" },
  ],
};

test.each([
  ["2025-06-18", "2, forms only", callWithV2, FORM_ONLY, titles],
  ["2025-11-25", "1", callWithV1, BOTH, titles],
  ["2026-07-28", "2", callWithV2, BOTH, titled],
] as const)(
  "a tool over stdio asks a client of %s (SDK %s) with the features of that revision",
  async (era, _, callWith, capabilities, options) => {
    const asked: Parameters<Answer>[0][] = [];
    const { key, paid } = await callWith(era, capabilities, (params) => {
      asked.push(params);
      return params.mode === "url" ? { action: "accept" } : { action: "accept", content: { answer: "c" } };
    });
    const hasPages = capabilities === BOTH;
    expect(asked).toEqual([
      expect.objectContaining({
        message: "Which key?",
        requestedSchema: {
          type: "object",
          properties: { answer: { type: "string", title: "Your answer", ...options } },
          required: ["answer"],
        },
      }),
      ...(hasPages
        ? [expect.objectContaining({ mode: "url", message: "Pay", url: "https://pay.example.com/" })]
        : []),
    ]);
    expect(key).toEqual({ outcome: "accepted", value: "c" });
    expect(paid).toMatchObject({ outcome: hasPages ? "accepted" : "unsupported" });
  },
);
