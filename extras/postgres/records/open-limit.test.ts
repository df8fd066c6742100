import { expect, test } from "vitest";
import type { OpenLimits } from "../../../src/runtime/internal.ts";
import { createChatClient } from "../../../test/stages/chat-client.ts";
import { createTestDatabase, startPorts } from "../../../test/stages/postgres-database.ts";
import { CITY, asking, createTestRuntime } from "../../../test/stages/test-runtime.ts";

const FULL = "too many requests wait for the user already";

async function setUp(maxOpen: OpenLimits) {
  const { url } = await createTestDatabase();
  const startProcess = async () => {
    const runtime = createTestRuntime(asking(CITY), {
      ports: await startPorts(url),
      limits: { open: maxOpen },
    });
    return { runtime, ada: createChatClient(runtime.fetch, { user: "ada" }) };
  };
  return [await startProcess(), await startProcess()] as const;
}

test("the limit of open requests of a user holds across all processes", async () => {
  const [here, there] = await setUp({ perPerson: 2 });
  const { elicitationId } = await (await here.ada.send("c1")).request();
  await (await there.ada.send("c2")).request();
  const full = await there.ada.send("c3");
  await full.done;
  expect(JSON.stringify(full.chunks)).toContain(FULL);
  await there.ada.answer("c1", { elicitationId, action: "decline" });
  await (await there.ada.send("c4")).request();
  await Promise.all([here.runtime.close(), there.runtime.close()]);
});

test("the limit of open requests of a conversation holds across all processes, and a request that is asked again counts once", async () => {
  const [here, there] = await setUp({ perConversation: 1 });
  const { signal } = new AbortController();
  const scope = { turnId: "t1", conversationId: "c1", user: { id: "ada" }, signal };
  const first = { ...CITY, elicitationId: "first-question" };
  const asked = here.runtime.ask(scope, first);
  const list = () => there.ada.fetch("/run/api/elicitations?conversationId=c1").then((reply) => reply.text());
  await expect.poll(list).toContain(first.elicitationId);
  expect(await there.runtime.ask(scope, CITY)).toMatchObject({ reason: expect.stringContaining(FULL) });
  // Ask again, as a turn does when it runs again in another process.
  const again = there.runtime.ask(scope, first);
  await there.ada.answer("c1", { elicitationId: first.elicitationId, action: "decline" });
  expect(await Promise.all([asked, again])).toEqual([{ outcome: "declined" }, { outcome: "declined" }]);
});
