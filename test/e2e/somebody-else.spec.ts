import { expectSound } from "./axe.ts";
import { ChatPage } from "./chat-page.ts";
import { expect, test } from "./demo.ts";

test.use({
  demoEnv: { NOTIFY_AFTER_MS: "500" },
  // The reminder that is too soon.
  expectedInConsole: /the server responded with a status of 409 .*\/remind\)/,
});

test("the user who waits for another one sends a reminder, gets the question back, and answers it in the same turn", async ({
  page,
  browser,
  demo,
}) => {
  const alice = new ChatPage(page, demo);
  await alice.openForm();
  await alice.formCards.getByRole("button", { name: "Give to someone else" }).click();
  await alice.formCards.getByRole("radio", { name: "bob" }).press("Space");
  await alice.formCards.getByRole("button", { name: "Give", exact: true }).click();
  await expect(alice.formCards.getByText("Waits for bob")).toBeVisible();
  await expect(alice.formCards.getByLabel("Destination")).toHaveCount(0);
  await expect.poll(demo.output).toContain("A notice to bob, who is away:");
  await alice.formCards.getByRole("button", { name: "Remind" }).click();
  await expect(
    alice.formCards.getByText(/It is too soon for a reminder\. You can send one in \d+ minutes/).first(),
  ).toBeVisible();
  await expectSound(page);

  const context = await browser.newContext();
  const bob = new ChatPage(await context.newPage(), demo);
  await bob.open();
  await bob.switchAccount("bob");
  await bob.page.getByRole("button", { name: "Inbox (1)" }).click();
  const inbox = bob.page.getByRole("region", { name: /^Waiting for you/ });
  await inbox.getByRole("list", { name: "Asked by others" }).getByRole("button").click();
  await expect(inbox.getByText("From alice").first()).toBeVisible();
  await inbox.getByRole("button", { name: "Give to someone else" }).click();
  await inbox.getByRole("radio", { name: "alice" }).press("Space");
  await expectSound(bob.page);
  await inbox.getByRole("button", { name: "Give", exact: true }).click();
  await expect(inbox.getByText("Given to alice").first()).toBeVisible();

  await alice.fillFlight("Lisbon", "2099-03-04");
  await expect(alice.log).toContainText("Done: Flight to Lisbon on 4 March 2099");
  await expect(alice.turn).toContainText("Done in one turn");
  await context.close();
});

test(
  "on the hosted page, without scripts and by keyboard, who decides gives a question back, and who waits takes it back",
  { tag: "@long" },
  async ({ page, browser, demo }) => {
    const alice = new ChatPage(page, demo);
    await alice.openForm();
    const id = (await alice.formCards.getAttribute("data-elicitation")) ?? "";
    const give = () =>
      page.request.post(`${demo.runtime}/run/api/elicitations/${id}/assignee`, {
        headers: { authorization: "Bearer demo-alice" },
        data: { to: { user: "bob" } },
      });
    const onPage = `${demo.auth}/auth/answer?${new URLSearchParams({ elicitationId: id })}`;
    const plain = { javaScriptEnabled: false, viewport: { width: 320, height: 640 } };
    const hers = await browser.newContext({ ...plain, storageState: await page.context().storageState() });
    const his = await browser.newContext(plain);
    const [waiting, deciding] = [await hers.newPage(), await his.newPage()];
    await deciding.request.post(`${demo.chat}/session`, { data: { user: "bob" } });

    await give();
    await waiting.goto(onPage);
    await expect(waiting.getByText("Waits for bob")).toBeVisible();
    await expect(waiting.getByLabel("Destination")).toHaveCount(0);
    await waiting.getByRole("button", { name: "Remind" }).press("Enter");
    await expect(waiting.getByRole("status")).toContainText("It is too soon for a reminder.");

    await deciding.goto(onPage);
    await expect(deciding.getByText("From alice")).toBeVisible();
    await deciding.getByText("Give to someone else").press("Enter");
    // A form without scripts says by itself that somebody must be chosen.
    await deciding.getByRole("button", { name: "Give", exact: true }).press("Enter");
    const list = deciding.getByRole("combobox", { name: "Give to" });
    await expect(list).toBeFocused();
    await list.press("a");
    await deciding.getByRole("button", { name: "Give", exact: true }).press("Enter");
    await expect(deciding.getByRole("heading", { name: "Given to alice" })).toBeVisible();
    await waiting.goto(onPage);
    await expect(waiting.getByLabel("Destination")).toBeVisible();

    await give();
    await waiting.goto(onPage);
    await waiting.getByRole("button", { name: "Take back" }).press("Enter");
    await expect(waiting.getByLabel("Destination")).toBeVisible();
    await expect(alice.formCards.getByLabel("Destination")).toBeVisible();
    await his.close();
    await hers.close();
  },
);

test(
  "the hosted pages of a user who waits and of the assignee have no axe violation",
  { tag: "@long" },
  async ({ page, browser, demo }) => {
    const alice = new ChatPage(page, demo);
    await alice.openForm();
    const id = (await alice.formCards.getAttribute("data-elicitation")) ?? "";
    const onPage = `${demo.auth}/auth/answer?${new URLSearchParams({ elicitationId: id })}`;
    await page.request.post(`${demo.runtime}/run/api/elicitations/${id}/assignee`, {
      headers: { authorization: "Bearer demo-alice" },
      data: { to: { user: "bob" } },
    });
    await page.goto(onPage);
    await expect(page.getByText("Waits for bob")).toBeVisible();
    await expectSound(page);
    const window = await browser.newContext();
    const bob = await window.newPage();
    await bob.request.post(`${demo.chat}/session`, { data: { user: "bob" } });
    await bob.goto(onPage);
    await bob.getByText("Give to someone else").press("Enter");
    await expectSound(bob);
    await bob.getByRole("combobox", { name: "Give to" }).selectOption("alice");
    await bob.getByRole("button", { name: "Give", exact: true }).click();
    await expect(bob.getByRole("heading", { name: "Given to alice" })).toBeVisible();
    await expectSound(bob);
    await window.close();
  },
);
