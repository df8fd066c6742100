import {
  createElicitor,
  createRuntime,
  type Question,
  type Runtime,
  type RuntimeOptions,
  type Turn,
  type UrlQuestion,
} from "elicit-kit/runtime";
import {
  type ElicitationResult,
  informationRefusedText,
  pageRefusedText,
} from "../../src/runtime/internal.ts";
import type { StreamChunk } from "elicit-kit/runtime/ports";
import { openAiFormat } from "elicit-kit/openai";
import { isObject } from "../../src/contract/json.ts";
import { contractHooks, contractOptions, PRINTED } from "./contract-options.ts";

type Chunk = StreamChunk & Readonly<Record<string, unknown>>;

const requestedSchema = {
  type: "object",
  properties: {
    city: { type: "string", minLength: 2 },
    nights: { type: "integer", minimum: 1, maximum: 30 },
  },
  required: ["city", "nights"],
} as const;

function toConnect(id: string, more: Partial<UrlQuestion> = {}): UrlQuestion {
  const url = `https://auth.example/${id}`;
  return { mode: "url", message: `Connect ${id}.`, url, tool: { id, name: "use" }, ...more };
}
const forFacts: Question = {
  mode: "form",
  message: "Where to?",
  requestedSchema,
  tool: { id: "search", name: "search" },
  remember: true,
};

/** The questions by the user's message: one list after another, and the questions of one list in parallel. */
const QUESTIONS: Readonly<Record<string, readonly (readonly Question[])[]>> = {
  "Create an issue.": [[toConnect("tracker")]],
  "Pay the invoice.": [[toConnect("bank", { acceptMeans: "consent" })]],
  "Book a hotel.": [[forFacts]],
  "Surprise me.": [[{ ...forFacts, fallback: { city: "Lisbon", nights: 2 }, delegate: true }]],
  "Pay for the team day.": [[{ ...forFacts, assignee: { user: "ben" } }]],
  "Plan a trip.": [[toConnect("calendar"), forFacts]],
  "Try twice.": [[toConnect("tracker")], [toConnect("tracker")]],
  "Hurry.": [[toConnect("bank", { expiresInMs: contractHooks.expiring.afterMs })]],
};

/** An agent whose tools only ask. */
async function* runTurn(turn: Turn): AsyncGenerator<Chunk, void, void> {
  yield { type: "start", messageId: turn.id };
  if (said(turn) === "Book meanwhile.") yield* bookMeanwhile(turn);
  if (said(turn) === "Write to Ben.") yield* reviewMail(turn);
  for (const [index, questions] of (QUESTIONS[said(turn)] ?? []).entries()) {
    const toolCallId = `call-${index}`;
    yield { type: "tool-input-available", toolCallId, toolName: "use", input: {} };
    const results = await Promise.all(questions.map((question) => turn.ask({ ...question, toolCallId })));
    const texts = results.map((result, i) => output(questions[i]!, result)).join();
    const hasFailed = results.some(
      ({ outcome }, i) => outcome === "unsupported" && questions[i]!.mode === "url",
    );
    yield hasFailed
      ? { type: "tool-output-error", toolCallId, errorText: texts }
      : { type: "tool-output-available", toolCallId, output: texts };
  }
  yield* speak("t", said(turn) === "Print a request." ? PRINTED : "That is all.");
  yield { type: "finish" };
}

function* speak(id: string, delta: string): Generator<Chunk, void, void> {
  yield { type: "text-start", id };
  yield { type: "text-delta", id, delta };
  yield { type: "text-end", id };
}

/** A tool that asks in the background, while the agent writes on. */
async function* bookMeanwhile(turn: Turn): AsyncGenerator<Chunk, void, void> {
  const toolCallId = "call-book";
  yield { type: "tool-input-available", toolCallId, toolName: "search", input: {} };
  turn.background.run({ toolCallId, tool: "search" }, async () =>
    output(forFacts, await turn.ask({ ...forFacts, toolCallId })),
  );
  yield { type: "tool-output-available", toolCallId, output: "Asked." };
  yield* speak("m", "I look at the weather.");
  while ((await turn.background.next()).length > 0);
}

/** A tool that returns the draft as the user has left it. */
async function* reviewMail(turn: Turn): AsyncGenerator<Chunk, void, void> {
  const toolCallId = "call-mail";
  const draft = { to: "ben@example.com", text: "Lunch?" };
  yield { type: "tool-input-available", toolCallId, toolName: "mail", input: draft };
  const elicitor = createElicitor({ turn, tool: "mail", toolCallId });
  const schema = { type: "object", properties: { to: { type: "string" }, text: { type: "string" } } };
  const mail = await elicitor.review("Send a mail", draft, schema, { edit: ["text"], remember: true });
  const seen = mail.outcome === "accepted" ? mail.value : mail.text;
  yield { type: "tool-output-available", toolCallId, output: seen };
}

function said({ messages: [message] }: Turn): string {
  const [part] = isObject(message) && Array.isArray(message["parts"]) ? message["parts"] : [];
  return isObject(part) ? String(part["text"]) : "";
}

function output({ mode }: Question, result: ElicitationResult): string {
  if (result.outcome === "accepted") return "Done.";
  if (mode === "url") return pageRefusedText(result, { tool: "use", service: "Tracker", purpose: "connect" });
  return informationRefusedText(result, { tool: "search", requestedSchema });
}

export interface ContractRuntime {
  readonly runtime: Runtime;
  /** The internal errors. */
  readonly errors: readonly unknown[];
  /** `POST /test/complete/:id` and `/test/fail/:id` simulate outside events for a suite in another process. */
  fetch(request: Request): Promise<Response>;
}

/** A runtime whose agent asks what the conformance cases need. It uses Web standards only. */
export function createContractRuntime(ports: Partial<RuntimeOptions> = {}): ContractRuntime {
  const errors: unknown[] = [];
  const runtime = createRuntime({
    formats: [openAiFormat],
    ...contractOptions,
    ...ports,
    runTurn,
    onError: (error) => errors.push(error),
  });
  return {
    runtime,
    errors,
    async fetch(request) {
      const [, control, id] = /^\/test\/(complete|fail)\/(.+)$/.exec(new URL(request.url).pathname) ?? [];
      if (id === undefined) return runtime.fetch(request);
      if (control === "complete") await runtime.elicitations.complete(id);
      else await runtime.elicitations.fail(id, await request.text());
      return new Response(null, { status: 204 });
    },
  };
}
