import type { ElicitationOutcome } from "../../contract/contract.ts";
import type { ElicitationRecord } from "../../runtime/ports/index.ts";
import { outcomeOf } from "../../runtime/request/record.ts";
import {
  COUNTED_LIMITS,
  COUNTED_REFUSALS,
  type Observer,
  type ObserverParts,
  type Telemetry,
  type TelemetryAttributes,
  attempts,
  createCount,
} from "../../runtime/request/features/telemetry.ts";

/** The option of `createRuntime` for telemetry. */
export interface TelemetryOptions {
  /**
   * Gets spans, a counter of outcomes and one log line for each transition. It never gets a URL, a message, content or a
   * token.
   */
  telemetry?: Telemetry | undefined;
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

/** Histogram boundaries in seconds: a click takes seconds, a form minutes, an answer from the inbox hours. */
const BOUNDARIES = [1, 2, 5, 10, 20, 30, 60, 120, 300, 600, 1800, 3600, 14_400, 86_400];

/** Reports the requests of a runtime. `undefined` without the option. */
export function telemetryFor(
  { telemetry }: TelemetryOptions,
  { clock, onError }: ObserverParts,
): Observer | undefined {
  if (telemetry === undefined) return undefined;
  const { tracer, meter, logger } = telemetry;
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
  for (const kind of COUNTED_REFUSALS) refused({ "elicitation.refusal": kind }, 0);
  for (const limit of COUNTED_LIMITS) limited({ "elicitation.limit": limit }, 0);
  for (const result of ["sent", "failed"]) notices({ "elicitation.notice": result }, 0);

  return {
    changed(record) {
      const outcome = outcomeOf(record);
      const event = outcome === undefined ? openEvent(record) : ENDS[outcome];
      attempt(() => logger?.info(event, attributesOf(record, outcome, record.endedAt)));
      const kind = kindOf(record);
      if (event === "elicitation.requested") {
        requests(kind);
        for (const possible of Object.keys(ENDS)) outcomes({ "elicitation.outcome": possible, ...kind }, 0);
      }
      if (outcome === undefined) return;
      const attributes = { "elicitation.outcome": outcome, ...kind };
      outcomes(attributes);
      const seconds = ((record.endedAt ?? record.createdAt) - record.createdAt) / 1000;
      attempt(() => duration?.record(seconds, attributes));
    },
    waiting(record) {
      attempt(() => waiting?.add(1, kindOf(record)));
      let span: ReturnType<NonNullable<Telemetry["tracer"]>["startSpan"]> | undefined;
      attempt(() => {
        const startTime = new Date(record.createdAt);
        span = tracer?.startSpan("elicitation.requested", { attributes: attributesOf(record), startTime });
      });
      return (outcome) => {
        attempt(() => waiting?.add(-1, kindOf(record)));
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
    refused: (kind) => refused({ "elicitation.refusal": kind }),
    limited: (limit) => limited({ "elicitation.limit": limit }),
    notice: (result) => notices({ "elicitation.notice": result }),
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

/** The attribute values for a kind of request: only a few, so that a meter keeps few series. */
function kindOf({ request: { mode, context } }: ElicitationRecord): TelemetryAttributes {
  return {
    "elicitation.mode": mode,
    ...(context !== undefined && { "elicitation.trigger": named(context.trigger) }),
  };
}

/** A value that a client or another agent may have chosen. It is reported only if it looks like an id, not like text. */
function named(id: string): string {
  return /^[\w.:/@+=-]{1,128}$/.test(id) ? id : "(not shown)";
}

/** A name from the operator or one of their servers, without characters that control a terminal or start a line. */
function printable(name: string): string {
  return name.slice(0, 128).replaceAll(/[\p{C}\p{Zl}\p{Zp}]/gu, "?");
}
