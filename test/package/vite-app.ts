/**
 * The packed package in a new Vite app outside the checkout, as docs/start/quickstart.md makes it: `node test/package/vite-app.ts`
 * after a build, or `… react-18` with the oldest React. Part of `npm run test:long`.
 */
import type { ChildProcess } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { chromium } from "playwright";
import { chromiumLaunchOptions } from "../../tools/chromium.mjs";
import { freePort } from "../stages/listen.ts";
import { book, run, say, startViteGuide, stopAndGoOn, writeViteGuide } from "./guide-app.ts";
import { pack } from "./installed.ts";

const REACT_18 = ["react@18.3.1", "react-dom@18.3.1", "@types/react@18.3.31", "@types/react-dom@18.3.7"];
const react = process.argv[2] === "react-18" ? REACT_18 : [];

const folder = await mkdtemp(join(tmpdir(), "elicit-kit-vite-"));
const started: ChildProcess[] = [];
const browser = await chromium.launch(chromiumLaunchOptions());
try {
  const ports = { page: await freePort(), server: await freePort() };
  await writeViteGuide(folder, ports);
  const { tarball } = await pack(folder);
  await run(folder, "npm", "ci", "--loglevel=error");
  await run(folder, "npm", "install", "--no-save", "--loglevel=error", tarball, ...react);
  const url = await startViteGuide(folder, ports, started);
  const page = await browser.newPage();
  page.setDefaultTimeout(60_000);
  const errors: string[] = [];
  page.on("pageerror", (error) => errors.push(error.message));
  await page.goto(url);
  await say(page, "Book me a hotel");
  await book(page, "Lisbon", 3);
  await stopAndGoOn(page);
  if (errors.length > 0) throw new Error(`elicit-kit: the page threw ${errors.join(", ")}`);
  console.log("vite: asked in Chromium, answered, and the turn went on");
} finally {
  await browser.close();
  for (const child of started) child.kill();
  await rm(folder, { recursive: true, force: true });
}
