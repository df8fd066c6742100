import { UrlElicitationRequiredError } from "@modelcontextprotocol/sdk/types.js";
import { describe, expect, test } from "vitest";
import { createMemoryRecords } from "../../../src/runtime/index.ts";
import type { ElicitationRecords } from "../../../src/runtime/internal.ts";
import { type Clock, systemClock } from "../../../src/base/clock.ts";
import { createDeferred } from "../../../src/base/deadlines.ts";
import { type AgentOptions, serveAgent, sharedPorts } from "./agent.ts";
import { clientV1, clientV2 } from "./clients.ts";
import { asks, asksForCity } from "./turns.ts";
import { accept, ASK, roundOf, wireClient } from "./wire.ts";

const PAGE = "https://auth.example.com/connect?id=";
const connects = asks((elicitor) =>
  elicitor.url("Connect Tracker", { url: (id) => `${PAGE}${id}`, service: "Tracker", purpose: "connect" }),
);
/** An operator with an answer page. */
const withPage: AgentOptions = { runtime: { hostedPage: { origin: "https://auth.example.com" } } };
const ANSWER_PAGE = "https://auth.example.com/auth/answer?elicitationId=";

const idOf = (url: unknown) => String(url).slice(PAGE.length);
const FORM_ONLY = { elicitation: { form: {} } };
const URL_ONLY = { elicitation: { url: {} } };

describe("the page of a URL request", () => {
  test.each([
    ["version 1", clientV1],
    ["version 2", clientV2],
  ])(
    "is opened by a client of 2025-11-25 (%s), which learns when the page is finished",
    async (_, connect) => {
      const { url, runtime } = await serveAgent(connects);
      const opened: unknown[] = [];
      const client = await connect(url, "2025-11-25", {
        answer(params) {
          opened.push(params);
          // The user is on the page for a while.
          const id = params.mode === "url" ? idOf(params.url) : "";
          setTimeout(() => void runtime.elicitations.complete(id), 50);
          return { action: "accept" };
        },
      });
      const { text } = await client.call({ message: "Go" });
      expect(JSON.parse(text)).toEqual({ outcome: "accepted" });
      const [params] = opened as [{ elicitationId: string; url: string }];
      expect(params).toMatchObject({
        mode: "url",
        message: "Connect Tracker",
        url: `${PAGE}${params.elicitationId}`,
      });
      expect(client.completed).toEqual([params.elicitationId]);
    },
  );

  test("is opened by a client of 2026-07-28, and the call waits until the page is finished", async () => {
    const { url, runtime, received } = await serveAgent(connects);
    const client = await clientV2(url, "2026-07-28", {
      answer(params) {
        expect(params).not.toHaveProperty("elicitationId");
        const id = params.mode === "url" ? idOf(params.url) : "";
        setTimeout(() => void runtime.elicitations.complete(id), 300);
        return { action: "accept" };
      },
    });
    const { text } = await client.call({ message: "Go" });
    expect(JSON.parse(text)).toEqual({ outcome: "accepted" });
    expect(received.filter(({ method }) => method === "tools/call")).toHaveLength(2);
  });

  test("is declined when the user declines", async () => {
    const { url } = await serveAgent(connects);
    for (const era of ["2025-11-25", "2026-07-28"] as const) {
      const client = await clientV2(url, era, { answer: () => ({ action: "decline" }) });
      const { text } = await client.call({ message: "Go" });
      expect(JSON.parse(text).outcome).toBe("declined");
    }
  });

  test("is sent as an error -32042 if the operator chooses that, and the repeated call gets the answer", async () => {
    const { url, runtime, received } = await serveAgent(connects, { surface: { pagesByError: true } });
    const client = await clientV1(url, "2025-11-25", {
      answer() {
        throw new Error("nothing is asked by a request");
      },
    });
    const error = await client.call({ message: "Go" }).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(UrlElicitationRequiredError);
    const [page] = (error as UrlElicitationRequiredError).elicitations;
    expect(page).toMatchObject({
      mode: "url",
      message: "Connect Tracker",
      url: `${PAGE}${page?.elicitationId}`,
    });
    const again = client.call({ message: "Go" });
    await expect.poll(() => received.filter(({ method }) => method === "tools/call").length).toBe(2);
    await runtime.elicitations.complete(page?.elicitationId ?? "");
    const { text } = await again;
    expect(JSON.parse(text)).toEqual({ outcome: "accepted" });
  });
});

test("a call that cannot read its open requests fails, and leaves no timer", async () => {
  const stored = createMemoryRecords();
  let isDown = false;
  const records: ElicitationRecords = {
    ...stored,
    listOpen: async (...of) => (isDown ? Promise.reject(new Error("down")) : stored.listOpen(...of)),
  };
  let timers = 0;
  const clock: Clock = {
    ...systemClock,
    after(ms, run) {
      let isSet = true;
      const clear = () => {
        if (isSet) timers -= 1;
        isSet = false;
      };
      timers += 1;
      const cancel = systemClock.after(ms, () => {
        clear();
        run();
      });
      return () => {
        clear();
        cancel();
      };
    },
  };
  const { url } = await serveAgent(connects, {
    runtime: { ...sharedPorts(), ports: { ...sharedPorts().ports, records } },
    surface: { pagesByError: true, clock },
  });
  const client = await clientV1(url, "2025-11-25", {});
  const error = await client.call({ message: "Go" }).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(UrlElicitationRequiredError);
  isDown = true;
  const again = await client.call({ message: "Go" }).catch((thrown: unknown) => thrown);
  expect(String(again)).not.toContain("down");
  expect(again).toBeInstanceOf(Error);
  isDown = false;
  expect(timers).toBe(0);
});

test("a form stays open when an error -32042 ends the call while the user fills it in", async () => {
  const run = asks((elicitor) =>
    Promise.all([
      elicitor.text("Where to?"),
      elicitor.url("Connect Tracker", {
        url: (id) => `${PAGE}${id}`,
        service: "Tracker",
        purpose: "connect",
      }),
    ]),
  );
  const { url, runtime } = await serveAgent(run, { surface: { pagesByError: true } });
  let asked = 0;
  const client = await clientV1(url, "2025-11-25", {
    answer(_, signal) {
      asked += 1;
      if (asked > 1) return { action: "accept", content: { answer: "Oslo" } };
      return new Promise((resolve) => signal.addEventListener("abort", () => resolve({ action: "cancel" })));
    },
  });
  const error = await client.call({ message: "Go" }).catch((thrown: unknown) => thrown);
  const [page] = (error as UrlElicitationRequiredError).elicitations;
  const again = client.call({ message: "Go" });
  await runtime.elicitations.complete(page?.elicitationId ?? "");
  const [city, account] = JSON.parse((await again).text);
  expect(city).toEqual({ outcome: "accepted", value: "Oslo" });
  expect(account.outcome).toBe("accepted");
});

test("the agent may work longer than a repeated call waits for a page, once the page is complete", async () => {
  const waits: (() => void)[] = [];
  const clock: Clock = {
    ...systemClock,
    after(ms, run) {
      if (ms !== 50_000) return systemClock.after(ms, run);
      waits.push(run);
      return () => {};
    },
  };
  let isWorking = false;
  const worked = createDeferred<void>();
  const run = asks(async (elicitor) => {
    const got = await elicitor.url("Connect Tracker", {
      url: (id) => `${PAGE}${id}`,
      service: "Tracker",
      purpose: "connect",
    });
    isWorking = true;
    await worked.promise;
    return got;
  });
  const { url, runtime } = await serveAgent(run, { surface: { pagesByError: true, clock } });
  const client = await clientV1(url, "2025-11-25", {});
  const error = await client.call({ message: "Go" }).catch((thrown: unknown) => thrown);
  const [page] = (error as UrlElicitationRequiredError).elicitations;
  const again = client.call({ message: "Go" });
  await expect.poll(() => waits.length).toBe(1);
  await runtime.elicitations.complete(page?.elicitationId ?? "");
  await expect.poll(() => isWorking).toBe(true);
  waits[0]?.();
  // The end of the call would be here before this reply.
  await fetch(url);
  worked.resolve();
  expect(JSON.parse((await again).text)).toEqual({ outcome: "accepted" });
});

describe("a client that lacks a mode", () => {
  test.each([
    ["2025-11-25", FORM_ONLY],
    ["2026-07-28", FORM_ONLY],
    ["2026-07-28", {}],
  ] as const)("gets the agent's answer without the page (%s, %j)", async (era, capabilities) => {
    const { url } = await serveAgent(connects);
    const client = await clientV2(url, era, { capabilities });
    const { text, isError } = await client.call({ message: "Go" });
    expect(isError).toBe(false);
    expect(JSON.parse(text)).toMatchObject({
      outcome: "unsupported",
      text: expect.stringContaining("the user needs to connect their Tracker account"),
    });
  });

  test.each(["2025-11-25", "2026-07-28"] as const)(
    "gets a form as a link to the answer page if it can open pages (%s)",
    async (era) => {
      const { url, runtime } = await serveAgent(asksForCity, withPage);
      const client = await clientV2(url, era, {
        capabilities: URL_ONLY,
        async answer(params) {
          const link = params.mode === "url" ? params.url : "";
          expect(link.startsWith(ANSWER_PAGE)).toBe(true);
          const elicitationId = link.slice(ANSWER_PAGE.length);
          const record = await runtime.elicitations.get(elicitationId);
          setTimeout(() => {
            void runtime.elicitations.answer(
              {
                elicitationId,
                conversationId: record?.conversationId ?? "",
                action: "accept",
                content: { answer: "Oslo" },
              },
              "ada",
            );
          }, 100);
          return { action: "accept" };
        },
      });
      const { text } = await client.call({ message: "Go" });
      expect(JSON.parse(text)).toEqual({ outcome: "accepted", value: "Oslo" });
    },
  );
});

test.each(["2025-11-25", "2026-07-28"] as const)(
  "a client that shows forms gets the link to a page as text after the user has answered the form (%s)",
  async (era) => {
    const run = asks((elicitor) =>
      Promise.all([
        elicitor.text("Where to?"),
        elicitor.url("Connect Tracker", {
          url: (id) => `${PAGE}${id}`,
          service: "Tracker",
          purpose: "connect",
        }),
      ]),
    );
    const { url, runtime } = await serveAgent(run, withPage);
    const asked: string[] = [];
    const client = await clientV2(url, era, {
      capabilities: FORM_ONLY,
      async answer({ message }) {
        asked.push(message);
        await new Promise((resolve) => setTimeout(resolve, 300));
        return { action: "accept", content: { answer: "Oslo" } };
      },
    });
    const { text, structured } = await client.call({ message: "Go" });
    expect(text).toContain("Connect Tracker");
    expect(text).not.toContain("Where to?");
    const second = client.call({ conversationId: structured["conversationId"] });
    const [{ elicitationId }] = structured["waitingFor"] as [{ elicitationId: string }];
    await runtime.elicitations.complete(elicitationId);
    const [city, account] = JSON.parse((await second).text);
    expect(account.outcome).toBe("accepted");
    expect(city).toEqual({ outcome: "accepted", value: "Oslo" });
    expect(asked).toEqual(["Where to?"]);
  },
);

describe("a client without elicitation, when the operator has an answer page", () => {
  test.each(["2025-11-25", "2026-07-28"] as const)(
    "gets the link as text for its model, and continues the conversation later (%s)",
    async (era) => {
      const { url, runtime } = await serveAgent(asksForCity, withPage);
      const client = await clientV2(url, era, { capabilities: {} });
      const first = await client.call({ message: "Book a trip" });
      const [, elicitationId = ""] = /answer\?elicitationId=([\w-]+)/.exec(first.text) ?? [];
      expect(first.text).toContain("Where to?");
      const { conversationId } = first.structured;
      expect(first.text).toContain(
        `call ask_agent again with only conversationId "${String(conversationId)}"`,
      );
      const record = await runtime.elicitations.get(elicitationId);
      const second = client.call({ conversationId });
      await runtime.elicitations.answer(
        {
          elicitationId,
          conversationId: record?.conversationId ?? "",
          action: "accept",
          content: { answer: "Oslo" },
        },
        "ada",
      );
      expect(JSON.parse((await second).text)).toEqual({ outcome: "accepted", value: "Oslo" });
    },
  );

  test("learns that no request is open when it continues an unknown conversation", async () => {
    const { url } = await serveAgent(asksForCity, withPage);
    const client = await clientV2(url, "2026-07-28", { capabilities: {} });
    const { text, isError } = await client.call({ conversationId: "nothing" });
    expect(isError).toBe(true);
    expect(text).toContain("no longer exists");
  });

  test("cannot continue the conversation of another user or client", async () => {
    const { url } = await serveAgent(asksForCity, withPage);
    const ada = await clientV2(url, "2026-07-28", { capabilities: {}, token: "ada@one" });
    const { structured } = await ada.call({ message: "Book a trip" });
    for (const token of ["bob@one", "ada@two"]) {
      const other = await clientV2(url, "2026-07-28", { capabilities: {}, token });
      const { text } = await other.call({ conversationId: structured["conversationId"] });
      expect(text).toContain("no longer exists");
    }
  });
});

test("a service account gets replies and no questions", async () => {
  const { url } = await serveAgent(asksForCity, withPage);
  const client = await clientV2(url, "2026-07-28", { token: "service" });
  const { text } = await client.call({ message: "Go" });
  expect(text).toContain("needs information only the user has");
});

test("an accept for a page does not count from a client that declared only forms", async () => {
  let pageId = "";
  const run = asks((elicitor) =>
    Promise.all([
      elicitor.text("Where to?"),
      elicitor.url("Connect Tracker", {
        url(id) {
          pageId = id;
          return `${PAGE}${id}`;
        },
        service: "Tracker",
      }),
    ]),
  );
  const { url, runtime } = await serveAgent(run, withPage);
  const client = wireClient(url);
  const round = roundOf(await client.call(ASK, { capabilities: FORM_ONLY }));
  expect(round.params.message).toBe("Where to?");
  const inputResponses = { [round.key]: accept("Oslo"), [pageId]: { action: "accept" } };
  const again = { ...ASK, inputResponses, requestState: round.requestState };
  const { result } = await client.call(again, { capabilities: FORM_ONLY });
  expect((await runtime.elicitations.get(round.key))?.status).toBe("accepted");
  expect((await runtime.elicitations.get(pageId))?.status).toBe("pending");
  expect(result?.content[0]?.text).toContain(`${PAGE}${pageId}`);
});

describe("a client before 2026 that accepts everything, whatever it has declared", () => {
  const both = asks((elicitor) =>
    Promise.all([
      elicitor.text("Where to?"),
      elicitor.url("Connect Tracker", {
        url: (id) => `${PAGE}${id}`,
        service: "Tracker",
        purpose: "connect",
      }),
    ]),
  );

  test.each([
    ["2025-06-18", FORM_ONLY],
    // 2025-06-18 has no pages, so declaring them has no effect.
    ["2025-06-18", { elicitation: { form: {}, url: {} } }],
    ["2025-11-25", FORM_ONLY],
  ] as const)("is not asked for a page that it cannot open (%s, %j)", async (era, capabilities) => {
    const { url } = await serveAgent(both);
    const asked: string[] = [];
    const client = await clientV2(url, era, {
      capabilities,
      answer({ message }) {
        asked.push(message);
        return { action: "accept", content: { answer: "Oslo" } };
      },
    });
    const [city, account] = JSON.parse((await client.call({ message: "Go" })).text);
    expect(asked).toEqual(["Where to?"]);
    expect(city).toEqual({ outcome: "accepted", value: "Oslo" });
    expect(account.outcome).toBe("unsupported");
  });

  test("cannot fill in a form if it has declared only pages, because its accept is consent to open the link", async () => {
    const { url, runtime } = await serveAgent(asksForCity, withPage);
    let elicitationId = "";
    const client = await clientV2(url, "2025-11-25", {
      capabilities: URL_ONLY,
      answer(params) {
        elicitationId = params.mode === "url" ? params.url.slice(ANSWER_PAGE.length) : "";
        return { action: "accept", content: { answer: "Rome" } };
      },
    });
    const call = client.call({ message: "Go" });
    await expect.poll(() => elicitationId).not.toBe("");
    // The client's answer is in transit, and the user answers on the page.
    await new Promise((resolve) => setTimeout(resolve, 100));
    const record = await runtime.elicitations.get(elicitationId);
    expect(record?.status).toBe("pending");
    const conversationId = record?.conversationId ?? "";
    const content = { answer: "Oslo" };
    await runtime.elicitations.answer({ elicitationId, conversationId, action: "accept", content }, "ada");
    expect(JSON.parse((await call).text)).toEqual({ outcome: "accepted", value: "Oslo" });
  });

  test("changes nothing with an answer to a request that it did not get", async () => {
    const { url, runtime } = await serveAgent(both, withPage);
    const client = await clientV1(url, "2025-11-25", {
      capabilities: FORM_ONLY,
      async answer() {
        const result = { action: "accept" };
        for (const id of [1, 2, 3, 99]) await client.send({ jsonrpc: "2.0", id, result });
        return { action: "accept", content: { answer: "Oslo" } };
      },
    });
    const { structured } = await client.call({ message: "Go" });
    const [page] = structured["waitingFor"] as [{ elicitationId: string }];
    expect((await runtime.elicitations.get(page.elicitationId))?.status).toBe("pending");
  });
});
