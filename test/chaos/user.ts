import { setTimeout as sleep } from "node:timers/promises";
import { type ElicitationRequest, REQUEST_PART_TYPE } from "../../src/contract/contract.ts";
import { parseElicitationRequest } from "../../src/contract/guard.ts";
import { isObject } from "../../src/contract/json.ts";
import { type ReadStream, readStream } from "../stages/chat-client.ts";
import type { Random } from "../simulation/random.ts";
import type { Processes } from "./processes.ts";

/** A conversation that does not end in this time is a violation. */
export const PATIENCE_MS = Number(process.env["PATIENCE_MS"] ?? 180_000);
/** A stream that is silent for this long is read from another process. */
const SILENT_MS = 5000;
const PAUSE_MS = 200;

/** The data that a user has at the end of a conversation. */
export interface Conversation {
  readonly id: string;
  /** By request: the text that the server has confirmed as its answer. */
  readonly winners: ReadonlyMap<string, string>;
  /** Two different texts were confirmed for one request. */
  readonly doubles: readonly string[];
  readonly hasEnded: boolean;
}

/**
 * One user with one message: reads the stream, answers each card through any process, and retries when a process fails.
 */
export async function converse(id: string, processes: Processes, random: Random): Promise<Conversation> {
  const until = performance.now() + PATIENCE_MS;
  const winners = new Map<string, string>();
  const doubles: string[] = [];
  const answered = new Map<string, Promise<void>>();
  const isLate = () => performance.now() > until;

  async function send(): Promise<ReadStream | undefined> {
    while (!isLate()) {
      const [serving] = processes.running.length === 0 ? [] : [random.pick(processes.running)];
      const sent = await serving?.ada.send(id).catch(() => undefined);
      // The process may die while its reply is not being read.
      sent?.done.catch(() => {});
      if (sent?.response.status === 200) return sent;
      await sleep(PAUSE_MS);
    }
    return undefined;
  }

  async function answer({ elicitationId, message }: ElicitationRequest): Promise<void> {
    await sleep(random.chance(0.5) ? random.between(0, 100) : random.between(0, 2000));
    const texts = random.chance(0.1) ? [`${message}|1`, `${message}|2`] : [`${message}|1`];
    await Promise.all(texts.map((text) => answerWith(elicitationId, text)));
  }

  async function answerWith(elicitationId: string, text: string): Promise<void> {
    while (!isLate()) {
      const [serving] = processes.running.length === 0 ? [] : [random.pick(processes.running)];
      const body = { elicitationId, action: "accept", content: { answer: text } };
      const reply = await serving?.ada.answer(id, body).catch(() => undefined);
      if (reply?.status === 200) {
        const known = winners.get(elicitationId);
        if (known !== undefined && known !== text) doubles.push(`${known} and ${text}`);
        winners.set(elicitationId, text);
      }
      const isTaken = reply !== undefined && reply.status < 500 && reply.status !== 429;
      await reply?.body?.cancel().catch(() => {});
      if (isTaken) return;
      await sleep(PAUSE_MS);
    }
  }

  /** Reads a stream until it ends. `true`: the turn has ended. */
  async function read(stream: ReadStream): Promise<boolean> {
    const ended = new AbortController();
    const done = stream.done.catch(() => {}).finally(() => ended.abort());
    let seen = 0;
    let heardAt = performance.now();
    while (!ended.signal.aborted || seen < stream.chunks.length) {
      for (const chunk of stream.chunks.slice(seen)) {
        const parsed =
          chunk["type"] === REQUEST_PART_TYPE ? parseElicitationRequest(chunk["data"]) : undefined;
        if (parsed?.ok !== true || parsed.value.resolution !== undefined) continue;
        const { elicitationId } = parsed.value;
        if (!answered.has(elicitationId)) answered.set(elicitationId, answer(parsed.value));
      }
      if (stream.chunks.length > seen) heardAt = performance.now();
      seen = stream.chunks.length;
      if (performance.now() - heardAt > SILENT_MS) break;
      await Promise.race([done, sleep(50)]);
    }
    await stream.cancel().catch(() => {});
    return stream.chunks.some((chunk) => isObject(chunk) && ENDS.has(String(chunk["type"])));
  }

  let stream = await send();
  while (stream !== undefined && !isLate()) {
    if (await read(stream)) {
      await Promise.all(answered.values());
      return { id, winners, doubles, hasEnded: true };
    }
    await sleep(PAUSE_MS);
    const [serving] = processes.running.length === 0 ? [] : [random.pick(processes.running)];
    const reply = await serving?.ada.fetch(`/run/api/chat/${id}/stream`).catch(() => undefined);
    if (reply?.status === 204) {
      // The turn has ended while no stream was being read.
      await Promise.all(answered.values());
      return { id, winners, doubles, hasEnded: true };
    }
    if (reply?.status !== 200) continue;
    stream = readStream(reply);
    stream.done.catch(() => {});
  }
  return { id, winners, doubles, hasEnded: false };
}

const ENDS: ReadonlySet<string> = new Set(["finish", "abort", "error"]);
