import { existsSync } from "node:fs";
import { aptInstall } from "./apt.mjs";
import { SetupError } from "./bootstrap.mjs";

/** The programs other than Chromium that `test/browsers` uses, at Debian's paths. */
const PROGRAMS = {
  "firefox-esr": "/usr/bin/firefox-esr",
  "webkit2gtk-driver": "/usr/bin/WebKitWebDriver",
  // WebKitGTK needs a screen.
  xvfb: "/usr/bin/Xvfb",
};

/**
 * Finds or installs Firefox ESR and WebKitGTK, like `ensureChromium`.
 *
 * @returns {Promise<{ firefox: string, webkitDriver: string, minibrowser: string }>} paths of the programs
 */
export async function ensureOtherBrowsers() {
  const missing = Object.entries(PROGRAMS).flatMap(([name, path]) => (existsSync(path) ? [] : [name]));
  const log = missing.length === 0 ? "" : await aptInstall(missing.join(", "), missing);
  // Imported dynamically: Node.js 20, which may start a script, lacks it, and a missing name in a static import would end
  // the script.
  const { globSync } = await import("node:fs");
  // A part of the driver's package, in a folder named after the machine and the version.
  const minibrowser = globSync("/usr/lib/*/webkit2gtk-4*/MiniBrowser")[0];
  if (minibrowser === undefined || !Object.values(PROGRAMS).every((path) => existsSync(path))) {
    throw new SetupError(
      `the popup matrix needs Firefox ESR and WebKitGTK's driver as Debian has them. Install them: \`sudo apt-get install ${Object.keys(PROGRAMS).join(" ")}\`.${log ? `\n\n${log}` : ""}`,
    );
  }
  return { firefox: PROGRAMS["firefox-esr"], webkitDriver: PROGRAMS["webkit2gtk-driver"], minibrowser };
}
