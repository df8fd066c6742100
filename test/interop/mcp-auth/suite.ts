/**
 * Runs the authorization scenarios of the MCP conformance suite against our agent and hosted page (`client.ts`). Names of
 * scenarios as arguments run only those. The exit code is 0 only if all pass.
 */
import { SCENARIOS, run } from "./scenarios.ts";

/** Scenarios of the suite that do not apply, and why. */
const LEFT_OUT: Readonly<Record<string, string>> = {
  "2025-03-26-oauth-endpoint-fallback": "guessed endpoints could be anybody's",
  "client-credentials-jwt": "an extension without a person, whom this kit is about",
  "client-credentials-basic": "an extension without a person",
  dpop: "an extension that binds tokens to a key",
  "dpop-nonce": "the same",
  "wif-jwt-bearer": "an extension without a person",
};

const wanted = process.argv.slice(2);
const failed: string[] = [];
for (const [name, revisions] of Object.entries(SCENARIOS)) {
  if (wanted.length > 0 && !wanted.includes(name)) continue;
  for (const revision of revisions) {
    const { passed, result, output } = await run(name, revision);
    console.log(`${passed ? "passed" : "FAILED"}  ${name} ${revision}  ${result}`);
    if (passed) continue;
    failed.push(`${name} ${revision}`);
    console.log(
      output
        .split("\n")
        .filter((line) => /FAILURE|WARNING|EXITED|elicit-kit|Error/.test(line))
        .join("\n"),
    );
  }
}
for (const [name, reason] of Object.entries(LEFT_OUT)) console.log(`left out  ${name}: ${reason}`);
console.log(failed.length === 0 ? "all passed" : `failed: ${failed.join(", ")}`);
process.exitCode = failed.length === 0 ? 0 : 1;
