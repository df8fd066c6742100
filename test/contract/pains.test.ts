import { execFileSync } from "node:child_process";
import { createElicitationClient } from "elicit-kit/client";
import { parseElicitationRequest, parseElicitationResponse } from "elicit-kit/contract";
import { describe, expect, it } from "vitest";
import { FakeChannel } from "../../src/client/testing/fake-channel.ts";

/** Problems of other tools that no single module prevents. The whole list is in docs/evidence/pains.md. */
describe("the answer to a request", () => {
  it("is decline, never reject, for a refusal (mastra-ai/mastra#6796)", () => {
    expect(parseElicitationResponse({ elicitationId: "e1", action: "decline" }).ok).toBe(true);
    expect(parseElicitationResponse({ elicitationId: "e1", action: "reject" }).ok).toBe(false);
  });
});

describe("a form", () => {
  it("is read and checked without creating code from strings (typescript-sdk#689)", () => {
    const script = `
      import { checkContent } from ${JSON.stringify(new URL("../../src/form/check-content.ts", import.meta.url).href)};
      let forbidden = false;
      try { new Function("return 1"); } catch { forbidden = true; }
      const schema = { type: "object", properties: { a: { type: "string", pattern: "^a+$" } }, required: ["a"] };
      console.log(forbidden, JSON.stringify(checkContent(schema, { a: "b" })));`;
    const said = execFileSync(
      process.execPath,
      ["--disallow-code-generation-from-strings", "--input-type=module", "--eval", script],
      { encoding: "utf8" },
    );
    expect(said).toMatch(/^true /);
    expect(said).toContain('"pattern"');
  });
});

describe("the MCP error -32042", () => {
  it("contains a list of requests, which an app can pass to a client directly (danny-avila/LibreChat#14141)", async () => {
    const error = {
      code: -32042,
      message: "Authorization is needed.",
      data: {
        elicitations: [
          {
            mode: "url",
            elicitationId: "e1",
            url: "https://auth.example.com/e1",
            message: "Connect GitHub.",
          },
        ],
      },
    };
    // Answers stay in the client, because nothing waits for them. The server reports completion, and the app calls the
    // tool again.
    const channel = new FakeChannel();
    channel.delivers = { accept: "local", decline: "local", cancel: "local" };
    const client = createElicitationClient({ channel, storage: null });
    for (const params of error.data.elicitations) {
      const parsed = parseElicitationRequest({ type: "elicitation-request", ...params });
      if (parsed.ok) client.receive("c1", parsed.value);
    }
    expect(client.getSnapshot().items).toMatchObject([{ id: "e1", status: "pending" }]);
    await client.accept("e1");
    expect(client.getSnapshot().items).toMatchObject([{ id: "e1", status: "accepted" }]);
    expect(channel.sent).toEqual([]);
    client.dispose();
  });
});
