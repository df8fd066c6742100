import { type Problem, REQUEST_PART_TYPE } from "../src/contract/contract.ts";
import { isObject } from "../src/contract/json.ts";
import type { Fault } from "./fault.ts";
import type { EndOutside } from "./outside.ts";
import { type RequestKind, withoutCapability } from "./requests.ts";
import { type Frame, isEvent, mapFrames } from "./sse-frames.ts";

/** The next stream fails after `afterChunks` chunks. Re-attaching works. */
export function dropStream(options: { afterChunks: number }): Fault {
  return onFrames(async function* (frames) {
    let left = options.afterChunks;
    if (left > 0) {
      for await (const frame of frames) {
        yield frame;
        if (isEvent(frame) && (left -= 1) === 0) break;
      }
    }
    // The error that browsers throw when a connection fails.
    throw new TypeError("network error");
  });
}

/** One chunk of the next stream comes twice. Chunks count from 1. */
export function duplicateChunk(chunk: number): Fault {
  return onFrames(async function* (frames) {
    let count = 0;
    for await (const frame of frames) {
      yield frame;
      if (isEvent(frame) && (count += 1) === chunk) yield frame;
    }
  });
}

/** A chunk of the next stream comes after the one that follows it. Chunks count from 1. */
export function swapChunks(chunk: number): Fault {
  return onFrames(async function* (frames) {
    let count = 0;
    let held: Frame | undefined;
    for await (const frame of frames) {
      if (isEvent(frame) && (count += 1) === chunk) {
        held = frame;
        continue;
      }
      yield frame;
      if (held !== undefined && isEvent(frame)) {
        yield held;
        held = undefined;
      }
    }
    if (held !== undefined) yield held;
  });
}

/** Replies are late: they wait on the mock server's clock. */
export function delay(ms: number, options: { on?: RequestKind; times?: number } = {}): Fault {
  const { on = "answer", times = 1 } = options;
  return {
    on,
    times,
    async apply(request, next, world) {
      await world.wait(ms);
      return next(request);
    },
  };
}

/** The server replies with an error, and works again afterwards. It does not process the failed requests. */
export function failReply(options: { on?: RequestKind; times?: number; status?: number } = {}): Fault {
  const { on = "answer", times = 1, status = 500 } = options;
  const problem: Problem = { title: "Server error", status, detail: "Something went wrong." };
  const headers = { "content-type": "application/problem+json" };
  return {
    on,
    times,
    apply: () => Promise.resolve(new Response(JSON.stringify(problem), { status, headers })),
  };
}

/**
 * The user answers the request in another window: it ends with this outcome just before the next answer arrives. That
 * answer gets the reply of a real server: 409, 410 after `expired`, or 200 if it means the same.
 */
export function answeredElsewhere(outcome: EndOutside): Fault {
  return {
    on: "answer",
    times: 1,
    async apply(request, next, world) {
      await world.end(outcome);
      return next(request);
    },
  };
}

/** Writes requests as bare events on all streams, as some servers do: `{type: "elicitation-request", …}`. */
export function bareEvents(): Fault {
  return {
    ...onFrames(async function* (frames) {
      for await (const frame of frames) {
        const chunk: unknown = isEvent(frame) ? JSON.parse(frame.slice("data: ".length)) : undefined;
        const isRequest = isObject(chunk) && chunk["type"] === REQUEST_PART_TYPE;
        yield isRequest ? `data: ${JSON.stringify(chunk["data"])}` : frame;
      }
    }),
    times: Number.POSITIVE_INFINITY,
  };
}

/** The server does not learn that the chat can show requests, so it never asks. This affects all turns. */
export function ignoreCapability(): Fault {
  return {
    on: "chat",
    times: Number.POSITIVE_INFINITY,
    apply: async (request, next) =>
      next(request.method === "POST" ? await withoutCapability(request) : request),
  };
}

function onFrames(change: (frames: AsyncIterable<Frame>) => AsyncIterable<Frame>): Fault {
  return { on: "chat", times: 1, apply: async (request, next) => mapFrames(await next(request), change) };
}
