/** Turns that ask one question, for benchmarks. One process starts them; the same process or another one answers them. */
import { type Runtime, type RuntimeOptions, createRuntime } from "../src/runtime/index.ts";
import type { Surface } from "../src/runtime/internal.ts";

const { signal } = new AbortController();
const supports = { url: true, form: true };

export interface BenchProcess {
  readonly runtime: Runtime;
  readonly surface: Surface;
}

/** A runtime whose agent asks a question, and then writes one chunk. */
export function startProcess(ports?: RuntimeOptions["ports"]): BenchProcess {
  const runtime = createRuntime({
    ports,
    async *runTurn(turn) {
      const { outcome } = await turn.ask({
        mode: "form",
        message: "Where to?",
        tool: { id: "book", name: "book" },
        requestedSchema: { type: "object", properties: { city: { type: "string", title: "City" } } },
        expiresInMs: 3 * 3_600_000,
      });
      yield { type: `after-${outcome}` };
    },
    authenticate: () => undefined,
    allowedOrigins: [],
    limits: { writesPerMinute: 1_000_000_000 },
    onError: console.error,
  });
  return { runtime, surface: runtime.surface("bench") };
}

let count = 0;

/** A turn that waits for an answer. */
export interface WaitingTurn {
  readonly id: string;
  readonly user: { readonly id: string };
}

/** Starts a turn and waits until its request is open. */
export async function ask({ surface }: BenchProcess): Promise<WaitingTurn> {
  count += 1;
  const user = { id: `user-${process.pid}-${count}` };
  const turn = await surface.start({ user, conversationId: "c1", messages: [], supports });
  if ("refused" in turn) throw new Error(`elicit-kit: a turn was refused (${turn.refused}).`);
  // Stops reading the stream, because a connected reader would use memory too.
  for await (const _ of turn.read({ live: true, signal })) break;
  return { id: turn.id, user };
}

/** Answers a turn through a process. Returns the milliseconds until `reader` receives the next chunk. */
export async function answer(
  through: BenchProcess,
  { id, user }: WaitingTurn,
  reader: BenchProcess = through,
): Promise<number> {
  const turn = await through.surface.find(user, { turnId: id });
  const read = await reader.surface.find(user, { turnId: id });
  const [request] = (await turn?.open()) ?? [];
  if (turn === undefined || read === undefined || request === undefined)
    throw new Error("elicit-kit: the turn asks nothing.");
  const entries = read.read({ live: true, signal })[Symbol.asyncIterator]();
  await entries.next();
  const start = performance.now();
  const answered = turn.answer([
    { elicitationId: request.elicitationId, action: "accept", content: { city: "Rome" } },
  ]);
  let took = 0;
  for (let next = await entries.next(); next.done !== true; next = await entries.next()) {
    if (next.value.chunk.type === "after-accepted") took = performance.now() - start;
  }
  await answered;
  if (took === 0) throw new Error("elicit-kit: a turn did not continue with its answer.");
  return took;
}

export interface Latency {
  readonly p50: number;
  readonly p95: number;
  readonly p99: number;
}

export function latencyOf(times: readonly number[]): Latency {
  const sorted = times.toSorted((a, b) => a - b);
  const at = (part: number) => sorted[Math.floor(sorted.length * part)] ?? Number.NaN;
  return { p50: at(0.5), p95: at(0.95), p99: at(0.99) };
}

/** Runs `work` `times` times, at most `atOnce` of them in parallel. */
export async function repeat<T>(times: number, atOnce: number, work: () => Promise<T>): Promise<T[]> {
  const results: T[] = [];
  let started = 0;
  await Promise.all(
    Array.from({ length: atOnce }, async () => {
      while (started < times) {
        started += 1;
        results.push(await work());
      }
    }),
  );
  return results;
}

export async function heap(): Promise<number> {
  // The second round can release more memory than the first.
  for (let round = 0; round < 5; round += 1) {
    globalThis.gc?.();
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  return process.memoryUsage().heapUsed;
}
