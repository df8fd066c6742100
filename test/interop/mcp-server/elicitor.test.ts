import type { McpServer } from "@modelcontextprotocol/server";
import { describe, expect, test, onTestFinished, vi } from "vitest";
import { z } from "zod";
import {
  type Eliciting,
  type ToolElicitor,
  elicitorFor,
  registerElicitTools,
} from "../../../extras/mcp-server/index.ts";
import { systemClock } from "../../../src/base/clock.ts";
import type { Era } from "./clients.ts";
import { serveTools, toolClient } from "./tools.ts";
import { accept, roundOf, wireClient } from "./wire.ts";

const ERAS: readonly Era[] = ["2025-06-18", "2025-11-25", "2026-07-28"];
const PAGES: readonly Era[] = ["2025-11-25", "2026-07-28"];

/** A tool `ask` that returns its result as JSON. */
const tool =
  (run: (elicitor: ToolElicitor) => Promise<unknown>) => (server: McpServer, eliciting: Eliciting) => {
    server.registerTool(
      "ask",
      { inputSchema: z.object({ note: z.string().optional() }) },
      eliciting("ask", async (_, ctx) => ({
        content: [{ type: "text", text: JSON.stringify(await run(elicitorFor(ctx))) }],
      })),
    );
  };

describe.each(ERAS)("a tool in MCP %s", (era) => {
  test("can await each kind of question", async () => {
    const { url } = await serveTools(
      tool(async (elicitor) => ({
        choice: await elicitor.choose("Which key?", [{ value: "c", label: "C major" }, "a"]),
        text: await elicitor.text("Name?", { minLength: 2 }),
        sure: await elicitor.confirm("Sure?"),
        count: await elicitor.number("How many?", { integer: true, minimum: 1 }),
        stars: await elicitor.rating("How good?"),
        trip: await elicitor.form("Trip", z.object({ city: z.string(), nights: z.number().default(2) })),
      })),
    );
    const answers: Readonly<Record<string, Record<string, string | number | boolean>>> = {
      "Which key?": { answer: "c" },
      "Name?": { answer: "Ada" },
      "Sure?": { answer: true },
      "How many?": { answer: 3 },
      "How good?": { answer: 5 },
      Trip: { city: "Oslo", nights: 4 },
    };
    const client = await toolClient(url, era, {
      answer: ({ message }) => ({ action: "accept", content: answers[message] ?? {} }),
    });
    const { text } = await client.call("ask");
    const accepted = (value: unknown) => ({ outcome: "accepted", value });
    expect(JSON.parse(text)).toEqual({
      choice: accepted("c"),
      text: accepted("Ada"),
      sure: accepted(true),
      count: accepted(3),
      stars: accepted(5),
      trip: accepted({ city: "Oslo", nights: 4 }),
    });
  });
});

// MCP 2025-06-18 asks in the session of the client, as 2025-11-25 does. Its own features have a test below.
describe.each(PAGES)("a tool in MCP %s", (era) => {
  test("gets decline and cancel as different outcomes, with a text for the model", async () => {
    const { url } = await serveTools(
      tool(async (elicitor) => [await elicitor.text("First?"), await elicitor.text("Second?")]),
    );
    const client = await toolClient(url, era, {
      answer: ({ message }) => ({ action: message === "First?" ? "decline" : "cancel" }),
    });
    const [first, second] = JSON.parse((await client.call("ask")).text);
    expect(first).toMatchObject({
      outcome: "declined",
      text: expect.stringContaining("declined to give it"),
    });
    expect(second).toMatchObject({ outcome: "cancelled" });
  });

  test("runs the effect in `once` one time, even if it asks several questions", async () => {
    let effects = 0;
    const { url } = await serveTools(
      tool(async (elicitor) => {
        const booking = await elicitor.once("book", async () => {
          effects += 1;
          return { number: effects };
        });
        await elicitor.confirm("Sure?");
        const again = await elicitor.once("book", () => ({ number: -1 }));
        await elicitor.confirm("Really?");
        return { booking, again };
      }),
    );
    const client = await toolClient(url, era, {
      answer: () => ({ action: "accept", content: { answer: true } }),
    });
    expect(JSON.parse((await client.call("ask")).text)).toEqual({
      booking: { number: 1 },
      again: { number: 1 },
    });
    expect(effects).toBe(1);
  });

  test("asks again with the reason after an invalid answer, three times at most", async () => {
    const messages: string[] = [];
    const { url } = await serveTools(
      tool(async (elicitor) => [
        await elicitor.text("Name?", { minLength: 2 }),
        await elicitor.text("City?", { minLength: 2 }),
      ]),
    );
    const client = await toolClient(url, era, {
      answer({ message }) {
        messages.push(message);
        return { action: "accept", content: { answer: messages.length === 2 ? "Ada" : "A" } };
      },
    });
    const [name, city] = JSON.parse((await client.call("ask")).text);
    expect(name).toEqual({ outcome: "accepted", value: "Ada" });
    expect(city.outcome).toBe("failed");
    expect(city.text).toMatch(/none of 3 answers was valid/);
    expect(messages).toEqual([
      "Name?",
      expect.stringMatching(/^Name\?\n\nPlease check: /),
      "City?",
      expect.stringMatching(/^City\?\n\nPlease check: /),
      expect.stringMatching(/^City\?\n\nPlease check: /),
    ]);
  });

  test("gets the fallback, or a text for the model, when the client cannot be asked", async () => {
    const { url } = await serveTools(
      tool(async (elicitor) => [
        await elicitor.text("Name?", { fallback: "Nobody" }),
        await elicitor.text("City?"),
      ]),
    );
    const client = await toolClient(url, era, { capabilities: {} });
    const [name, city] = JSON.parse((await client.call("ask")).text);
    expect(name).toEqual({ outcome: "accepted", value: "Nobody" });
    expect(city).toMatchObject({ outcome: "unsupported", text: expect.stringContaining("City?") });
  });

  test("gets no answer from a client in a mode that the client has not declared", async () => {
    const { url } = await serveTools(
      tool(async (elicitor) => [
        await elicitor.url("Pay", { url: "https://pay.example.com/", service: "Pay", purpose: "pay" }),
        await elicitor.text("City?"),
      ]),
    );
    const asked: string[] = [];
    const client = await toolClient(url, era, {
      capabilities: { elicitation: { form: {} } },
      answer({ message }) {
        asked.push(message);
        return { action: "accept", content: { answer: "Oslo" } };
      },
    });
    const [page, city] = JSON.parse((await client.call("ask")).text);
    expect(page.outcome).toBe("unsupported");
    expect(city).toEqual({ outcome: "accepted", value: "Oslo" });
    expect(asked).toEqual(["City?"]);
  });

  test("refuses to ask for a secret", async () => {
    const { url } = await serveTools(tool((elicitor) => elicitor.text("Your password?")));
    const client = await toolClient(url, era, { answer: () => ({ action: "cancel" }) });
    const { text, isError } = await client.call("ask");
    expect(isError).toBe(true);
    expect(text).toContain("asks for a secret");
  });

  test("can be one of the kit: elicit_choice, elicit_input or elicit_confirm", async () => {
    const { url } = await serveTools(registerElicitTools);
    const client = await toolClient(url, era, {
      answer({ message }) {
        const answers: Readonly<Record<string, string | boolean>> = {
          Pick: "b",
          Type: "hello",
          Delete: true,
        };
        return { action: "accept", content: { answer: answers[message] ?? "" } };
      },
    });
    const options = ["a", { value: "b", label: "The second" }];
    const values = [
      (await client.call("elicit_choice", { message: "Pick", options })).structured,
      (await client.call("elicit_input", { message: "Type" })).structured,
      (await client.call("elicit_confirm", { message: "Delete" })).structured,
    ];
    expect(values).toEqual(["b", "hello", true].map((value) => ({ outcome: "accepted", value })));
  });
});

describe.each(PAGES)("a URL request in MCP %s", (era) => {
  test("is accepted when the user has finished on the page", async () => {
    const looks: string[] = [];
    const { url } = await serveTools(
      tool((elicitor) =>
        elicitor.url("Pay", { url: (id) => `https://pay.example.com/${id}`, service: "Pay", purpose: "pay" }),
      ),
      { isCompleted: (id) => looks.push(id) > 1 },
    );
    const pages: string[] = [];
    const client = await toolClient(url, era, {
      answer(params) {
        pages.push(params.mode === "url" ? params.url : "");
        return { action: "accept" };
      },
    });
    expect(JSON.parse((await client.call("ask")).text)).toEqual({ outcome: "accepted" });
    expect(pages).toEqual([`https://pay.example.com/${looks[0]}`]);
    expect(looks).toEqual([looks[0], looks[0]]);
    expect(client.completed).toEqual(era === "2025-11-25" ? [looks[0]] : []);
  });
});

test("a tool asks a client of MCP 2025-06-18 with the features of that revision, and opens no page there", async () => {
  const { url } = await serveTools(
    tool(async (elicitor) => [
      await elicitor.choose("Which key?", [{ value: "c", label: "C major" }, "a"]),
      await elicitor.url("Pay", { url: "https://pay.example.com/", service: "Pay", purpose: "pay" }),
    ]),
  );
  const asked: unknown[] = [];
  const client = await toolClient(url, "2025-06-18", {
    answer(params) {
      asked.push(params);
      return { action: "accept", content: { answer: "c" } };
    },
  });
  const [key, page] = JSON.parse((await client.call("ask")).text);
  expect(key).toEqual({ outcome: "accepted", value: "c" });
  expect(page.outcome).toBe("unsupported");
  expect(asked).toEqual([
    expect.objectContaining({
      requestedSchema: expect.objectContaining({
        properties: {
          answer: { type: "string", title: "Your answer", enum: ["c", "a"], enumNames: ["C major", "a"] },
        },
      }),
    }),
  ]);
});

test("a tool of MCP 2025-11-25 gets the outcome withdrawn when the session ends while the user thinks", async () => {
  let outcome: unknown;
  const { url } = await serveTools(
    tool(async (elicitor) => {
      outcome = await elicitor.text("City?");
    }),
  );
  let isAsked = false;
  const client = await toolClient(url, "2025-11-25", {
    answer() {
      isAsked = true;
      return new Promise(() => {});
    },
  });
  const call = client.call("ask").catch((error: unknown) => error);
  await expect.poll(() => isAsked).toBe(true);
  await client.endSession();
  await expect.poll(() => outcome).toMatchObject({ outcome: "withdrawn" });
  expect(await call).toBeInstanceOf(Error);
});

describe("rounds of MCP 2026-07-28", () => {
  test("contain all parallel questions of the handler", async () => {
    const { url } = await serveTools(
      tool((elicitor) => Promise.all([elicitor.text("First?"), elicitor.text("Second?")])),
    );
    const { result } = await wireClient(url).call({ name: "ask", arguments: {} });
    expect(Object.values(result?.inputRequests ?? {}).map(({ params }) => params.message)).toEqual([
      "First?",
      "Second?",
    ]);
  });

  test("have the questions in the order in which they were asked, however long it takes to prepare them", async () => {
    const digest = crypto.subtle.digest.bind(crypto.subtle);
    vi.spyOn(crypto.subtle, "digest").mockImplementation(async (algorithm, data) => {
      if (new TextDecoder().decode(data).includes("First?"))
        await new Promise((done) => setTimeout(done, 20));
      return digest(algorithm, data);
    });
    onTestFinished(() => void vi.restoreAllMocks());
    const { url } = await serveTools(
      tool((elicitor) => Promise.all([elicitor.text("First?"), elicitor.text("Second?")])),
    );
    const { result } = await wireClient(url).call({ name: "ask", arguments: {} });
    expect(Object.keys(result?.inputRequests ?? {})).toEqual(["question-1", "question-2"]);
  });

  test("keep an answer while another one of the same round is missing", async () => {
    const { url } = await serveTools(
      tool((elicitor) => Promise.all([elicitor.text("First?"), elicitor.text("Second?")])),
    );
    const client = wireClient(url);
    const call = { name: "ask", arguments: {} };
    const first = await client.call(call);
    const [one = "", two = ""] = Object.keys(first.result?.inputRequests ?? {});
    const second = roundOf(
      await client.call({
        ...call,
        inputResponses: { [one]: accept("1") },
        requestState: first.result?.requestState,
      }),
    );
    expect(second.params.message).toBe("Second?");
    const { result } = await client.call({
      ...call,
      inputResponses: { [two]: accept("2"), [one]: accept("changed") },
      requestState: second.requestState,
    });
    expect(JSON.parse(result?.content[0]?.text ?? "").map(({ value }: { value: string }) => value)).toEqual([
      "1",
      "2",
    ]);
  });

  test("end with an error if the handler asks in another order when it runs again", async () => {
    let runs = 0;
    const { url } = await serveTools(
      tool(async (elicitor) => {
        runs += 1;
        await elicitor.text(`Question of run ${runs}?`);
        return elicitor.text("Next?");
      }),
    );
    const client = await toolClient(url, "2026-07-28", {
      answer: () => ({ action: "accept", content: { answer: "yes" } }),
    });
    const { text, isError } = await client.call("ask");
    expect(isError).toBe(true);
    expect(text).toContain("asked something else when it ran again: question 1");
  });

  test("do not interrupt an effect that is running", async () => {
    const log: string[] = [];
    const { url } = await serveTools(
      tool(async (elicitor) => {
        const [sure] = await Promise.all([
          elicitor.confirm("Sure?"),
          elicitor.once("slow", async () => {
            log.push("begin");
            await new Promise((resolve) => setTimeout(resolve, 50));
            log.push("end");
          }),
        ]);
        return sure;
      }),
    );
    const client = await toolClient(url, "2026-07-28", {
      answer: () => ({ action: "accept", content: { answer: true } }),
    });
    await client.call("ask");
    expect(log).toEqual(["begin", "end"]);
  });

  async function oneRound(options: Parameters<typeof serveTools>[1] = {}) {
    let effects = 0;
    const { url } = await serveTools(
      tool(async (elicitor) => {
        const answer = await elicitor.text("Sure?");
        effects += 1;
        return answer;
      }),
      options,
    );
    const client = wireClient(url);
    const call = { name: "ask", arguments: { note: "x" } };
    const { key, requestState } = roundOf(await client.call(call));
    const retry = { ...call, inputResponses: { [key]: accept("yes") }, requestState };
    return { client, call, key, requestState, retry, effects: () => effects };
  }

  const REFUSED = { code: -32602, message: "Invalid or expired requestState" };
  const REFUSED_CALL = { isError: true, content: [{ text: REFUSED.message }] };

  test.each([
    ["forged", (state: string) => state.replace(/.(?=.{20}$)/, (c) => (c === "A" ? "B" : "A"))],
    ["cut short", (state: string) => state.slice(0, -4)],
    ["empty", () => ""],
  ])("refuse a state that is %s", async (_, change) => {
    const { client, retry, effects } = await oneRound();
    const { error } = await client.call({ ...retry, requestState: change(retry.requestState) });
    expect(error).toMatchObject(REFUSED);
    expect(effects()).toBe(0);
  });

  test("refuse the state of another user", async () => {
    const { client, retry, effects } = await oneRound();
    expect((await client.call(retry, { token: "bob" })).error).toMatchObject(REFUSED);
    expect(effects()).toBe(0);
  });

  test("belong to the user from `subjectOf`, even if the token has changed", async () => {
    const { client, retry } = await oneRound({ subjectOf: () => "ada" });
    expect((await client.call(retry, { token: "renewed" })).result?.content[0]?.text).toContain("yes");
  });

  test("refuse the state of a call with other arguments", async () => {
    const { client, retry, effects } = await oneRound();
    const { result } = await client.call({ ...retry, arguments: { note: "other" } });
    expect(result).toMatchObject(REFUSED_CALL);
    expect(effects()).toBe(0);
  });

  test("can be continued after a call with other arguments", async () => {
    const { client, retry, effects } = await oneRound();
    await client.call({ ...retry, arguments: { note: "other" } });
    expect((await client.call(retry)).result?.content[0]?.text).toContain("yes");
    expect(effects()).toBe(1);
  });

  test("refuse a state that was used already, even by a call at the same time, so that no effect runs twice", async () => {
    const { client, retry, effects } = await oneRound();
    const replies = await Promise.all([client.call(retry), client.call(retry)]);
    expect(replies.filter(({ result }) => result?.isError === true)).toHaveLength(1);
    expect((await client.call(retry)).result).toMatchObject(REFUSED_CALL);
    expect(effects()).toBe(1);
  });

  test("refuse an invalid state with a tool error if the hook of the server is not installed", async () => {
    const { client, retry } = await oneRound({ withoutHook: true });
    const { result } = await client.call({ ...retry, requestState: `${retry.requestState}x` });
    expect(result).toMatchObject(REFUSED_CALL);
    expect((await client.call(retry)).result?.content[0]?.text).toContain("yes");
  });

  test("refuse a state that has expired, some time after its question", async () => {
    let later = 0;
    const clock = { ...systemClock, now: () => systemClock.now() + later };
    const { client, retry, effects } = await oneRound({ clock });
    later = 60 * 60_000;
    expect((await client.call(retry)).error).toMatchObject(REFUSED);
    expect(effects()).toBe(0);
  });

  test("ask again if an answer has an unknown key", async () => {
    const { client, call, key, requestState, effects } = await oneRound();
    const inputResponses = { other: accept("yes"), __proto__: accept("yes"), constructor: accept("yes") };
    const again = roundOf(await client.call({ ...call, inputResponses, requestState }));
    expect(again.key).toBe(key);
    expect(effects()).toBe(0);
  });

  test.each([
    ["nobody answers", false],
    ["the answer comes after that", true],
  ])("end as expired when a question expires and %s", async (_, isAnswered) => {
    let later = 0;
    const clock = { ...systemClock, now: () => systemClock.now() + later };
    const { client, call, retry, requestState } = await oneRound({ clock });
    later = 10 * 60_000;
    const { result } = await client.call(isAnswered ? retry : { ...call, requestState });
    expect(result?.content[0]?.text).toContain("nobody answered");
  });
});

test("the error of a handler that is not wrapped says how to wrap it", async () => {
  const { url } = await serveTools((server) => {
    server.registerTool("ask", {}, async (ctx) => {
      await elicitorFor(ctx).text("Name?");
      return { content: [] };
    });
  });
  const client = await toolClient(url, "2026-07-28");
  expect((await client.call("ask")).text).toContain("eliciting(name, handler)");
});
