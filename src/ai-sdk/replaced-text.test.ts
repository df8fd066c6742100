import { type UIMessageChunk, readUIMessageStream } from "ai";
import { array, assert, asyncProperty, constantFrom, nat } from "fast-check";
import { describe, expect, it } from "vitest";
import type { AiSdkVersion } from "./chunk-shapes.ts";
import { hardenStream } from "./hardened-stream.ts";

const RUNS = { numRuns: Number(process.env["FC_RUNS"] ?? 300) };
const event = (chunk: unknown): string => `data: ${JSON.stringify(chunk)}\n\n`;
const START = event({ type: "start", messageId: "m1" });
const STEP = event({ type: "start-step" });
const TEXT = event({ type: "text-start", id: "t" });
const END = event({ type: "text-end", id: "t" });
const REST = `${TEXT}${event({ type: "text-delta", id: "t", delta: "rest" })}${END}${event({ type: "finish" })}`;
const FINISH = event({ type: "finish" });
const delta = (text: string): string => event({ type: "text-delta", id: "t", delta: text });

/** A body with this content that then fails if `breaks` is set. */
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

/** The chunks that a chat gets from a stream that breaks after `shown`, and is then replayed as `replay`. */
async function readBroken(
  shown: string,
  replay: string,
  { isRead = true, aiSdk = 7 }: { isRead?: boolean; aiSdk?: AiSdkVersion } = {},
) {
  const replaced: unknown[] = [];
  let text = "";
  const stream = hardenStream(body(shown, "breaks"), {
    aiSdk,
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

/** The message that a chat builds from a stream. */
async function messageOf(text: string): Promise<unknown> {
  const chunks = text
    .split("\n\n")
    .filter((one) => one !== "")
    .map((one): UIMessageChunk => JSON.parse(one.slice("data: ".length)));
  const stream = new ReadableStream<UIMessageChunk>({
    start(controller) {
      for (const chunk of chunks) controller.enqueue(chunk);
      controller.close();
    },
  });
  let last: unknown;
  for await (const message of readUIMessageStream({ stream })) last = structuredClone(message);
  return last;
}

describe("a replay in which the server has replaced a part", () => {
  it("replaces the step that the chat has shown", async () => {
    const [note, other] = [1, 2].map((data) => event({ type: "data-note", id: `n${data}`, data }));
    const shown = START + STEP + TEXT + delta("before") + END + STEP + note + TEXT + delta("Hello");
    const replay = `${START + STEP + TEXT + delta("before") + END + STEP + note}${TEXT}${delta("Howdy")}${END}${other}${FINISH}`;
    const { text, error, replaced } = await readBroken(shown, replay);
    expect([error, replaced]).toEqual([undefined, []]);
    expect(text).toContain("Hello");
    expect(await messageOf(text)).toEqual(await messageOf(replay));
  });

  it("is read again from the start when more than one step was replaced, and the chat shows no error", async () => {
    const shown = START + STEP + TEXT + delta("Hello") + END + STEP;
    const { text, error, replaced } = await readBroken(shown, START + STEP + TEXT + delta("Howdy") + FINISH);
    expect(text).toBe(shown);
    expect(error).toMatchObject({ name: "AbortError" });
    expect(replaced).toEqual(["m1"]);
  });

  it("is read again from the start before version 7 of the AI SDK", async () => {
    const replay = START + TEXT + delta("Howdy") + FINISH;
    const { error, replaced } = await readBroken(START + TEXT + delta("Hello"), replay, { aiSdk: 6 });
    expect(error).toMatchObject({ name: "AbortError" });
    expect(replaced).toEqual(["m1"]);
  });

  it("breaks the stream when no chat can read the message again", async () => {
    const replay = START + TEXT + delta("Hi") + FINISH;
    const options = { aiSdk: 6, isRead: false } as const;
    const { error } = await readBroken(START + TEXT + delta("Hello"), replay, options);
    expect(error).toMatchObject({ message: "network error" });
  });

  it("is never mixed with the earlier content, whatever was replaced", async () => {
    const words = array(constantFrom("Hello", "Howdy", "a", STEP, "data"), { maxLength: 6 });
    const eventOf = (word: string) => {
      if (word === STEP) return STEP;
      if (word === "data") return event({ type: "data-note", id: "n", data: word });
      return TEXT + delta(word) + END;
    };
    await assert(
      asyncProperty(words, nat({ max: 6 }), words, constantFrom(6, 7), async (before, from, after, aiSdk) => {
        const shown = START + before.map(eventOf).join("");
        const replay = START + [...before.slice(0, from), ...after].map(eventOf).join("") + REST;
        const { text, error, replaced } = await readBroken(shown, replay, { aiSdk });
        if (error === undefined) expect(await messageOf(text)).toEqual(await messageOf(replay));
        else expect([text, replaced]).toEqual([shown, ["m1"]]);
        if (replay.startsWith(shown)) expect(text).toBe(replay);
      }),
      RUNS,
    );
  });
});
