import { expect, test } from "vitest";
import { authenticateTestUser, createChatClient } from "../../../test/stages/chat-client.ts";
import { createTestDatabase, startPorts } from "../../../test/stages/postgres-database.ts";
import { createSqlProxy } from "../../../test/stages/sql-proxy.ts";
import { CITY, asking, createTestRuntime } from "../../../test/stages/test-runtime.ts";

const ticked = { action: "accept", content: { city: "Rome" }, remember: true } as const;

/** Two processes. The first one reaches the database through a network that can hold replies. */
async function setUp() {
  const { url } = await createTestDatabase();
  const network = await createSqlProxy(url);
  const options = { decisionLog: {} };
  const [first, second] = await Promise.all([startPorts(network.url, options), startPorts(url, options)]);
  const chatOf = (ports: typeof first) => {
    const runtime = createTestRuntime(asking({ ...CITY, remember: true }), {
      ports,
      authenticate: authenticateTestUser,
    });
    return createChatClient(runtime.fetch, { user: "ada" });
  };
  return { network, first, second, here: chatOf(first), there: chatOf(second) };
}

test("an answer that the decision log calls remembered is remembered as soon as it counts, even if its process dies then", async () => {
  const { network, second, here } = await setUp();
  const { elicitationId } = await (await here.send("c1")).request();
  const held = network.holdReplyTo(/update "elicit_kit"\.records/);
  const answered = here.answer("c1", { elicitationId, ...ticked });
  const pass = await held;
  const rows = async () => (await second.decisionLog?.read({ limit: 10 })) ?? [];
  await expect.poll(rows).toMatchObject([{ event: "asked" }, { event: "accepted", remembered: "kept" }]);
  expect(await second.remembered?.list("ada")).toMatchObject([{ content: ticked.content }]);
  pass();
  expect((await answered).status).toBe(200);
});

test("a question with a remembered answer is open in no list, and the decision log has both of its rows", async () => {
  const { network, second, here, there } = await setUp();
  const first = await (await here.send("c1")).request();
  await here.answer("c1", { elicitationId: first.elicitationId, ...ticked });
  const held = network.holdReplyTo(/insert into "elicit_kit"\.records/);
  const next = await here.send("c2");
  const pass = await held;
  const inbox = await there.fetch("/run/api/elicitations");
  expect(await inbox.json()).toMatchObject({ items: [] });
  const list = await there.fetch("/run/api/elicitations?conversationId=c2");
  expect(await list.json()).toMatchObject({ elicitations: [] });
  pass();
  await next.done;
  const rows = async () => {
    const read = (await second.decisionLog?.read({ limit: 10 })) ?? [];
    return read.map(({ event, remembered }) => [event, remembered]);
  };
  await expect.poll(rows).toEqual([
    ["asked", undefined],
    ["accepted", "kept"],
    ["asked", undefined],
    ["accepted", "used"],
  ]);
});
