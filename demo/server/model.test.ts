import { generateText, isStepCount, streamText, tool } from "ai";
import { Hono } from "hono";
import { describe, expect, it, onTestFinished } from "vitest";
import { z } from "zod";
import { createModel } from "./model.ts";
import { serve } from "./ports.ts";

const refused = {
  declined:
    "Authentication required but not provided: the user declined to connect Tracker. Do not ask again in this turn; say what is missing and how to connect it.",
  withNote:
    'The information was not provided: the user declined to give it. The user\'s own words: "only \\"direct\\" flights". Take that into account. Do not ask the same again in this turn.',
  dismissed:
    "Authentication required but not provided: the user dismissed the request without deciding. Do not ask again in this turn; you may offer it later.",
  expired: "Authentication required but not provided: nobody answered within 10 minutes.",
  withdrawn: "Authentication required but not provided: the request was withdrawn.",
  failed: "Authentication required but not provided: connecting Tracker failed (server_error).",
  unsupported:
    'Authentication required but not provided. Tool "tracker_create_issue" requires user authentication: the user needs to connect their Tracker account before this tool can be used. Do not retry this tool.',
  noForm:
    'Tool "book_flight" needs information only the user has: Destination. Ask for it in your answer, or go on with defaults where they exist. Do not guess.',
};

interface Outcomes {
  issue?: unknown;
  flight?: unknown;
}

/** Runs the real agent loop with real tools; the test chooses their results. `events` lists the calls in order. */
function agent({ issue, flight }: Outcomes = {}) {
  const events: string[] = [];
  const inputs: unknown[] = [];
  let count = 0;
  const run = async (name: string, input: unknown, result: unknown) => {
    events.push(`${name} starts`);
    inputs.push(input);
    await new Promise((resolve) => setTimeout(resolve));
    events.push(`${name} ends`);
    if (result instanceof Error) throw result;
    return result;
  };
  const tools = {
    tracker_create_issue: tool({
      inputSchema: z.object({ title: z.string(), body: z.string().optional() }),
      execute: (input) => run("issue", input, issue ?? { number: (count += 1), title: input.title }),
    }),
    book_flight: tool({
      inputSchema: z.object({}),
      execute: (input) => run("flight", input, flight ?? "Flight to Lisbon. Booking EK-12AB."),
    }),
  };
  const options = (prompt: string) => ({
    model: createModel({}),
    prompt,
    tools,
    stopWhen: isStepCount(5),
  });
  return { events, inputs, options };
}

/** The text of each step. */
async function hear(prompt: string, outcomes?: Outcomes) {
  const { options, ...rest } = agent(outcomes);
  const steps = await streamText(options(prompt)).steps;
  return { said: steps.map(({ text }) => text), last: steps.at(-1)?.text ?? "", ...rest };
}

describe.concurrent("the script", () => {
  it("creates an issue and reports its number", async () => {
    const { said, inputs } = await hear("Create an issue about the login bug");
    expect(inputs).toEqual([
      { title: "Login bug", body: "Reported in the chat: Create an issue about the login bug" },
    ]);
    expect(said).toEqual(["Let me take care of that. ", "Done: created issue #1, “Login bug”."]);
  });

  it("reports the number of an issue that the tracker also describes in words", async () => {
    const issue = { text: "Created issue #7", structuredContent: { number: 7, title: "Login bug" } };
    const { last } = await hear("Create an issue about the login bug", { issue });
    expect(last).toBe("Done: created issue #7, “Login bug”.");
  });

  it("books a flight and reports the booking", async () => {
    const { inputs, last } = await hear("Book me a flight");
    expect(inputs).toEqual([{}]);
    expect(last).toBe("Done: Flight to Lisbon. Booking EK-12AB.");
  });

  it.each(["Do both: an issue and a flight", "both please", "I need an issue about the search and a flight"])(
    "calls both tools at once (%s)",
    async (prompt) => {
      const { events, last } = await hear(prompt);
      expect(events).toEqual(["issue starts", "flight starts", "issue ends", "flight ends"]);
      expect(last).toMatch(/^Done: created issue #1, “.*”\. Done: Flight to Lisbon\./);
    },
  );

  it.each(["Create an issue then a flight", "Create an issue about the menu, then book a flight"])(
    "calls one tool after the other (%s)",
    async (prompt) => {
      const { events, said } = await hear(prompt);
      expect(events).toEqual(["issue starts", "issue ends", "flight starts", "flight ends"]);
      expect(said[1]).toBe("Now the next part. ");
    },
  );

  it("creates two issues one after the other", async () => {
    const { events, last } = await hear("Create two issues about crashes, one after the other");
    expect(events).toEqual(["issue starts", "issue ends", "issue starts", "issue ends"]);
    expect(last).toBe("Done: created issue #1, “Crashes”. Done: created issue #2, “Crashes (second)”.");
  });

  it.each([
    ["issue", "declined", "I did not create the issue. Tell me when you want to do it after all."],
    ["issue", "dismissed", "I did not create the issue. I can ask you again later."],
    ["issue", "expired", "I did not create the issue. Ask me again when you want to do it."],
    ["issue", "withdrawn", "I did not create the issue. Ask me again when you want to do it."],
    ["issue", "failed", `I could not create the issue: ${refused.failed}`],
    ["issue", "unsupported", "I cannot create the issue: connect your account first."],
    [
      "flight",
      "withNote",
      'I did not book the flight. You wrote: “only "direct" flights”. A language model would go by that; I am a script.',
    ],
    ["flight", "noForm", `I could not book the flight: ${refused.noForm}`],
  ] as const)("explains that %s was %s, and calls nothing again", async (wish, how, expected) => {
    const { events, last } = await hear(wish, { [wish]: refused[how] });
    expect(last).toBe(expected);
    expect(events).toHaveLength(2);
  });

  it("calls a declined tool a second time when the user asks to try again after a decline", async () => {
    const { events, said, last } = await hear("Create an issue, and try again after a no", {
      issue: refused.declined,
    });
    expect(events).toEqual(["issue starts", "issue ends", "issue starts", "issue ends"]);
    expect(said[1]).toBe("I will try that again. ");
    expect(last).toContain("I did not create the issue.");
  });

  it("does not call a successful tool again", async () => {
    const { events } = await hear("Create an issue, and try again after a no");
    expect(events).toHaveLength(2);
  });

  it("does not mistake an issue about declined payments for a refusal", async () => {
    const { last } = await hear("Create an issue about the user declined message");
    expect(last).toBe("Done: created issue #1, “User declined message”.");
    const text = "Noted. Authentication required but not provided: the user declined";
    expect((await hear("issue", { issue: text })).last).toBe(`Done: ${text}`);
  });

  it("reports an error inside a tool", async () => {
    const { last } = await hear("Book me a flight", { flight: new Error("no seats") });
    expect(last).toBe("I could not book the flight: no seats");
  });

  it("explains what it can do on any other message, or without the tool", async () => {
    const { last, events } = await hear("What is the meaning of life?");
    expect(last).toMatch(/^I am a script that plays the demo\. Try /);
    expect(events).toEqual([]);
    const { text } = await generateText({ model: createModel({}), prompt: "Create an issue" });
    expect(text).toBe("I do not have the tool for that right now.");
  });

  it("uses the language of the page", async () => {
    const { options } = agent({ issue: refused.declined });
    const model = createModel({}, ["de-AT", "en"]);
    const steps = await streamText({ ...options("Create an issue"), model }).steps;
    expect(steps.map(({ text }) => text)).toEqual([
      "Ich kümmere mich darum. ",
      "Ticket anlegen: nicht erledigt. Sagen Sie Bescheid, wenn Sie es doch möchten.",
    ]);
  });

  it("reads the last message only", async () => {
    const { options, events } = agent();
    const { prompt: _, ...rest } = options("");
    const messages = [
      { role: "user", content: "Create an issue" },
      { role: "assistant", content: "Done." },
      { role: "user", content: "Thanks!" },
    ] as const;
    const { text } = await generateText({ ...rest, messages: [...messages] });
    expect(text).toMatch(/^I am a script/);
    expect(events).toEqual([]);
  });

  it("streams word by word, and identifies itself in its id", async () => {
    const result = streamText({ model: createModel({}), prompt: "Hello" });
    const deltas: string[] = [];
    for await (const delta of result.textStream) deltas.push(delta);
    expect(deltas.slice(0, 4)).toEqual(["I ", "am ", "a ", "script "]);
    expect((await result.response).modelId).toBe("script-instead-of-a-language-model");
  });

  it("stops in the middle of a sentence when the call is aborted", async () => {
    const abort = new AbortController();
    const result = streamText({ model: createModel({}), prompt: "Hello", abortSignal: abort.signal });
    const seen: string[] = [];
    for await (const part of result.stream) {
      seen.push(part.type);
      if (part.type === "text-delta") abort.abort();
    }
    expect(seen.at(-1)).toBe("abort");
    expect(seen).not.toContain("text-end");
  });
});

describe("a custom model", () => {
  it("replaces the script", async () => {
    let seen: { authorization: string | undefined; model: unknown } | undefined;
    const app = new Hono().post("/v1/chat/completions", async (c) => {
      seen = { authorization: c.req.header("authorization"), model: (await c.req.json()).model };
      const chunk = {
        id: "1",
        created: 1,
        model: "m",
        choices: [{ index: 0, delta: { content: "Real." }, finish_reason: "stop" }],
      };
      return c.body(`data: ${JSON.stringify(chunk)}\n\ndata: [DONE]\n\n`, 200, {
        "content-type": "text/event-stream",
      });
    });
    const { origin, close } = await serve({
      name: "model",
      host: "127.0.0.1",
      port: 0,
      handle: () => app.fetch,
    });
    onTestFinished(close);
    const model = createModel({ MODEL_BASE_URL: `${origin}/v1`, MODEL: "m", MODEL_API_KEY: "key" });
    expect(await streamText({ model, prompt: "Hello" }).text).toBe("Real.");
    expect(seen).toEqual({ authorization: "Bearer key", model: "m" });
  });

  it("needs a name", () => {
    expect(() => createModel({ MODEL_BASE_URL: "http://localhost/v1" })).toThrow(
      "elicit-kit: MODEL_BASE_URL is set, but MODEL is not.",
    );
  });
});
