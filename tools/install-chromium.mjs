import { SetupError } from "./bootstrap.mjs";
import { aptInstall } from "./apt.mjs";
import { findChromium } from "./chromium.mjs";

/**
 * Finds a browser for the tests: the one of this machine, otherwise Debian's Chromium, if installing it needs no
 * confirmation.
 */
export async function ensureChromium() {
  if (findChromium() !== undefined) return;
  // Without a font every text has a width of zero, and Playwright sees no element as visible.
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
