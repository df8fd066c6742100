/**
 * Runs the authorization scenarios of the MCP conformance suite against our agent and hosted page (`client.ts`). Names of
 * scenarios as arguments run only those. The exit code is 0 only if all pass.
 */
import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";

const SUITE = fileURLToPath(
  new URL("../../../node_modules/@modelcontextprotocol/conformance/dist/index.js", import.meta.url),
);
const CLIENT = fileURLToPath(new URL("client.ts", import.meta.url));

/** The revisions in which scenarios are run: the previous and the current one. */
const BOTH = ["2025-11-25", "2026-07-28"];
const CURRENT = ["2026-07-28"];

const SCENARIOS: Readonly<Record<string, readonly string[]>> = {
  "metadata-default": BOTH,
  "metadata-var1": BOTH,
  "metadata-var2": BOTH,
  "metadata-var3": BOTH,
  "basic-cimd": BOTH,
  "scope-from-www-authenticate": BOTH,
  "scope-from-scopes-supported": BOTH,
  "scope-omitted-when-undefined": BOTH,
  "scope-step-up": BOTH,
  "scope-retry-limit": BOTH,
  "token-endpoint-auth-basic": BOTH,
  "token-endpoint-auth-post": BOTH,
  "token-endpoint-auth-none": BOTH,
  "pre-registration": BOTH,
  "resource-mismatch": CURRENT,
  "offline-access-scope": CURRENT,
  "offline-access-not-supported": CURRENT,
  "authorization-server-migration": CURRENT,
  "iss-supported": CURRENT,
  "iss-not-advertised": CURRENT,
  "iss-supported-missing": CURRENT,
  "iss-wrong-issuer": CURRENT,
  "iss-unexpected": CURRENT,
  "iss-normalized": CURRENT,
  "metadata-issuer-mismatch": CURRENT,
};

/** Scenarios of the suite that do not apply, and why. */
const LEFT_OUT: Readonly<Record<string, string>> = {
  "2025-03-26-oauth-metadata-backcompat":
    "a revision from before protected resource metadata, which is required here",
  "2025-03-26-oauth-endpoint-fallback": "the same; guessed endpoints could be anybody's",
  "client-credentials-jwt": "an extension without a person, whom this kit is about",
  "client-credentials-basic": "an extension without a person",
  "enterprise-managed-authorization":
    "an extension in which the employer's identity provider stands for the person",
  dpop: "an extension that binds tokens to a key",
  "dpop-nonce": "the same",
  "wif-jwt-bearer": "an extension without a person",
};

const wanted = process.argv.slice(2);
const failed: string[] = [];
for (const [name, revisions] of Object.entries(SCENARIOS)) {
  if (wanted.length > 0 && !wanted.includes(name)) continue;
  for (const revision of revisions) {
    const { code, output } = await run(name, revision);
    const result = /^Passed: .*$/m.exec(output)?.[0] ?? "no result";
    console.log(`${code === 0 ? "passed" : "FAILED"}  ${name} ${revision}  ${result}`);
    if (code === 0) continue;
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

function run(name: string, revision: string): Promise<{ code: number | null; output: string }> {
  const args = ["client", "--command", `${process.execPath} ${CLIENT}`];
  const child = spawn(process.execPath, [
    SUITE,
    ...args,
    "--scenario",
    `auth/${name}`,
    "--spec-version",
    revision,
  ]);
  let output = "";
  child.stdout.on("data", (piece: Buffer) => (output += piece.toString()));
  child.stderr.on("data", (piece: Buffer) => (output += piece.toString()));
  return new Promise((resolve) => {
    child.on("close", (code) => resolve({ code, output }));
  });
}
