import { expect, test } from "vitest";
import { type ChatClient, type ReadStream, createChatClient } from "../../../test/stages/chat-client.ts";
import { countHeld } from "../../../test/stages/garbage.ts";
import { CITY, LOG_KEPT_MS, createTestRuntime, text } from "../../../test/stages/test-runtime.ts";

const TURNS = 20;

/** The ways in which a waiting turn ends. */
type Ends = readonly [
  name: string,
  end: (ada: ChatClient, id: string, stream: ReadStream) => Promise<unknown>,
];

const ENDS: readonly Ends[] = [
  [
    "answered",
    async (ada, conversationId, stream) => {
      const { elicitationId } = await stream.request();
      return ada.answer(conversationId, { elicitationId, action: "accept", content: { city: "Rome" } });
    },
  ],
  ["stopped", stop],
  [
    "replaced",
    async (ada, conversationId) => {
      const next = await ada.send(conversationId);
      await stop(ada, conversationId);
      return next.done;
    },
  ],
];

test.for(ENDS)("a turn that was %s leaves nothing in memory", async ([, end]) => {
  const turns: WeakRef<object>[] = [];
  const runtime = createTestRuntime(async function* run(turn) {
    turns.push(new WeakRef(turn.messages));
    yield* text(JSON.stringify(await turn.ask(CITY)));
  });
  const ada = createChatClient(runtime.fetch, { user: "ada" });
  for (let count = 0; count < TURNS; count += 1) {
    const stream = await ada.send(`c${count}`);
    await stream.request();
    await end(ada, `c${count}`, stream);
    await stream.done;
  }
  runtime.clock.advance(LOG_KEPT_MS);
  expect(turns.length).toBeGreaterThanOrEqual(TURNS);
  expect(await countHeld(turns)).toBe(0);
});

function stop(ada: ChatClient, conversationId: string): Promise<Response> {
  return ada.fetch(`/run/api/chat/${conversationId}/stop`, { method: "POST" });
}
