/**
 * Opens thousands of turns that wait for a user, over real HTTP. Each turn is answered and must continue with its own
 * answer. In the same run it measures the same AI SDK turn whose tool awaits a promise in a Map. Only ratios count:
 * absolute figures mean little on a shared machine. `LOAD_STREAMS` sets the number of turns (5,000).
 */
import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { type Figure, report } from "./figures.ts";
import { openPaused } from "./load/stream.ts";

const STREAMS = Number(process.env["LOAD_STREAMS"] ?? 5000);
const WARM_UP = 200;
const OPENING = 64;
const ANSWERING = 4;
const BLOCK = 50;
const LIMITS = { heap: 1.2, latency: 1.3 };
/** Turns with large inputs use so much memory that fewer of them are opened. */
const LARGE_STREAMS = Math.min(STREAMS, 200);
const LARGE_INPUT = 256 * 1024;

interface Figures {
  heapPerTurn: number;
  p50: number;
  p99: number;
}

/** Runs `count` tasks, a limited number of them in parallel. */
async function each<T>(count: number, atOnce: number, work: (index: number) => Promise<T>): Promise<T[]> {
  const done: T[] = [];
  let next = 0;
  const worker = async (): Promise<void> => {
    for (let index = next++; index < count; index = next++) done[index] = await work(index);
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
  return done;
}

async function heapOf(url: string): Promise<number> {
  const usage: { heapUsed: number } = await (await fetch(`${url}/heap`)).json();
  return usage.heapUsed;
}

type Kind = "kit" | "baseline";

interface Server {
  heapPerTurn: number;
  /** Answers one of the paused turns. Returns the milliseconds until its stream continued. */
  resume(index: number): Promise<number>;
  stop(): void;
}

async function start(kind: Kind): Promise<{ url: string; stop(): void }> {
  const script = fileURLToPath(new URL("load/server.ts", import.meta.url));
  const server = spawn(process.execPath, ["--expose-gc", script, kind], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const url = await new Promise<string>((resolve, reject) => {
    createInterface(server.stdout).once("line", resolve);
    server.once("exit", (code) => reject(new Error(`the ${kind} server has ended with ${code}`)));
  });
  return { url, stop: () => void server.kill() };
}

/** `inputBytes`: the size of each message of the client, such as the history of a long chat. */
async function pauseAll(kind: Kind, count: number, inputBytes?: number): Promise<Server> {
  const { url, stop } = await start(kind);
  const open = (index: number) => openPaused(url, index, { hasRequests: kind === "kit", inputBytes });
  const warm = await each(WARM_UP, OPENING, (index) => open(count + index));
  await each(WARM_UP, ANSWERING, async (index) => warm[index]?.resume(`city ${index}`));

  const before = await heapOf(url);
  const paused = await each(count, OPENING, open);
  const heapPerTurn = ((await heapOf(url)) - before) / count;
  const input = inputBytes === undefined ? "" : ` with ${inputBytes / 1024} KiB of input each`;
  console.log(
    `${kind}: ${count} streams${input} are open and paused, ${(heapPerTurn / 1024).toFixed(1)} KiB heap each`,
  );
  return {
    heapPerTurn,
    async resume(index) {
      const resumed = await paused[index]?.resume(`city ${index}`);
      if (resumed === undefined) throw new Error(`stream ${index} was never paused`);
      return resumed.latencyMs;
    },
    stop,
  };
}

/** Opens turns with large inputs, prints the heap that each waiting turn uses, and ends the server. */
async function weigh(kind: Kind): Promise<number> {
  const server = await pauseAll(kind, LARGE_STREAMS, LARGE_INPUT);
  await each(LARGE_STREAMS, ANSWERING, (index) => server.resume(index));
  server.stop();
  return server.heapPerTurn;
}

/** The two alternate, so that other load on the machine affects both. */
async function measure(servers: readonly [Server, Server]): Promise<readonly [Figures, Figures]> {
  const latencies: [number[], number[]] = [[], []];
  for (let first = 0; first < STREAMS; first += BLOCK) {
    const count = Math.min(BLOCK, STREAMS - first);
    for (const side of [0, 1] as const) {
      latencies[side].push(...(await each(count, ANSWERING, (index) => servers[side].resume(first + index))));
    }
  }
  return [figuresOf(servers[0], latencies[0]), figuresOf(servers[1], latencies[1])];
}

function figuresOf({ heapPerTurn }: Server, latencies: readonly number[]): Figures {
  const sorted = latencies.toSorted((a, b) => a - b);
  const at = (share: number): number => sorted[Math.floor(share * (sorted.length - 1))] ?? Number.NaN;
  return { heapPerTurn, p50: at(0.5), p99: at(0.99) };
}

const large = { baseline: await weigh("baseline"), kit: await weigh("kit") };
const servers = [await pauseAll("baseline", STREAMS), await pauseAll("kit", STREAMS)] as const;
const [baseline, kit] = await measure(servers);
for (const server of servers) server.stop();
console.log(`${STREAMS} streams each, open and paused at once; all resumed, each with its own answer.`);

const many = STREAMS.toLocaleString("en");
const bare = "a bare promise in a Map";
const figures: readonly Figure[] = [
  {
    figure: `heap of each of ${many} waiting turns`,
    unit: "KiB",
    ours: kit.heapPerTurn / 1024,
    peer: { name: bare, value: baseline.heapPerTurn / 1024 },
    target: LIMITS.heap,
  },
  {
    figure: `heap of each of ${LARGE_STREAMS} waiting turns with inputs of ${LARGE_INPUT / 1024} KiB`,
    unit: "KiB",
    ours: large.kit / 1024,
    peer: { name: bare, value: large.baseline / 1024 },
    target: LIMITS.heap,
  },
  {
    figure: `answer to next chunk with ${many} open, p50`,
    unit: "ms",
    ours: kit.p50,
    peer: { name: bare, value: baseline.p50 },
    target: LIMITS.latency,
  },
  {
    figure: `answer to next chunk with ${many} open, p99`,
    unit: "ms",
    ours: kit.p99,
    peer: { name: bare, value: baseline.p99 },
    target: LIMITS.latency,
  },
];
report(figures);
