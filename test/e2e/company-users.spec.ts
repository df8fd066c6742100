import { ChatPage } from "./chat-page.ts";
import { expect, test } from "./demo.ts";

test("a user of a company gets no card: the company allows the call, or the agent says who can allow it", async ({
  page,
  demo,
}) => {
  const chat = new ChatPage(page, demo);
  await chat.open();
  await chat.switchAccount("carol");

  await chat.suggest(/A company user is not asked/);
  await expect(chat.log).toContainText("Done: Travel policy: Trains before planes.");
  await chat.say("Publish the release notes in the wiki");
  await expect(chat.log).toContainText(
    "I cannot publish the page, because your company does not allow it. Ask the IT service of Acme.",
  );
  await expect(page.getByRole("group", { name: /Connect/ })).toHaveCount(0);
  expect(demo.output()).not.toContain("elicit-kit demo:");
});
