import { expect, test } from "vitest";
import { createChatClient } from "../../test/stages/chat-client.ts";
import { createTestRuntime } from "../../test/stages/test-runtime.ts";
import { createMemoryCredentials } from "../connect/ports/credentials.ts";
import type { Turn } from "../runtime/index.ts";
import { createAccounts } from "./index.ts";

/** An agent without `createAgentTurn`. `said` collects what `work` returns. */
function setUp(work: (turn: Turn, accountsOf: ReturnType<typeof createAccounts>) => Promise<string>) {
  const credentials = createMemoryCredentials();
  const accountsOf = createAccounts({
    accounts: {
      mail: {
        service: "Mail",
        api: "https://mail.example",
        several: true,
        fetch: async (_url, init) => new Response(new Headers(init?.headers).get("authorization")),
      },
    },
    credentials,
    connectUrl: "https://auth.example.com/auth/connect",
    requester: { name: "Demo" },
    onError: () => {},
  });
  const said: string[] = [];
  const runtime = createTestRuntime(async function* runTurn(turn): AsyncGenerator<never> {
    said.push(await work(turn, accountsOf));
    yield* [];
  });
  return { ada: createChatClient(runtime.fetch, { user: "ada" }), credentials, runtime, said };
}

test("an agent without createAgentTurn asks the user to connect an account, and continues with it", async () => {
  const { ada, credentials, runtime, said } = setUp(async (turn, accountsOf) => {
    const sent = await accountsOf(turn, "send")("mail", "call-1").fetch("/send");
    return sent.ok ? sent.value.text() : sent.text;
  });
  const stream = await ada.send("c1");
  const request = await stream.request();
  expect(request).toMatchObject({ mode: "url", toolCallId: "call-1", service: { name: "Mail" } });
  await runtime.elicitations.complete(request.elicitationId, () =>
    credentials.set("mail", "ada", { accessToken: "token" }),
  );
  await stream.done;
  expect(said).toEqual(["Bearer token"]);
});

test("all tools of one turn use the account that the user chose for the first one", async () => {
  const { ada, credentials, said } = setUp(async (turn, accountsOf) => {
    const tools = [accountsOf(turn, "send")("mail", "call-1"), accountsOf(turn, "read")("mail", "call-2")];
    const tokens: string[] = [];
    for (const account of tools) await account.run(async (token) => tokens.push(token));
    return tokens.join(", ");
  });
  await credentials.set("mail", "ada", { accessToken: "home" });
  await credentials.set("mail/2", "ada", { accessToken: "work" });
  const stream = await ada.send("c1");
  const { elicitationId } = await stream.request();
  await ada.answer("c1", { elicitationId, action: "accept", content: { account: "mail/2" } });
  await stream.done;
  expect(said).toEqual(["work, work"]);
});
