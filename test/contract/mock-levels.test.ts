import { conformanceCases, runCase } from "elicit-kit/conformance";
import { createMockServer } from "elicit-kit/mock-server";
import { afterAll, describe, expect, it, onTestFinished } from "vitest";
import { patience } from "../patience.ts";
import { contractAgent } from "./contract-agent.ts";
import { contractHooks } from "./contract-options.ts";

describe("a mock server of the basic level", () => {
  const server = createMockServer({ ...contractAgent, level: "basic" });
  afterAll(() => server.close());
  const api = "http://mock.test/run/api";
  const target = {
    api,
    fetch: server.fetch,
    hooks: contractHooks,
    patienceMs: patience.expect.poll.timeout,
  };

  it.each(conformanceCases.filter(({ level }) => level === "basic"))("$id: $rule", async (rule) => {
    expect(await runCase(rule, target)).toMatchObject({ status: "passed" });
  });

  it.each(["/elicitations?conversationId=c1", "/elicitations/e1", "/chat/c1/stream"])(
    "has no route %s",
    async (path) => {
      expect((await server.fetch(api + path)).status).toBe(404);
    },
  );

  it("writes a request once, and confirms an answer with an empty 200", async () => {
    // A turn of the earlier checks may be open, because this level has no route that stops one.
    const own = createMockServer({ ...contractAgent, level: "basic" });
    onTestFinished(() => own.close());
    const post = (path: string, body: object) =>
      own.fetch(api + path, {
        method: "POST",
        headers: {
          authorization: "Bearer anna",
          "content-type": "application/json",
          "x-supports-elicitation": "true",
        },
        body: JSON.stringify({ conversationId: "c1", ...body }),
      });
    const parts = [{ type: "text", text: "Book a hotel." }];
    const stream = (await post("/chat", { messages: [{ id: "m1", role: "user", parts }] })).text();
    await expect.poll(own.pending).toHaveLength(1);
    const [{ elicitationId } = { elicitationId: "" }] = own.pending();
    const answer = { elicitationId, action: "accept", content: { city: "Lisbon", nights: 3 } };
    const reply = await post("/elicitation-responses", answer);
    expect([reply.status, await reply.text()]).toEqual([200, ""]);
    expect((await stream).match(/"type":"data-elicitation-request"/g)).toHaveLength(1);
  });
});
