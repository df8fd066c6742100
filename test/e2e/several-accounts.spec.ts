import { expectSound } from "./axe.ts";
import { ChatPage, finishConnecting } from "./chat-page.ts";
import { expect, test } from "./demo.ts";

test(
  "a user connects a second account, chooses between them on a card, and removes one",
  { tag: "@long" },
  async ({ page, context, demo }) => {
    const chat = new ChatPage(page, demo);
    const connectMail = page.getByRole("group", { name: "Connect Mail" }).last();
    await chat.open();
    await chat.say("Send a mail about the release");
    await finishConnecting(await chat.connect(connectMail));
    await expect(chat.log).toContainText("sent “Release” from alice@mail.example.");

    await chat.say("Send a mail about the release from another account");
    await expect(connectMail).toContainText("with another Mail account");
    await finishConnecting(await chat.connect(connectMail), { account: "bob" });
    await expect(chat.log).toContainText("sent “Release” from bob@mail.example.");

    await chat.say("Send a mail about the plan");
    const which = page.getByRole("group", { name: "Which Mail account should Demo agent use?" });
    await expect(which.getByRole("radio")).toHaveCount(3);
    await expectSound(page);
    await which.getByRole("radio", { name: "bob" }).check();
    await which.getByRole("checkbox", { name: /Use this answer again/ }).check();
    await which.getByRole("button", { name: "Send" }).click();
    await expect(chat.log).toContainText("sent “Plan” from bob@mail.example.");

    await chat.say("Send a mail about the weather");
    await expect(chat.log).toContainText("sent “Weather” from bob@mail.example.");

    await chat.openMenu();
    const opened = context.waitForEvent("page");
    await page.getByRole("link", { name: "Connected accounts" }).click();
    const accounts = await opened;
    const removeMail = accounts.getByRole("button", { name: "Remove Mail", exact: true });
    const rows = accounts.getByRole("listitem").filter({ has: removeMail });
    await expect(rows).toHaveCount(2);
    await expectSound(accounts);
    await rows.filter({ hasText: "bob" }).getByRole("button").click();
    await expect(rows).toHaveText([/alice/]);
    await accounts.close();

    // Only one account is left, so there is nothing to choose.
    await chat.say("Send a mail about the train");
    await expect(chat.log).toContainText("sent “Train” from alice@mail.example.");
  },
);
