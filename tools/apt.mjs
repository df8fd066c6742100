import { existsSync } from "node:fs";
import { root, showProgress } from "./bootstrap.mjs";
import { run } from "./child.mjs";

/**
 * Installs Debian packages if that needs no confirmation: apt-get exists and the user is root.
 *
 * @param {string} what a description for the progress line
 * @param {readonly string[]} packages
 * @returns {Promise<string | undefined>} the last lines of what apt-get wrote, after success or failure; `undefined` if
 * apt-get was not called
 */
export async function aptInstall(what, packages) {
  if (!existsSync("/usr/bin/apt-get") || process.getuid?.() !== 0) return undefined;
  const stopProgress = showProgress(`Installing ${what} (apt-get)`);
  const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
  let log = "";
  for (const args of [["update"], ["install", "-y", "--no-install-recommends", ...packages]]) {
    const { code, output, interrupted } = await run("apt-get", args, { cwd: root, env, quiet: true });
    if (interrupted) process.exit(code);
    log += output;
  }
  stopProgress();
  return log.trim().split("\n").slice(-15).join("\n");
}
