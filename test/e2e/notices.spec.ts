import { ChatPage } from "./chat-page.ts";
import { expect, test } from "./demo.ts";

test.use({ demoEnv: { NOTIFY_AFTER_MS: "500" } });

test(
  "an open question sends a notice, and the answer behind its link continues the turn in the first tab",
  { tag: "@long" },
  async ({ page, context, demo }) => {
    const chat = new ChatPage(page, demo);
    await chat.openForm();
    expect(demo.output()).not.toContain("A notice to");
    await page.goto("about:blank");
    await expect.poll(demo.output).toContain("A notice to alice, who is away:");
    const [, link = ""] = /Your answer is needed: (\S+)/.exec(demo.output()) ?? [];
    await page.goBack();
    await expect(chat.formCards).toBeVisible();

    const other = await context.newPage();
    await other.goto(link);
    await other.getByLabel("Destination").fill("Lisbon");
    await other.getByLabel("Departure date").fill("2099-03-04");
    await other.getByRole("button", { name: "Send" }).click();
    await expect(other.getByRole("heading", { name: "Sent" })).toBeVisible();

    await expect(chat.log).toContainText("Done: Flight to Lisbon on 4 March 2099");
    await expect(chat.turn).toContainText("Done in one turn");
    expect(demo.output().match(/A notice to/g)).toHaveLength(1);
  },
);
