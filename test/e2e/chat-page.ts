import { expect, type Locator, type Page } from "@playwright/test";
import { clickAndMayClose } from "./closing.ts";
import type { Demo } from "./demo.ts";

/** The chat as a user sees it. */
export class ChatPage {
  readonly page: Page;
  readonly demo: Demo;
  readonly connectCards: Locator;
  readonly formCards: Locator;
  readonly log: Locator;
  /** The state of the newest turn. */
  readonly turn: Locator;

  constructor(page: Page, demo: Demo) {
    this.page = page;
    this.demo = demo;
    this.connectCards = page.getByRole("group", { name: "Connect Tracker" });
    this.formCards = page.locator("[data-elicitation]:has([data-mode=form])");
    this.log = page.getByRole("list", { name: "Conversation" });
    this.turn = page.getByRole("region", { name: "Turn" });
  }

  async open(): Promise<void> {
    await this.page.goto(this.demo.chat);
    await expect(this.page.getByRole("button", { name: "Signed in as alice" })).toBeVisible();
  }

  /** Opens the chat and asks for a flight, for which the agent needs some details. */
  async openForm(): Promise<void> {
    await this.open();
    await this.say("Book me a flight");
    await expect(this.formCards).toBeVisible();
  }

  async say(text: string): Promise<void> {
    await this.page.getByLabel("Message").fill(text);
    await this.page.locator(".composer").getByRole("button", { name: "Send" }).click();
  }

  /** Selects a suggestion of the first screen. All except three are under "More". */
  async suggest(name: RegExp): Promise<void> {
    const suggestion = this.page.locator(".tries").getByRole("button", { name });
    const more = this.page.getByRole("button", { name: "More", exact: true });
    if (!(await suggestion.isVisible())) await more.click();
    await suggestion.click();
  }

  async openMenu(): Promise<void> {
    await this.page.getByRole("button", { name: "Signed in as" }).click();
  }

  async switchAccount(user: "alice" | "bob" | "carol"): Promise<void> {
    await this.openMenu();
    await this.page.locator("label", { hasText: user }).click();
    await expect(this.page.getByRole("button", { name: `Signed in as ${user}` })).toBeVisible();
    await this.page.keyboard.press("Escape");
  }

  /** Presses Connect and returns the window that opens. */
  async connect(card: Locator = this.connectCards): Promise<Page> {
    const opened = this.page.waitForEvent("popup");
    await card.getByRole("button", { name: "Connect", exact: true }).click();
    return opened;
  }

  async decline(card: Locator): Promise<void> {
    await card.getByRole("button", { name: "Decline" }).click();
    await expect(card).toContainText("You declined");
  }

  async fillFlight(destination: string, date: string, card: Locator = this.formCards): Promise<void> {
    await card.getByLabel("Destination").fill(destination);
    await card.getByLabel("Departure date").fill(date);
    await card.getByRole("button", { name: "Send" }).click();
  }
}

/** Goes from the hosted page through sign-in and consent. The window then closes by itself. */
export async function finishConnecting(
  popup: Page,
  { answer = "Allow", account = "alice" }: { answer?: "Allow" | "Deny"; account?: "alice" | "bob" } = {},
): Promise<void> {
  await popup.getByRole("button", { name: /^(Continue|Try again)/ }).click();
  await popup.getByLabel("Account").selectOption(account);
  await popup.getByLabel("Password").fill("any");
  await popup.getByRole("button", { name: "Sign in" }).click();
  await clickAndMayClose(popup.getByRole("button", { name: answer }));
}

/** How often the tracker's tools were called. */
export async function trackerCalls(demo: Demo): Promise<Record<string, number>> {
  const response = await fetch(new URL("/stats", demo.tracker));
  return (await response.json()) as Record<string, number>;
}
