import { metrics, trace } from "@opentelemetry/api";
import type { Telemetry } from "elicit-kit/runtime";

/** For `createRuntime`, `createAgentTurn` and `durable` of `createPostgresPorts`. Each of the three may be left out. */
export const telemetry: Telemetry = {
  tracer: trace.getTracer("elicit-kit"),
  meter: metrics.getMeter("elicit-kit"),
  logger: console,
};
