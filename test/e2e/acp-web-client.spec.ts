import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { expect, test as base } from "@playwright/test";

const test = base.extend<{ url: string }>({
  /** The example as a user runs it, in a separate process. */
  // oxlint-disable-next-line no-empty-pattern
  async url({}, use) {
    const child = spawn(process.execPath, ["docs/examples/acp-web-client/server.ts"], {
      cwd: fileURLToPath(new URL("../..", import.meta.url)),
      env: { ...process.env, PORT: "0" },
      stdio: ["ignore", "pipe", "inherit"],
    });
    const ended = once(child, "close");
    const [line] = (await once(createInterface(child.stdout), "line")) as [string];
    await use(line.replace("Open ", ""));
    child.kill();
    await ended;
  },
});

test(
  "an ACP agent asks a web page over WebSocket for a form and a page at the same time, and continues with both",
  { tag: "@long" },
  async ({ page, url }) => {
    const logged: string[] = [];
    page.on("console", (message) => logged.push(message.text()));
    await page.goto(url);
    await page.getByRole("button", { name: "Send" }).click();
    const form = page.getByRole("group").filter({ hasText: "Where to?" }).first();
    const connect = page.getByRole("button", { name: /^(Connect|Open page)$/ });
    await expect(form).toContainText("Travel agent");
    await expect(connect).toBeVisible();
    if (process.env["SCREENSHOTS"] !== undefined) {
      await page.screenshot({ path: `${process.env["SCREENSHOTS"]}/acp-web-client.png` });
    }
    const opening = page.waitForEvent("popup");
    await connect.click();
    const hotel = await opening;
    await hotel.getByRole("button", { name: "Allow" }).click();
    await expect(hotel.getByText("Connected.")).toBeVisible();
    await hotel.close();
    await expect(connect).toHaveCount(0);
    await form.getByRole("textbox").fill("Lisbon");
    await form.getByRole("button", { name: "Send" }).click();
    await expect(page.getByLabel("Conversation")).toContainText(
      "Booked a hotel in Lisbon, with your account.",
    );
    expect(logged).toEqual([]);
  },
);
