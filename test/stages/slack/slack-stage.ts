import { type ManualClock, createManualClock } from "../../../src/base/testing/manual-clock.ts";
import { type SlackSurface, createSlackSurface } from "../../../extras/slack/index.ts";
import type { SlackSurfaceOptions } from "../../../extras/slack/slack-surface.ts";
import {
  type FakeMessage,
  type FakePerson,
  type FakeSlack,
  createFakeSlack,
} from "../../../extras/slack/testing/index.ts";
import type { FakeChannel } from "../../../extras/slack/testing/state.ts";
import type { FakeSlackOptions } from "../../../extras/slack/testing/fake-slack.ts";
import {
  type RunTurn,
  type Runtime,
  type RuntimeOptions,
  createRuntime,
} from "../../../src/runtime/index.ts";

/** An agent in a fake Slack, on a clock that only the test advances. */
export interface SlackStage {
  readonly clock: ManualClock;
  readonly slack: FakeSlack;
  readonly runtime: Runtime;
  readonly surface: SlackSurface;
  readonly errors: readonly unknown[];
  readonly ada: FakePerson;
  readonly bob: FakePerson;
  readonly ops: FakeChannel;
  /** Advances the clock in small steps until `look` returns a value, and returns that value. */
  until<T>(look: () => T | undefined | false): Promise<T>;
  /** Advances the clock in small steps until `work` has resolved. */
  during<T>(work: Promise<T>): Promise<T>;
  /** Waits for the newest message of the app in a thread whose text or blocks contain these words. */
  shown(thread: string, words: string | RegExp): Promise<FakeMessage>;
  /** The ids of Ada's open questions in a thread. `app`: the name of the surface. */
  openIds(thread: string, app?: string): Promise<readonly string[]>;
  /** Ada mentions the app. Resolves with the thread. */
  ask(text?: string, person?: FakePerson): Promise<string>;
}

const STEP_MS = 50;
const MOST_STEPS = 2000;

export function createSlackStage(
  runTurn: RunTurn,
  options: {
    runtime?: Partial<RuntimeOptions>;
    surface?: Partial<SlackSurfaceOptions>;
    slack?: Partial<FakeSlackOptions>;
  } = {},
): SlackStage {
  const clock = createManualClock();
  const errors: unknown[] = [];
  const onError = (error: unknown): void => void errors.push(error);
  const runtime = createRuntime({
    runTurn,
    authenticate: () => undefined,
    allowedOrigins: ["https://chat.example.com"],
    hostedPage: { origin: "https://auth.example.com" },
    onError,
    ...options.runtime,
    ports: { clock, ...options.runtime?.ports },
  });
  const slack = createFakeSlack({ app: (request) => surface.fetch(request), clock, ...options.slack });
  const surface = createSlackSurface({
    runtime,
    signingSecret: slack.signingSecret,
    token: slack.token,
    userOf: ({ user }) => ({ UADA: { id: "ada" }, UBOB: { id: "bob" } })[user],
    fetch: slack.fetch,
    clock,
    onError,
    ...options.surface,
  });
  const ada = slack.person({ name: "Ada" });
  const bob = slack.person({ name: "Bob" });
  const ops = slack.channel({ name: "ops", members: [ada, bob] });

  async function step(): Promise<void> {
    // WebCrypto computes signatures in other threads, so time passes only when they reply.
    await crypto.subtle.digest("SHA-256", new Uint8Array(1));
    await new Promise((resolve) => setTimeout(resolve, 0));
    await clock.advanceAsync(STEP_MS);
  }

  const until: SlackStage["until"] = async (look) => {
    for (let steps = 0; steps < MOST_STEPS; steps += 1) {
      const found = look();
      if (found !== undefined && found !== false) return found;
      await step();
    }
    throw new Error(
      `elicit-kit: it did not happen. The thread: ${JSON.stringify(slack.messages(ops), null, 1)}`,
    );
  };

  return {
    clock,
    slack,
    runtime,
    surface,
    errors,
    ada,
    bob,
    ops,
    until,
    async during(work) {
      let isDone = false;
      const marked = work.finally(() => {
        isDone = true;
      });
      marked.catch(() => undefined);
      await until(() => isDone);
      return marked;
    },
    shown: (thread, words) =>
      until(() =>
        slack.messages(ops, thread).findLast((message) => {
          const text = message.text + JSON.stringify(message.blocks);
          return message.isFromApp && (typeof words === "string" ? text.includes(words) : words.test(text));
        }),
      ),
    async openIds(thread, app = "slack") {
      const open = await runtime.elicitations.listOpen(`${app}:T0ACME:${ops.id}:${thread}`, "ada");
      return open.map(({ request }) => request.elicitationId);
    },
    async ask(text = "go", person = ada) {
      return (await person.say(ops, `${slack.mention} ${text}`)).ts;
    },
  };
}
