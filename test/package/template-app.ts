/**
 * templates/next with the packed package, built and started: a user signs in, answers a form, and connects an account at
 * a real OAuth server that replaces GitHub. `node test/package/template-app.ts` after a build. Part of `npm run
 * test:long`.
 */
import type { ChildProcess } from "node:child_process";
import { randomBytes } from "node:crypto";
import { cp, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { chromium } from "playwright";
import { chromiumLaunchOptions } from "../../tools/chromium.mjs";
import { freePort } from "../stages/listen.ts";
import { startPostgres } from "../../tools/postgres.mjs";
import { template, templateFiles } from "../../tools/template.ts";
import { startTestProvider } from "../stages/oidc-provider.ts";
import { answering, book, endGroup, exited, launch, run, say } from "./guide-app.ts";
import { pack } from "./installed.ts";

const parent = await mkdtemp(join(tmpdir(), "elicit-kit-template-"));
const folder = join(parent, "chat");
const port = await freePort();
const chatOrigin = `http://localhost:${port}`;
const pageOrigin = `http://127.0.0.1:${port}`;
const key = randomBytes(32).toString("base64");

const browser = await chromium.launch(chromiumLaunchOptions());
const postgres = await startPostgres();
const github = await startTestProvider([`${pageOrigin}/auth/callback`], {
  async api(token) {
    if (!(await github.isActive(token))) throw new Error("elicit-kit: the token is not the user's.");
    return [{ full_name: "ada/engine" }, { full_name: "ada/notes" }];
  },
});
const settings = {
  PORT: String(port),
  CHAT_ORIGIN: chatOrigin,
  NEXT_PUBLIC_PAGE_ORIGIN: pageOrigin,
  DATABASE_URL: postgres.url,
  ANSWER_KEY: key,
  SECRETS_KEY: key,
  GITHUB_ISSUER: github.issuer,
  GITHUB_CLIENT_ID: github.confidential.post.clientId,
  GITHUB_CLIENT_SECRET: github.confidential.post.clientSecret,
};
let server: ChildProcess | undefined;
try {
  await cp(template, folder, { recursive: true });
  // The only file that is not from the template: a script that replaces the model, as `init --mock` writes it.
  const model = templateFiles({ mock: true })["agent/model.ts"];
  if (model === undefined) throw new Error("elicit-kit: init --mock has no model any more.");
  await writeFile(join(folder, "agent", "model.ts"), model);
  const { tarball } = await pack(parent);
  await run(folder, "npm", "install", "--loglevel=error", tarball);
  // A page origin that differs from the default must be known at build time.
  await exitsWell(launch(folder, "next", ["build"], settings));
  server = launch(folder, "next", ["start"], settings, { detached: true });
  await answering(chatOrigin);

  const page = await browser.newPage();
  page.setDefaultTimeout(120_000);
  const errors: string[] = [];
  page.on("pageerror", (error) => errors.push(error.message));
  // The cookie of another app on localhost must neither sign a user in nor lock users out.
  await page.context().addCookies([{ name: "session", value: "of-another-app", url: chatOrigin }]);
  await page.goto(`${chatOrigin}/chat`);
  await page.getByRole("textbox", { name: "Your name" }).fill("Ada");
  await page.getByRole("button", { name: "Start" }).click();
  await page.waitForURL(`${chatOrigin}/chat`);
  await say(page, "Book me a hotel");
  await book(page, "Lisbon", 3);
  await say(page, "List my repositories");
  const card = page.getByRole("group", { name: "Connect GitHub" });
  const [window] = await Promise.all([
    page.waitForEvent("popup"),
    card.getByRole("button", { name: "Connect" }).click(),
  ]);
  await window.getByRole("button", { name: "Continue" }).click();
  await page.getByText("ada/engine, ada/notes").waitFor();

  for (const [url, what] of [
    [`${pageOrigin}/chat`, "the chat on the page's origin"],
    [`${chatOrigin}/auth/connect`, "the page on the chat's origin"],
  ] as const) {
    const { status } = await fetch(url);
    if (status !== 404) throw new Error(`elicit-kit: ${what} answers with ${status}, not 404.`);
  }
  if (errors.length > 0) throw new Error(`elicit-kit: the page threw ${errors.join(", ")}`);
  console.log("template: built, signed in, answered, connected an account, and the turn continued");
} finally {
  await browser.close();
  if (server !== undefined) endGroup(server, "SIGKILL");
  await github.close();
  await postgres.stop();
  await rm(parent, { recursive: true, force: true, maxRetries: 10 });
}

async function exitsWell(child: ChildProcess): Promise<void> {
  if ((await exited(child)) !== 0) throw new Error("elicit-kit: next build failed.");
}
