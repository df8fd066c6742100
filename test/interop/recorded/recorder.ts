import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { afterAll, expect, test } from "vitest";
import { type RecordedExchange, type RecordedProtocol, nameOf, normalised } from "./recording.ts";

/** Compares exchanges with those in `docs/evidence/recorded/<file>.json`. `npm run protocols` writes them instead. */
export interface Recorder {
  /** Fails if the exchange differs from the recorded one. Random ids and times are ignored. */
  check(exchange: RecordedExchange): void;
  /** Defines the test that the file has the exchanges of these cells, and no others. */
  hasOnly(cells: readonly Cell[]): void;
}

type Cell = Pick<RecordedExchange, "variant" | "mode" | "outcome" | "way">;

export function createRecorder(file: string, frame: Omit<RecordedProtocol, "exchanges">): Recorder {
  const path = new URL(`../../../docs/evidence/recorded/${file}.json`, import.meta.url);
  const isRecording = process.env["RECORD"] === "1";
  const made: RecordedExchange[] = [];
  const kept: RecordedProtocol | undefined =
    !isRecording && existsSync(path) ? JSON.parse(readFileSync(path, "utf8")) : undefined;
  afterAll(() => {
    if (isRecording) writeFileSync(path, JSON.stringify({ ...frame, exchanges: made }));
  });
  const { exchanges = [], ...keptFrame } = kept ?? {};
  return {
    check(exchange) {
      const same = normalised(exchange);
      if (isRecording) made.push(same);
      else expect(same).toEqual(exchanges.find((other) => keyOf(other) === keyOf(same)));
    },
    hasOnly(cells) {
      test.skipIf(isRecording)(
        "docs/evidence/recorded has exactly the exchanges that this test file makes",
        () => {
          expect(exchanges.map(keyOf).toSorted()).toEqual(cells.map(keyOf).toSorted());
          expect(keptFrame).toEqual(frame);
        },
      );
    },
  };
}

export function keyOf(exchange: Cell): string {
  return `${exchange.variant}: ${nameOf(exchange)}`;
}
