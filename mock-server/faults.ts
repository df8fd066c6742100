import { type Problem, REQUEST_PART_TYPE } from "../src/contract/contract.ts";
import { isObject } from "../src/contract/json.ts";
import type { MockClock } from "./clock.ts";
import type { EndOutside, Outside } from "./outside.ts";
import { type RequestKind, type SeenRequest, withoutCapability } from "./requests.ts";
import { type Frame, isEvent, mapFrames } from "./sse-frames.ts";

/** A fault between the chat and a correct server. */
export interface Fault {
  /** The kind of request that it affects. */
  readonly on: RequestKind;
  /** How many such requests it affects, from now on. */
  readonly times: number;
  /** Handles the request; `next` passes it on to the server. */
  apply(
    request: Request,
    next: (request: Request) => Promise<Response>,
    world: FaultWorld,
  ): Promise<Response>;
}

/** What a fault can do at the server. */
export interface FaultWorld {
  /** Ends the requests that this answer is for, before the answer arrives. */
  end(outcome: EndOutside): Promise<void>;
  wait(ms: number): Promise<void>;
}

/** The faults of one mock server. */
export interface Faults {
  add(faults: readonly Fault[]): void;
  /** Passes a request through the faults that affect it, in order, and then to the server. */
  meet(
    seen: SeenRequest,
    request: Request,
    server: (request: Request) => Promise<Response>,
  ): Promise<Response>;
}

export function createFaults(
  initial: readonly Fault[],
  { outside, clock }: { outside: Outside; clock: MockClock },
): Faults {
  const armed: { fault: Fault; left: number }[] = [];
  const add = (faults: readonly Fault[]) => {
    armed.push(...faults.map((fault) => ({ fault, left: fault.times })));
  };
  add(initial);
  return {
    add,
    meet({ kind, answers }, request, server) {
      const met = armed.filter(({ fault, left }) => fault.on === kind && left > 0);
      for (const each of met) each.left -= 1;
      const world: FaultWorld = {
        wait: (ms) => new Promise((resolve) => clock.after(ms, resolve)),
        async end(outcome) {
          for (const { elicitationId } of answers) await outside.end(elicitationId, outcome);
        },
      };
      const behind = (index: number): ((request: Request) => Promise<Response>) => {
        const fault = met[index]?.fault;
        return fault === undefined ? server : (passed) => fault.apply(passed, behind(index + 1), world);
      };
      return behind(0)(request);
    },
  };
}

/** The next stream breaks off after `afterChunks` chunks. Re-attaching works. */
export function dropStream(options: { afterChunks: number }): Fault {
  return onFrames(async function* (frames) {
    let left = options.afterChunks;
    if (left > 0) {
      for await (const frame of frames) {
        yield frame;
        if (isEvent(frame) && (left -= 1) === 0) break;
      }
    }
    // As browsers say it when a connection breaks.
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

/** Replies come late: they wait on the mock server's clock. */
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

/** The server replies with an error, and then works again. It does not process the failed requests. */
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
 * The request is answered in another window: it ends with this outcome just before the next answer arrives. The answer
 * gets the reply of a real server: 409, 410 after `expired`, or 200 if it means the same.
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

/** The server does not learn that the chat can show requests, so it never asks. In all turns. */
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
