import { existsSync } from "node:fs";
import { root, SetupError, showProgress } from "./bootstrap.mjs";
import { findChromium } from "./chromium.mjs";
import { run } from "./child.mjs";

/**
 * Sees to a browser for the tests: takes the one this machine has, else installs Debian's Chromium where that is
 * possible without asking (apt-get is there and we are root).
 */
export async function ensureChromium() {
  if (findChromium() !== undefined) return;
  const mayInstall = existsSync("/usr/bin/apt-get") && process.getuid?.() === 0;
  if (!mayInstall) {
    throw new SetupError(
      "the browser tests need Chromium or Chrome, and none was found. Install it (Debian, Ubuntu: `sudo apt-get install chromium`) or set CHROMIUM_PATH to its program.",
    );
  }
  const stopProgress = showProgress("Installing Chromium (apt-get)");
  const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
  const apt = (/** @type {string[]} */ ...args) => run("apt-get", args, { cwd: root, env, quiet: true });
  let log = "";
  for (const step of [
    ["update"],
    // Without a font every text has the width zero, and nothing on a page counts as visible.
    ["install", "-y", "--no-install-recommends", "chromium", "fonts-liberation"],
  ]) {
    const { code, output, interrupted } = await apt(...step);
    if (interrupted) process.exit(code);
    log += output;
  }
  stopProgress();
  if (findChromium() === undefined) {
    throw new SetupError(
      `the browser tests need Chromium, and installing it with apt-get failed:\n\n${log.trim().split("\n").slice(-15).join("\n")}\n\nInstall Chromium or Chrome by hand, or set CHROMIUM_PATH to its program.`,
    );
  }
}
