import {
  buildDemoPage,
  buildDemoServers,
  buildHostPage,
  buildKit,
  buildSlackPage,
} from "../../tools/build.mjs";
import { serveGuideApp } from "./guide-app.ts";

/** The demo and the app of the testing guide run the built package, so the tests use the published code. */
export default async function build(): Promise<() => Promise<void>> {
  await buildKit();
  await buildDemoPage();
  await buildHostPage();
  await buildSlackPage();
  await buildDemoServers();
  const guide = await serveGuideApp();
  process.env["GUIDE_URL"] = guide.url;
  return guide.close;
}
