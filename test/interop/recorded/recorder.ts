import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { afterAll, expect } from "vitest";
import { type RecordedExchange, type RecordedProtocol, nameOf, normalised } from "./recording.ts";

/** Compares exchanges with those in `docs/evidence/recorded/<file>.json`. `npm run protocols` writes them instead. */
export interface Recorder {
  /** The exchanges in the file: `[variant, row]`. */
  readonly kept: readonly string[];
  /** The file without its exchanges. */
  readonly frame: Omit<RecordedProtocol, "exchanges"> | undefined;
  /** Fails if the exchange differs from the recorded one. Random ids and times are ignored. */
  check(exchange: RecordedExchange): void;
}

export function createRecorder(file: string, frame: Omit<RecordedProtocol, "exchanges">): Recorder {
  const path = new URL(`../../../docs/evidence/recorded/${file}.json`, import.meta.url);
  const isRecording = process.env["RECORD"] === "1";
  const made: RecordedExchange[] = [];
  const protocol: RecordedProtocol | undefined =
    !isRecording && existsSync(path) ? JSON.parse(readFileSync(path, "utf8")) : undefined;
  afterAll(() => {
    if (isRecording) writeFileSync(path, JSON.stringify({ ...frame, exchanges: made }));
  });
  const { exchanges = [], ...keptFrame } = protocol ?? {};
  return {
    kept: exchanges.map(keyOf),
    frame: isRecording ? frame : (keptFrame as Omit<RecordedProtocol, "exchanges">),
    check(exchange) {
      const same = normalised(exchange);
      if (isRecording) made.push(same);
      else expect(same).toEqual(exchanges.find((other) => keyOf(other) === keyOf(same)));
    },
  };
}

export function keyOf(exchange: Pick<RecordedExchange, "variant" | "mode" | "outcome" | "way">): string {
  return `${exchange.variant}: ${nameOf(exchange)}`;
}
