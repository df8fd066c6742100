import type { ElicitationOutcome } from "../../contract/contract.ts";
import type { ElicitationRecord } from "../ports/index.ts";
import type { Clock } from "../../base/clock.ts";
import {
  type Metrics,
  type TelemetryAttributes,
  type TelemetryMeter,
  attempts,
  createMetrics,
  named,
  printable,
} from "./metrics.ts";
import { outcomeOf } from "./record.ts";

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

/** Reports changes of requests. Its methods never throw: a failing tracer must not fail a request. */
export interface Observer extends Pick<Metrics, "refused" | "limited" | "notice"> {
  /** A request was created or has changed. */
  changed(record: ElicitationRecord): void;
  /**
   * Call it when a turn waits for a request. Call the returned function when it no longer does. Without an outcome, the
   * turn has left this process, or the outcome could not be stored.
   */
  waiting(record: ElicitationRecord): (outcome?: ElicitationOutcome) => void;
}

/** The name of the span and log line for each outcome. */
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
  const metrics = createMetrics(meter, onError);
  const attempt = attempts(onError);

  return {
    ...metrics,
    changed(record) {
      const outcome = outcomeOf(record);
      const event = outcome === undefined ? openEvent(record) : ENDS[outcome];
      attempt(() => logger?.info(event, attributesOf(record, outcome, record.endedAt)));
      if (event === "elicitation.requested") metrics.requested(record);
      if (outcome !== undefined) metrics.ended(record, outcome);
    },
    waiting(record) {
      const leave = metrics.waiting(record);
      let span: ReturnType<NonNullable<Telemetry["tracer"]>["startSpan"]> | undefined;
      attempt(() => {
        const startTime = new Date(record.createdAt);
        span = tracer?.startSpan("elicitation.requested", { attributes: attributesOf(record), startTime });
      });
      return (outcome) => {
        leave();
        attempt(() => {
          const now = clock.now();
          const at = new Date(now);
          if (outcome === undefined) {
            span?.end(at);
            return;
          }
          const attributes = attributesOf(record, outcome, now);
          // Both spans start in the context of the asking tool, so that they belong to the trace of the turn.
          tracer?.startSpan(ENDS[outcome], { attributes, startTime: at }).end(at);
          span?.setAttributes(attributes);
          span?.end(at);
        });
      };
    },
  };
}

function openEvent({ status, lastError, changedBy, assigned }: ElicitationRecord): string {
  if (changedBy?.assigned === true)
    return assigned === undefined ? "elicitation.taken_back" : "elicitation.assigned";
  if (changedBy?.extended === true) return "elicitation.extended";
  if (status === "consented") return "elicitation.consented";
  return lastError === undefined ? "elicitation.requested" : "elicitation.attempt_failed";
}

/** Never contains the message, the URL, the content or texts of a provider. */
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
