import { isObject } from "../../src/contract/json.ts";
import { parseJson } from "../../src/contract/parse-json.ts";
import { Nonconformity, show } from "./reply.ts";

export type Chunk = Readonly<Record<string, unknown>>;

/** A stream of server-sent events, read in the background. Each wait also checks events that arrived before it. */
export interface ChunkStream {
  /** The events so far: the `data` of each as JSON, without `[DONE]`. */
  readonly chunks: readonly Chunk[];
  /** The first chunk that matches. Fails when the stream ends without one or takes too long. */
  until(what: string, matches: (chunk: Chunk) => boolean): Promise<Chunk>;
  /** Waits for a comment line, which may take `afterMs` longer than anything else. */
  comment(afterMs: number): Promise<void>;
  /** Waits for the end of the stream. @returns all chunks */
  ended(): Promise<readonly Chunk[]>;
  /** Waits for the end of the stream. Fails unless its last event is `[DONE]`. */
  endedByDone(): Promise<readonly Chunk[]>;
  /** Whether the server has ended the stream. */
  hasEnded(): boolean;
  /** Fails if, within `ms`, the stream ends or contains a chunk that `allowed` refuses. */
  staysOpen(ms: number, allowed: (chunk: Chunk) => boolean): Promise<void>;
  /** Closes the connection. */
  cancel(): Promise<void>;
}

export function readChunks(body: ReadableStream<Uint8Array>, patienceMs: number): ChunkStream {
  const chunks: Chunk[] = [];
  let comments = 0;
  let isDoneLast = false;
  let isCancelled = false;
  let end: "done" | { broken: unknown } | undefined;
  let waiting: (() => void)[] = [];
  const reader = body.getReader();

  function takeLines(lines: readonly string[]): void {
    for (const line of lines) {
      if (line.startsWith(":")) comments += 1;
      const data = /^data: ?(.*)$/.exec(line)?.[1];
      if (data === undefined) continue;
      isDoneLast = data === "[DONE]";
      if (!isDoneLast) chunks.push(parseChunk(data));
    }
    wake();
  }

  function wake(): void {
    const woken = waiting;
    waiting = [];
    for (const resume of woken) resume();
  }

  async function pump(): Promise<void> {
    const decoder = new TextDecoder();
    let rest = "";
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      const lines = (rest + decoder.decode(value, { stream: true })).split(/\r?\n/);
      rest = lines.pop() ?? "";
      takeLines(lines);
    }
  }
  void pump()
    .then(
      () => (end = "done"),
      (error: unknown) => (end = { broken: error }),
    )
    .then(wake);

  /** Waits for the first value that `probe` finds, now or after a later event. */
  async function wait<T>(probe: () => T | undefined, ms: number): Promise<T | undefined> {
    let isLate = false;
    const timer = setTimeout(() => {
      isLate = true;
      wake();
    }, ms);
    try {
      for (;;) {
        const found = probe();
        if (found !== undefined || isLate) return found;
        await new Promise<void>((resume) => waiting.push(resume));
      }
    } finally {
      clearTimeout(timer);
    }
  }

  function seen(): string {
    return `it held: ${show(chunks.map((chunk) => chunk["type"] ?? "untyped"))}`;
  }

  async function ended(): Promise<readonly Chunk[]> {
    const how = await wait(() => end, patienceMs);
    if (how === "done") return chunks;
    const instead = how === undefined ? "is still open" : `broke: ${String(how.broken)}`;
    throw new Nonconformity(`the stream should have ended and ${instead}; ${seen()}`);
  }

  return {
    chunks,
    ended,
    async until(what, matches) {
      const found = await wait(
        () => chunks.find(matches) ?? (end === undefined ? undefined : "ended"),
        patienceMs,
      );
      if (typeof found === "object") return found;
      const how =
        found === "ended" ? "the stream ended without" : `within ${patienceMs} ms the stream did not bring`;
      throw new Nonconformity(`${how} ${what}; ${seen()}`);
    },
    async comment(afterMs) {
      const before = comments;
      if (await wait(() => comments > before || undefined, afterMs + patienceMs)) return;
      throw new Nonconformity(`no comment kept the silent stream alive within ${afterMs + patienceMs} ms`);
    },
    async endedByDone() {
      await ended();
      if (isDoneLast) return chunks;
      throw new Nonconformity(`the last event of the stream is not [DONE]; ${seen()}`);
    },
    hasEnded: () => end !== undefined && !isCancelled,
    async staysOpen(ms, allowed) {
      const before = chunks.length;
      const wrong = await wait(
        () => (end === undefined ? chunks.slice(before).find((chunk) => !allowed(chunk)) : "ended"),
        ms,
      );
      if (wrong === undefined) return;
      const what = wrong === "ended" ? "ended" : `went on with ${show(wrong)}`;
      throw new Nonconformity(`the stream ${what} although nobody had answered`);
    },
    async cancel() {
      isCancelled ||= end === undefined;
      await reader.cancel().catch(() => {});
    },
  };
}

function parseChunk(data: string): Chunk {
  const value = parseJson(data);
  return isObject(value) ? value : { type: `not a JSON object: ${data.slice(0, 80)}` };
}
