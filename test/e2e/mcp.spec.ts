import { ChatPage } from "./chat-page.ts";
import { expect, test } from "./demo.ts";

for (const revision of ["2025-06", "2025-11", "2026-07"]) {
  test(
    `an MCP server of ${revision} asks with a form, a page where the revision has pages, and a form again`,
    { tag: revision === "2026-07" ? [] : "@long" },
    async ({ page, demo }) => {
      const chat = new ChatPage(page, demo);
      await chat.open();
      await chat.say(`Plan a team day, in MCP ${revision}`);
      const [day, sure] = [chat.formCards.first(), chat.formCards.last()];
      await expect(day).toContainText("Planner");
      await expect(day).toContainText("Demo planner");
      await day.getByLabel("Name of the day").fill("Summer party");
      await day.getByRole("button", { name: "Next" }).click();
      await day.getByLabel("Date").fill("2027-06-01");
      const review = day.getByRole("button", { name: "Send" });
      while (!(await review.isVisible()))
        await day.getByRole("button", { name: /^(Next|Review)$/ }).click({ delay: 20 });
      await review.click();
      await expect(day).toContainText("Sent");

      if (revision !== "2025-06") {
        const room = page
          .getByRole("group")
          .filter({ hasText: "Reserve the room on the page of the venue." });
        await expect(room.first()).toContainText("127.0.0.1");
        const opened = page.waitForEvent("popup");
        await room.first().getByRole("button", { name: "Open page" }).click();
        const venue = await opened;
        await venue.getByRole("button", { name: "Reserve" }).click();
        await expect(venue.getByText("The room is reserved")).toBeVisible();
        await venue.close();
      }
      // In 2025-11 the server reports that the page is complete. In 2026-07 the client asks it again after a while.
      await expect(page.getByText("shall I send the invitations?").first()).toBeVisible();
      await expect(page.getByRole("button", { name: "I’ve finished" })).toHaveCount(0);
      await sure.getByRole("radio", { name: "Yes" }).check();
      await sure.getByRole("button", { name: "Send" }).click();
      await expect(chat.log).toContainText("Summer party on 1 June 2027 is planned. Invitations are sent.");
    },
  );
}

test(
  "a button below the reply asks the same server in an older revision of MCP",
  { tag: "@long" },
  async ({ page, demo }) => {
    const chat = new ChatPage(page, demo);
    await chat.open();
    await chat.suggest(/^An MCP server asks/);
    await chat.decline(chat.formCards.first());
    await expect(chat.log).toContainText("No team day was planned");
    await page.getByRole("button", { name: "The same server in MCP 2025-11-25" }).click();
    await expect(chat.log).toContainText("Plan a team day, in MCP 2025-11-25");
    await chat.decline(chat.formCards.last());
    await expect(page.getByRole("button", { name: "The same server in MCP 2025-11-25" })).toHaveCount(0);
    await expect(page.getByRole("button", { name: "The same server in MCP 2025-06-18" })).toBeVisible();
  },
);
