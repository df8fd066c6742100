import type {
  ElicitationRecord,
  ElicitationRecords,
  TurnKey,
  TurnStream,
  Waiter,
} from "../../src/runtime/internal.ts";

/** The ports as one process sees them. */
export interface PortsOfProcess {
  readonly records: ElicitationRecords;
  readonly waiter: Waiter;
  readonly stream: TurnStream;
}

/** Two processes with the same state. */
export type TwoProcesses = readonly [PortsOfProcess, PortsOfProcess];

/** Never aborts. */
export const { signal } = new AbortController();
export const ROME = { outcome: "accepted", content: { city: "Rome" } } as const;

let count = 0;
/** Unlike any other id, even when several tests share one database. */
export function newTestId(): string {
  count += 1;
  return `id-${process.pid}-${Date.now()}-${count}`;
}

export function testRecord(more: Partial<ElicitationRecord> & { id?: string } = {}): ElicitationRecord {
  const { id = newTestId(), ...rest } = more;
  const now = Date.now();
  return {
    revision: 0,
    request: {
      type: "elicitation-request",
      elicitationId: id,
      mode: "form",
      message: "Where to?",
      requestedSchema: { type: "object", properties: {} },
    },
    surface: "chat",
    turnId: newTestId(),
    conversationId: newTestId(),
    user: { id: "ada" },
    createdAt: now,
    expiresAt: now + 600_000,
    status: "pending",
    vouchKey: "k".repeat(43),
    ...rest,
  };
}

export function testTurn(more: Partial<TurnKey> = {}): TurnKey {
  return {
    turnId: newTestId(),
    conversationId: newTestId(),
    userId: "ada",
    surface: "chat",
    keepMs: 60_000,
    ...more,
  };
}

/** Texts that a client may send as an id. */
export const ODD_IDS = [
  "",
  "a b",
  "x\u0000y",
  "\ud800",
  "\udfff",
  "é",
  "🦊",
  "'; drop table x; --",
  "[]",
  "l".repeat(5000),
];
