/** Tests for the account that a turn uses after it was parked, when its user has several at one service. */
import { tool } from "ai";
import { expect, test } from "vitest";
import { z } from "zod";
import type { Account } from "../../src/agent/accounts.ts";
import { createAgentTurn } from "../../src/agent/index.ts";
import { createMemoryCredentials } from "../../src/connect/ports/credentials.ts";
import { readStream } from "../stages/chat-client.ts";
import { createDurableProcesses } from "../stages/durable-processes.ts";
import { createMcpTracker } from "../stages/mcp-tracker.ts";
import { type Step, createStatelessModel } from "../stages/scripted-model.ts";

interface Call {
  readonly mail: (options?: { another?: boolean }) => Account;
  /** Asks the user, and waits until they have answered. */
  readonly confirm: (message: string) => Promise<unknown>;
  readonly step: (name: string, work: () => Promise<unknown>) => Promise<unknown>;
  /** Continues in the background. */
  readonly later: (work: () => Promise<unknown>) => unknown;
  /** Uses an account. */
  readonly use: (account: Account, what: string) => Promise<boolean>;
}

/** Processes with an agent that has these tools, and Ada's accounts: their names, by their ids. */
async function setUp(
  steps: readonly Step[],
  tools: Record<string, (call: Call) => Promise<unknown>>,
  accounts: Readonly<Record<string, string>> = { mail: "home" },
) {
  const tracker = createMcpTracker({ listing: "open" });
  const { startProcess, parked } = await createDurableProcesses();
  const credentials = createMemoryCredentials();
  const connect = (id: string, account: string) =>
    credentials.set(id, "ada", { accessToken: account, account });
  for (const [id, account] of Object.entries(accounts)) {
    await connect(id, account);
    tracker.accepted.add(account);
  }
  const used: string[] = [];
  const start = (several = true) =>
    startProcess(
      createAgentTurn({
        model: createStatelessModel([...steps, "Done."], async () => {}),
        credentials,
        connectUrl: "https://auth.example.com/auth/connect",
        accounts: { mail: { service: "Mail", api: "https://mail.example", several } },
        mcpServers: [
          {
            name: "tracker",
            url: "https://tracker.example.com/mcp",
            service: "Tracker",
            credentialScope: "user",
            several: true,
            fetch: tracker.fetch,
          },
        ],
        tools: Object.fromEntries(
          Object.entries(tools).map(([name, work]) => [
            name,
            ({ turn, account, elicitor }) =>
              tool({
                inputSchema: z.object({}),
                execute: async (_input, { toolCallId }) => {
                  const result = await work({
                    mail: (options) => account("mail", toolCallId, options),
                    confirm: (message) => elicitor(toolCallId).confirm(message),
                    later: (rest) => elicitor(toolCallId).later(rest),
                    step: (step, effect) => turn.runner.step(step, effect),
                    use: async (one, what) =>
                      (await one.run(async (token) => used.push(`${what} by ${token}`))).ok,
                  });
                  return result ?? "Done";
                },
              }),
          ]),
        ),
        requester: { name: "Demo" },
        onError: () => {},
      }),
      { parkAfterMs: 20 },
    );
  const first = await start();
  let second = await start();
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
  /** Returns the function that answers the next question. */
  async function asks(message: string) {
    const elicitationId = await next(message);
    return (content: Record<string, unknown> = { answer: true }) =>
      second.ada.answer("c1", { elicitationId, action: "accept", content });
  }
  return {
    stream,
    used,
    tracker,
    /** In another chat. */
    connect,
    /** From now on, the agent runs in a process in which a user has one account. Returns the stream from there. */
    async deployWithOneAccount() {
      const before = second;
      second = await start(false);
      stream.cancel().catch(() => {});
      await Promise.all([first.close(), before.close()]);
      return readStream(await second.ada.fetch("/run/api/chat/c1/stream"));
    },
    async connects(id: string, account: string) {
      const elicitationId = await next("To continue with another Mail account.");
      await second.runtime.elicitations.complete(elicitationId, () => connect(id, account));
    },
    async declines(message = "To continue with another Mail account.") {
      await second.runtime.elicitations.decline(await next(message));
    },
    async answers(message: string, content?: Record<string, unknown>) {
      await (
        await asks(message)
      )(content);
    },
    asks,
  };
}

const TWO = { mail: "home", "mail/2": "work" };
const WHICH = "Which Mail account should Demo use?";

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

test("a turn that was parked does not use an account that its user has connected in another chat", async () => {
  const { stream, used, connect, declines, answers } = await setUp(
    [{ read: {} }, { change: {} }, { send: {} }],
    { read, change, send },
  );
  // Both chats have got the same place.
  await stream.request();
  await connect("mail/2", "work");
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
  await answers(WHICH, { account: "another" });
  await connects("mail/3", "club");
  await answers("Gather them?");
  await stream.done;
  const gathered = used.filter((use) => use.startsWith("gathered"));
  expect(gathered).toEqual(["gathered by home", "gathered by work", "gathered by club"]);
});

test("after it was parked, a call writes with the account that the user has connected for it, although a step with the first account does not run again", async () => {
  const { stream, used, connects } = await setUp([{ copy: {} }], {
    async copy({ mail, step, use }) {
      const home = mail();
      await step("read", () => use(home, "read"));
      await use(mail({ another: true }), "written");
    },
  });
  await connects("mail/2", "work");
  await stream.done;
  expect(used).toEqual(["read by home", "written by work"]);
});

test("the accounts of a call stay the same after it was parked, although it uses them in another order", async () => {
  let isFirstRun = true;
  const { stream, used, answers } = await setUp(
    [{ copy: {} }],
    {
      async copy({ mail, step, use, confirm }) {
        const [to, from] = [mail({ another: true }), mail({ another: true })];
        const order = isFirstRun ? [from, to] : [to, from];
        isFirstRun = false;
        for (const account of order) await use(account, account === to ? "to" : "from");
        await confirm("Copy it?");
        await step("copy", () => use(to, "copied to"));
      },
    },
    TWO,
  );
  await answers(WHICH, { account: "mail" });
  await answers(WHICH, { account: "mail/2" });
  await answers("Copy it?");
  await stream.done;
  expect(new Set(used)).toEqual(new Set(["from by home", "to by work", "copied to by work"]));
});

test("a user who chose to connect another account, and then did not, is asked again after the turn was parked", async () => {
  const { stream, used, answers, declines } = await setUp(
    [{ read: {} }, { send: {} }],
    { read, send: ({ mail, use }) => use(mail(), "sent") },
    TWO,
  );
  await answers(WHICH, { account: "another" });
  await declines();
  await answers(WHICH, { account: "mail/2" });
  await stream.done;
  expect(used).toEqual(["sent by work"]);
});

test("a turn that was parked continues with the account of an MCP server that a later call has chosen", async () => {
  const create = { tracker_create_issue: { title: "Login fails" } };
  const { stream, tracker, answers, declines } = await setUp(
    [create, create, { ask: {} }, create],
    { ask: ({ confirm }) => confirm("Once more?") },
    { tracker: "home", "tracker/2": "work" },
  );
  const which = "Which Tracker account should Demo use?";
  await answers(which, { account: "another" });
  await declines("For “Create issue: Login fails”, with another Tracker account.");
  await answers(which, { account: "tracker/2" });
  await answers("Once more?");
  await stream.done;
  expect(tracker.calls.map(({ token }) => token)).toEqual(["work", "work"]);
});

test("a turn that was parked continues after a deploy with which users have only one account", async () => {
  const { answers, asks, deployWithOneAccount, used } = await setUp(
    [{ look: {} }, { ask: {} }, { read: {} }],
    {
      look: async () => "nothing",
      async ask({ confirm }) {
        await confirm("Read it?");
        await confirm("Really?");
      },
      read,
    },
  );
  await answers("Read it?");
  const really = await asks("Really?");
  const stream = await deployWithOneAccount();
  await really();
  await stream.done;
  expect(used).toEqual(["read by home"]);
});

test("a call that fails when its turn runs again, before it asks again, tells the model, and the turn continues", async () => {
  let isDown = false;
  const { stream, asks } = await setUp([{ send: {} }], {
    async send({ mail, use, confirm }) {
      await use(mail(), "read");
      if (isDown) throw new Error("Mail is down");
      await confirm("Send it?");
    },
  });
  const answer = await asks("Send it?");
  isDown = true;
  await answer();
  await stream.done;
  expect(stream.chunks).toContainEqual(expect.objectContaining({ type: "tool-output-error" }));
  expect(stream.chunks).toContainEqual(expect.objectContaining({ delta: "Done." }));
});

test("a call that fails in the background when its turn runs again, before it asks again, tells the model, and the turn continues", async () => {
  let isDown = false;
  const { stream, asks } = await setUp([{ send: {} }, "I have asked."], {
    send: async ({ later, confirm }) =>
      later(async () => {
        if (isDown) throw new Error("Mail is down");
        return confirm("Send it?");
      }),
  });
  const answer = await asks("Send it?");
  isDown = true;
  await answer();
  await stream.done;
  expect(stream.chunks).toContainEqual(expect.objectContaining({ type: "tool-output-error" }));
  expect(stream.chunks.at(-1)).toMatchObject({ type: "finish" });
});
