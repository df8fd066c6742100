/** Tests with clients that open a stream and read nothing: the server does not keep the turn in memory for them. */
import { type RunTurn, createMemoryTurnStream } from "elicit-kit/runtime";
import { expect, test } from "vitest";
import { createDeferred } from "../../src/base/deadlines.ts";
import { serve as serveA2a } from "./a2a/served.ts";
import { serve as serveAgUi } from "./ag-ui/thread.ts";

const PIECES = 400;
const PIECE = "x".repeat(10_000);

/** A turn of four megabytes. */
function talking() {
  const ended = createDeferred<void>();
  const run: RunTurn = async function* run(turn) {
    yield { type: "start", messageId: turn.id };
    yield { type: "text-start", id: "t1" };
    for (let count = 0; count < PIECES; count += 1) yield { type: "text-delta", id: "t1", delta: PIECE };
    yield { type: "text-end", id: "t1" };
    yield { type: "finish" };
    ended.resolve();
  };
  return { run, ended: ended.promise };
}

/** A log that counts the bytes read from it. */
function countedStream() {
  const stream = createMemoryTurnStream();
  const counted = { bytes: 0 };
  const read: typeof stream.read = async function* read(...args) {
    for await (const entry of stream.read(...args)) {
      counted.bytes += JSON.stringify(entry.chunk).length;
      yield entry;
    }
  };
  return { stream: { ...stream, read }, counted };
}

/** Waits for everything that does not depend on the reader. */
async function settled(): Promise<void> {
  for (let count = 0; count < 50; count += 1) await new Promise((resolve) => setImmediate(resolve));
}

const headers = { "content-type": "application/json", authorization: "Bearer ada" };

test.each([
  [
    "AG-UI",
    (run: RunTurn, stream: ReturnType<typeof createMemoryTurnStream>) => {
      const served = serveAgUi(run, { ports: { stream } });
      const body = { threadId: "t", runId: "r", messages: [{ id: "u1", role: "user", content: "Go" }] };
      return served.endpoint(
        new Request("https://agent.example.com/agent", {
          method: "POST",
          headers,
          body: JSON.stringify(body),
        }),
      );
    },
  ],
  [
    "A2A",
    (run: RunTurn, stream: ReturnType<typeof createMemoryTurnStream>) => {
      const message = { messageId: "m1", role: "ROLE_USER", parts: [{ text: "Go" }] };
      const body = { jsonrpc: "2.0", id: 1, method: "SendStreamingMessage", params: { message } };
      return serveA2a(run, { ports: { stream } }).fetch("https://agent.example.com/run/v1/a2a", {
        method: "POST",
        headers: { ...headers, "a2a-version": "1.0" },
        body: JSON.stringify(body),
      });
    },
  ],
])(
  "a client that does not read over %s makes the server hold only a few events, and gets the whole turn when it reads",
  async (_, open) => {
    const { stream, counted } = countedStream();
    const { run, ended } = talking();
    const response = await open(run, stream);
    await ended;
    await settled();
    expect(counted.bytes).toBeLessThan(10 * PIECE.length);
    const all = await response.text();
    expect(all.split(PIECE).length - 1).toBeGreaterThanOrEqual(PIECES);
  },
);
