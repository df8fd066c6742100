/**
 * Measures the CPU time of the AI SDK module per chunk, as ratios within one run: `node bench/ai-sdk.ts`. Absolute times
 * mean little on a shared machine. The minimum of several interleaved rounds is the best estimate.
 */
import { Chat } from "@ai-sdk/react";
import { DefaultChatTransport, type UIMessage } from "ai";
import { createHardenedFetch } from "../src/ai-sdk/hardened-fetch.ts";
import { elicitationTransform } from "../src/ai-sdk/index.ts";
import { type Figure, report } from "./figures.ts";

const CHUNKS = 20_000;
const ROUNDS = 25;
/** About the size that a server's socket delivers at once when the reader is slower than the model. */
const NETWORK_CHUNK = 16 * 1024;

const deltas = Array.from({ length: CHUNKS }, (_, index) => ({
  type: "text-delta" as const,
  id: "txt-0",
  delta: ` word${index}`,
}));
const events = deltas.map((delta) => new TextEncoder().encode(`data: ${JSON.stringify(delta)}\n\n`));
const ends = ['{"type":"start"}', '{"type":"text-start","id":"txt-0"}'].map((json) =>
  new TextEncoder().encode(`data: ${json}\n\n`),
);

function streamOf<T>(chunks: readonly T[]): ReadableStream<T> {
  let next = 0;
  return new ReadableStream(
    {
      pull(controller) {
        const chunk = chunks[next++];
        if (chunk === undefined) controller.close();
        else controller.enqueue(chunk);
      },
    },
    { highWaterMark: 0 },
  );
}

function coalesced(): Uint8Array[] {
  const all = new Uint8Array(events.reduce((length, event) => length + event.length, 0));
  let at = 0;
  for (const event of events) {
    all.set(event, at);
    at += event.length;
  }
  return Array.from({ length: Math.ceil(all.length / NETWORK_CHUNK) }, (_, index) =>
    all.subarray(index * NETWORK_CHUNK, (index + 1) * NETWORK_CHUNK),
  );
}

async function drain(stream: ReadableStream<unknown>): Promise<void> {
  const reader = stream.getReader();
  while (!(await reader.read()).done);
}

function serverOf(chunks: readonly Uint8Array[]): typeof globalThis.fetch {
  const headers = { "content-type": "text/event-stream" };
  return async () => new Response(streamOf(chunks), { headers });
}

async function hardened(chunks: readonly Uint8Array[]): Promise<void> {
  const { fetch } = createHardenedFetch({ fetch: serverOf(chunks) });
  const body = JSON.stringify({ id: "c1", messages: [] });
  const response = await fetch("/run/api/chat", { method: "POST", body });
  await drain(response.body!);
}

async function chat(fetch: typeof globalThis.fetch): Promise<void> {
  const one = new Chat<UIMessage>({ id: "c1", transport: new DefaultChatTransport({ fetch }) });
  await one.sendMessage({ text: "hello" });
  if (one.status !== "ready") throw new Error(`the chat ended with ${one.status}: ${String(one.error)}`);
}

const large = coalesced();
const run = [...ends, ...events];
const largeRun = [...ends, ...large];

const WORK: Readonly<Record<string, () => Promise<void>>> = {
  "bytes, identity TransformStream": () => drain(streamOf(events).pipeThrough(new TransformStream())),
  "bytes, hardened fetch": () => hardened(events),
  "parts, identity TransformStream": () => drain(streamOf(deltas).pipeThrough(new TransformStream())),
  "parts, provider transform": () =>
    drain(streamOf(deltas).pipeThrough(elicitationTransform({ textEnvelopes: true }))),
  "chat, plain": () => chat(serverOf(run)),
  "chat, hardened": () => chat(createHardenedFetch({ fetch: serverOf(run) }).fetch),
  "chat in 16 KiB, plain": () => chat(serverOf(largeRun)),
  "chat in 16 KiB, hardened": () => chat(createHardenedFetch({ fetch: serverOf(largeRun) }).fetch),
};

const least = new Map<string, number>();
for (let round = 0; round < ROUNDS; round++) {
  for (const [name, work] of Object.entries(WORK)) {
    const start = process.cpuUsage();
    await work();
    const { user, system } = process.cpuUsage(start);
    least.set(name, Math.min(least.get(name) ?? Number.POSITIVE_INFINITY, (user + system) / CHUNKS));
  }
}

function beside(name: string, of: string, target: number): Figure {
  return {
    figure: `${name}, CPU per chunk`,
    unit: "µs",
    ours: least.get(name)!,
    peer: { name: of, value: least.get(of)! },
    target,
  };
}

report([
  beside("bytes, hardened fetch", "bytes, identity TransformStream", 1.3),
  beside("parts, provider transform", "parts, identity TransformStream", 1.3),
  beside("chat, hardened", "chat, plain", 1.25),
  beside("chat in 16 KiB, hardened", "chat in 16 KiB, plain", 1.25),
]);
