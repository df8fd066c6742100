/** Relays that break a rule. The check of the rule must fail for each of them, and pass for the kit's relay. */
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { describe, expect, onTestFinished, test } from "vitest";
import {
  type McpLeg,
  type McpRelay,
  type McpRelayOptions,
  type McpRelayedCall,
  createMcpRelay,
  declaredCapabilities,
} from "../../../src/mcp/relay/relay.ts";
import type { Question } from "../../../src/runtime/index.ts";
import type { SupportedModes } from "../../../src/runtime/internal.ts";
import { createChatClient } from "../../stages/chat-client.ts";
import { createTestRuntime, text } from "../../stages/test-runtime.ts";
import { type LegacyCall, answering, legacy } from "./servers.ts";

type MakeRelay = typeof createMcpRelay;

interface Rule {
  rule: string;
  /** Rejects, or does not end, if the relay breaks the rule. */
  check(make: MakeRelay): Promise<void>;
  mutants: Readonly<Record<string, MakeRelay>>;
}

const FORM = { type: "object", properties: { name: { type: "string" } } };
const form = (message = "Who?") => ({ message, requestedSchema: FORM });
const page = { mode: "url", message: "Sign in", url: "https://idp.example.com/x", elicitationId: "e1" };
const input = (params: unknown) => ({ method: "elicitation/create", params });
const done = { resultType: "complete", content: [{ type: "text", text: "done" }] };

/** A turn with `calls` calls of a server through relays of one kind. */
async function turnOf(
  make: MakeRelay,
  url: string,
  { calls = 1, modes = { url: {}, form: {} } }: { calls?: number; modes?: object } = {},
) {
  const relays: McpRelay[] = [];
  const runtime = createTestRuntime(async function* run(turn) {
    const called = Array.from({ length: calls }, async (_, index) => {
      const relay = make({
        turn,
        server: { name: "srv", service: "Survey" },
        toolName: "srv_ask",
        toolCallId: `call_${index}`,
        showUnanswerable: false,
        clock: runtime.clock,
      });
      relays.push(relay);
      const { capabilities } = relay;
      const client = new Client(
        { name: "t", version: "1" },
        { versionNegotiation: { mode: "auto" }, capabilities },
      );
      await client.connect(new StreamableHTTPClientTransport(new URL(url)));
      try {
        return await relay.call<unknown>({
          client,
          signal: turn.signal,
          silenceMs: 60_000,
          conceal: (value) => value,
          send: ({ params, options }) =>
            client.callTool({ name: "ask", arguments: { index }, ...params }, options),
        });
      } catch (error) {
        return String(error);
      } finally {
        await client.close();
      }
    });
    yield* text(JSON.stringify(await Promise.all(called)));
  });
  onTestFinished(() => runtime.close());
  const ada = createChatClient(runtime.fetch, { user: "ada" });
  const stream = await ada.send("c1", { capabilities: { elicitation: modes } });
  const answer = (elicitationId: string, action: string, content?: object) =>
    ada.answer("c1", { elicitationId, action, ...(content && { content }) });
  const status = async (id: string) => (await runtime.elicitations.get(id))?.status;
  return { stream, answer, status, relays };
}

/** A relay that asks incorrectly. */
const asking =
  (change: (question: Question) => Question, modes?: SupportedModes): MakeRelay =>
  (options) => {
    const { turn } = options;
    return createMcpRelay({
      ...options,
      turn: {
        supports: modes ?? turn.supports,
        runner: turn.runner,
        ask: (question) => turn.ask(change(question)),
        askRound: (questions) => turn.askRound(questions.map(change)),
      },
    });
  };

/** A relay that makes its calls incorrectly. */
const calling =
  (change: <T>(call: McpRelayedCall<T>) => McpRelayedCall<T>): MakeRelay =>
  (options) => {
    const relay = createMcpRelay(options);
    return { ...relay, call: (call) => relay.call(change(call)) };
  };

const withOptions =
  (change: Partial<McpRelayOptions>): MakeRelay =>
  (options) =>
    createMcpRelay({ ...options, ...change });

async function asked(params: unknown, make: MakeRelay, modes?: object) {
  const answers: unknown[] = [];
  const { url } = await legacy(async (call) => {
    answers.push(await call.ask(params));
    call.result("done");
  });
  return { ...(await turnOf(make, url, modes === undefined ? {} : { modes })), answers };
}

async function scripted(make: MakeRelay, ...results: readonly unknown[]) {
  const calls: Readonly<Record<string, unknown>>[] = [];
  const { url } = await answering((params) => results[calls.push(params) - 1]);
  return { ...(await turnOf(make, url)), calls };
}

const RULES: readonly Rule[] = [
  {
    rule: "a relayed request has the operator's name for the server, and an id of its own",
    async check(make) {
      const { stream, answer } = await asked(page, make);
      const { elicitationId, requester } = await stream.request();
      expect(requester).toEqual({ name: "Survey", claimedName: "hostile" });
      expect(elicitationId).toMatch(/^[\w-]{22}$/);
      await answer(elicitationId, "cancel");
      await stream.done;
    },
    mutants: {
      "shows the server's own name as the operator's": asking((question) => ({
        ...question,
        requester: { name: question.requester?.claimedName ?? "" },
      })),
      "passes the server's id on": asking((question) => ({ ...question, elicitationId: "e1" })),
    },
  },
  {
    rule: "a relay declares exactly the modes that the chat supports",
    async check(make) {
      const { stream, relays, answers } = await asked(form(), make, { url: {} });
      await stream.done;
      expect(relays[0]?.capabilities["elicitation"]).toEqual({ url: {} });
      expect(answers).toMatchObject([{ error: { code: -32602 } }]);
    },
    mutants: {
      "declares both modes": (options) => ({
        ...createMcpRelay(options),
        capabilities: declaredCapabilities({ url: true, form: true }),
      }),
      "accepts requests in a mode that it has not declared": (options) => ({
        ...asking((question) => question, { url: true, form: true })(options),
        capabilities: createMcpRelay(options).capabilities,
      }),
    },
  },
  {
    rule: "an answer reaches the call that has asked",
    async check(make) {
      const heard = new Map<string, unknown>();
      let count = 0;
      const { url } = await legacy(async (call: LegacyCall) => {
        const name = `question ${(count += 1)}`;
        const { result } = await call.ask(form(name));
        heard.set(name, result);
        call.result("done");
      });
      const { stream, answer } = await turnOf(make, url, { calls: 2 });
      for (const request of [await stream.request(1), await stream.request(0)]) {
        await answer(request.elicitationId, "accept", { name: request.message });
      }
      await stream.done;
      for (const name of ["question 1", "question 2"]) {
        expect(heard.get(name)).toEqual({ action: "accept", content: { name } });
      }
    },
    mutants: {
      "handles all calls of a turn with one client": (() => {
        let first: Pick<McpRelayedCall<unknown>, "client"> | undefined;
        return calling((call) => ({ ...call, client: (first ??= call).client }));
      })(),
    },
  },
  {
    rule: "no time limit runs while the user thinks",
    async check(make) {
      const { stream, answer, answers } = await asked(form(), make);
      const { elicitationId } = await stream.request();
      await new Promise((resolve) => setTimeout(resolve, 500));
      await answer(elicitationId, "accept", { name: "Ada" });
      await stream.done;
      expect(answers).toMatchObject([{ result: { action: "accept" } }]);
    },
    mutants: {
      "leaves the time limit to the SDK": calling((call) => ({
        ...call,
        send: (leg) => call.send({ ...leg, options: { ...leg.options, timeout: 200 } }),
      })),
    },
  },
  {
    rule: "accept, decline and cancel reach the server as different actions",
    async check(make) {
      const { stream, answer, answers } = await asked(form(), make);
      await answer((await stream.request()).elicitationId, "decline");
      await stream.done;
      expect(answers).toMatchObject([{ result: { action: "decline" } }]);
    },
    mutants: {
      "passes a decline on as a cancel": asking((question) => ({
        ...question,
        onResult: (result) =>
          question.onResult?.(result.outcome === "declined" ? { outcome: "cancelled" } : result),
      })),
    },
  },
  {
    rule: "consent to open a page does not complete the page",
    async check(make) {
      let finish = (): void => {};
      const { url } = await legacy(async (call) => {
        await call.ask(page);
        finish = () => call.result("done");
      });
      const { stream, answer, status } = await turnOf(make, url);
      const { elicitationId } = await stream.request();
      await answer(elicitationId, "accept");
      await expect.poll(() => String(finish)).toContain("result");
      expect(await status(elicitationId)).toBe("consented");
      finish();
      await stream.done;
      expect(await status(elicitationId)).toBe("accepted");
    },
    mutants: {
      "treats an accept as completion": asking((question) =>
        question.mode === "url" ? { ...question, completed: Promise.resolve() } : question,
      ),
      "waits for a completion that it cannot see": asking((question) =>
        question.mode === "url" ? { ...question, acceptMeans: "completion" } : question,
      ),
    },
  },
  {
    rule: "a call that fails withdraws its requests",
    async check(make) {
      const { url } = await legacy(async (call) => {
        await call.ask(page);
        call.send({ id: call.callId, error: { code: -32000, message: "no" } });
      });
      const { stream, answer, status } = await turnOf(make, url);
      const { elicitationId } = await stream.request();
      await answer(elicitationId, "accept");
      await expect.poll(() => status(elicitationId)).toBe("withdrawn");
    },
    mutants: {
      "leaves the card of a failed call open": asking((question) => ({
        ...question,
        completed: undefined,
        signal: undefined,
      })),
      "ends the card of a failed call as accepted": asking((question) => ({
        ...question,
        completed: question.completed?.catch(() => {}),
        signal: undefined,
      })),
    },
  },
  {
    rule: "the server gets its state back byte for byte, and none if it sent none",
    async check(make) {
      const round = { resultType: "input_required", inputRequests: { who: input(form()) } };
      const { stream, answer, calls } = await scripted(make, { ...round, requestState: " {s}" }, round, done);
      await answer((await stream.request()).elicitationId, "accept", {});
      await expect.poll(() => calls.length).toBe(2);
      await expect.poll(async () => (await stream.request()).progress).toBeUndefined();
      await answer((await stream.request()).elicitationId, "accept", {});
      await stream.done;
      expect(calls.map(({ requestState }) => requestState)).toEqual([undefined, " {s}", undefined]);
    },
    mutants: {
      "removes white space from the state": calling((call) => ({
        ...call,
        send: ({ params, options }) => {
          const { requestState } = params;
          const state = requestState === undefined ? {} : { requestState: requestState.trim() };
          return call.send({ params: { ...params, ...state }, options });
        },
      })),
      "adds a state": calling((call) => ({
        ...call,
        send: ({ params, options }) => call.send({ params: { requestState: "", ...params }, options }),
      })),
    },
  },
  {
    rule: "a page that is requested again while its request is open keeps its card",
    async check(make) {
      const round = { resultType: "input_required", inputRequests: { page: input(page) } };
      const { stream, answer, calls } = await scripted(make, round, round, done);
      const { elicitationId } = await stream.request();
      await answer(elicitationId, "accept");
      await expect.poll(() => calls.length).toBe(2);
      await answer(elicitationId, "accept");
      await stream.done;
      const ids = stream.chunks.filter(({ type }) => type === "data-elicitation-request").map(({ id }) => id);
      expect(new Set(ids).size).toBe(1);
    },
    mutants: {
      "shows a card for every repetition": calling((call) => {
        let count = 0;
        return {
          ...call,
          conceal: (value) =>
            JSON.parse(
              JSON.stringify(value).replaceAll("idp.example.com/x", `idp.example.com/${(count += 1)}`),
            ),
        };
      }),
    },
  },
  {
    rule: "a call asks in at most ten rounds",
    async check(make) {
      const calls: unknown[] = [];
      const { url } = await answering((params) => {
        const who = input(form(`Question ${calls.push(params)}`));
        return { resultType: "input_required", inputRequests: { who } };
      });
      const { stream, answer } = await turnOf(make, url);
      for (let round = 1; round <= 10; round += 1) {
        const { elicitationId } = await stream.request(0, ({ message }) => message === `Question ${round}`);
        await answer(elicitationId, "accept", {});
      }
      await stream.done;
      expect(calls).toHaveLength(11);
      expect(JSON.stringify(stream.chunks)).toContain("10 rounds already");
    },
    mutants: {
      "starts the call again after the tenth round": (options) => {
        const relay = createMcpRelay(options);
        return {
          ...relay,
          async call(call) {
            let last: McpLeg["params"] = {};
            const send: typeof call.send = (leg) => {
              if (leg.params.inputResponses !== undefined) last = leg.params;
              return call.send({ ...leg, params: last });
            };
            return relay.call({ ...call, send }).catch(() => relay.call({ ...call, send }));
          },
        };
      },
    },
  },
  {
    rule: "in a chat that cannot show the page, the call ends at once with a text (-32042)",
    async check(make) {
      const { url } = await legacy((call) =>
        call.send({
          id: call.callId,
          error: { code: -32042, message: "Sign in", data: { elicitations: [page] } },
        }),
      );
      const { stream } = await turnOf(make, url, { modes: { form: {} } });
      await stream.done;
      expect(JSON.stringify(stream.chunks)).toContain("Do not retry this tool");
      expect(stream.chunks.map(({ type }) => type)).not.toContain("data-elicitation-request");
    },
    mutants: {
      "leaves the error to the model": calling((call) => ({
        ...call,
        send: (leg) => call.send(leg).catch((error: unknown) => Promise.reject(new Error(String(error)))),
      })),
    },
  },
  {
    rule: "if the server requires a mode that the chat does not support, the call ends with a text (-32021)",
    async check(make) {
      const { url } = await answering((_, id) =>
        Response.json(
          {
            jsonrpc: "2.0",
            id,
            error: {
              code: -32021,
              message: "?",
              data: { requiredCapabilities: { elicitation: { form: {} } } },
            },
          },
          { status: 400 },
        ),
      );
      const { stream } = await turnOf(make, url, { modes: { url: {} } });
      await stream.done;
      expect(JSON.stringify(stream.chunks)).toContain("Do not retry this tool");
    },
    mutants: {
      "leaves the error to the model": calling((call) => ({
        ...call,
        send: (leg) => call.send(leg).catch((error: unknown) => Promise.reject(new Error(String(error)))),
      })),
    },
  },
  {
    rule: "a form that cannot be shown is not shown, and the server gets the reason",
    async check(make) {
      const odd = {
        message: "?",
        requestedSchema: { type: "object", properties: { a: { type: "object" } } },
      };
      const { stream, answers } = await asked(odd, make);
      await stream.done;
      expect(answers).toMatchObject([{ error: { code: -32602 } }]);
    },
    mutants: { "shows it without being told to": withOptions({ showUnanswerable: true }) },
  },
  {
    rule: "a form that asks for a secret is never shown",
    async check(make) {
      const secret = {
        message: "?",
        requestedSchema: { type: "object", properties: { password: { type: "string" } } },
      };
      const { stream, answers } = await asked(secret, make);
      await stream.done;
      expect(answers).toMatchObject([{ error: { message: expect.stringContaining("mode url") } }]);
    },
    mutants: {
      "does not notice that the form asks for a secret": calling((call) => ({
        ...call,
        conceal: (value) =>
          value === undefined ? value : JSON.parse(JSON.stringify(value).replaceAll("password", "word")),
      })),
    },
  },
];

/** A check of the kit's own relay takes a few hundred milliseconds. */
const LIMIT_MS = 1500;

/** Rejects if the check does not end in time, because a hanging mutant has broken the rule too. */
async function inTime(check: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error("the check did not end")), LIMIT_MS);
  });
  await Promise.race([check, late]).finally(() => clearTimeout(timer));
}

describe.each(RULES)("$rule", ({ check, mutants }) => {
  test("the kit's relay follows the rule", () => expect(check(createMcpRelay)).resolves.toBeUndefined());

  test.each(Object.entries(mutants))("the suite detects a relay that %s", async (_, make) => {
    await expect(inTime(check(make))).rejects.toBeInstanceOf(Error);
  });
});
