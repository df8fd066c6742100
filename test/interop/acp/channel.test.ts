import { describe, expect, test } from "vitest";
import { FORM, PAGE, createPage, outcomeOf, prompt, rawPeer } from "./apps.ts";

/** The type is the SDK's, but the value is what an agent may really send. */
const form = (requestedSchema: object, more: object = {}) => ({ ...FORM, requestedSchema, ...more }) as never;

describe("an ACP agent whose client is a web page", () => {
  test("gets the content of a form", async () => {
    const page = createPage();
    const result = prompt(page, (agent) =>
      agent.request("elicitation/create", { ...FORM, toolCallId: "call-1" } as never),
    );
    const item = await page.item();
    expect(item).toMatchObject({
      status: "pending",
      conversationId: "s1",
      request: { mode: "form", message: "Where to?", toolCallId: "call-1", requester: { name: "Coder" } },
    });
    await page.client.accept(item.id, { city: "Lisbon" });
    expect(await result).toEqual({ action: "accept", content: { city: "Lisbon" } });
    expect(page.statuses()).toEqual(["accepted"]);
  });

  test.each(["decline", "cancel"] as const)("gets a %s without content", async (action) => {
    const page = createPage();
    const result = prompt(page, (agent) => agent.request("elicitation/create", form(FORM.requestedSchema)));
    await page.client[action]((await page.item()).id);
    expect(await result).toEqual({ action });
  });

  test("never gets content that does not match its form, because the page shows the errors and the request stays open", async () => {
    const page = createPage();
    const result = prompt(page, (agent) => agent.request("elicitation/create", form(FORM.requestedSchema)));
    const { id } = await page.item();
    await page.client.accept(id, { city: "L" });
    expect(await page.item()).toMatchObject({
      status: "pending",
      notice: { code: "refused" },
      fieldErrors: { city: { code: "too-short" } },
    });
    await page.client.accept(id, { city: "Lisbon" });
    expect(await result).toEqual({ action: "accept", content: { city: "Lisbon" } });
  });

  test("gets the consent to open a page, and ends the card when it reports completion", async () => {
    const page = createPage();
    const result = prompt(page, async (agent) => {
      const consent = await agent.request("elicitation/create", PAGE);
      await expect.poll(() => page.statuses()).toEqual(["opened"]);
      await agent.notify("elicitation/complete", { elicitationId: "no-such-id" });
      await agent.notify("elicitation/complete", { elicitationId: "gh-1" });
      await expect.poll(() => page.statuses()).toEqual(["accepted"]);
      // A second completion has no effect.
      await agent.notify("elicitation/complete", { elicitationId: "gh-1" });
      return consent;
    });
    const { id, request } = await page.item();
    expect(request).toMatchObject({ url: PAGE.url, acceptMeans: "consent" });
    expect(id).not.toBe("gh-1");
    void page.client.connect(id);
    expect(await result).toEqual({ action: "accept" });
    expect(page.statuses()).toEqual(["accepted"]);
  });

  test("may never report that its page is complete: the card then ends with the turn", async () => {
    const page = createPage();
    await prompt(page, async (agent) => {
      const asked = agent.request("elicitation/create", PAGE);
      const { id } = await page.item();
      void page.client.connect(id);
      await asked;
      await expect.poll(async () => (await page.item()).request.progress?.status).toBe("consented");
      await page.client.accept(id);
      expect(await page.item()).toMatchObject({ status: "opened", notice: { code: "not-completed" } });
      page.channel.endTurn("another");
      expect(page.statuses()).toEqual(["opened"]);
      page.channel.endTurn("s1");
    });
    expect(page.statuses()).toEqual(["accepted"]);
  });

  test("asks ten questions in parallel, and gets each answer for the right one", async () => {
    const page = createPage();
    const messages = Array.from({ length: 10 }, (_, index) => `Question ${index}`);
    const result = prompt(page, (agent) =>
      Promise.all(
        messages.map(async (message) => {
          const answer = await agent.request("elicitation/create", form(FORM.requestedSchema, { message }));
          return [message, answer];
        }),
      ),
    );
    await page.item(9);
    for (const { id, request } of page.client.getSnapshot().items.toReversed()) {
      await page.client.accept(id, { city: request.message });
    }
    expect(await result).toEqual(messages.map((city) => [city, { action: "accept", content: { city } }]));
  });

  test("can ask for a JSON-RPC request instead of a session, such as session/new", async () => {
    const page = createPage();
    const { sessionId: _, ...rest } = FORM;
    const result = prompt(page, (agent) =>
      agent.request("elicitation/create", { ...rest, requestId: 3 } as never),
    );
    const item = await page.item();
    expect(item.conversationId).toBe("acp-request");
    await page.client.accept(item.id, { city: "Rome" });
    expect(await result).toMatchObject({ action: "accept" });
  });

  test.each([
    ["a form", FORM],
    ["a page", PAGE],
  ])(
    "can cancel its request for %s: the card is withdrawn, and the agent gets a cancel",
    async (_, params) => {
      const page = createPage();
      const abort = new AbortController();
      const result = prompt(page, (agent) =>
        agent.request("elicitation/create", params as never, { cancellationSignal: abort.signal }),
      );
      const { id } = await page.item();
      abort.abort();
      expect(await result).toEqual({ action: "cancel" });
      expect(page.statuses()).toEqual(["withdrawn"]);
      // The request has ended, so nothing is sent.
      await page.client.accept(id, { city: "Lisbon" });
      expect(page.statuses()).toEqual(["withdrawn"]);
    },
  );

  test("can cancel its request without waiting for the answer: the card is withdrawn", async () => {
    const page = createPage();
    const abort = new AbortController();
    const options = { cancellationSignal: abort.signal, stopWaitingOnCancel: true };
    const result = prompt(page, async (agent) => {
      const outcome = await outcomeOf(
        agent.request("elicitation/create", form(FORM.requestedSchema), options),
      );
      await expect.poll(page.statuses).toEqual(["withdrawn"]);
      return outcome;
    });
    await page.item();
    abort.abort();
    expect(await result).toEqual({ code: -32800 });
  });

  test("has its open requests and pages withdrawn when it loses its connection", async () => {
    const page = createPage();
    await prompt(page, async (agent) => {
      const page1 = agent.request("elicitation/create", PAGE);
      void page.client.connect((await page.item()).id);
      await page1;
      agent.request("elicitation/create", form(FORM.requestedSchema)).catch(() => {});
      await page.item(1);
    });
    await expect.poll(() => page.statuses()).toEqual(["withdrawn", "withdrawn"]);
  });
});

describe("in the requests of an ACP agent,", () => {
  /** The agent's result, and whether a card was shown. */
  async function ask(params: object, options: Parameters<typeof createPage>[0] = {}) {
    const page = createPage(options);
    const asked = prompt(page, (agent) => outcomeOf(agent.request("elicitation/create", params as never)));
    // Declines a blocked card.
    void page.item().then(
      ({ id }) => page.client.decline(id),
      () => {},
    );
    return { result: await asked, item: page.client.getSnapshot().items[0] };
  }

  test("an unknown format is refused by the SDK, and no card is shown", async () => {
    const schema = { type: "object", properties: { phone: { type: "string", format: "phone" } } };
    expect(await ask(form(schema))).toEqual({ result: { code: -32602 }, item: undefined });
  });

  test("a list without options is refused by the SDK", async () => {
    const schema = { type: "object", properties: { tags: { type: "array", items: { type: "string" } } } };
    expect((await ask(form(schema))).result).toEqual({ code: -32602 });
  });

  test.each([
    ["a nested object", { type: "object", properties: { street: { type: "string" } } }],
    ["a property of a custom type", { type: "_color" }],
  ])(
    "%s is not shown as a field of another kind: the card is blocked and can only be declined",
    async (_, property) => {
      const { result, item } = await ask(form({ type: "object", properties: { value: property } }));
      expect(result).toEqual({ action: "decline" });
      expect(item).toMatchObject({ status: "declined", blocked: { kind: "schema" } });
    },
  );

  test("keywords that ACP does not have are removed, and the form is shown without them", async () => {
    const schema = {
      $schema: "https://json-schema.org/draft/2020-12/schema",
      type: "object",
      additionalProperties: false,
      properties: {
        size: { type: "string", enum: ["s", "l"], enumNames: ["Small", "Large"], "x-ui": "radio" },
      },
    };
    const { item } = await ask(form(schema, { context: { secret: true } }));
    expect(item?.fields).toMatchObject([{ kind: "choice", options: [{ label: "s" }, { label: "l" }] }]);
    expect(item?.request.context).toEqual({ trigger: "acp_elicitation" });
  });

  test("null counts as an absent keyword, and the schema may omit type and properties", async () => {
    const city = { type: "string", title: null, minLength: null, enum: null, oneOf: null, default: null };
    const { item } = await ask(form({ properties: { city }, required: null, title: null }));
    expect(item).toMatchObject({ fields: [{ kind: "text", label: "city", required: false }] });
    expect((await ask(form({}))).item).toMatchObject({ fields: [] });
  });

  test.each([
    ["no mode", { ...FORM, mode: undefined }],
    ["no scope", { ...FORM, sessionId: undefined }],
    ["a page without elicitationId", { ...PAGE, elicitationId: undefined }],
    ["an invalid URL", { ...PAGE, url: "not a url" }],
    ["a message that is too long", { ...FORM, message: "x".repeat(8193) }],
    ["a mode of its own", { ...FORM, mode: "_signature" }],
  ])("%s is refused with -32602", async (_, params) => {
    expect(await ask(params)).toMatchObject({ result: { code: -32602 }, item: undefined });
  });

  test("a request with both a session and a request id belongs to the session", async () => {
    expect((await ask({ ...FORM, requestId: 7 })).item).toMatchObject({ conversationId: "s1" });
  });

  test.each([
    ["url", PAGE, { form: {} }],
    ["form", FORM, { url: {} }],
  ] as const)(
    "the mode %s is refused with -32602 if the client did not declare it",
    async (mode, params, declared) => {
      const options = { supports: { [mode]: false } };
      const { result, item } = await ask(params, options);
      expect(result).toEqual({ code: -32602, reason: `params.mode: ${mode} was not declared` });
      expect(item).toBeUndefined();
      expect(createPage(options).channel.capabilities).toEqual({ elicitation: declared });
    },
  );

  test.each([
    "javascript:alert(1)",
    "data:text/html,x",
    "file:///etc/passwd",
    "https://bank.example@evil.example",
  ])("an unsafe URL makes the card blocked, so that it can only be declined: %s", async (url) => {
    const { result, item } = await ask({ ...PAGE, url });
    expect(result).toEqual({ action: "decline" });
    expect(item).toMatchObject({ blocked: { kind: "url" } });
  });

  test("a pattern that could freeze the page is not run", async () => {
    const page = createPage();
    const schema = { type: "object", properties: { value: { type: "string", pattern: "^(a+)+$" } } };
    const result = prompt(page, (agent) => agent.request("elicitation/create", form(schema)));
    await page.client.accept((await page.item()).id, { value: `${"a".repeat(5000)}b` });
    expect(await result).toMatchObject({ action: "accept" });
  });

  test("a request beyond fifty open ones is refused, and the others stay", async () => {
    const page = createPage();
    const codes = await prompt(page, async (agent) => {
      const abort = new AbortController();
      const options = { cancellationSignal: abort.signal };
      const asked = Array.from({ length: 51 }, () =>
        outcomeOf(agent.request("elicitation/create", form(FORM.requestedSchema), options)),
      );
      const last = await asked[50];
      abort.abort();
      await Promise.all(asked);
      return last;
    });
    expect(codes).toMatchObject({ code: -32600 });
    expect(page.statuses()).toHaveLength(50);
  });

  test("over raw JSON-RPC, an answer has the id of its request, and $/cancel_request withdraws the card", async () => {
    const page = createPage();
    const peer = rawPeer();
    const connection = page.app.connect(peer.stream);
    const first = peer.call("a", "elicitation/create", FORM);
    const second = peer.call("b", "elicitation/create", FORM);
    await page.client.accept((await page.item(1)).id, { city: "Rome" });
    expect(await second).toMatchObject({ id: "b", result: { action: "accept", content: { city: "Rome" } } });
    await peer.notify("$/cancel_request", { requestId: "a" });
    expect(await first).toMatchObject({ id: "a", result: { action: "cancel" } });
    expect(page.statuses()).toEqual(["withdrawn", "accepted"]);
    connection.close();
  });
});
