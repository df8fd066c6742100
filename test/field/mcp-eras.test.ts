/** Servers that serve MCP 2026-07-28 and 2025-11-25, while a tool can ask in only one of the two. */
import { type McpServer, acceptedContent, inputRequired } from "@modelcontextprotocol/server";
import { expect } from "vitest";
import { chatWith } from "../interop/mcp/chat.ts";
import { answering, serveBothEras } from "../interop/mcp/servers.ts";
import { fieldCase } from "./field-case.ts";

const CITY = {
  type: "object" as const,
  properties: { city: { type: "string" as const, title: "City" } },
  required: ["city"],
};
const QUESTION = { message: "Where to?", requestedSchema: CITY };

interface Runs {
  begun: string[];
  booked: string[];
}

/** Tools that ask during the call, as those of Python's `ctx.elicit`. */
function pushing(runs: Runs, ...names: string[]) {
  return (server: McpServer) => {
    for (const name of names) {
      server.registerTool(name, {}, async (ctx) => {
        runs.begun.push(name);
        const { action, content } = await ctx.mcpReq.elicitInput(QUESTION);
        if (action === "accept") runs.booked.push(name);
        return { content: [{ type: "text", text: `${action} ${JSON.stringify(content)}` }] };
      });
    }
  };
}

const methods = (received: readonly { method?: string }[], method: string) =>
  received.filter((message) => message.method === method).length;

fieldCase(
  { sources: ["PrefectHQ/fastmcp#4551"], before: "failed" },
  "a tool that asks during its call reaches the user, although its server also speaks MCP 2026-07-28",
  async () => {
    const runs: Runs = { begun: [], booked: [] };
    const { url } = await serveBothEras(pushing(runs, "plan"));
    const chat = chatWith(url, [{ srv_plan: {} }, "Done."]);
    const stream = await chat.send();
    expect(await stream.request()).toMatchObject({ message: "Where to?", toolCallId: "call_0_0" });
    await chat.answer(stream, "accept", { city: "Oslo" });
    await stream.done;
    expect(chat.results()).toContain('accept {\\"city\\":\\"Oslo\\"}');
    expect(runs.booked).toEqual(["plan"]);
    expect(chat.errors).toEqual([]);
  },
);

fieldCase(
  { sources: ["PrefectHQ/fastmcp#4551"], before: "failed" },
  "the tools of such a server begin only once, after the first of them has asked",
  async () => {
    const runs: Runs = { begun: [], booked: [] };
    const { url } = await serveBothEras(pushing(runs, "plan", "book"));
    const chat = chatWith(url, [{ srv_plan: {} }, { srv_plan: {} }, { srv_book: {} }, "Done."]);
    const stream = await chat.send();
    for (let count = 0; count < 3; count += 1) {
      await stream.request(0, ({ toolCallId }) => toolCallId === `call_${count}_0`);
      await chat.answer(stream, "accept", { city: "Oslo" });
    }
    await stream.done;
    expect(runs.begun).toEqual(["plan", "plan", "plan", "book"]);
    expect(runs.booked).toEqual(["plan", "plan", "book"]);
  },
);

fieldCase(
  { sources: ["PrefectHQ/fastmcp#4551"], before: "failed" },
  "a server that is set to the older revision never begins a tool twice",
  async () => {
    const runs: Runs = { begun: [], booked: [] };
    const { url, received } = await serveBothEras(pushing(runs, "plan"));
    const chat = chatWith(url, [{ srv_plan: {} }, "Done."], { revision: "2025-11-25" });
    const stream = await chat.send();
    await stream.request();
    await chat.answer(stream, "accept", { city: "Oslo" });
    await stream.done;
    expect(runs.begun).toEqual(["plan"]);
    expect(methods(received, "server/discover")).toBe(0);
  },
);

fieldCase(
  { sources: ["PrefectHQ/fastmcp#4551"], before: "passed" },
  "a server that is set to the newest revision is not called on the older one",
  async () => {
    const runs: Runs = { begun: [], booked: [] };
    const { url, received } = await serveBothEras(pushing(runs, "plan"));
    const chat = chatWith(url, [{ srv_plan: {} }, "Done."], { revision: "2026-07-28" });
    await (
      await chat.send()
    ).done;
    expect(runs.begun).toEqual(["plan"]);
    expect(methods(received, "initialize")).toBe(0);
  },
);

fieldCase(
  { sources: ["PrefectHQ/fastmcp#4551"], before: "passed" },
  "a tool is not begun again where the older connection could not ask either",
  async () => {
    const runs: Runs = { begun: [], booked: [] };
    const { url } = await serveBothEras(pushing(runs, "plan"), { withoutSessions: true });
    const chat = chatWith(url, [{ srv_plan: {} }, "Done."]);
    await (
      await chat.send()
    ).done;
    expect(runs.begun).toEqual(["plan"]);
    expect(chat.results()).toContain("not available on protocol revision");
  },
);

fieldCase(
  { sources: ["PrefectHQ/fastmcp#4551"], before: "passed" },
  "a tool that fails for another reason is not begun again",
  async () => {
    let begun = 0;
    const { url } = await serveBothEras((server) => {
      server.registerTool("plan", {}, () => {
        begun += 1;
        throw new Error("The calendar is not available.");
      });
    });
    const chat = chatWith(url, [{ srv_plan: {} }, "Done."]);
    await (
      await chat.send()
    ).done;
    expect(begun).toBe(1);
  },
);

fieldCase(
  { sources: ["PrefectHQ/fastmcp#4551"], before: "passed" },
  "a tool that fails after the user has answered is not begun again",
  async () => {
    const runs: Runs = { begun: [], booked: [] };
    const { url } = await serveBothEras((server) => {
      server.registerTool("plan", {}, async (ctx) => {
        runs.begun.push("plan");
        const answer = acceptedContent(ctx.mcpReq.inputResponses, "city");
        if (answer === undefined)
          return inputRequired({ inputRequests: { city: inputRequired.elicit(QUESTION) } });
        runs.booked.push("plan");
        await ctx.mcpReq.elicitInput(QUESTION);
        return { content: [] };
      });
    });
    const chat = chatWith(url, [{ srv_plan: {} }, "Done."]);
    const stream = await chat.send();
    await stream.request();
    await chat.answer(stream, "accept", { city: "Oslo" });
    await stream.done;
    expect(runs.booked).toEqual(["plan"]);
    expect(runs.begun).toHaveLength(2);
  },
);

fieldCase(
  { sources: ["PrefectHQ/fastmcp#4551"], before: "failed" },
  "a tool that asks only in MCP 2026-07-28 still asks, after another tool of its server has asked in the older way",
  async () => {
    const runs: Runs = { begun: [], booked: [] };
    const { url } = await serveBothEras((server) => {
      pushing(runs, "plan")(server);
      server.registerTool("round", {}, (ctx) => {
        const answer = acceptedContent(ctx.mcpReq.inputResponses, "city");
        if (answer === undefined)
          return inputRequired({ inputRequests: { city: inputRequired.elicit(QUESTION) } });
        return { content: [{ type: "text", text: `round ${JSON.stringify(answer)}` }] };
      });
    });
    const chat = chatWith(url, [{ srv_plan: {} }, { srv_round: {} }, "Done."]);
    const stream = await chat.send();
    for (let count = 0; count < 2; count += 1) {
      await stream.request(0, ({ toolCallId }) => toolCallId === `call_${count}_0`);
      await chat.answer(stream, "accept", { city: "Oslo" });
    }
    await stream.done;
    expect(chat.results()).toContain('round {\\"city\\":\\"Oslo\\"}');
  },
);

fieldCase(
  { sources: ["PrefectHQ/fastmcp#4551"], before: "passed" },
  "a server that speaks MCP 2026-07-28 only keeps its own error",
  async () => {
    const { url, received } = await answering(
      () =>
        new Response(
          JSON.stringify({
            jsonrpc: "2.0",
            id: received.at(-1)?.id,
            error: {
              code: -32600,
              message: "Cannot send 'elicitation/create': no back-channel for requests.",
            },
          }),
          { status: 400, headers: { "content-type": "application/json" } },
        ),
    );
    const chat = chatWith(url, [{ srv_ask: {} }, "Done."]);
    await (
      await chat.send()
    ).done;
    expect(methods(received, "tools/call")).toBe(1);
    expect(chat.results()).toContain("no back-channel");
  },
);
