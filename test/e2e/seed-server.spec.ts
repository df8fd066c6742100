import { expect, type Page, test } from "@playwright/test";
import { type Served, serve } from "../../src/node/index.ts";
import { createSeedServer, type SeedQuestion, type SeedServer } from "../stages/seed-server.ts";
import { bundlePage } from "./bundle.ts";
import { closedBy } from "./closing.ts";

const CHAT = `<!doctype html><html lang="en"><title>Chat</title><link rel="stylesheet" href="/page.css">
<link rel="icon" href="data:,"><div id="root"></div><script type="module" src="/page.js"></script></html>`;

/** The sign-in page of the documents: it notifies the chat that opened it. */
const AUTH = `<!doctype html><html lang="en"><title>Sign in</title><link rel="icon" href="data:,"><button>Allow</button><script>
document.querySelector("button").onclick = () => {
  document.title = "Signed in";
  const elicitationId = new URLSearchParams(location.search).get("elicitationId");
  opener?.postMessage({ source: "elicit-kit", version: 1, type: "elicitation-complete", elicitationId }, "*");
};</script></html>`;

const ID = "conv:1/x y";
const CONNECT: SeedQuestion = {
  elicitationId: ID,
  message: "Linear requires authentication.",
  url: `/auth/connect?toolId=linear&elicitationId=${encodeURIComponent(ID)}`,
  context: { trigger: "credential_required" },
};

let files: ReadonlyMap<string, Response>;
const open: Served[] = [];

test.beforeAll(async () => {
  const outputFiles = await bundlePage("seed-server/page.tsx", { splitting: true });
  const html = (body: string) => new Response(body, { headers: { "content-type": "text/html" } });
  files = new Map([
    ["/", html(CHAT)],
    ["/auth/connect", html(AUTH)],
    ...outputFiles.map(({ path, contents }): [string, Response] => {
      const type = path.endsWith(".css") ? "text/css" : "text/javascript";
      return [path, new Response(contents.slice(), { headers: { "content-type": type } })];
    }),
  ]);
});

test.afterEach(async () => {
  await Promise.all(open.splice(0).map((served) => served.close()));
});

/** Serves the pages, and the routes of `server`. */
async function listen(server?: SeedServer): Promise<string> {
  const served = await serve({
    hostname: "127.0.0.1",
    async fetch(request) {
      const file = files.get(new URL(request.url).pathname);
      return file?.clone() ?? server?.fetch(request) ?? new Response("Not found", { status: 404 });
    },
  });
  open.push(served);
  return served.url;
}

async function ask(page: Page, question: SeedQuestion) {
  const server = createSeedServer(question);
  const complaints: string[] = [];
  // The browser itself logs that there is no list of open requests.
  page.on("console", (line) => line.text().includes("404 (Not Found)") || complaints.push(line.text()));
  await page.goto(await listen(server));
  await page.getByRole("button", { name: "Ask" }).click();
  return { server, complaints };
}

async function signIn(page: Page): Promise<Page> {
  const opening = page.waitForEvent("popup");
  await page.getByRole("button", { name: "Connect" }).click();
  return opening;
}

async function expectAnswered(page: Page, action: string): Promise<void> {
  await expect(page.getByRole("log")).toContainText(`The answer was ${action}.`);
  await expect(page.getByRole("main")).toHaveAttribute("data-status", "ready");
  await expect(page.getByRole("alert")).toHaveText("");
  await expect(page.getByRole("button")).toHaveText(["Ask"]);
}

test("the agent continues when the server's own page reports completion", async ({ page }) => {
  const { server, complaints } = await ask(page, CONNECT);
  const popup = await signIn(page);
  await closedBy(popup, () => popup.getByRole("button", { name: "Allow" }).dispatchEvent("click"));
  await expectAnswered(page, "accept");
  expect(server.answers).toMatchObject([{ elicitationId: ID, action: "accept" }]);
  expect(complaints).toEqual([]);
});

test(
  "a message of a page on another origin is ignored, and the user says that they have finished",
  { tag: "@long" },
  async ({ page }) => {
    const auth = new URL(CONNECT.url ?? "", await listen());
    const { server, complaints } = await ask(page, { ...CONNECT, mode: "url", url: auth.href });
    const popup = await signIn(page);
    await popup.getByRole("button", { name: "Allow" }).click();
    await expect(popup).toHaveTitle("Signed in");
    expect(await popup.evaluate("opener")).toBeNull();
    expect(server.answers).toEqual([]);
    await page.getByRole("button", { name: "I’ve finished" }).click();
    await expectAnswered(page, "accept");
    expect(server.answers).toMatchObject([{ elicitationId: ID, action: "accept" }]);
    expect(complaints).toEqual([]);
  },
);

test(
  "a form without a mode is shown, and its content reaches the agent",
  { tag: "@long" },
  async ({ page }) => {
    const { server, complaints } = await ask(page, {
      elicitationId: ID,
      message: "Where to?",
      requestedSchema: { type: "object", properties: { city: { type: "string" } }, required: ["city"] },
    });
    await page.getByRole("textbox").fill("Lisbon");
    await page.getByRole("button", { name: "Send" }).click();
    await expectAnswered(page, "accept");
    expect(server.answers).toMatchObject([
      { elicitationId: ID, action: "accept", content: { city: "Lisbon" } },
    ]);
    expect(complaints).toEqual([]);
  },
);
