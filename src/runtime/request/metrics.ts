import type { ElicitationOutcome } from "../../contract/contract.ts";
import type { ElicitationRecord } from "../ports/index.ts";

/** Attributes of a span, a log line or a metric. They never contain a URL, an answer or a token. */
export type TelemetryAttributes = Record<string, string | number>;

interface Adding {
  add(value: number, attributes?: TelemetryAttributes): void;
}

/** The methods of a `Meter` of `@opentelemetry/api` that are used. */
export interface TelemetryMeter {
  createCounter(name: string, options?: { description?: string }): Adding;
  createUpDownCounter(name: string, options?: { description?: string }): Adding;
  createHistogram(
    name: string,
    options?: { description?: string; unit?: string; advice?: { explicitBucketBoundaries?: number[] } },
  ): { record(value: number, attributes?: TelemetryAttributes): void };
}

const LIMITS = ["writes", "proposals", "turns", "server", "open"] as const;
/**
 * The limit that was reached: writes or proposals of a user a minute, turns of a user, memory of the process, or open
 * requests.
 */
export type CountedLimit = (typeof LIMITS)[number];

const REFUSALS = [
  "invalid",
  "expired",
  "ended",
  "content-differs",
  "not-delegable",
  "assigned",
  "unknown",
] as const;
/** Why an answer did not count: the results of an answer, except those of answers that do. */
type CountedRefusal = (typeof REFUSALS)[number];

const OUTCOMES = [
  "accepted",
  "declined",
  "cancelled",
  "expired",
  "withdrawn",
  "failed",
] as const satisfies readonly ElicitationOutcome[];

const NOTICES = ["sent", "failed"] as const;
/** Whether `onWaiting` returned or threw. */
type CountedNotice = (typeof NOTICES)[number];

/** Counts events in this process. Its methods never throw. */
export interface Metrics {
  requested(record: ElicitationRecord): void;
  ended(record: ElicitationRecord, outcome: ElicitationOutcome): void;
  /** Call it when a turn waits here. Call the returned function when it no longer does. */
  waiting(record: ElicitationRecord): () => void;
  /** Call it when an answer did not count. */
  refused(kind: CountedRefusal): void;
  limited(limit: CountedLimit): void;
  notice(result: CountedNotice): void;
}

/** Histogram boundaries in seconds: a click takes seconds, a form minutes, an answer from the inbox hours. */
const BOUNDARIES = [1, 2, 5, 10, 20, 30, 60, 120, 300, 600, 1800, 3600, 14_400, 86_400];

export function createMetrics(meter: TelemetryMeter | undefined, onError: (error: unknown) => void): Metrics {
  const attempt = attempts(onError);
  const counter = (name: string, description: string) => createCount({ meter, onError }, name, description);
  const requests = counter("elicitation.requests", "Requests that were shown to a user, by mode and trigger");
  const outcomes = counter("elicitation.outcomes", "Requests that have ended, by outcome, mode and trigger");
  const duration = meter?.createHistogram("elicitation.duration", {
    description: "Time from a request to its end, by outcome, mode and trigger",
    unit: "s",
    advice: { explicitBucketBoundaries: BOUNDARIES },
  });
  const waiting = meter?.createUpDownCounter("elicitation.waiting", {
    description: "Requests for whose answer a turn waits in this process, by mode and trigger",
  });
  const refused = counter("elicitation.refused_answers", "Answers that did not count, by reason");
  const limited = counter("elicitation.limited", "What a limit has refused, by limit");
  const notices = counter("elicitation.notices", "Calls of onWaiting, by result");
  for (const kind of REFUSALS) refused({ "elicitation.refusal": kind }, 0);
  for (const limit of LIMITS) limited({ "elicitation.limit": limit }, 0);
  for (const result of NOTICES) notices({ "elicitation.notice": result }, 0);

  return {
    requested(record) {
      const kind = kindOf(record);
      requests(kind);
      for (const outcome of OUTCOMES) outcomes({ "elicitation.outcome": outcome, ...kind }, 0);
    },
    ended(record, outcome) {
      const attributes = { "elicitation.outcome": outcome, ...kindOf(record) };
      outcomes(attributes);
      const seconds = ((record.endedAt ?? record.createdAt) - record.createdAt) / 1000;
      attempt(() => duration?.record(seconds, attributes));
    },
    waiting(record) {
      attempt(() => waiting?.add(1, kindOf(record)));
      return () => attempt(() => waiting?.add(-1, kindOf(record)));
    },
    refused: (kind) => refused({ "elicitation.refusal": kind }),
    limited: (limit) => limited({ "elicitation.limit": limit }),
    notice: (result) => notices({ "elicitation.notice": result }),
  };
}

/**
 * A counter that never throws: a failing meter must not fail the counted operation. Call it with 0 for what may happen:
 * Prometheus measures growth from the first value that it reads, and would miss the first time.
 */
export function createCount(
  { meter, onError }: { meter: TelemetryMeter | undefined; onError: (error: unknown) => void },
  name: string,
  description: string,
): (attributes?: TelemetryAttributes, count?: 0 | 1) => void {
  const counter = meter?.createCounter(name, { description });
  const attempt = attempts(onError);
  return (attributes, count = 1) => attempt(() => counter?.add(count, attributes));
}

/** The attribute values for a kind of request: only a few, so that a meter keeps few series. */
function kindOf({ request: { mode, context } }: ElicitationRecord): TelemetryAttributes {
  return {
    "elicitation.mode": mode,
    ...(context !== undefined && { "elicitation.trigger": named(context.trigger) }),
  };
}

/** Calls a function and reports its error. */
export function attempts(onError: (error: unknown) => void): (report: () => void) => void {
  return (report) => void new Promise<void>((resolve) => resolve(report())).catch(onError);
}

/** A value that a client or another agent may have chosen. It is reported only if it looks like an id, not like text. */
export function named(id: string): string {
  return /^[\w.:/@+=-]{1,128}$/.test(id) ? id : "(not shown)";
}

/** A name from the operator or one of their servers, without characters that control a terminal or start a line. */
export function printable(name: string): string {
  return name.slice(0, 128).replaceAll(/[\p{C}\p{Zl}\p{Zp}]/gu, "?");
}
