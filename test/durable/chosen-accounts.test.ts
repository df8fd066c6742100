/** Tests for the account that a turn uses after it was parked, when its user has several at one service. */
import { tool } from "ai";
import { expect, test } from "vitest";
import { z } from "zod";
import type { Account } from "../../src/agent/accounts.ts";
import { createAgentTurn } from "../../src/agent/index.ts";
import { createMemoryCredentials } from "../../src/connect/ports/credentials.ts";
import { createDurableProcesses } from "../stages/durable-processes.ts";
import { type Step, createStatelessModel } from "../stages/scripted-model.ts";

interface Call {
  readonly mail: (options?: { another?: boolean }) => Account;
  /** Asks the user, and waits until they have answered. */
  readonly confirm: (message: string) => Promise<unknown>;
  /** Uses an account. */
  readonly use: (account: Account, what: string) => Promise<boolean>;
}

/** Two processes with an agent that has these tools. Ada has the account `home`. */
async function setUp(steps: readonly Step[], tools: Record<string, (call: Call) => Promise<unknown>>) {
  const { startProcess, parked } = await createDurableProcesses();
  const credentials = createMemoryCredentials();
  const connect = (id: string, account: string) =>
    credentials.set(id, "ada", { accessToken: account, account });
  await connect("mail", "home");
  const used: string[] = [];
  const start = () =>
    startProcess(
      createAgentTurn({
        model: createStatelessModel([...steps, "Done."], async () => {}),
        credentials,
        connectUrl: "https://auth.example.com/auth/connect",
        accounts: { mail: { service: "Mail", api: "https://mail.example", several: true } },
        tools: Object.fromEntries(
          Object.entries(tools).map(([name, work]) => [
            name,
            ({ account, elicitor }) =>
              tool({
                inputSchema: z.object({}),
                execute: async (_input, { toolCallId }) => {
                  await work({
                    mail: (options) => account("mail", toolCallId, options),
                    confirm: (message) => elicitor(toolCallId).confirm(message),
                    use: async (one, what) =>
                      (await one.run(async (token) => used.push(`${what} by ${token}`))).ok,
                  });
                  return "Done";
                },
              }),
          ]),
        ),
        requester: { name: "Demo" },
        onError: () => {},
      }),
      { parkAfterMs: 20 },
    );
  const [first, second] = [await start(), await start()];
  const stream = await first.ada.send("c1");
  const seen = new Set<string>();
  /** The next question, once its turn is parked. */
  async function next(message: string): Promise<string> {
    const { elicitationId } = await stream.request(
      0,
      (asked) => asked.message === message && !seen.has(asked.elicitationId),
    );
    seen.add(elicitationId);
    await expect.poll(parked).toBe(1);
    return elicitationId;
  }
  return {
    stream,
    used,
    async connects(id: string, account: string) {
      const elicitationId = await next("To continue with another Mail account.");
      await second.runtime.elicitations.complete(elicitationId, () => connect(id, account));
    },
    async declines() {
      await second.runtime.elicitations.decline(await next("To continue with another Mail account."));
    },
    async answers(message: string, content: Record<string, unknown> = { answer: true }) {
      const elicitationId = await next(message);
      await second.ada.answer("c1", { elicitationId, action: "accept", content });
    },
  };
}

const read = ({ mail, use }: Call) => use(mail(), "read");
const change = ({ mail, use }: Call) => use(mail({ another: true }), "changed");
async function send({ mail, use, confirm }: Call) {
  await confirm("Send it?");
  await use(mail(), "sent");
}

test("a turn that was parked continues with the other account that a tool has let the user connect", async () => {
  const { stream, used, connects, answers } = await setUp([{ read: {} }, { change: {} }, { send: {} }], {
    read,
    change,
    send,
  });
  await connects("mail/2", "work");
  await answers("Send it?");
  await stream.done;
  expect(used).toEqual(["read by home", "changed by work", "sent by work"]);
});

test("a turn that was parked continues with the other account although the tool has failed since", async () => {
  const { stream, used, connects, answers } = await setUp([{ change: {} }, { send: {} }], {
    async change(call) {
      await change(call);
      throw new Error("The folder is gone");
    },
    send,
  });
  await connects("mail/2", "work");
  await answers("Send it?");
  await stream.done;
  expect(used).toEqual(["changed by work", "sent by work"]);
});

test("a turn that was parked continues with the account before if the user did not connect another one", async () => {
  const { stream, used, declines, answers } = await setUp([{ read: {} }, { change: {} }, { send: {} }], {
    read,
    change,
    send,
  });
  await declines();
  await answers("Send it?");
  await stream.done;
  expect(used).toEqual(["read by home", "sent by home"]);
});

test("a call that runs again keeps its account when a call beside it has changed to another one", async () => {
  const { stream, used, connects, answers } = await setUp([{ copy: {}, change: {} }], {
    async copy({ mail, use, confirm }) {
      await use(mail(), "copied");
      await confirm("And the rest?");
      await confirm("Really?");
      await use(mail(), "copied");
    },
    change,
  });
  await connects("mail/2", "work");
  await answers("And the rest?");
  await answers("Really?");
  await stream.done;
  expect([...new Set(used)]).toEqual(["copied by home", "changed by work", "copied by work"]);
  expect(used.filter((use) => use === "copied by work")).toHaveLength(1);
});

test("a call that lets the user connect two more accounts uses each of them after it was parked", async () => {
  const { stream, used, connects, answers } = await setUp([{ gather: {} }], {
    async gather({ mail, use, confirm }) {
      const accounts = [mail(), mail({ another: true }), mail({ another: true })];
      for (const account of accounts) await use(account, "found");
      await confirm("Gather them?");
      for (const account of accounts) await use(account, "gathered");
    },
  });
  await connects("mail/2", "work");
  await answers("Which Mail account should Demo use?", { account: "another" });
  await connects("mail/3", "club");
  await answers("Gather them?");
  await stream.done;
  const gathered = used.filter((use) => use.startsWith("gathered"));
  expect(gathered).toEqual(["gathered by home", "gathered by work", "gathered by club"]);
});
