/** Tests for the operator's log after failures: it contains the reason, and no user data. */
import { inspect } from "node:util";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { z } from "zod";
import { elicitorFor } from "../../../extras/mcp-server/index.ts";
import { serveAgent } from "./agent.ts";
import { serveTools } from "./tools.ts";
import { asks } from "./turns.ts";
import { ASK, accept, roundOf, wireClient } from "./wire.ts";

const ANSWER = "answer0of0the0person";
const TOKEN = "token0of0the0person";
const CONSOLE = ["log", "info", "warn", "error", "debug"] as const;

beforeEach(() => {
  for (const method of CONSOLE) vi.spyOn(console, method);
});
afterEach(() => void vi.restoreAllMocks());

/** The whole log, with hidden properties and causes. */
function logOf(errors: readonly unknown[]): string {
  const printed = CONSOLE.flatMap((method) => vi.mocked(console[method]).mock.calls);
  return inspect([errors, printed], { depth: 20, showHidden: true, maxStringLength: 1_000_000 });
}

const forged = (state: string) => state.replace(/.(?=.{20}$)/, (c) => (c === "A" ? "B" : "A"));

test("the log of an agent contains no state, token or answer when a call fails", async () => {
  const { url, errors } = await serveAgent(
    asks(async (elicitor) => {
      const { value } = { value: undefined, ...(await elicitor.text("Where to?")) };
      throw new Error(`the model refused ${value}`);
    }),
    {
      surface: {
        authenticate(request) {
          const token = request.headers.get("authorization")?.slice("Bearer ".length);
          if (token === "expired") throw new Error(`${TOKEN} has expired`);
          return { user: { id: token ?? "" } };
        },
      },
    },
  );
  const client = wireClient(url);
  const round = roundOf(await client.call(ASK, { token: TOKEN }));
  const { requestState } = round;
  const retry = { ...ASK, inputResponses: { [round.key]: accept(ANSWER) } };
  await client.call({ ...retry, requestState: forged(requestState) }, { token: TOKEN });
  await client.call({ ...retry, requestState }, { token: "eve" });
  await client.call(ASK, { token: "expired" }).catch(() => undefined);
  await client.call({ ...retry, requestState }, { token: TOKEN });
  const log = logOf(errors);
  expect(log).toContain("a requestState was changed, or belongs to another user");
  expect(errors.length).toBeGreaterThanOrEqual(4);
  expect(log).not.toContain(ANSWER);
  expect(log).not.toContain(TOKEN);
  expect(log).not.toContain(requestState.slice(20, 60));
});

test("the log of a server with tools that ask contains no state, token or answer when a call fails", async () => {
  const { url, errors } = await serveTools((server, eliciting) => {
    server.registerTool(
      "ask",
      { inputSchema: z.object({}) },
      eliciting("ask", async (_, ctx) => {
        const { value } = { value: undefined, ...(await elicitorFor(ctx).text("Where to?")) };
        throw new Error(`the service refused ${value}`);
      }),
    );
  });
  const client = wireClient(url);
  const ask = { name: "ask", arguments: {} };
  const round = roundOf(await client.call(ask, { token: TOKEN }));
  const { requestState } = round;
  const retry = { ...ask, inputResponses: { [round.key]: accept(ANSWER) } };
  await client.call({ ...retry, requestState: forged(requestState) }, { token: TOKEN });
  await client.call({ ...retry, requestState }, { token: "eve" });
  await client.call({ ...retry, requestState }, { token: TOKEN });
  await client.call({ ...retry, requestState }, { token: TOKEN });
  const log = logOf(errors);
  expect(log).not.toContain(ANSWER);
  expect(log).not.toContain(TOKEN);
  expect(log).not.toContain(requestState.slice(20, 60));
});
