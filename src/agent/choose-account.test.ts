import { tool } from "ai";
import { expect, test } from "vitest";
import { z } from "zod";
import {
  type ReadStream,
  authenticateTestUser,
  createChatClient,
  readStream,
} from "../../test/stages/chat-client.ts";
import { createStatelessModel } from "../../test/stages/scripted-model.ts";
import { createTestRuntime } from "../../test/stages/test-runtime.ts";
import { createMemoryCredentials } from "../connect/ports/credentials.ts";
import { createDurableEngine } from "../../test/stages/durable-engine.ts";
import { StoreAway } from "../base/foreign-error.ts";
import { createMemoryRecords, createMemoryRemembered } from "../runtime/index.ts";
import type { ElicitationRecords } from "../runtime/ports/index.ts";
import type { Account } from "./accounts.ts";
import { createAgentTurn } from "./index.ts";

type Find = (options?: { another?: boolean }) => Account;

/** An agent whose tool uses an account at Mail, of which a user may have several. */
function setUp(
  use: (find: Find) => Promise<string>,
  {
    several = true,
    languages = "en",
    isBroken = () => false,
    problem = new Error("down"),
    records = createMemoryRecords(),
  }: {
    several?: boolean;
    languages?: string;
    isBroken?: () => boolean;
    problem?: Error;
    records?: ElicitationRecords;
  } = {},
) {
  const stored = createMemoryCredentials();
  const credentials = {
    ...stored,
    get: (toolId: string, userId: string) =>
      isBroken() ? Promise.reject(problem) : stored.get(toolId, userId),
  };
  const errors: unknown[] = [];
  const results: string[] = [];
  const runtime = createTestRuntime((turn) => runTurn(turn), {
    ports: { records, remembered: createMemoryRemembered() },
  });
  const runTurn = createAgentTurn({
    model: createStatelessModel([{ send: {} }, "Done."], async () => {}),
    credentials,
    connectUrl: "https://auth.example.com/auth/connect",
    accounts: {
      mail: {
        service: "Mail",
        api: "https://mail.example",
        several,
        fetch: async (_url, init) => new Response(new Headers(init?.headers).get("authorization")),
      },
    },
    tools: {
      send: ({ account }) =>
        tool({
          inputSchema: z.object({}),
          execute: async (_input, { toolCallId }) =>
            results.push(await use((options) => account("mail", toolCallId, options))),
        }),
    },
    requester: { name: "Demo" },
    clock: runtime.clock,
    onError: (error) => errors.push(error),
  });
  const ada = createChatClient(runtime.fetch, { user: "ada", headers: { "accept-language": languages } });
  const connect = (id: string, account?: string, accessToken = `token of ${account ?? id}`) =>
    stored.set(id, "ada", { accessToken, account });
  return { ada, connect, errors, runtime, results };
}

const sent = async (account: Account): Promise<string> => {
  const answer = await account.fetch("/send");
  return answer.ok ? answer.value.text() : answer.text;
};

const optionsOf = ({ requestedSchema }: { requestedSchema?: unknown }) => {
  const schema = requestedSchema as {
    properties: { account: { oneOf: { const: string; title: string }[] } };
  };
  return schema.properties.account.oneOf.map(({ const: id, title }) => [id, title]);
};

const choose = (
  stream: ReadStream,
  ada: ReturnType<typeof setUp>["ada"],
  account: string,
  remember = false,
) =>
  stream.request().then(({ elicitationId }) =>
    ada.answer("c1", {
      elicitationId,
      action: "accept",
      content: { account },
      ...(remember && { remember }),
    }),
  );

test("the only account is used without a question", async () => {
  const { ada, connect, results } = setUp((find) => sent(find()));
  await connect("mail/3", "ada@work.example");
  await (
    await ada.send("c1")
  ).done;
  expect(results).toEqual(["Bearer token of ada@work.example"]);
});

test("a user with several accounts is asked which one to use, once in a turn", async () => {
  const { ada, connect, results } = setUp(async (find) => {
    const both = await Promise.all([sent(find()), sent(find())]);
    return [...both, await sent(find())].join("; ");
  });
  await connect("mail", "ada@home.example");
  await connect("mail/2", "ada@work.example");
  const stream = await ada.send("c1");
  const request = await stream.request();
  expect(request).toMatchObject({ mode: "form", message: "Which Mail account should Demo use?" });
  expect(optionsOf(request)).toEqual([
    ["mail", "ada@home.example"],
    ["mail/2", "ada@work.example"],
    ["another", "Another account"],
  ]);
  await choose(stream, ada, "mail/2");
  await stream.done;
  const work = "Bearer token of ada@work.example";
  expect(results).toEqual([[work, work, work].join("; ")]);
});

test("a remembered choice is used in later turns, until another account is connected", async () => {
  const { ada, connect, results } = setUp((find) => sent(find()));
  await connect("mail", "home");
  await connect("mail/2", "work");
  const first = await ada.send("c1");
  await choose(first, ada, "mail/2", true);
  await first.done;
  await (
    await ada.send("c1")
  ).done;
  await connect("mail/3", "club");
  const third = await ada.send("c1");
  await choose(third, ada, "mail");
  await third.done;
  expect(results).toEqual(["Bearer token of work", "Bearer token of work", "Bearer token of home"]);
});

test("a choice is not remembered for an account that the user has connected in place of the chosen one", async () => {
  const { ada, connect, results } = setUp((find) => sent(find()));
  await connect("mail");
  await connect("mail/2");
  const first = await ada.send("c1");
  await choose(first, ada, "mail", true);
  await first.done;
  // The provider names no accounts, so this one looks like the one before.
  await connect("mail", undefined, "token of another account");
  const second = await ada.send("c1");
  await choose(second, ada, "mail/2");
  await second.done;
  expect(results).toEqual(["Bearer token of mail", "Bearer token of mail/2"]);
});

test("a user who chose to connect another account, and then did not, is asked again in the next turn", async () => {
  const { ada, connect, results, runtime } = setUp((find) => sent(find()));
  await connect("mail", "home");
  await connect("mail/2", "work");
  for (const turn of [1, 2]) {
    const stream = await ada.send("c1");
    await choose(stream, ada, "another", true);
    const { elicitationId } = await stream.request(0, ({ mode }) => mode === "url");
    await runtime.elicitations.decline(elicitationId);
    await stream.done;
    expect(results).toHaveLength(turn);
  }
});

test("an account that the user has connected in another chat meanwhile keeps its place", async () => {
  const { ada, connect, results, runtime } = setUp((find) => sent(find()));
  await connect("mail", "home");
  await connect("mail/2", "work");
  const stream = await ada.send("c1");
  await stream.request();
  await connect("mail/3", "club");
  await choose(stream, ada, "another");
  const { elicitationId } = await stream.request(0, ({ mode }) => mode === "url");
  expect(await runtime.elicitations.get(elicitationId)).toMatchObject({ tool: { id: "mail/4" } });
  await runtime.elicitations.complete(elicitationId, () => connect("mail/4", "new"));
  await stream.done;
  expect(results).toEqual(["Bearer token of new"]);
});

test("with the option another: true, the user connects a second account, and the rest of the turn uses it", async () => {
  const { ada, connect, results, runtime } = setUp(async (find) => {
    const other = await sent(find({ another: true }));
    return `${other}; ${await sent(find())}`;
  });
  await connect("mail", "home");
  const stream = await ada.send("c1");
  const { elicitationId, message } = await stream.request();
  expect(message).toBe("To continue with another Mail account.");
  const record = await runtime.elicitations.get(elicitationId);
  expect(record).toMatchObject({ tool: { id: "mail/2", isNew: true }, signIn: { another: true } });
  await runtime.elicitations.complete(elicitationId, () => connect("mail/2", "work"));
  await stream.done;
  expect(results).toEqual(["Bearer token of work; Bearer token of work"]);
});

test("a user who declines to connect another account keeps the first one", async () => {
  const { ada, connect, results, runtime } = setUp(async (find) => {
    const other = await find({ another: true }).fetch("/send");
    return `${other.ok}; ${await sent(find())}`;
  });
  await connect("mail", "home");
  const stream = await ada.send("c1");
  await runtime.elicitations.decline((await stream.request()).elicitationId);
  await stream.done;
  expect(results).toEqual(["false; Bearer token of home"]);
});

test.each(["decline here", "fail to connect here"] as const)(
  "an account that the user has connected in another chat is not used in this one after they %s",
  async (how) => {
    const { ada, connect, results, runtime } = setUp(async (find) => {
      const first = await sent(find());
      const other = await find({ another: true }).fetch("/send");
      return `${first}; ${other.ok}; ${await sent(find())}`;
    });
    await connect("mail", "home");
    const stream = await ada.send("c1");
    const { elicitationId } = await stream.request();
    // Both chats have got the same place.
    await connect("mail/2", "work");
    const store = () => Promise.reject(new Error("taken"));
    if (how === "decline here") await runtime.elicitations.decline(elicitationId);
    else await runtime.elicitations.complete(elicitationId, store).catch(() => {});
    await stream.done;
    expect(results).toEqual(["Bearer token of home; false; Bearer token of home"]);
  },
);

test("if the user chooses no account, the model gets that outcome, and the user is not asked again", async () => {
  const { ada, connect, results } = setUp(async (find) => `${await sent(find())} ${await sent(find())}`);
  await connect("mail", "home");
  await connect("mail/2", "work");
  const stream = await ada.send("c1");
  const { elicitationId } = await stream.request();
  await ada.answer("c1", { elicitationId, action: "decline" });
  await stream.done;
  expect(results).toEqual([expect.stringMatching(/declined.*declined/s)]);
});

test("a user with five accounts cannot connect another one", async () => {
  const { ada, connect } = setUp((find) => sent(find({ another: true })));
  for (const id of ["mail", "mail/2", "mail/3", "mail/4", "mail/5"]) await connect(id, id);
  const stream = await ada.send("c1");
  expect(optionsOf(await stream.request()).map(([id]) => id)).not.toContain("another");
});

test("accounts with no name or the same name are numbered, in the user's language", async () => {
  const { ada, connect } = setUp((find) => sent(find()), { languages: "de" });
  await connect("mail");
  await connect("mail/2", "a\u202Eda");
  await connect("mail/3", "a da");
  const stream = await ada.send("c1");
  const request = await stream.request();
  expect(request.message).toBe("Welches Konto bei Mail soll Demo verwenden?");
  expect(optionsOf(request).map(([, title]) => title)).toEqual([
    "Mail (1)",
    "a da (2)",
    "a da (3)",
    "Ein anderes Konto",
  ]);
});

test("when the accounts cannot be read, the call fails without asking the user, and the next call reads them again", async () => {
  let reads = 0;
  const { ada, connect, errors, results } = setUp(
    async (find) => `${await sent(find())} ${await sent(find())}`,
    {
      isBroken: () => (reads += 1) <= 5,
    },
  );
  await connect("mail", "home");
  await (
    await ada.send("c1")
  ).done;
  expect(results).toEqual([expect.stringMatching(/cannot be read at the moment.*Bearer token of home$/)]);
  expect(errors).toHaveLength(1);
});

test("after the store was away, a call can use its account when the store is back", async () => {
  let isBroken = true;
  const { ada, connect, results } = setUp(
    async (find) => {
      const mail = find();
      const first = await sent(mail).catch(() => "away");
      isBroken = false;
      return `${first}; ${await sent(mail)}; ${await sent(find())}`;
    },
    { isBroken: () => isBroken, problem: new StoreAway("away") },
  );
  await connect("mail", "home");
  await (
    await ada.send("c1")
  ).done;
  expect(results).toEqual(["away; Bearer token of home; Bearer token of home"]);
});

test("when the user could not be asked which account to use, the next call asks them", async () => {
  const records = createMemoryRecords();
  let isFirst = true;
  const { ada, connect, results } = setUp(async (find) => `${await sent(find())} ${await sent(find())}`, {
    records: {
      ...records,
      async create(...record) {
        if (!isFirst) return records.create(...record);
        isFirst = false;
        throw new Error("down");
      },
    },
  });
  await connect("mail", "home");
  await connect("mail/2", "work");
  const stream = await ada.send("c1");
  await choose(stream, ada, "mail/2");
  await stream.done;
  expect(results).toEqual([expect.stringMatching(/could not be made.*Bearer token of work$/s)]);
});

/** A user of two accounts has chosen one of them, and is asked for another one. */
async function askedForAnother(chosen: string) {
  const stage = setUp(async (find) => {
    const first = await sent(find());
    const other = await find({ another: true }).fetch("/send");
    return `${first}; ${other.ok}; ${await sent(find())}`;
  });
  await stage.connect("mail", "home");
  await stage.connect("mail/2", "work");
  const stream = await stage.ada.send("c1");
  const first = await stream.request();
  await choose(stream, stage.ada, chosen);
  const { elicitationId } = await stream.request(0, (asked) => asked.elicitationId !== first.elicitationId);
  return { ...stage, stream, elicitationId };
}

test("after the user has connected no other account, the turn uses the one that they chose before, without a question", async () => {
  const { ada, stream, elicitationId, results, runtime } = await askedForAnother("mail/2");
  await ada.answer("c1", { elicitationId, action: "accept", content: { account: "another" } });
  const connecting = await stream.request(0, ({ mode }) => mode === "url");
  await runtime.elicitations.decline(connecting.elicitationId);
  await stream.done;
  expect(results).toEqual(["Bearer token of work; false; Bearer token of work"]);
});

test("after the user has connected another account, a use of it that fails does not lead back to the first one", async () => {
  let isBroken = false;
  const { ada, connect, results, runtime } = setUp(
    async (find) => {
      const used = [await sent(find()), await sent(find({ another: true }))];
      isBroken = true;
      used.push(await sent(find()));
      isBroken = false;
      return [...used, await sent(find())].join("; ");
    },
    { isBroken: () => isBroken },
  );
  await connect("mail", "home");
  const stream = await ada.send("c1");
  const { elicitationId } = await stream.request();
  await runtime.elicitations.complete(elicitationId, () => connect("mail/2", "work"));
  await stream.done;
  expect(results).toEqual([
    expect.stringMatching(/of home; .*of work; .*cannot be read at the moment.*; Bearer token of work$/s),
  ]);
});

test("an account that the user has connected is used, although it could not be read at once", async () => {
  let isBroken = false;
  const { ada, connect, results, runtime } = setUp(
    async (find) => {
      const used = [await sent(find()), await sent(find({ another: true }))];
      isBroken = false;
      return [...used, await sent(find())].join("; ");
    },
    { isBroken: () => isBroken },
  );
  await connect("mail", "home");
  const stream = await ada.send("c1");
  const { elicitationId } = await stream.request();
  await runtime.elicitations.complete(elicitationId, async () => {
    await connect("mail/2", "work");
    isBroken = true;
  });
  await stream.done;
  expect(results).toEqual([
    expect.stringMatching(/of home; .*cannot be read at the moment.*; Bearer token of work$/s),
  ]);
});

test("a user who does not choose another account keeps the one that they have", async () => {
  const { ada, stream, elicitationId, results } = await askedForAnother("mail");
  await ada.answer("c1", { elicitationId, action: "decline" });
  await stream.done;
  expect(results).toEqual(["Bearer token of home; false; Bearer token of home"]);
});

test("an account that a call has found before does not become the one of the turn again", async () => {
  const { ada, connect, results, runtime } = setUp(async (find) => {
    const mail = find();
    const before = await sent(mail);
    const other = await sent(find({ another: true }));
    return [before, other, await sent(mail), await sent(find())].join("; ");
  });
  await connect("mail", "home");
  const stream = await ada.send("c1");
  const { elicitationId } = await stream.request();
  await runtime.elicitations.complete(elicitationId, () => connect("mail/2", "work"));
  await stream.done;
  const [home, work] = ["Bearer token of home", "Bearer token of work"];
  expect(results).toEqual([[home, work, home, work].join("; ")]);
});

test("asking for another account fails if the service allows only one, and the error says what to set", async () => {
  const { ada, errors } = setUp((find) => sent(find({ another: true })), { several: false });
  await (
    await ada.send("c1")
  ).done;
  expect(String(errors[0])).toContain("Set several: true in accounts.mail");
});

test("a turn that continues in another process uses the account that the user chose, even if another one was connected later", async () => {
  const engine = createDurableEngine();
  const records = createMemoryRecords();
  const credentials = createMemoryCredentials();
  const connect = (id: string) => credentials.set(id, "ada", { accessToken: `token of ${id}`, account: id });
  const sentWith: unknown[] = [];
  function startProcess() {
    const runner = engine.startProcess();
    const runtime = createTestRuntime(
      createAgentTurn({
        model: createStatelessModel([{ send: {} }, "Done."], async () => {}),
        credentials,
        connectUrl: "https://auth.example.com/auth/connect",
        accounts: { mail: { service: "Mail", api: "https://mail.example", several: true } },
        tools: {
          send: ({ account, elicitor }) =>
            tool({
              inputSchema: z.object({}),
              async execute(_input, { toolCallId }) {
                const mail = account("mail", toolCallId);
                await mail.run(async (token) => sentWith.push(token));
                await elicitor(toolCallId).confirm("Once more?");
                await mail.run(async (token) => sentWith.push(token));
                return "Sent";
              },
            }),
        },
        requester: { name: "Demo" },
        onError: () => {},
      }),
      {
        ports: { records, waiter: engine.waiter, stream: engine.stream, runner },
        authenticate: authenticateTestUser,
      },
    );
    return { runner, ada: createChatClient(runtime.fetch, { user: "ada" }) };
  }
  await connect("mail");
  await connect("mail/2");
  const first = startProcess();
  const before = await first.ada.send("c1");
  await choose(before, first.ada, "mail/2");
  const { elicitationId } = await before.request(0, ({ message }) => message === "Once more?");
  first.runner.die();
  await before.cancel();
  await connect("mail/3");

  const second = startProcess();
  const after = readStream(await second.ada.fetch("/run/api/chat/c1/stream"));
  const recovered = second.runner.recover();
  await second.ada.answer("c1", { elicitationId, action: "accept", content: { answer: true } });
  await after.done;
  await recovered;
  expect(new Set(sentWith)).toEqual(new Set(["token of mail/2"]));
  expect(after.chunks.filter(({ type }) => type === "tool-output-available")).toHaveLength(1);
});
