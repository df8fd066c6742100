import {
  ConsoleMetricExporter,
  MeterProvider,
  PeriodicExportingMetricReader,
} from "@opentelemetry/sdk-metrics";
import type { Telemetry } from "elicit-kit/runtime";

/** With `npm start -- --metrics`, prints the counters twice a minute. An application exports them to its own system. */
export function createTelemetry(env: Readonly<Record<string, string | undefined>>): Telemetry {
  if (env["METRICS"] === undefined) return {};
  const exporter = new ConsoleMetricExporter();
  const readers = [new PeriodicExportingMetricReader({ exporter, exportIntervalMillis: 30_000 })];
  return { meter: new MeterProvider({ readers }).getMeter("elicit-kit") };
}
