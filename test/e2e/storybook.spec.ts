import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { expect, test } from "@playwright/test";
import { freePort } from "../stages/listen.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));

/** The part of Storybook's index that is read. */
interface Index {
  entries: Record<string, { id: string; type: string; tags: readonly string[] }>;
}

let book: ChildProcess;
let url: string;
let output = "";

test.beforeAll(async () => {
  test.setTimeout(90_000);
  url = `http://127.0.0.1:${await freePort()}`;
  const args = ["dev", "--host", "127.0.0.1", "--port", new URL(url).port, "--exact-port", "--ci", "--quiet"];
  book = spawn(process.execPath, ["node_modules/storybook/dist/bin/dispatcher.js", ...args], {
    cwd: ROOT,
    stdio: ["ignore", "pipe", "pipe"],
    // In its own group, with its child processes.
    detached: true,
  });
  for (const stream of [book.stdout, book.stderr]) stream?.on("data", (piece) => (output += String(piece)));
  await expect(async () => {
    expect((await fetch(`${url}/index.json`)).status).toBe(200);
  }, output).toPass({ timeout: 80_000 });
});

test.afterAll(async () => {
  const ended = once(book, "close");
  if (book.pid !== undefined) process.kill(-book.pid, "SIGKILL");
  await ended;
});

test(
  "`npm run storybook` shows every page of the documentation, with its pictures and files",
  { tag: "@long" },
  async ({ page, request }) => {
    // Vite transforms the files of each page when it is first opened.
    test.setTimeout(600_000);
    const said: string[] = [];
    page.on("console", (message) => {
      const { url: from } = message.location();
      // Requested by Chromium, because the frame is opened without Storybook around it.
      if (message.type() === "error" && !from.endsWith("/favicon.ico"))
        said.push(`${message.text()} ${from}`);
    });
    page.on("pageerror", (error) => said.push(error.message));

    const index = (await (await request.get(`${url}/index.json`)).json()) as Index;
    const pages = Object.values(index.entries).filter(({ type }) => type === "docs");
    expect(pages.length).toBeGreaterThan(15);
    const content = page.locator("#storybook-docs");
    const files = new Set<string>();
    let isLoaded = false;
    for (const { id, tags } of pages) {
      // From one guide to the next by a click in the side bar. A page with stories is reloaded, as when a link opens it.
      const isGuide = tags.includes("unattached-mdx");
      if (isGuide && isLoaded) expect(await page.evaluate(open, id), id).toBe("shown");
      else await page.goto(`${url}/iframe.html?viewMode=docs&id=${id}`);
      await expect(content.getByRole("heading").first(), id).toBeVisible({ timeout: 60_000 });
      // Storybook reloads the frame when it leaves a story that is not rendered yet.
      isLoaded = isGuide && (await content.locator(".docs-story").count()) === 0;
      for (const file of await content.evaluate(filesIn)) files.add(file);
    }
    expect(files.size).toBeGreaterThan(3);
    for (const file of files) expect((await request.get(file)).status(), file).toBe(200);
    expect(said).toEqual([]);
  },
);

/** Runs in the frame of Storybook: opens a page as a click in the side bar does, and returns the result. */
function open(id: string): Promise<string> {
  const channel: unknown = Reflect.get(globalThis, "__STORYBOOK_ADDONS_CHANNEL__");
  const call = (name: string, ...args: unknown[]): void => {
    if (typeof channel === "object" && channel !== null)
      Reflect.apply(Reflect.get(channel, name), channel, args);
  };
  return new Promise((resolve) => {
    new MutationObserver(() => {
      if (!document.body.classList.contains("sb-show-errordisplay")) return;
      resolve(document.getElementById("error-message")?.textContent ?? "an error without words");
    }).observe(document.body, { attributes: true });
    call("on", "docsRendered", (rendered: unknown) => {
      if (rendered === id) resolve("shown");
    });
    call("emit", "setCurrentStory", { storyId: id, viewMode: "docs" });
  });
}

/** Addresses within Storybook that a page shows as a picture or links to as a file. */
function filesIn(content: Element): string[] {
  const links = [...content.querySelectorAll<HTMLAnchorElement>("a[target=_blank]")].map(({ href }) => href);
  const pictures = [...content.querySelectorAll("img")].map(({ src }) => src);
  return [...links, ...pictures].filter((address) => address.startsWith(location.origin));
}
