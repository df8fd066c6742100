import { existsSync } from "node:fs";
import { root, showProgress } from "./bootstrap.mjs";
import { run } from "./child.mjs";

/**
 * Installs packages of Debian where that is possible without asking: apt-get is there and we are root.
 *
 * @param {string} what for people who wait
 * @param {readonly string[]} packages
 * @returns {Promise<string | undefined>} the last lines of what apt-get wrote, whether it worked or not; nothing where
 *   it was not asked
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
