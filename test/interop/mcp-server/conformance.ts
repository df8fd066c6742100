/**
 * Runs the server scenarios of `@modelcontextprotocol/conformance` that concern elicitation and the transport, against
 * `conformance-server.ts`. The exit code is 0 only if every scenario passed.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";

const here = import.meta.dirname;
const cli = join(here, "../../../node_modules/@modelcontextprotocol/conformance/dist/index.js");

/** By revision. All of `input-required-result-*` except those only for sampling and roots. */
const SCENARIOS: Readonly<Record<string, readonly string[]>> = {
  "2025-11-25": [
    "tools-call-elicitation",
    "elicitation-sep1034-defaults",
    "elicitation-sep1330-enums",
    "dns-rebinding-protection",
  ],
  "2026-07-28": [
    "server-stateless",
    "http-header-validation",
    "dns-rebinding-protection",
    "tasks-mrtr-input",
    ...[
      "basic-elicitation",
      "request-state",
      "multiple-input-requests",
      "multi-round",
      "missing-input-response",
      "non-tool-request",
      "result-type",
      "unsupported-methods",
      "tampered-state",
      "capability-check",
      "ignore-extra-params",
      "validate-input",
    ].map((name) => `input-required-result-${name}`),
  ],
};

const server = spawn(process.execPath, [join(here, "conformance-server.ts")], {
  stdio: ["ignore", "pipe", "inherit"],
});
const [url]: string[] = await once(createInterface(server.stdout), "line");
const failed: string[] = [];
try {
  for (const [revision, scenarios] of Object.entries(SCENARIOS)) {
    for (const scenario of scenarios) {
      if ((await run(scenario, revision)) !== 0) failed.push(`${scenario} (${revision})`);
    }
  }
} finally {
  server.kill();
}
console.log(failed.length === 0 ? "\nall scenarios passed" : `\nfailed: ${failed.join(", ")}`);
process.exitCode = failed.length === 0 ? 0 : 1;

async function run(scenario: string, revision: string): Promise<number> {
  const target = scenario.startsWith("tasks-") ? url?.replace(/mcp$/, "tasks") : url;
  // Without `--force` a scenario that is not in the revision's list, such as that of an extension, passes without
  // running.
  const about = ["--scenario", scenario, "--spec-version", revision, "--force"];
  const args = ["server", "--url", target ?? "", ...about];
  const child = spawn(process.execPath, [cli, ...args], { stdio: "inherit" });
  const [code]: (number | null)[] = await once(child, "exit");
  return code ?? 1;
}
