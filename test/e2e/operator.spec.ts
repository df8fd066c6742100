import { expectSound } from "./axe.ts";
import { ChatPage } from "./chat-page.ts";
import { expect, test } from "./demo.ts";

test("an open question causes a notice, another tab answers it, the turn continues, and the operator sees who answered", async ({
  page,
  context,
  demo,
}) => {
  const chat = new ChatPage(page, demo);
  await chat.openForm();
  // The user leaves. Ten seconds later the notice is sent.
  await page.goto("about:blank");
  await expect.poll(() => demo.output(), { timeout: 40_000 }).toContain("A notice to alice, who is away");

  const other = new ChatPage(await context.newPage(), demo);
  await other.open();
  await other.page.getByRole("button", { name: "Inbox (1)" }).click();
  const inbox = other.page.getByRole("region", { name: /^Waiting for you/ });
  await inbox.getByRole("list").getByRole("button").click();
  await other.fillFlight("Lisbon", "2099-03-04", inbox.locator("[data-elicitation]"));
  await page.goBack();
  await expect(chat.log).toContainText("Done: Flight to Lisbon on 4 March 2099");

  const operator = await context.newPage();
  const broken: string[] = [];
  operator.on("console", (message) => message.type() === "error" && broken.push(message.text()));
  await operator.goto(`${demo.runtime}/operator`);
  await expectSound(operator);
  await expect(operator.getByRole("table", { name: "Ended" })).toContainText("accepted");
  await operator.getByRole("link", { name: "book_flight" }).first().click();
  const log = operator.getByRole("table", { name: "Decision log" });
  await expect(log.getByRole("row")).toHaveCount(3);
  await expect(log.getByRole("row").last()).toContainText(/accepted.*user [0-9a-f]{6}.*Chat/s);
  // Neither the question nor the answer.
  await expect(operator.locator("body")).not.toContainText(/Lisbon|alice|few details/);
  await expectSound(operator);
  expect(broken).toEqual([]);
});

test(
  "an operator withdraws a question, and the user's chat shows that",
  { tag: "@long" },
  async ({ page, context, demo }) => {
    const chat = new ChatPage(page, demo);
    await chat.openForm();
    const operator = await context.newPage();
    await operator.goto(`${demo.runtime}/operator`);
    await operator.getByRole("link", { name: "book_flight" }).first().click();
    await operator.getByRole("button", { name: /Withdraw/ }).click();
    await expect(operator.getByRole("table", { name: "Decision log" })).toContainText("operator demo");
    await expect(chat.log).toContainText("No longer needed");
  },
);
