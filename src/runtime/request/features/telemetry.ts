import type { ElicitationOutcome } from "../../../contract/contract.ts";
import type { Clock } from "../../../base/clock.ts";
import type { ElicitationRecord } from "../../ports/index.ts";

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

/**
 * The tracer, meter and logger that get the events of requests (contract, section 7). `tracer` and `meter` take the
 * objects of `@opentelemetry/api`. Only the methods below are used, so the runtime does not depend on that package: `{
 * tracer: trace.getTracer("elicit-kit"), meter: metrics.getMeter("elicit-kit"), logger: console }`.
 */
export interface Telemetry {
  tracer?:
    | {
        startSpan(
          name: string,
          options?: { attributes?: TelemetryAttributes; startTime?: Date },
        ): { setAttributes(attributes: TelemetryAttributes): unknown; end(endTime?: Date): void };
      }
    | undefined;
  meter?: TelemetryMeter | undefined;
  /** Gets one line for every transition. */
  logger?: { info(message: string, attributes: TelemetryAttributes): void } | undefined;
}

/** Writes or proposals of a user a minute, turns of a user, memory of the process, or open requests. */
export const COUNTED_LIMITS = ["writes", "proposals", "turns", "server", "open"] as const;

/** Why an answer did not count: the results of an answer, except those of answers that do. */
export const COUNTED_REFUSALS = [
  "invalid",
  "expired",
  "ended",
  "content-differs",
  "not-delegable",
  "assigned",
  "unknown",
] as const;

/** What the runtime gives to its observer. */
export interface ObserverParts {
  readonly clock: Clock;
  readonly onError: (error: unknown) => void;
}

/** Reports changes of requests. Its methods never throw: a failing tracer must not fail a request. */
export interface Observer {
  /** A request was created or has changed. */
  changed(record: ElicitationRecord): void;
  /**
   * Call it when a turn waits for a request. Call the returned function when it no longer does. Without an outcome, the
   * turn has left this process, or the outcome could not be stored.
   */
  waiting(record: ElicitationRecord): (outcome?: ElicitationOutcome) => void;
  /** Call it when an answer did not count. */
  refused(kind: (typeof COUNTED_REFUSALS)[number]): void;
  /** Call it when a limit was reached. */
  limited(limit: (typeof COUNTED_LIMITS)[number]): void;
  /** `onWaiting` has returned or thrown. */
  notice(result: "sent" | "failed"): void;
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

/** Calls a function and reports its error. */
export function attempts(onError: (error: unknown) => void): (report: () => void) => void {
  return (report) => void new Promise<void>((resolve) => resolve(report())).catch(onError);
}
