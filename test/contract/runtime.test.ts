import { conformanceCases, runCase } from "elicit-kit/conformance";
import {
  connectionRefusedText,
  createRuntime,
  type ElicitationResult,
  informationRefusedText,
  type Question,
  type Runtime,
  type StreamChunk,
  type Turn,
  type UrlQuestion,
} from "elicit-kit/runtime";
import { type Served, serve } from "elicit-kit/runtime/node";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { isObject } from "../../src/protocol/json.ts";
import { contractAgent, contractHooks } from "./contract-agent.ts";

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
};

/** What is asked when the person says this, one list after the other, the questions of a list together. */
const QUESTIONS: Readonly<Record<string, readonly (readonly Question[])[]>> = {
  "Create an issue.": [[toConnect("tracker")]],
  "Pay the invoice.": [[toConnect("bank", { acceptMeans: "consent" })]],
  "Book a hotel.": [[forFacts]],
  "Plan a trip.": [[toConnect("calendar"), forFacts]],
  "Try twice.": [[toConnect("tracker")], [toConnect("tracker")]],
  "Hurry.": [[toConnect("bank", { expiresInMs: contractHooks.expiring.afterMs })]],
};

/** An agent that is nothing but tools that ask. */
async function* runTurn(turn: Turn): AsyncGenerator<Chunk, void, void> {
  yield { type: "start", messageId: turn.id };
  for (const [index, questions] of (QUESTIONS[said(turn)] ?? []).entries()) {
    const toolCallId = `call-${index}`;
    yield { type: "tool-input-available", toolCallId, toolName: "use", input: {} };
    const results = await Promise.all(questions.map((question) => turn.ask({ ...question, toolCallId })));
    yield {
      type: "tool-output-available",
      toolCallId,
      output: results.map((result, i) => output(questions[i]!, result)).join(),
    };
  }
  yield { type: "text-start", id: "t" };
  yield { type: "text-delta", id: "t", delta: "That is all." };
  yield { type: "text-end", id: "t" };
  yield { type: "finish" };
}

function said({ messages: [message] }: Turn): string {
  const [part] = isObject(message) && Array.isArray(message["parts"]) ? message["parts"] : [];
  return isObject(part) ? String(part["text"]) : "";
}

function output({ mode }: Question, result: ElicitationResult): string {
  if (result.outcome === "accepted") return "Done.";
  if (mode === "url") return connectionRefusedText(result, { tool: "use", service: "Tracker" });
  return informationRefusedText(result, { tool: "search", requestedSchema });
}

describe("the runtime over HTTP", () => {
  let runtime: Runtime;
  let served: Served;
  const errors: unknown[] = [];
  beforeAll(async () => {
    const { script: _, ...options } = contractAgent;
    runtime = createRuntime({ ...options, runTurn, onError: (error) => errors.push(error) });
    served = await serve({ fetch: (request) => runtime.fetch(request) });
  });
  afterAll(async () => {
    await runtime.close();
    await served.close();
  });

  it.each(conformanceCases)("$id: $rule", async (testCase) => {
    const { id, rule } = testCase;
    const hooks = {
      ...contractHooks,
      completeOutside: async (elicitationId: string) =>
        void (await runtime.elicitations.complete(elicitationId)),
      failOutside: async (elicitationId: string, lastError: string) =>
        void (await runtime.elicitations.fail(elicitationId, lastError)),
    };
    const result = await runCase(testCase, { api: `${served.url}/run/api`, hooks });
    const expected = id.startsWith("completions/")
      ? { id, rule, status: "not-checked", detail: 'needs the hook "completions"' }
      : { id, rule, status: "passed" };
    expect(result).toEqual(expected);
  });

  it("has nothing to report when all of that is over", () => {
    expect(errors).toEqual([]);
  });
});
