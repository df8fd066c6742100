/** What tools of MCP servers say beside plain text. */
import { expect } from "vitest";
import { chatWith } from "../interop/mcp/chat.ts";
import { answering } from "../interop/mcp/servers.ts";
import { fieldCase } from "./field-case.ts";

/** What the model gets of a result. */
async function seen(result: Readonly<Record<string, unknown>>): Promise<unknown> {
  const { url } = await answering(() => ({ resultType: "complete", ...result }));
  const chat = chatWith(url, [{ srv_ask: {} }, "Done."]);
  await (
    await chat.send()
  ).done;
  expect(chat.errors).toEqual([]);
  const [output] = JSON.parse(chat.results());
  return output;
}

const text = (said: string) => ({ type: "text", text: said });

fieldCase(
  {
    sources: [
      "CopilotKit/OpenBot#597",
      "docker/docker-agent#2612",
      "github/github-mcp-server#607",
      "github/github-mcp-server#1383",
    ],
    before: "failed",
  },
  "the model reads the text of a file that a tool returns as a resource",
  async () => {
    const resource = { uri: "repo://docs/README.md", mimeType: "text/markdown", text: "# The file" };
    const content = [text("successfully downloaded text file"), { type: "resource", resource }];
    expect(await seen({ content })).toEqual({
      type: "text",
      value: "successfully downloaded text file\n# The file",
    });
  },
);

fieldCase(
  { sources: ["github/github-mcp-server#1383"], before: "failed" },
  "the model gets the names of files that a tool links, and the addresses of those that are no text",
  async () => {
    const content = [
      { type: "resource_link", uri: "https://x.example/report.pdf", name: "report.pdf" },
      { type: "resource", resource: { uri: "repo://logo.png", mimeType: "image/png", blob: "AAAA" } },
      { type: "image", mimeType: "image/png", data: "AAAA" },
    ];
    expect(await seen({ content })).toEqual({
      type: "text",
      value: "[resource_link] report.pdf: https://x.example/report.pdf\n[resource] repo://logo.png\n[image]",
    });
  },
);

fieldCase(
  {
    sources: [
      "anthropics/claude-code#79944",
      "NousResearch/hermes-agent#7048",
      "anomalyco/opencode#38923",
      "MoonshotAI/kimi-code#2554",
    ],
    before: "failed",
  },
  "the model gets the text of a result and its structured content, where they differ",
  async () => {
    const structuredContent = { documentId: "d1" };
    expect(await seen({ content: [text("The document.")], structuredContent })).toEqual({
      type: "json",
      value: { text: "The document.", structuredContent },
    });
  },
);

fieldCase(
  { sources: ["anomalyco/opencode#38923", "MoonshotAI/kimi-code#2554"], before: "passed" },
  "the model gets a result once whose text only repeats the structured content",
  async () => {
    const rows = { rows: [{ id: 1 }, { id: 2 }] };
    const asText = [text(JSON.stringify(rows, null, 2))];
    expect(await seen({ content: asText, structuredContent: rows })).toEqual({ type: "json", value: rows });
    expect(await seen({ content: [], structuredContent: rows })).toEqual({ type: "json", value: rows });
    // Servers in Python wrap a value that is no object, and write each item of a list as a text of its own.
    for (const [wrapped, ...texts] of [
      ["sunny", "sunny"],
      [42, "42"],
      [["Oslo", "Bergen"], "Oslo", "Bergen"],
      [[{ id: 1 }, { id: 2 }], '{"id": 1}', '{"id": 2}'],
    ] as const) {
      const structuredContent = { result: wrapped };
      expect(await seen({ content: texts.map(text), structuredContent })).toEqual({
        type: "json",
        value: structuredContent,
      });
    }
  },
);

fieldCase(
  { sources: ["anthropics/claude-code#86032"], before: "failed" },
  "the model gets the reason of a failed call that is in the structured content",
  async () => {
    const structuredContent = { error: { code: "NEEDS_HUMAN", hint: "Ask the owner." } };
    const reason = JSON.stringify(structuredContent);
    for (const [content, value] of [
      [[], reason],
      [[text("")], reason],
      [[text("Refused.")], `Refused.\n${reason}`],
      [[text(reason)], reason],
    ] as const) {
      expect(await seen({ isError: true, content, structuredContent })).toEqual({
        type: "error-text",
        value,
      });
    }
  },
);
