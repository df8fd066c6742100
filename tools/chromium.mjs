import { existsSync } from "node:fs";

const CANDIDATES = [
  process.env["CHROMIUM_PATH"],
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome",
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
  "/Applications/Chromium.app/Contents/MacOS/Chromium",
  "C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe",
];

/** Path of the browser that runs the tests, or `undefined` if this machine has none. */
export function findChromium() {
  return CANDIDATES.find((path) => path !== undefined && path !== "" && existsSync(path));
}

/** Playwright's own list. Chromium reads only the last `--disable-features`, which is ours. */
const PLAYWRIGHTS = `
  AimEnabled AvoidCorsURLLoaderRestartOnRedirect AvoidUnnecessaryBeforeUnloadCheckSync DestroyProfileOnBrowserClose
  HttpsFirstBalancedModeAutoEnable HttpsUpgrades LensOverlay MediaRouter NetworkTimeServiceQuerying OptimizationHints
  PaintHolding PreconnectToSearch ThirdPartyStoragePartitioning`;

/**
 * What a window prepares for the next address: the pages behind its address bar, and a process for the next site. They
 * took almost half of the processor time of an empty page.
 */
const PREPARATIONS =
  "WebUIOmniboxPopup WebUIOmniboxAimPopup WebUIOmniboxFullPopup SpareRendererForSitePerProcess";

const DISABLED_FEATURES = `${PLAYWRIGHTS} ${PREPARATIONS}`.trim().split(/\s+/);

/** Launch options for every test. They disable background requests, which a closed network would refuse one by one. */
export function chromiumLaunchOptions() {
  const executablePath = findChromium();
  return {
    ...(executablePath === undefined ? {} : { executablePath }),
    args: [
      "--no-sandbox",
      "--disable-gpu",
      "--disable-quic",
      "--no-first-run",
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-sync",
      `--disable-features=${DISABLED_FEATURES.join(",")}`,
    ],
  };
}
