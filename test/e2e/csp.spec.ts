import { createServer } from "node:http";
import { expect, test } from "@playwright/test";
import { bundlePage } from "./bundle.ts";
import { type Listening, listen } from "../stages/listen.ts";

const POLICY = "default-src 'self'; script-src 'self'; style-src 'self'";
const HTML = `<!doctype html><html lang="en"><title>Strict page</title><link rel="stylesheet" href="/page.css">
<div id="root"></div><script type="module" src="/page.js"></script></html>`;

interface ServedFile {
  type: string;
  body: Uint8Array | string;
}

async function filesOfPage(): Promise<ReadonlyMap<string, ServedFile>> {
  const files = new Map<string, ServedFile>([
    ["/", { type: "text/html", body: HTML }],
    ["/favicon.ico", { type: "image/x-icon", body: "" }],
  ]);
  for (const { path, contents } of await bundlePage("csp/page.tsx")) {
    files.set(path, { type: path.endsWith(".css") ? "text/css" : "text/javascript", body: contents });
  }
  return files;
}

let server: Listening;
test.beforeAll(async () => {
  const files = await filesOfPage();
  server = await listen(
    createServer((request, response) => {
      const file = files.get(request.url ?? "");
      response.writeHead(file === undefined ? 404 : 200, {
        "content-type": `${file?.type ?? "text/plain"}; charset=utf-8`,
        "content-security-policy": POLICY,
      });
      response.end(file?.body);
    }),
  );
});
test.afterAll(() => server.close());

test("the cards and the dialog work under a strict content security policy", async ({ page }) => {
  const violations: string[] = [];
  await page.exposeFunction("tellViolation", (text: string) => void violations.push(text));
  await page.addInitScript(() => {
    document.addEventListener("securitypolicyviolation", (event) => {
      const tell: unknown = Reflect.get(globalThis, "tellViolation");
      if (typeof tell === "function") tell(`${event.violatedDirective} ${event.sourceFile} ${event.sample}`);
    });
  });
  const complaints: string[] = [];
  page.on("console", (message) => {
    // Advice of Chrome: it would like a user name beside a new password.
    if (!message.text().includes('suggested: "username"')) complaints.push(message.text());
  });
  await page.goto(`${server.url}/`);

  const form = page.getByRole("group", { name: "Where should the parcel go?" });
  await expect(form).toHaveCSS("border-top-style", "solid");
  await form.getByLabel("Name").fill("Ana");
  await form.getByRole("searchbox").fill("City 2");
  await form.getByRole("radio", { name: "City 29" }).click();
  await form.getByRole("slider").press("ArrowRight");
  await form.getByRole("checkbox", { name: "I want to share this" }).check();
  await form.getByRole("button", { name: "Send" }).click();
  await expect(form.getByText("Sent")).toBeVisible();

  await page.getByRole("button", { name: "Ask in a dialog" }).click();
  const dialog = page.getByRole("dialog", { name: "Connect your account" });
  await expect(dialog).toHaveCSS("position", "fixed");
  await dialog.getByRole("button", { name: "Connect" }).click();
  await dialog.getByRole("button", { name: "I’ve finished" }).click();
  await expect(dialog).toBeHidden();
  await expect(page.getByRole("button", { name: "Ask in a dialog" })).toBeFocused();

  // The live regions are hidden, although the policy forbids style attributes.
  for (const region of await page.locator("output").all()) {
    expect((await region.boundingBox())?.width).toBeLessThanOrEqual(1);
  }
  expect(violations).toEqual([]);
  expect(complaints).toEqual([]);
});
