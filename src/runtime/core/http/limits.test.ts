import { expect, test, vi } from "vitest";
import { createChatClient } from "../../testing/chat-client.ts";
import { CITY, asking, createTestRuntime, text } from "../../testing/test-runtime.ts";
import type { RunTurn } from "../index.ts";

/** Asks so many things at once, and says how each ended. */
function askingTimes(count: number): RunTurn {
  return async function* run(turn) {
    const asked = Array.from({ length: count }, () => turn.ask({ ...CITY, tool: undefined }));
    yield* text(JSON.stringify(await Promise.all(asked)));
  };
}

const FULL = {
  outcome: "failed",
  reason: "too many requests wait for the user already; they have to answer some of them first",
};

test("of what an agent asks at once no more is shown than the conversation has room for, and the tool is told", async () => {
  const runtime = createTestRuntime(askingTimes(4), { maxOpen: { perConversation: 3 } });
  const ada = createChatClient(runtime.fetch, { user: "ada" });
  const stream = await ada.send("c1");
  await stream.request(2);
  const { elicitations } = await (await ada.fetch("/run/api/elicitations?conversationId=c1")).json();
  expect(elicitations).toHaveLength(3);
  for (const { elicitationId } of elicitations) await ada.answer("c1", { elicitationId, action: "decline" });
  await stream.done;
  const declined = { outcome: "declined" };
  const said = JSON.stringify([declined, declined, declined, FULL]);
  expect(stream.chunks).toContainEqual(expect.objectContaining({ delta: said }));
  expect(runtime.errors).toEqual([]);
});

test("one person cannot fill the server by many conversations; what has ended makes room, and others are asked", async () => {
  const runtime = createTestRuntime(asking(CITY), { maxOpen: { perPerson: 2 } });
  const ada = createChatClient(runtime.fetch, { user: "ada" });
  const bob = createChatClient(runtime.fetch, { user: "bob" });
  const first = await (await ada.send("c1")).request();
  await (await ada.send("c2")).request();
  const full = await ada.send("c3");
  await full.done;
  expect(full.chunks).toContainEqual(expect.objectContaining({ delta: JSON.stringify(FULL) }));
  await (await bob.send("c1")).request();
  await ada.answer("c1", { elicitationId: first.elicitationId, action: "decline" });
  await vi.waitFor(async () => await (await ada.send("c4")).request());
  await runtime.close();
});

test("a hundred requests wait for a person at once by default, fifty of them in one conversation", async () => {
  const runtime = createTestRuntime(askingTimes(60));
  const ada = createChatClient(runtime.fetch, { user: "ada" });
  const streams = await Promise.all(["c1", "c2", "c3"].map((id) => ada.send(id)));
  const open = await vi.waitFor(async () => {
    const lists = await Promise.all(
      ["c1", "c2", "c3"].map(async (id) =>
        (await ada.fetch(`/run/api/elicitations?conversationId=${id}`)).json(),
      ),
    );
    const counts: number[] = lists.map(({ elicitations }) => elicitations.length);
    expect(counts.reduce((sum, count) => sum + count)).toBe(100);
    return counts;
  });
  expect(open).toEqual([50, 50, 0]);
  await runtime.close();
  await Promise.all(streams.map(({ done }) => done));
});

test("messages of people without a session are counted by what the operator says, and get 429 with a time to wait", async () => {
  const runtime = createTestRuntime(
    async function* run() {
      yield { type: "start" };
    },
    {
      writesPerMinute: 2,
      anonymousKey: (request) => request.headers.get("x-real-ip") ?? undefined,
    },
  );
  const from = async (ip?: string) => {
    const headers = ip === undefined ? {} : { "x-real-ip": ip };
    return (await createChatClient(runtime.fetch, { headers }).send("c1")).response;
  };
  for (const ip of ["192.0.2.1", "192.0.2.2", undefined]) {
    expect((await from(ip)).status).toBe(200);
    expect((await from(ip)).status).toBe(200);
    const refused = await from(ip);
    expect(refused.status).toBe(429);
    expect(refused.headers.get("content-type")).toBe("application/problem+json");
    expect(refused.headers.get("retry-after")).toBe("60");
  }
  runtime.clock.advance(60_000);
  expect((await from("192.0.2.1")).status).toBe(200);
});
