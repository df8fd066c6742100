import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { createRefusalCounter, CredentialRefused } from "../../src/agent/credentials/refused-call.ts";
import { telemetryFor } from "../../src/features/telemetry/telemetry.ts";
import { createManualClock } from "../../src/base/testing/manual-clock.ts";
import type { TelemetryAttributes } from "../../src/runtime/internal.ts";
import { testRecord } from "../stages/test-ports.ts";

const TELEMETRY_PAGE = fileURLToPath(new URL("../../docs/run/telemetry.md", import.meta.url));
const DASHBOARD = fileURLToPath(new URL("../../docs/run/grafana-dashboard.json", import.meta.url));
/** Metrics of the runner, which needs a database (`extras/dbos/dbos-runner.test.ts`). */
const OF_RUNNER = ["elicitation.turns.parked", "elicitation.turns.run_again"];

interface Metric {
  /** Its names in Prometheus. */
  series: readonly string[];
  /** The names of its attributes in Prometheus. */
  labels: Set<string>;
}

interface Dashboard {
  panels: readonly {
    title: string;
    targets: readonly { expr: string; legendFormat: string }[];
  }[];
}

const { panels } = JSON.parse(readFileSync(DASHBOARD, "utf8")) as Dashboard;
const targets = panels.flatMap((panel) => panel.targets);

/**
 * All metrics with an event of each kind, as they are in Prometheus (OpenTelemetry, "Prometheus and OpenMetrics
 * compatibility"). A collector adds the unit to the name, the Prometheus exporter of OpenTelemetry for Node.js does not.
 */
function everyMetric(): ReadonlyMap<string, Metric> {
  const all = new Map<string, Metric>();
  const flat = (name: string) => name.replaceAll(".", "_");
  const keep = (name: string, series: readonly string[]) => {
    const metric = { series, labels: new Set<string>() };
    all.set(name, metric);
    return (_: number, attributes: TelemetryAttributes = {}) => {
      for (const attribute of Object.keys(attributes)) metric.labels.add(flat(attribute));
    };
  };
  const counter = (name: string) => ({ add: keep(name, [`${flat(name)}_total`]) });
  const meter = {
    createCounter: counter,
    createUpDownCounter: (name: string) => ({ add: keep(name, [flat(name)]) }),
    createHistogram(name: string) {
      const parts = [flat(name), `${flat(name)}_seconds`].flatMap((base) =>
        ["bucket", "sum", "count"].map((part) => `${base}_${part}`),
      );
      return { record: keep(name, parts) };
    },
  };
  const fail = (error: unknown) => expect(error).toBeUndefined();
  const parts = { clock: createManualClock(), onError: fail };
  const observer = telemetryFor({ telemetry: { meter } }, parts);
  const { request, ...rest } = testRecord();
  const record = { ...rest, request: { ...request, context: { trigger: "credential_required" } } };
  observer?.changed(record);
  observer?.waiting(record);
  observer?.changed({ ...record, status: "accepted" });
  createRefusalCounter(meter, fail)("tracker", undefined, new CredentialRefused("no credential"));
  for (const name of OF_RUNNER) counter(name);
  all.get("elicitation.duration")?.labels.add("le");
  return all;
}

/** The selectors of a query: the names of its series, and the labels that it selects by. */
function selectorsOf(expr: string): { name: RegExp; labels: readonly string[] }[] {
  const query = expr.replaceAll(/ by \([^)]*\)/g, "");
  return [...query.matchAll(/(?:\b(elicitation_\w+))?(?:\{([^}]*)\}|(?=[[)]))/g)].flatMap(
    ([, name, matchers = ""]) => {
      const pairs = [...matchers.matchAll(/(\w+)=~?"([^"]*)"/g)].map(
        ([, label = "", value = ""]) => [label, value] as const,
      );
      const named = name ?? pairs.find(([label]) => label === "__name__")?.[1];
      const labels = pairs.map(([label]) => label).filter((label) => label !== "__name__");
      return named === undefined ? [] : [{ name: new RegExp(`^(?:${named})$`), labels }];
    },
  );
}

/** The labels that a query keeps. */
const keptBy = (expr: string): readonly string[] =>
  [...expr.matchAll(/ by \(([^)]*)\)/g)].flatMap(([, list = ""]) => list.split(/,\s*/));

test("the dashboard shows every metric, and only metrics that exist", () => {
  const metrics = everyMetric();
  const drawn = targets.flatMap(({ expr }) => selectorsOf(expr));
  const series = [...metrics.values()].flatMap((metric) => metric.series);
  expect(drawn.filter(({ name }) => !series.some((one) => name.test(one)))).toEqual([]);
  const missing = [...metrics].filter(
    ([, metric]) => !drawn.some(({ name }) => metric.series.some((one) => name.test(one))),
  );
  expect(missing.map(([name]) => name)).toEqual([]);
});

test("each query uses labels that its metric has, and its legend those that it keeps", () => {
  const metrics = [...everyMetric().values()];
  const wrong = targets.filter(({ expr, legendFormat }) => {
    const selectors = selectorsOf(expr);
    const isUnknown = selectors.some(({ name, labels }) => {
      const metric = metrics.find(({ series }) => series.some((one) => name.test(one)));
      return [...labels, ...keptBy(expr)].some((label) => metric?.labels.has(label) !== true);
    });
    const shown = [...legendFormat.matchAll(/\{\{(\w+)\}\}/g)].map(([, label = ""]) => label);
    const kept = keptBy(expr).filter((label) => label !== "le");
    return selectors.length === 0 || isUnknown || shown.join() !== kept.join();
  });
  expect(wrong).toEqual([]);
});

test("the dashboard reads the duration whether or not an exporter adds its unit to the name", () => {
  const names = targets.flatMap(({ expr }) => selectorsOf(expr)).map(({ name }) => name);
  for (const one of ["elicitation_duration_bucket", "elicitation_duration_seconds_bucket"])
    expect(names.some((name) => name.test(one))).toBe(true);
});

test("docs/run/telemetry.md documents every metric", () => {
  const page = readFileSync(TELEMETRY_PAGE, "utf8");
  const explained = [...everyMetric().keys()].filter((name) => name !== "elicitation.turns.run_again");
  for (const name of explained) expect(page).toContain(`\`${name}\``);
});
