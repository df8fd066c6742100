import type { ElicitationOutcome } from "../../contract/contract.ts";
import type { ElicitationRecord } from "../ports/index.ts";
import type { Clock } from "../../base/clock.ts";
import { outcomeOf } from "./record.ts";

/** Attributes of a span or a counter. Never contain a URL, an answer or a token. */
export type TelemetryAttributes = Record<string, string | number>;

/**
 * Where the runtime reports what happens to requests (contract, section 7). `tracer` and `meter` take the objects of
 * `@opentelemetry/api`. Only the methods below are used, so the runtime does not depend on that package:
 * `{ tracer: trace.getTracer("elicit-kit"), meter: metrics.getMeter("elicit-kit"), logger: console }`.
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
  meter?:
    | {
        createCounter(
          name: string,
          options?: { description?: string },
        ): { add(value: number, attributes?: TelemetryAttributes): void };
      }
    | undefined;
  /** Gets one line for every transition. */
  logger?: { info(message: string, attributes: TelemetryAttributes): void } | undefined;
}

/** Reports changes of requests. Its methods never throw: a failing tracer must not fail a request. */
export interface Observer {
  /** A request was created or has changed. */
  changed(record: ElicitationRecord): void;
  /** A turn waits for a request. Call the returned function with the outcome. */
  waiting(record: ElicitationRecord): (outcome: ElicitationOutcome) => void;
}

/** Name of the span and log line for each outcome. */
const ENDS: Readonly<Record<ElicitationOutcome, string>> = {
  accepted: "elicitation.completed",
  declined: "elicitation.declined",
  cancelled: "elicitation.cancelled",
  expired: "elicitation.timeout",
  withdrawn: "elicitation.withdrawn",
  failed: "elicitation.failed",
};

export function createObserver(
  { tracer, meter, logger }: Telemetry,
  { clock, onError }: { clock: Clock; onError: (error: unknown) => void },
): Observer {
  const requests = meter?.createCounter("elicitation.requests", {
    description: "Requests that were shown to a user, by mode and trigger",
  });
  const outcomes = meter?.createCounter("elicitation.outcomes", {
    description: "Requests that have ended, by outcome, mode and trigger",
  });

  function attempt(report: () => void): void {
    new Promise<void>((resolve) => resolve(report())).catch(onError);
  }

  return {
    changed(record) {
      const outcome = outcomeOf(record);
      const event = outcome === undefined ? openEvent(record) : ENDS[outcome];
      attempt(() => logger?.info(event, attributesOf(record, outcome, record.endedAt)));
      attempt(() => {
        if (event === "elicitation.requested") requests?.add(1, kindOf(record));
        if (outcome !== undefined) outcomes?.add(1, { "elicitation.outcome": outcome, ...kindOf(record) });
      });
    },
    waiting(record) {
      let span: ReturnType<NonNullable<Telemetry["tracer"]>["startSpan"]> | undefined;
      attempt(() => {
        const startTime = new Date(record.createdAt);
        span = tracer?.startSpan("elicitation.requested", { attributes: attributesOf(record), startTime });
      });
      return (outcome) =>
        attempt(() => {
          const now = clock.now();
          const at = new Date(now);
          const attributes = attributesOf(record, outcome, now);
          // Both spans start in the context of the asking tool, so that they belong to the trace of the turn.
          tracer?.startSpan(ENDS[outcome], { attributes, startTime: at }).end(at);
          span?.setAttributes(attributes);
          span?.end(at);
        });
    },
  };
}

function openEvent({ status, lastError }: ElicitationRecord): string {
  if (status === "consented") return "elicitation.consented";
  return lastError === undefined ? "elicitation.requested" : "elicitation.attempt_failed";
}

/** What counters tell apart: few values, so that a meter keeps few series. */
function kindOf({ request: { mode, context } }: ElicitationRecord): TelemetryAttributes {
  return {
    "elicitation.mode": mode,
    ...(context !== undefined && { "elicitation.trigger": named(context.trigger) }),
  };
}

/** Never contains the message, the URL, the content or the words of a provider. */
function attributesOf(
  { request, tool, user, conversationId, turnId, surface, createdAt }: ElicitationRecord,
  outcome?: ElicitationOutcome,
  endedAt?: number,
): TelemetryAttributes {
  const trigger = request.context?.trigger;
  const credentialType = request.context?.["credentialType"];
  return {
    "elicitation.id": named(request.elicitationId),
    "elicitation.mode": request.mode,
    ...(trigger !== undefined && { "elicitation.trigger": named(trigger) }),
    ...(outcome !== undefined && { "elicitation.outcome": outcome }),
    ...(tool !== undefined && { "tool.id": printable(tool.id), "tool.name": printable(tool.name) }),
    ...(typeof credentialType === "string" && { "credential.type": named(credentialType) }),
    "user.id": printable(user.id),
    "conversation.id": named(conversationId),
    "turn.id": named(turnId),
    "elicitation.surface": named(surface),
    ...(endedAt !== undefined && { duration_ms: endedAt - createdAt }),
  };
}

/** A value that a client or another agent may have chosen. Reported only if it looks like an id, not like text. */
function named(id: string): string {
  return /^[\w.:/@+=-]{1,128}$/.test(id) ? id : "(not shown)";
}

/** A name from the operator or one of their servers, without characters that control a terminal or start a line. */
function printable(name: string): string {
  return name.slice(0, 128).replaceAll(/[\p{C}\p{Zl}\p{Zp}]/gu, "?");
}
