import { expect, test } from "vitest";
import { createManualClock } from "./testing/manual-clock.ts";
import { keepAlive } from "./event-stream.ts";

/** The stream of a route, written by the test. */
function setUp() {
  const clock = createManualClock();
  const written = new TransformStream<string, string>();
  const writer = written.writable.getWriter();
  let cancelled: unknown;
  const source = written.readable.pipeThrough(new TextEncoderStream());
  const reader = source.getReader();
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { done, value } = await reader.read();
      if (done) controller.close();
      else controller.enqueue(value);
    },
    cancel(reason) {
      cancelled = reason;
    },
  });
  const kept = keepAlive(
    new Response(body, { status: 201, headers: { "content-type": "text/event-stream" } }),
    { everyMs: 100, clock },
  );
  const read = kept.body!.getReader();
  const next = async () => {
    const { value } = await read.read();
    return value && new TextDecoder().decode(value);
  };
  return { clock, writer, kept, next, read, cancelled: () => cancelled };
}

test("a stream gets a comment after every interval of silence", async () => {
  const { clock, next } = setUp();
  for (let time = 1; time <= 2; time += 1) {
    const comment = next();
    clock.advance(100);
    expect(await comment).toBe(": keep-alive\n\n");
  }
});

test("chunks pass unchanged, and delay the comment", async () => {
  const { clock, writer, next } = setUp();
  clock.advance(60);
  void writer.write('data: {"a":1}\n\n');
  expect(await next()).toBe('data: {"a":1}\n\n');
  clock.advance(60);
  void writer.write("data: 2\n\n");
  expect(await next()).toBe("data: 2\n\n");
  const comment = next();
  clock.advance(100);
  expect(await comment).toBe(": keep-alive\n\n");
});

test("no comment is written inside an event", async () => {
  const { clock, writer, next } = setUp();
  void writer.write("data: half");
  expect(await next()).toBe("data: half");
  clock.advance(500);
  void writer.write(" and half\n\n");
  expect(await next()).toBe(" and half\n\n");
});

test("the reply keeps its status and headers, and ends when the route's stream ends", async () => {
  const { writer, kept, next, clock } = setUp();
  expect([kept.status, kept.headers.get("content-type")]).toEqual([201, "text/event-stream"]);
  void writer.close();
  expect(await next()).toBeUndefined();
  clock.advance(1_000);
});

test("the route's stream ends when the client leaves", async () => {
  const { read, cancelled } = setUp();
  await read.cancel("gone");
  expect(cancelled()).toBe("gone");
});

test("a reply without a body is unchanged", () => {
  const empty = new Response(null, { status: 204 });
  expect(keepAlive(empty)).toBe(empty);
});

test.each([15_001, 0, Number.NaN])("everyMs cannot be %d", (everyMs) => {
  expect(() => keepAlive(new Response("data: 1\n\n"), { everyMs })).toThrow(
    `elicit-kit: everyMs of keepAlive must be above 0 and at most 15,000 milliseconds, but it is: ${everyMs}.`,
  );
});
