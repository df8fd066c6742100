import { type Page } from "@playwright/test";
import { ChatPage, finishConnecting } from "./chat-page.ts";
import { type Demo, expect, test } from "./demo.ts";

async function openServers(chat: ChatPage) {
  await chat.page.getByRole("button", { name: "MCP servers" }).click();
  const dialog = chat.page.getByRole("dialog", { name: "MCP servers" });
  await expect(dialog).toBeVisible();
  return dialog;
}

async function addServer(chat: ChatPage, url: string) {
  const dialog = await openServers(chat);
  await dialog.getByLabel("URL of the server").fill(url);
  await dialog.getByRole("button", { name: "Add" }).click();
  return dialog;
}

/** The card of the server that the user has added. */
function wikiCards(page: Page, demo: Demo) {
  return page.getByRole("group", { name: `Connect ${new URL(demo.wiki).host}` });
}

async function wikiCalls(demo: Demo): Promise<unknown> {
  return (await fetch(new URL("/stats", demo.wiki))).json();
}

test("a user adds an MCP server by its URL, connects to it during the turn, and allows it more scopes", async ({
  page,
  demo,
}) => {
  const chat = new ChatPage(page, demo);
  await chat.open();
  const dialog = await addServer(chat, demo.wiki);
  const { host } = new URL(demo.wiki);
  const entry = dialog.getByRole("listitem").filter({ hasText: host });
  await expect(entry).toContainText("Calls itself “Demo wiki” · Not connected");
  await expect(dialog.getByRole("status")).toHaveText(
    "Added. Close this list, and ask in the chat: Find the travel policy in the wiki",
  );
  await dialog.getByRole("button", { name: "Close" }).click();

  await chat.suggest(/Find the travel policy/);
  const popup = await chat.connect(wikiCards(page, demo));
  await expect(popup.getByRole("heading", { name: `Connect ${host}` })).toBeVisible();
  const signsInAt = new URL(demo.oauth).host;
  await expect(popup.getByRole("button", { name: `Continue to ${signsInAt}` })).toBeVisible();
  await expect(popup.getByText(/Use “wiki:read”/)).toBeVisible();
  await finishConnecting(popup);
  await expect(chat.log).toContainText("Done: Travel policy: Trains before planes.");
  expect(await wikiCalls(demo)).toEqual({ withCredential: 1, withBadCredential: 0, withoutCredential: 1 });

  await chat.say("Publish the release notes in the wiki");
  const more = wikiCards(page, demo).last();
  await expect(more).toContainText("with more access");
  await expect(more).toContainText("wiki:write");
  const again = await chat.connect(more);
  await expect(again.locator("details dl")).toContainText(/Needed for\s*Publish page/);
  await expect(again.locator("dl.rights")).toContainText(/More access[^]*wiki:write/);
  await finishConnecting(again);
  await expect(chat.log).toContainText("Done: The page “Release notes” is published.");
  expect(await wikiCalls(demo)).toEqual({ withCredential: 2, withBadCredential: 1, withoutCredential: 1 });
  // The demo reports no error. Its log is public, so such a report could reveal content to other users.
  expect(demo.output()).not.toContain("elicit-kit demo:");
});

test(
  "a user disconnects and removes a server that they have added, and is asked to connect again",
  { tag: "@long" },
  async ({ page, demo }) => {
    const chat = new ChatPage(page, demo);
    await chat.open();
    const { host } = new URL(demo.wiki);
    const dialog = await addServer(chat, demo.wiki);
    await expect(dialog.getByRole("listitem")).toHaveCount(1);
    await dialog.getByRole("button", { name: "Close" }).click();
    await chat.say("Find the travel policy in the wiki");
    await finishConnecting(await chat.connect(wikiCards(page, demo)));
    await expect(chat.log).toContainText("Trains before planes");

    await openServers(chat);
    await expect(dialog.getByRole("listitem")).toContainText("Connected");
    await dialog.getByRole("button", { name: `Disconnect ${host}` }).click();
    await expect(dialog.getByRole("listitem")).toContainText("Not connected");
    await dialog.getByRole("button", { name: "Close" }).click();
    await chat.say("Find the travel policy in the wiki again");
    await expect(
      wikiCards(page, demo).last().getByRole("button", { name: "Connect", exact: true }),
    ).toBeVisible();

    await openServers(chat);
    await dialog.getByRole("button", { name: `Remove ${host}` }).click();
    await expect(dialog.getByRole("listitem")).toHaveCount(0);
    await dialog.getByRole("button", { name: "Close" }).click();
    await chat.say("Find the travel policy in the wiki once more");
    await expect(chat.log).toContainText("I do not have the tool for that right now.");
  },
);

test("a server that one user adds is not available to another", { tag: "@long" }, async ({ page, demo }) => {
  const chat = new ChatPage(page, demo);
  await chat.open();
  const dialog = await addServer(chat, demo.wiki);
  await expect(dialog.getByRole("listitem")).toHaveCount(1);
  await dialog.getByRole("button", { name: "Close" }).click();
  await chat.switchAccount("bob");
  await openServers(chat);
  await expect(dialog.getByRole("listitem")).toHaveCount(0);
  await dialog.getByRole("button", { name: "Close" }).click();
  await chat.say("Find the travel policy in the wiki");
  await expect(chat.log).toContainText("I do not have the tool for that right now.");
});

test(
  "a server that is invalid, or on a private address, is not added, and the user sees the reason",
  { tag: "@long" },
  async ({ page, demo }) => {
    const chat = new ChatPage(page, demo);
    await chat.open();
    const dialog = await addServer(chat, "http://169.254.169.254/latest/meta-data");
    await expect(dialog.getByRole("alert")).toHaveText(
      "No MCP server answers there, or its address is not allowed.",
    );
    for (const [url, fault] of [
      ["https://10.0.0.1/mcp", "No MCP server answers there, or its address is not allowed."],
      [demo.chat, "No MCP server answers there, or its address is not allowed."],
      ["not a url", "This is not a URL."],
    ] as const) {
      await dialog.getByLabel("URL of the server").fill(url);
      await dialog.getByRole("button", { name: "Add" }).click();
      await expect(dialog.getByRole("alert")).toHaveText(fault);
    }
    await expect(dialog.getByRole("listitem")).toHaveCount(0);
    expect(demo.output()).toContain("169.254.169.254");
  },
);
