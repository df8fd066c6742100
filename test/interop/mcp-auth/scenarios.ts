import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";

const SUITE = fileURLToPath(
  new URL("../../../node_modules/@modelcontextprotocol/conformance/dist/index.js", import.meta.url),
);
const CLIENT = fileURLToPath(new URL("client.ts", import.meta.url));

/** The revisions in which scenarios are run: the previous and the current one. */
const BOTH = ["2025-11-25", "2026-07-28"];
const CURRENT = ["2026-07-28"];
/** From before protected resource metadata. */
const FIRST = ["2025-03-26"];

export const SCENARIOS: Readonly<Record<string, readonly string[]>> = {
  "metadata-default": BOTH,
  "metadata-var1": BOTH,
  "metadata-var2": BOTH,
  "metadata-var3": BOTH,
  "2025-03-26-oauth-metadata-backcompat": FIRST,
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
  "enterprise-managed-authorization": CURRENT,
};

/** Runs one scenario. `result` says how many of its checks have passed. */
export function run(
  name: string,
  revision: string,
): Promise<{ passed: boolean; result: string; output: string }> {
  const args = ["client", "--command", `${process.execPath} ${CLIENT}`];
  const child = spawn(process.execPath, [
    SUITE,
    ...args,
    "--scenario",
    `auth/${name}`,
    "--spec-version",
    revision,
    // An extension has no revision, and would be skipped.
    "--force",
    // Its own 30 seconds are too few on a busy machine.
    "--timeout",
    "60000",
  ]);
  let output = "";
  child.stdout.on("data", (piece: Buffer) => (output += piece.toString()));
  child.stderr.on("data", (piece: Buffer) => (output += piece.toString()));
  return new Promise((resolve) => {
    child.on("close", (code) => {
      const result = /^Passed: .*$/m.exec(output)?.[0] ?? "no result";
      resolve({ passed: code === 0 && /^Passed: (\d+)\/\1,/.test(result), result, output });
    });
  });
}
