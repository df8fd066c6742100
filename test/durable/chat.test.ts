import { fileURLToPath } from "node:url";
import { Chat } from "@ai-sdk/react";
import { DefaultChatTransport, type UIMessage } from "ai";
import { createElicitation } from "elicit-kit/ai-sdk";
import { expect, onTestFinished, test } from "vitest";
import { readStream } from "../stages/chat-client.ts";
import { createTestDatabase } from "../stages/postgres-database.ts";
import { type ServerProcess, startServer } from "./server-process.ts";

const program = fileURLToPath(new URL("chat-server.ts", import.meta.url));

/** A page whose HTTP requests go to the process in `current`, as through a proxy. `lose` loses an HTTP request. */
function openPage(
  current: () => ServerProcess,
  { lose }: { lose?: (path: string, init: RequestInit) => boolean } = {},
) {
  const calls: string[] = [];
  const errors: Error[] = [];
  const elicit = createElicitation({
    async fetch(input, init = {}) {
      const path = input instanceof Request ? input.url : String(input);
      calls.push(`${init.method ?? "GET"} ${path.replace(/\/run\/api\/|\?.*/g, "")}`);
      if (lose?.(path, init) === true) throw new TypeError("The network has lost the HTTP request.");
      return current().fetch(path, init);
    },
  });
  const transport = new DefaultChatTransport<UIMessage>(elicit.transportOptions);
  const chat = new Chat<UIMessage>({ id: "c1", transport, onError: (error) => errors.push(error) });
  const stops = [elicit.observe(chat), elicit.subscribe(() => {}), () => elicit.dispose()];
  onTestFinished(() => {
    for (const stop of stops) stop();
  });
  return { elicit, chat, calls, errors };
}

function textsOf({ messages }: Chat<UIMessage>): string[] {
  return messages
    .slice(1)
    .flatMap(({ parts }) => parts.flatMap((part) => (part.type === "text" ? part.text : [])));
}

test("one message of a chat survives two processes: one dies while the user thinks, one in the middle of the reply", async () => {
  const { url, query } = await createTestDatabase();
  await query("create table calls (id integer generated always as identity)");
  const start = () => startServer(url, { program });
  const [first, second] = await Promise.all([start(), start()]);
  let current = first;
  const { elicit, chat, calls, errors } = openPage(() => current);
  const turn = chat.sendMessage({ text: "What is the weather?" });
  const items = () => elicit.getSnapshot().items;
  await expect.poll(items).toHaveLength(1);
  // Once its stream has ended, the page polls the status and holds no connection.
  const statusReads = () =>
    calls.flatMap((call, index) => (call.startsWith("GET elicitations/") ? index : []));
  await expect.poll(() => statusReads().length).toBeGreaterThanOrEqual(2);
  const [firstRead, secondRead] = statusReads();
  expect(calls.slice(firstRead, secondRead)).not.toContain("GET chat/c1/stream");
  await first.kill();
  current = second;

  // The reply to the answer is the stream of the turn, which continues in the process that takes the answer.
  await elicit.accept(items()[0]!.id, { answer: "Rome" });
  await expect.poll(() => textsOf(chat)).toEqual(["The weather in Ro"]);
  expect(items()).toMatchObject([{ status: "accepted" }]);

  current = await start();
  await second.kill();
  await turn;
  expect(textsOf(chat)).toEqual(["It is sunny."]);
  expect(chat.messages.map(({ role }) => role)).toEqual(["user", "assistant"]);
  expect([chat.status, errors]).toEqual(["ready", []]);
});

test(
  "a message that a proxy delivers to one process after the page has sent it again to another keeps the turn and its question",
  { tags: ["long"] },
  async () => {
    const { url, query } = await createTestDatabase();
    await query("create table calls (id integer generated always as identity)");
    // The process dies in the first reply only.
    await query("insert into calls default values");
    const start = () => startServer(url, { program });
    const [first, second] = await Promise.all([start(), start()]);
    let stuck: (() => Promise<Response>) | undefined;
    const { elicit, chat, errors } = openPage(() => second, {
      lose(path, init) {
        const isLost = stuck === undefined && path.endsWith("/chat") && init.method === "POST";
        if (isLost) stuck = () => first.fetch(path, init);
        return isLost;
      },
    });
    await chat.sendMessage({ text: "What is the weather?" });
    expect([chat.status, errors.splice(0).length]).toEqual(["error", 1]);
    const turn = chat.regenerate();
    const items = () => elicit.getSnapshot().items;
    await expect.poll(items).toHaveLength(1);
    const { id } = items()[0]!;

    const late = readStream(await stuck!());
    expect((await late.request()).elicitationId).toBe(id);
    const list = await second.fetch("/run/api/elicitations?conversationId=c1");
    expect((await list.json()).elicitations).toMatchObject([{ elicitationId: id }]);
    await elicit.accept(id, { answer: "Rome" });
    await turn;
    expect(items()).toMatchObject([{ id, status: "accepted" }]);
    expect((await query("select count(*)::int as turns from elicit_kit.turns")).rows).toEqual([{ turns: 1 }]);
    expect([chat.status, errors]).toEqual(["ready", []]);
  },
);
