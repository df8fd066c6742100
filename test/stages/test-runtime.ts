import {
  type FormQuestion,
  type RunTurn,
  type Runtime,
  type RuntimeOptions,
  type UrlQuestion,
  createMemoryWaiter,
  createRuntime,
} from "../../src/runtime/index.ts";
import { openAiFormat } from "../../extras/openai/index.ts";
import { CHAT_ORIGIN, authenticateTestUser } from "./chat-client.ts";
import { type ManualClock, createManualClock } from "../../src/base/testing/manual-clock.ts";

/** Advance the clock by this after a turn of the chat, so that no timer of its log is left. */
export const LOG_KEPT_MS = 60_000;

export interface TestRuntime extends Runtime {
  clock: ManualClock;
  /** Internal errors. A test that expects none expects this to be empty. */
  errors: unknown[];
}

/** A runtime with a clock that only the test advances, and a script in place of the agent. */
export function createTestRuntime(runTurn: RunTurn, options: Partial<RuntimeOptions> = {}): TestRuntime {
  const clock = createManualClock();
  const errors: unknown[] = [];
  const runtime = createRuntime({
    runTurn,
    authenticate: authenticateTestUser,
    allowedOrigins: [CHAT_ORIGIN],
    formats: [openAiFormat],
    onError: (error) => errors.push(error),
    ...options,
    ports: {
      clock,
      // With its own clock, so that `clock.waiting` counts only the timers of the runtime.
      waiter: createMemoryWaiter({ clock: createManualClock() }),
      ...options.ports,
    },
  });
  return { ...runtime, clock, errors };
}

/** A turn that asks `question` and reports the outcome, as JSON in one text. */
export function asking(question: UrlQuestion | FormQuestion): RunTurn {
  return async function* run(turn) {
    yield { type: "start", messageId: turn.id };
    yield* text(JSON.stringify(await turn.ask(question)));
    yield { type: "finish" };
  };
}

export function* text(delta: string): Generator<{ type: string; id: string; delta?: string }> {
  yield { type: "text-start", id: "t1" };
  yield { type: "text-delta", id: "t1", delta };
  yield { type: "text-end", id: "t1" };
}

export const CONNECT: UrlQuestion = {
  mode: "url",
  message: "To continue, Demo needs your Tracker account.",
  url: (elicitationId) => `https://auth.example.com/auth/connect?elicitationId=${elicitationId}`,
  tool: { id: "tracker", name: "tracker_create_issue", ownName: "create_issue" },
  requester: { name: "Demo" },
  context: { trigger: "credential_required" },
};

export const CITY: FormQuestion = {
  mode: "form",
  message: "Where to?",
  tool: { id: "weather", name: "weather" },
  requestedSchema: {
    type: "object",
    properties: { city: { type: "string", title: "City", minLength: 2 }, nights: { type: "integer" } },
    required: ["city"],
  },
};
