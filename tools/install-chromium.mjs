import { SetupError } from "./bootstrap.mjs";
import { aptInstall } from "./apt.mjs";
import { findChromium } from "./chromium.mjs";

/**
 * Sees to a browser for the tests: takes the one this machine has, else installs Debian's Chromium where that is
 * possible without asking.
 */
export async function ensureChromium() {
  if (findChromium() !== undefined) return;
  // Without a font every text has the width zero, and nothing on a page counts as visible.
  const log = await aptInstall("Chromium", ["chromium", "fonts-liberation"]);
  if (log === undefined) {
    throw new SetupError(
      "the browser tests need Chromium or Chrome, and none was found. Install it (Debian, Ubuntu: `sudo apt-get install chromium`) or set CHROMIUM_PATH to its program.",
    );
  }
  if (findChromium() === undefined) {
    throw new SetupError(
      `the browser tests need Chromium, and installing it with apt-get failed:\n\n${log}\n\nInstall Chromium or Chrome by hand, or set CHROMIUM_PATH to its program.`,
    );
  }
}
