import { array, assert, asyncProperty, constantFrom, nat } from "fast-check";
import { describe, expect, it } from "vitest";
import { hardenStream } from "./hardened-stream.ts";

const RUNS = { numRuns: Number(process.env["FC_RUNS"] ?? 300) };
const event = (chunk: unknown): string => `data: ${JSON.stringify(chunk)}\n\n`;
const START = event({ type: "start", messageId: "m1" });
const FINISH = event({ type: "finish" });
const delta = (text: string): string => event({ type: "text-delta", id: "t", delta: text });

/** A body that says this, and then breaks if it is to. */
function body(text: string, ending: "ends" | "breaks"): ReadableStream<Uint8Array> {
  const pieces = [new TextEncoder().encode(text)];
  return new ReadableStream(
    {
      pull(controller) {
        const piece = pieces.shift();
        if (piece !== undefined) controller.enqueue(piece);
        else if (ending === "ends") controller.close();
        else controller.error(new TypeError("network error"));
      },
    },
    { highWaterMark: 0 },
  );
}

/** What a chat gets of a stream that breaks after `shown`, and is then replayed as `replay`. */
async function readBroken(shown: string, replay: string, isRead = true) {
  const replaced: unknown[] = [];
  let text = "";
  const stream = hardenStream(body(shown, "breaks"), {
    reattach: async () => body(replay, "ends"),
    onReplaced(messageId) {
      replaced.push(messageId);
      return isRead;
    },
  });
  let error: unknown;
  try {
    for await (const bytes of stream) text += new TextDecoder().decode(bytes);
  } catch (thrown) {
    error = thrown;
  }
  return { text, error, replaced };
}

describe("a replay in which the server has replaced a part", () => {
  it("is read anew, and the chat shows no error", async () => {
    const { text, error, replaced } = await readBroken(
      START + delta("Hello"),
      START + delta("Howdy") + FINISH,
    );
    expect(text).toBe(START + delta("Hello"));
    expect(error).toMatchObject({ name: "AbortError" });
    expect(replaced).toEqual(["m1"]);
  });

  it("breaks the stream when nobody can read the message anew", async () => {
    const { error } = await readBroken(START + delta("Hello"), START + delta("Hi") + FINISH, false);
    expect(error).toMatchObject({ message: "network error" });
  });

  it("is never mixed with what was shown, whatever was replaced", async () => {
    const words = array(constantFrom("Hello", "Howdy", "a", "b"), { maxLength: 6 });
    await assert(
      asyncProperty(words, nat({ max: 6 }), words, async (before, from, after) => {
        const shown = START + before.map(delta).join("");
        const replay = START + [...before.slice(0, from), ...after].map(delta).join("") + FINISH;
        const { text, error, replaced } = await readBroken(shown, replay);
        if (replay.startsWith(shown)) expect([text, error, replaced]).toEqual([replay, undefined, []]);
        else expect([text, replaced]).toEqual([shown, ["m1"]]);
      }),
      RUNS,
    );
  });
});
