import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { extname, join, normalize } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, test } from "@playwright/test";
import { type Listening, listen } from "../stages/listen.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const FOLDER = "/any/folder/";
const TYPES: Readonly<Record<string, string>> = {
  ".css": "text/css",
  ".html": "text/html",
  ".js": "text/javascript",
  ".json": "application/json",
  ".svg": "image/svg+xml",
};

let site: string;
let server: Listening;

test.beforeAll(async () => {
  test.setTimeout(600_000);
  site = await mkdtemp(join(tmpdir(), "elicit-kit-book-"));
  const args = ["build", "--quiet", "--output-dir", site];
  await promisify(execFile)(process.execPath, ["node_modules/storybook/dist/bin/dispatcher.js", ...args], {
    cwd: ROOT,
    maxBuffer: 64 * 1024 * 1024,
  });
  server = await listen(
    createServer((request, response) => {
      const { pathname } = new URL(request.url ?? "/", "http://localhost");
      const path = pathname.startsWith(FOLDER) ? normalize(pathname.slice(FOLDER.length)) : "..";
      const file = join(site, path === "." ? "index.html" : path);
      readFile(path.startsWith("..") ? "" : file).then(
        (content) =>
          response
            .writeHead(200, { "content-type": TYPES[extname(file)] ?? "application/octet-stream" })
            .end(content),
        () => response.writeHead(404).end(),
      );
    }),
  );
});

test.afterAll(async () => {
  await server.close();
  await rm(site, { recursive: true, force: true });
});

test(
  "`npm run build-storybook` makes a site that works in any folder, with a landing page and a Playground",
  { tag: "@long" },
  async ({ page }) => {
    test.setTimeout(120_000);
    const errors: string[] = [];
    page.on("pageerror", (error) => errors.push(error.message));
    await page.goto(server.url + FOLDER);
    const book = page.frameLocator("#storybook-preview-iframe");
    await expect(book.getByRole("heading", { name: "elicit-kit", level: 1 })).toBeVisible({
      timeout: 60_000,
    });
    await book.getByRole("link", { name: "Try it in the Playground" }).click();
    await book.getByRole("radio", { name: "Fill in a form", exact: true }).check();
    const card = book.getByRole("group", { name: "Where and when would you like to stay?" });
    await card.getByRole("textbox", { name: "City" }).fill("Lisbon");
    await card.getByLabel("Check-in").fill("2027-03-01");
    await card.getByRole("button", { name: "Send" }).click();
    await expect(book.getByText("Casa do Mar in Lisbon has a room.")).toBeVisible();
    await expect(book.getByLabel("The mock server").last()).toContainText("createMockServer({");
    expect(errors).toEqual([]);
  },
);
