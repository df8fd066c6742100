import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { createRefusalCounter } from "../../src/agent/credentials/refusal-counter.ts";
import { createMetrics } from "../../src/runtime/request/metrics.ts";

const TELEMETRY_PAGE = fileURLToPath(new URL("../../docs/run/telemetry.md", import.meta.url));
const DASHBOARD = fileURLToPath(new URL("../../docs/run/grafana-dashboard.json", import.meta.url));
/** Metrics of the runner, which needs a database (`src/hosts/dbos/dbos-runner.test.ts`). */
const OF_RUNNER = ["elicitation.turns.parked", "elicitation.turns.run_again"];

/**
 * The names of all metrics, with their names in Prometheus (OpenTelemetry, "Prometheus and OpenMetrics compatibility").
 */
function metricNames(): ReadonlyMap<string, readonly string[]> {
  const names = new Map<string, readonly string[]>();
  const flat = (name: string) => name.replaceAll(".", "_");
  const counter = (name: string) => {
    names.set(name, [`${flat(name)}_total`]);
    return { add() {} };
  };
  const meter = {
    createCounter: counter,
    createUpDownCounter(name: string) {
      names.set(name, [flat(name)]);
      return { add() {} };
    },
    createHistogram(name: string) {
      names.set(
        name,
        ["bucket", "sum", "count"].map((part) => `${flat(name)}_seconds_${part}`),
      );
      return { record() {} };
    },
  };
  createMetrics(meter, () => {});
  createRefusalCounter(meter, () => {});
  for (const name of OF_RUNNER) counter(name);
  return names;
}

test("the dashboard shows every metric, and only metrics that exist", () => {
  const text = readFileSync(DASHBOARD, "utf8").replaceAll(/ by \([^)]*\)/g, "");
  const drawn = new Set(text.match(/\belicitation_[a-z_]+(?=[{[)])/g));
  const names = metricNames();
  const known = new Set([...names.values()].flat());
  expect([...drawn].filter((name) => !known.has(name))).toEqual([]);
  for (const [name, series] of names)
    expect([name, series.some((one) => drawn.has(one))]).toEqual([name, true]);
});

test("docs/run/telemetry.md documents every metric", () => {
  const page = readFileSync(TELEMETRY_PAGE, "utf8");
  const explained = [...metricNames().keys()].filter((name) => name !== "elicitation.turns.run_again");
  for (const name of explained) expect(page).toContain(`\`${name}\``);
});
