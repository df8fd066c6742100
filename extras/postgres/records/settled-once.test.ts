import { expect, test } from "vitest";
import { createChatClient } from "../../../test/stages/chat-client.ts";
import { createTestDatabase, startPorts } from "../../../test/stages/postgres-database.ts";
import { CITY, asking, createTestRuntime } from "../../../test/stages/test-runtime.ts";

test("an answer writes its outcome once, and the same answer writes it again in case the first one was lost", async () => {
  const { url, query } = await createTestDatabase();
  const ports = await startPorts(url);
  const runtime = createTestRuntime(asking(CITY), { ports });
  const ada = createChatClient(runtime.fetch, { user: "ada" });
  const stream = await ada.send("c1");
  const { elicitationId } = await stream.request();
  await query("create table writes (at timestamptz default now())");
  await query(
    "create function note_write() returns trigger language plpgsql as 'begin insert into public.writes default values; return null; end'",
  );
  await query(
    "create trigger note_write after insert on elicit_kit.settlements for each statement execute function note_write()",
  );
  const writes = async () => (await query("select from writes")).rows.length;
  const answer = { elicitationId, action: "accept", content: { city: "Rome" } };
  expect((await ada.answer("c1", answer)).status).toBe(200);
  await stream.done;
  expect(await writes()).toBe(1);
  expect((await ada.answer("c1", answer)).status).toBe(200);
  expect(await writes()).toBe(2);
});
