import { expect, it } from "vitest";
import { createLostStreams } from "./lost-streams.ts";
import type { ChatLike } from "./watch-chat.ts";

const API = "https://agent.example.com/run/api/chat";

/** Two chats that read their streams over a server in the hands of the test, with time that only passes when told to. */
function setUp() {
  const chats = new Map<string, ChatLike & { status: string; errors: unknown[] }>();
  const timers: (() => void)[] = [];
  const server = { replies: [] as number[] };
  const lost = createLostStreams({
    fetch: async () => new Response(null, { status: server.replies.shift() ?? 200 }),
    chatOf: (id) => chats.get(id),
    clock: {
      now: () => 0,
      after(_ms, run) {
        timers.push(run);
        return () => void timers.splice(timers.indexOf(run), 1);
      },
    },
  });
  function open(id: string) {
    const chat = {
      id,
      messages: [],
      status: "streaming",
      errors: [] as unknown[],
      tries: 0,
      async resumeStream() {
        chat.tries++;
        const response = await lost.run(`${API}/${id}/stream`).catch((error: unknown) => {
          chat.errors.push(error);
        });
        chat.status = response?.status === 200 ? "streaming" : "error";
      },
    };
    chats.set(id, chat);
    lost.answered(id);
    return chat;
  }
  function lose(chat: { id: string; status: string }): void {
    lost.broken(chat.id);
    lost.closed(chat.id);
    chat.status = "error";
  }
  return { lost, chats, timers, server, open, lose };
}

it("opens no stream for a chat that is left before it has heard of its loss", async () => {
  const { lost, chats, open, lose } = setUp();
  const [left, kept] = [open("left"), open("kept")];
  lose(left);
  lose(kept);
  chats.delete("left");
  lost.left("left");
  await expect.poll(() => kept.tries).toBe(1);
  expect(left.tries).toBe(0);
});

it("tries again after a server that is down for a moment, and believes one that says the run is over", async () => {
  const { timers, server, open, lose } = setUp();
  const chat = open("c1");
  server.replies = [503, 204];
  lose(chat);
  await expect.poll(() => timers).toHaveLength(1);
  expect(chat.errors).toEqual([]);
  timers[0]?.();
  await expect.poll(() => chat.errors.map(String)).toEqual([expect.stringContaining("finished meanwhile")]);
  expect(timers).toEqual([]);
});

it("gives the rest of the run up when the person goes on with a new message", async () => {
  const { lost, timers, server, open, lose } = setUp();
  const chat = open("c1");
  server.replies = [503, 503];
  lose(chat);
  await expect.poll(() => timers).toHaveLength(1);
  await lost.run(API, { method: "POST", body: JSON.stringify({ id: "c1" }) });
  expect(timers).toEqual([]);
  expect(chat.tries).toBe(1);
});
