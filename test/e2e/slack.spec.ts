import type { Page } from "@playwright/test";
import { finishConnecting } from "./chat-page.ts";
import { type Demo, expect, test } from "./demo.ts";

test.use({ demoEnv: { SLACK: "1" } });

const shot = (page: Page, name: string) =>
  process.env["SCREENSHOTS"] === undefined
    ? Promise.resolve()
    : page.screenshot({ path: `${process.env["SCREENSHOTS"]}/slack-${name}.png` });

async function openSlack(page: Page, demo: Demo): Promise<void> {
  await page.goto(/slack\s+(\S+)/.exec(demo.output())?.[1] ?? "");
  await expect(page.getByRole("heading", { name: "# ops" })).toBeVisible();
}

test("in a Slack thread, the user connects an account through a link, and the same turn continues", async ({
  page,
  demo,
}) => {
  await openSlack(page, demo);
  await page.getByRole("button", { name: "Create an issue about the login bug" }).click();
  const thread = page.getByRole("region", { name: "Thread of" });
  await expect(thread.getByRole("heading", { name: "Connect Tracker" })).toBeVisible();
  await expect(thread).toContainText("For @Alice");
  await shot(page, "connect");

  // A colleague sees the same buttons, but they have no effect for him.
  await page.getByRole("button", { name: "Bob" }).click();
  await thread.getByRole("button", { name: "Decline" }).click();
  await expect(thread).toContainText("This question is for @Alice. Only they can answer it.");
  await shot(page, "colleague");
  await page.getByRole("button", { name: "Alice" }).click();

  const opening = page.context().waitForEvent("page");
  await thread.getByRole("link", { name: "Connect" }).click();
  await finishConnecting(await opening);
  await expect(thread).toContainText("✓ Tracker connected");
  await expect(thread).toContainText(/Done: .*#1/);
  await expect(thread).toContainText("by @Alice");
  await shot(page, "connected");
});

test("in Slack, a form is a modal that shows errors beside its inputs, and keeps the user's input when it is opened again", async ({
  page,
  demo,
}) => {
  await openSlack(page, demo);
  await page.getByRole("button", { name: "Book me a flight" }).click();
  const thread = page.getByRole("region", { name: "Thread of" });
  await thread.getByRole("button", { name: "Answer…" }).click();
  const modal = page.getByRole("dialog");
  await modal.getByLabel("Destination").fill("Lisbon");
  await modal.getByRole("button", { name: "Cancel" }).click();
  await expect(modal).toHaveCount(0);
  await thread.getByRole("button", { name: "Answer…" }).click();
  await expect(modal.getByLabel("Destination")).toHaveValue("Lisbon");
  await modal.getByRole("button", { name: "Send" }).click();
  await expect(modal.getByRole("alert")).toHaveText("Please complete this required field.");
  await modal.getByLabel("Departure date").fill("2099-03-04");
  await shot(page, "modal");
  await modal.getByRole("button", { name: "Send" }).click();
  await expect(thread).toContainText("✓ Sent");
  await expect(thread).toContainText("Destination: Lisbon");
  await expect(thread).toContainText("Done: Flight to Lisbon on 4 March 2099, economy, 1 travelling.");
  await shot(page, "answered");
});

test(
  "in Slack, the stop button ends the turn, and the message says that the request is no longer needed",
  { tag: "@long" },
  async ({ page, demo }) => {
    await openSlack(page, demo);
    await page.getByRole("button", { name: "Book me a flight" }).click();
    const thread = page.getByRole("region", { name: "Thread of" });
    await expect(thread.getByRole("button", { name: "Answer…" })).toBeVisible();
    await thread.getByLabel("Reply").fill("stop");
    await thread.getByRole("button", { name: "Send" }).click();
    await expect(thread).toContainText("No longer needed");
    await expect(thread).toContainText("Stopped.");
  },
);

test.describe("when a user does not answer", () => {
  test.use({ demoEnv: { SLACK: "1", ELICITATION_TTL_MS: "3000" } });

  test(
    "the Slack message says that the request has expired, and so does the agent",
    { tag: "@long" },
    async ({ page, demo }) => {
      await openSlack(page, demo);
      await page.getByRole("button", { name: "Create an issue about the login bug" }).click();
      const thread = page.getByRole("region", { name: "Thread of" });
      await expect(thread).toContainText("⌛ The request for Tracker expired");
      await expect(thread.getByRole("button", { name: "Decline" })).toHaveCount(0);
      await shot(page, "expired");
    },
  );
});
