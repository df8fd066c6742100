import { expect, test } from "vitest";
import type { InboxPage } from "../../../src/contract/contract.ts";
import { createChatClient } from "../../../test/stages/chat-client.ts";
import { createTestDatabase, startPorts } from "../../../test/stages/postgres-database.ts";
import { testRecord } from "../../../test/stages/test-ports.ts";
import { CITY, asking, createTestRuntime } from "../../../test/stages/test-runtime.ts";

test("a request of one process appears in the inbox stream of another, and an answer there continues its turn", async () => {
  const { url } = await createTestDatabase();
  const ports = [await startPorts(url), await startPorts(url)] as const;
  const [here, there] = ports.map((each) => {
    const runtime = createTestRuntime(asking(CITY), { ports: each });
    return { runtime, ada: createChatClient(runtime.fetch, { user: "ada" }) };
  });
  const headers = { accept: "text/event-stream" };
  const stream = await there!.ada.fetch("/run/api/elicitations", { headers });
  const pages: InboxPage[] = [];
  const reading = stream.body!.pipeThrough(new TextDecoderStream()).pipeTo(
    new WritableStream({
      write(text) {
        for (const frame of text.split("\n\n"))
          if (frame.startsWith("data: ")) pages.push(JSON.parse(frame.slice("data: ".length)));
      },
    }),
  );
  reading.catch(() => {});
  const turn = await here!.ada.send("c1");
  const { elicitationId } = await turn.request();
  await expect
    .poll(() => pages.at(-1)?.items.map(({ request }) => request.elicitationId))
    .toEqual([elicitationId]);
  await there!.ada.answer("c1", { elicitationId, action: "accept", content: { city: "Rome" } });
  await turn.done;
  expect(turn.chunks).toContainEqual(
    expect.objectContaining({ delta: '{"outcome":"accepted","content":{"city":"Rome"}}' }),
  );
  await expect.poll(() => pages.at(-1)?.items).toEqual([]);
  await Promise.all([here!.runtime.close(), there!.runtime.close()]);
});

test("an answer of another user, in another process, continues the turn in its process", async () => {
  const { url } = await createTestDatabase();
  const assign = {
    may: () => true,
    nameOf: ({ user = "", group = "" }) => user || group,
    groupsOf: () => ["finance"],
  };
  const question = { ...CITY, assignee: { group: "finance" } };
  const start = async () => createTestRuntime(asking(question), { ports: await startPorts(url), assign });
  const [here, there] = [await start(), await start()];
  const turn = await createChatClient(here.fetch, { user: "bo" }).send("c1");
  const { elicitationId } = await turn.request();
  const members = ["ada", "cy"].map((user) =>
    createChatClient((user === "cy" ? here : there).fetch, { user }),
  );
  const page: InboxPage = await (await members[0]!.fetch("/run/api/elicitations")).json();
  expect(page.items).toMatchObject([{ conversationId: elicitationId, request: { from: { name: "Bo" } } }]);
  const answer = { elicitationId, action: "accept", content: { city: "Rome" } };
  const replies = await Promise.all(members.map((member) => member.answer(elicitationId, answer)));
  expect(replies.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409]);
  await turn.done;
  const winner = replies[0]!.status === 200 ? "ada" : "cy";
  expect(turn.chunks).toContainEqual(
    expect.objectContaining({
      delta: JSON.stringify({ outcome: "accepted", content: { city: "Rome" }, by: winner }),
    }),
  );
  await Promise.all([here.close(), there.close()]);
  expect([...here.errors, ...there.errors]).toEqual([]);
});

test("a page of the inbox reads only rows of its user, however many requests are open", async () => {
  const { url, query } = await createTestDatabase();
  const { records } = await startPorts(url);
  const mine = Array.from({ length: 60 }, () => testRecord({ user: { id: "ada" } }));
  const others = Number(process.env["INBOX_OTHERS"] ?? 20_000);
  for (const record of mine.slice(0, 30)) await records.create(record);
  await query(
    `insert into elicit_kit.records (id, person, conversation, turn_id, revision, is_open, record, forget_at, assignee)
     select 'other ' || n, 'person ' || n % 5000, 'conversation ' || n, 'turn ' || n, 0, true, '{}', now() + interval '1 day', case when n % 2 = 0 then 'person ' || n % 100 end
     from generate_series(1, $1::integer) n`,
    [others],
  );
  for (const record of mine.slice(30)) await records.create(record);
  await query("analyze elicit_kit.records");
  await query("select pg_stat_reset()");
  const first = await records.inbox!.listOpen("ada", { limit: 50 });
  const rest = await records.inbox!.listOpen("ada", {
    limit: 50,
    after: first.at(-1)?.request.elicitationId,
  });
  expect([...first, ...rest].map(({ request }) => request.elicitationId)).toEqual(
    mine.map(({ request }) => request.elicitationId),
  );
  const counts = async () => {
    const { rows } = await query(
      "select seq_tup_read::integer as scanned, idx_tup_fetch::integer as fetched from pg_stat_user_tables where relname = 'records' and schemaname = 'elicit_kit'",
    );
    return rows[0];
  };
  // PostgreSQL updates its counters with a delay.
  await expect.poll(async () => (await counts()).fetched).toBeGreaterThan(60);
  // The rows of the user, the cursor, and a few that the planner reads.
  const { scanned, fetched } = await counts();
  expect(scanned).toBe(0);
  expect(fetched).toBeLessThan(100);
});
