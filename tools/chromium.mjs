import { existsSync } from "node:fs";

const CANDIDATES = [
  process.env.CHROMIUM_PATH,
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome",
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
  "/Applications/Chromium.app/Contents/MacOS/Chromium",
];

/** Path of the browser that runs the tests, or `undefined` if this machine has none. */
export function findChromium() {
  return CANDIDATES.find((path) => path !== undefined && path !== "" && existsSync(path));
}

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
    ],
  };
}
