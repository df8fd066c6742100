import { McpServer as McpServerV1 } from "@modelcontextprotocol/sdk/server/mcp.js";
import { UrlElicitationRequiredError } from "@modelcontextprotocol/sdk/types.js";
import { acceptedContent, inputRequired } from "@modelcontextprotocol/server";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { chatWith } from "./chat.ts";
import { serveV1, serveV2 } from "./servers.ts";

const NAME = {
  type: "object" as const,
  properties: { name: { type: "string" as const, title: "Name", minLength: 2 } },
  required: ["name"],
};

describe("a server on SDK 1 (2025-11-25)", () => {
  function asking(server: McpServerV1): void {
    server.registerTool("ask", {}, async (extra) => {
      const result = await server.server.elicitInput(
        { message: "Who?", requestedSchema: NAME },
        { relatedRequestId: extra.requestId },
      );
      return { content: [{ type: "text", text: JSON.stringify(result) }] };
    });
  }

  test.each([
    ["accept", { name: "Ada" }, '{\\"action\\":\\"accept\\",\\"content\\":{\\"name\\":\\"Ada\\"}}'],
    ["decline", undefined, '{\\"action\\":\\"decline\\"}'],
    ["cancel", undefined, '{\\"action\\":\\"cancel\\"}'],
  ] as const)("gets the user's %s to its form", async (action, content, text) => {
    const { url } = await serveV1(asking);
    const chat = chatWith(url, [{ srv_ask: {} }, "Done."]);
    const stream = await chat.send();
    const request = await stream.request();
    expect(request).toMatchObject({
      mode: "form",
      message: "Who?",
      requestedSchema: NAME,
      requester: { name: "Survey", claimedName: "v1-server" },
      context: { trigger: "mcp_elicitation" },
      toolCallId: "call_0_0",
    });
    await chat.answer(stream, action, content);
    await stream.done;
    expect(chat.results()).toContain(text);
    expect(chat.errors).toEqual([]);
    expect(chat.runtime.errors).toEqual([]);
  });

  test("gets a cancel when the form expires", async () => {
    const { url } = await serveV1(asking);
    const chat = chatWith(url, [{ srv_ask: {} }, "Done."]);
    const stream = await chat.send();
    await stream.request();
    chat.runtime.clock.advance(600_000);
    await stream.done;
    expect(chat.results()).toContain('{\\"action\\":\\"cancel\\"}');
  });

  test("can ask to open a page, gets the consent immediately, and its card ends with the call", async () => {
    let finish: (() => void) | undefined;
    const { url } = await serveV1((server) => {
      server.registerTool("connect", {}, async (extra) => {
        const { action } = await server.server.elicitInput(
          { mode: "url", message: "Sign in", url: "https://idp.example.com/x", elicitationId: "e1" },
          { relatedRequestId: extra.requestId },
        );
        await new Promise<void>((resolve) => {
          finish = resolve;
        });
        return { content: [{ type: "text", text: action }] };
      });
    });
    const chat = chatWith(url, [{ srv_connect: {} }, "Done."]);
    const stream = await chat.send();
    const request = await stream.request();
    expect(request).toMatchObject({ mode: "url", url: "https://idp.example.com/x", acceptMeans: "consent" });
    const response = await chat.answer(stream, "accept");
    expect(await response.json()).toMatchObject({ status: "consented" });
    await expect.poll(() => finish).toBeDefined();
    finish?.();
    await stream.done;
    expect(chat.results()).toContain("accept");
    expect(JSON.stringify(stream.chunks)).toContain('"outcome":"accepted"');
  });

  test("can ask for the same page again: the card stays, and the server learns when the user has finished", async () => {
    const actions: string[] = [];
    const { url } = await serveV1((server) => {
      server.registerTool("connect", {}, async (extra) => {
        for (const elicitationId of ["e1", "e2"]) {
          const { action } = await server.server.elicitInput(
            { mode: "url", message: "Sign in", url: "https://idp.example.com/x", elicitationId },
            { relatedRequestId: extra.requestId },
          );
          actions.push(action);
        }
        return { content: [{ type: "text", text: actions.join() }] };
      });
    });
    const chat = chatWith(url, [{ srv_connect: {} }, "Done."]);
    const stream = await chat.send();
    await chat.answer(stream, "accept");
    await expect.poll(() => actions).toEqual(["accept"]);
    await chat.answer(stream, "accept");
    await stream.done;
    expect(chat.results()).toContain("accept,accept");
    const ids = stream.chunks.filter(({ type }) => type === "data-elicitation-request").map(({ id }) => id);
    expect(new Set(ids).size).toBe(1);
  });

  test("that asks for a page again learns that the user has already finished there", async () => {
    let repeat: (() => void) | undefined;
    const { url } = await serveV1((server) => {
      server.registerTool("connect", {}, async (extra) => {
        const room = { mode: "url", message: "Sign in", url: "https://idp.example.com/x" } as const;
        const related = { relatedRequestId: extra.requestId };
        await server.server.elicitInput({ ...room, elicitationId: "e1" }, related);
        await new Promise<void>((resolve) => {
          repeat = resolve;
        });
        const { action } = await server.server.elicitInput({ ...room, elicitationId: "e2" }, related);
        return { content: [{ type: "text", text: `again: ${action}` }] };
      });
    });
    const chat = chatWith(url, [{ srv_connect: {} }, "Done."]);
    const stream = await chat.send();
    await chat.answer(stream, "accept");
    await expect.poll(() => repeat).toBeDefined();
    await chat.answer(stream, "accept");
    repeat?.();
    // The clock stands still, so no poll can notify the server that the user has finished.
    await stream.done;
    expect(chat.results()).toContain("again: accept");
  });

  test("completes its page when it has asked for the page twice and then asks another question", async () => {
    const actions: string[] = [];
    const { url } = await serveV1((server) => {
      server.registerTool("connect", {}, async (extra) => {
        const related = { relatedRequestId: extra.requestId };
        for (const elicitationId of ["e1", "e2"]) {
          const page = {
            mode: "url",
            message: "Sign in",
            url: "https://idp.example.com/x",
            elicitationId,
          } as const;
          actions.push((await server.server.elicitInput(page, related)).action);
        }
        await server.server.elicitInput({ message: "Who?", requestedSchema: NAME }, related);
        return { content: [{ type: "text", text: actions.join() }] };
      });
    });
    const chat = chatWith(url, [{ srv_connect: {} }, "Done."]);
    const stream = await chat.send();
    const { elicitationId } = await stream.request();
    await chat.answer(stream, "accept");
    await expect.poll(() => actions).toEqual(["accept"]);
    // The user has finished there.
    await chat.ada.answer("c1", { elicitationId, action: "accept" });
    await stream.request(0, ({ message }) => message === "Who?");
    const report = async () => (await chat.ada.fetch(`/run/api/elicitations/${elicitationId}`)).json();
    await expect.poll(report).toMatchObject({ status: "accepted" });
    expect(chat.results()).not.toContain("accept,accept");
    await chat.answer(stream, "accept", { name: "Ada" });
    await stream.done;
    expect(chat.results()).toContain("accept,accept");
  });

  test.each(["before", "after"] as const)(
    "that never reports the end of a page has it complete when the user has finished, %s the server asks another question",
    async (when) => {
      let goOn: (() => void) | undefined;
      const { url } = await serveV1((server) => {
        server.registerTool("connect", {}, async (extra) => {
          const related = { relatedRequestId: extra.requestId };
          const page = { mode: "url", message: "Sign in", url: "https://idp.example.com/x" } as const;
          await server.server.elicitInput({ ...page, elicitationId: "e1" }, related);
          await new Promise<void>((resolve) => {
            goOn = resolve;
          });
          await server.server.elicitInput({ message: "Who?", requestedSchema: NAME }, related);
          return { content: [{ type: "text", text: "planned" }] };
        });
      });
      const chat = chatWith(url, [{ srv_connect: {} }, "Done."]);
      const stream = await chat.send();
      const { elicitationId } = await stream.request();
      const finish = () => chat.ada.answer("c1", { elicitationId, action: "accept" });
      const report = async () => (await chat.ada.fetch(`/run/api/elicitations/${elicitationId}`)).json();
      await finish();
      await expect.poll(() => goOn).toBeDefined();
      if (when === "before") await finish();
      expect(await report()).toMatchObject({ status: "consented" });
      goOn?.();
      await stream.request(0, ({ message }) => message === "Who?");
      // The user may still need the page for the question.
      if (when === "after") expect(await report()).toMatchObject({ status: "consented" });
      if (when === "after") await finish();
      await expect.poll(report).toMatchObject({ status: "accepted" });
      await chat.answer(stream, "accept", { name: "Ada" });
      await stream.done;
      expect(chat.results()).toContain("planned");
    },
  );

  test("can require pages first (-32042): the call is repeated when the user has finished", async () => {
    let calls = 0;
    const { url } = await serveV1((server) => {
      server.registerTool("pay", {}, async () => {
        calls += 1;
        if (calls > 1) return { content: [{ type: "text", text: "paid" }] };
        const page = (name: string) => ({
          mode: "url" as const,
          message: name,
          url: `https://pay.example.com/${name}`,
          elicitationId: name,
        });
        throw new UrlElicitationRequiredError([page("card"), page("address")]);
      });
    });
    const chat = chatWith(url, [{ srv_pay: {} }, "Done."]);
    const stream = await chat.send();
    const [card, address] = [await stream.request(0), await stream.request(1)];
    expect([card.round?.size, address.round?.size]).toEqual([2, 2]);
    for (const { elicitationId } of [card, address])
      await chat.ada.answer("c1", { elicitationId, action: "accept" });
    expect(calls).toBe(1);
    for (const { elicitationId } of [card, address])
      await chat.ada.answer("c1", { elicitationId, action: "accept" });
    await stream.done;
    expect(calls).toBe(2);
    expect(chat.results()).toContain("paid");
  });
});

test.each(["2025-06-18", "2025-11-25", "2026-07-28"] as const)(
  "a server on SDK 2 in %s gets the answer to its form, and continues the same call",
  async (revision) => {
    const { url, received } = await serveV2((server) => {
      server.registerTool("ask", { inputSchema: z.object({}) }, async (_, ctx) => {
        const answer = acceptedContent(ctx.mcpReq.inputResponses, "who", z.object({ name: z.string() }));
        if (answer !== undefined) return { content: [{ type: "text", text: `Hello ${answer.name}` }] };
        return inputRequired({
          inputRequests: { who: inputRequired.elicit({ message: "Who?", requestedSchema: NAME }) },
        });
      });
    }, revision);
    const chat = chatWith(url, [{ srv_ask: {} }, "Done."]);
    const stream = await chat.send();
    const request = await stream.request();
    expect(request).toMatchObject({ mode: "form", message: "Who?", requester: { name: "Survey" } });
    await chat.answer(stream, "accept", { name: "Ada" });
    await stream.done;
    expect(chat.results()).toContain("Hello Ada");
    expect(chat.errors).toEqual([]);
    const calls = received.filter(({ method }) => method === "tools/call");
    // 2025: one call, with the answer in the same session. 2026: a second call, with the answer.
    expect(calls).toHaveLength(revision === "2026-07-28" ? 2 : 1);
    expect(received.filter(({ result }) => result !== undefined)).toHaveLength(
      revision === "2026-07-28" ? 0 : 1,
    );
    expect(received.some(({ method }) => method === "initialize")).toBe(revision !== "2026-07-28");
  },
);
