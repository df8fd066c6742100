import { readFileSync } from "node:fs";
import { type Question, type Runtime, createRuntime } from "elicit-kit/runtime";
import { expect, it, onTestFinished } from "vitest";
import { terminalChat } from "../../docs/examples/terminal-chat.ts";
import { noErrors } from "../stages/no-errors.ts";

const TRIP: Question = {
  mode: "form",
  message: "Where to?\u001b[2J",
  requester: { name: "Travel desk" },
  tool: { id: "book", name: "book" },
  requestedSchema: {
    type: "object",
    properties: {
      city: { type: "string", title: "City", minLength: 2 },
      board: { type: "string", title: "Board", enum: ["none", "full"] },
      days: {
        type: "array",
        title: "Days",
        items: { type: "string", enum: ["Sat", "Sun"] },
      },
      insured: { type: "boolean", title: "Insured" },
      nights: { type: "integer", title: "Nights" },
    },
    required: ["city", "insured"],
  },
};

const CONNECT: Question = {
  mode: "url",
  message: "Connect your account.",
  tool: { id: "tracker", name: "tracker" },
  url: (id) => `https://auth.example.com/auth/connect?elicitationId=${id}`,
};

function runtimeThatAsks(question: Question): Runtime {
  const runtime = createRuntime({
    async *runTurn(turn) {
      const result = await turn.ask(question);
      const told = turn.messages.length > 1 ? `after ${turn.messages.length} messages: ` : "";
      const delta = told + JSON.stringify(result);
      yield* [
        { type: "text-start", id: "t1" },
        { type: "text-delta", id: "t1", delta },
        { type: "text-end", id: "t1" },
      ];
    },
    authenticate: () => undefined,
    allowedOrigins: [],
    onError: noErrors(),
  });
  onTestFinished(() => runtime.close());
  return runtime;
}

/** A user who types `lines`, one at each prompt. A function runs first. */
async function chat(runtime: Runtime, lines: (string | (() => Promise<string>))[]): Promise<string[]> {
  const screen: string[] = [];
  await terminalChat(
    runtime,
    { id: "ada" },
    {
      print: (text) => void screen.push(text),
      async ask(prompt) {
        const next = lines.shift() ?? "";
        const line = typeof next === "string" ? next : await next();
        screen.push(prompt + line);
        return line;
      },
    },
  );
  return screen;
}

it("the terminal chat asks a form with prompts, repeats invalid ones, and continues with the answer", async () => {
  const misfit = ["R", "full", "Sat, Sun", "yes", "3"];
  const fits = ["Rome", "full", "Sat, Sun", "yes", ""];
  const screen = await chat(runtimeThatAsks(TRIP), ["Book a trip", ...misfit, ...fits]);
  expect(screen).toEqual([
    "> Book a trip",
    "Travel desk asks: Where to? [2J (/no to decline)",
    "City: R",
    "Board (none, full): full",
    "Days (Sat, Sun): Sat, Sun",
    "Insured (yes or no): yes",
    "Nights: 3",
    "city: too-short",
    "City: Rome",
    "Board (none, full): full",
    "Days (Sat, Sun): Sat, Sun",
    "Insured (yes or no): yes",
    "Nights: ",
    '{"outcome":"accepted","content":{"city":"Rome","board":"full","days":["Sat","Sun"],"insured":true}}',
    "> ",
  ]);
});

it("the terminal chat prints the link of a page, and waits until the page is complete", async () => {
  const runtime = runtimeThatAsks(CONNECT);
  let elicitationId = "";
  const done = async () => {
    await runtime.elicitations.complete(elicitationId);
    return "";
  };
  const open = async () => {
    const [record] = await runtime.elicitations.listOpen("terminal", "ada");
    elicitationId = record?.request.elicitationId ?? "";
    return "";
  };
  const screen = await chat(runtime, ["File an issue", open, done]);
  expect(screen).toEqual([
    "> File an issue",
    "The assistant asks: Connect your account. (/no to decline)",
    `https://auth.example.com/auth/connect?elicitationId=${elicitationId}`,
    "Press Enter when you are done there: ",
    "That is not finished yet.",
    "The assistant asks: Connect your account. (/no to decline)",
    `https://auth.example.com/auth/connect?elicitationId=${elicitationId}`,
    "Press Enter when you are done there: ",
    '{"outcome":"accepted","content":{}}',
    "> ",
  ]);
});

it("the terminal chat accepts a decline, and keeps the conversation", async () => {
  const screen = await chat(runtimeThatAsks(TRIP), ["Book a trip", "/no", "Then another one", "Rome", "/no"]);
  expect(screen.filter((line) => line.includes("outcome"))).toEqual([
    '{"outcome":"declined"}',
    'after 3 messages: {"outcome":"declined"}',
  ]);
});

it("the terminal chat says that the runtime is closed", async () => {
  const runtime = runtimeThatAsks(TRIP);
  await runtime.close();
  expect(await chat(runtime, ["Hello"])).toEqual(["> Hello", "Try again later (closed)."]);
});

const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), "utf8");

it.each(["terminal-chat", "terminal-form"])(
  "docs/protocols/other-protocols.md contains the example %s unchanged",
  (name) => {
    const path = `docs/examples/${name}.ts`;
    expect(read("docs/protocols/other-protocols.md")).toContain(`\`\`\`ts\n// ${path}\n${read(path)}\`\`\``);
  },
);

it("the example of a surface for a terminal has at most 60 lines", () => {
  expect(read("docs/examples/terminal-chat.ts").trimEnd().split("\n").length).toBeLessThanOrEqual(60);
});
