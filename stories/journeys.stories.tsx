import { faults, scenarios } from "elicit-kit/mock-server";
import { expect, waitFor, within } from "storybook/test";
import preview from "../.storybook/preview.tsx";
import { cardSource } from "./card-controls.ts";
import { JourneyChat } from "./journey-chat.tsx";
import { createWorld, serve } from "./world.ts";

/** Whole conversations: a real `useChat`, the drop-in, and the mock server in a service worker. */
const meta = preview.meta({
  title: "Journeys/In a chat",
  component: JourneyChat,
  args: { says: "Please file the login bug.", compact: false },
  argTypes: {
    says: { control: "text", description: "The first message of the user." },
    compact: { control: "boolean", description: "The chat as a side panel, as copilots show it." },
  },
  parameters: {
    column: false,
    controls: { disable: false, include: ["says", "compact"] },
    docs: { source: cardSource("list") },
  },
  beforeEach: ({ args }) => serve(args.world),
});

const told = { ignore: "output" };
const asked = { name: "Connect Tracker" };

/** The button of the card, because the chat has one with the same name. */
const sendOf = (field: HTMLElement) => within(field.closest("form")!).getByRole("button", { name: "Send" });

export const Connect = meta.story({
  args: { world: createWorld("connect", scenarios.connect) },
});

Connect.test("ends with the account connected, and the agent continues", async ({ canvas, userEvent }) => {
  await userEvent.click(await canvas.findByRole("button", { name: "Connect" }));
  await expect(await canvas.findByText(/^Finish in the window/, told)).toBeVisible();
  await userEvent.click(canvas.getByRole("button", { name: "Allow" }));
  await expect(await canvas.findByText("Tracker connected", told)).toBeVisible();
  await expect(await canvas.findByText("Done: TRK-42.")).toBeVisible();
  await expect(canvas.queryByRole("region", { name: "Sign-in window" })).toBeNull();
});

export const Form = meta.story({
  args: { world: createWorld("form", scenarios.form), says: "Find me a hotel." },
});

Form.test("ends with the answer, and the agent continues", async ({ canvas, userEvent }) => {
  const city = await canvas.findByRole("textbox", { name: "City" });
  await userEvent.type(city, "Lisbon");
  await userEvent.type(canvas.getByLabelText("Check-in"), "2027-03-01");
  await userEvent.click(sendOf(city));
  await expect(await canvas.findByText("Casa do Mar in Lisbon has a room.")).toBeVisible();
});

export const Decline = meta.story({
  args: { world: createWorld("decline", scenarios.decline) },
});

Decline.test("is not asked again", async ({ canvas, userEvent }) => {
  await userEvent.click(await canvas.findByRole("button", { name: "Decline" }));
  await expect(await canvas.findByText("You declined to connect Tracker", told)).toBeVisible();
  await expect(await canvas.findByText(/^I cannot create issues without Tracker/)).toBeVisible();
  await expect(canvas.getAllByRole("group", asked)).toHaveLength(1);
});

export const Cancel = meta.story({
  args: { world: createWorld("cancel", scenarios.cancel) },
});

Cancel.test("is dismissed with Escape", async ({ canvas, userEvent }) => {
  await userEvent.click(await canvas.findByRole("heading", { name: "Connect Tracker" }));
  await userEvent.keyboard("{Escape}");
  await expect(await canvas.findByText("Dismissed", told)).toBeVisible();
  await expect(await canvas.findByText(/^No problem/)).toBeVisible();
});

export const RefusedOnThePage = meta.story({
  args: { world: createWorld("refused", scenarios.cancel) },
});

RefusedOnThePage.test("offers another try, and ends when the user refuses", async ({ canvas, userEvent }) => {
  await userEvent.click(await canvas.findByRole("button", { name: "Connect" }));
  await userEvent.click(canvas.getByRole("button", { name: "Wrong password" }));
  await expect(await canvas.findByText(/The password was wrong/, told)).toBeVisible();
  await userEvent.click(canvas.getByRole("button", { name: "Refuse" }));
  await expect(await canvas.findByText("You declined to connect Tracker", told)).toBeVisible();
});

export const Expiry = meta.story({
  args: { world: createWorld("expiry", scenarios.expiry) },
});

Expiry.test("ends without an answer", async ({ canvas, args: { world } }) => {
  await expect(await canvas.findByRole("timer")).toHaveTextContent(/left$/);
  await world.server.expire(canvas.getByRole("group", asked).dataset["elicitation"]);
  await expect(await canvas.findByText("The request for Tracker expired", told)).toBeVisible();
  await expect(await canvas.findByText(/^That took too long/)).toBeVisible();
});

export const TwoAtOnce = meta.story({
  args: { world: createWorld("two", scenarios.twoAtOnce), says: "Plan my trip." },
});

TwoAtOnce.test("are answered one by one", async ({ canvas, userEvent }) => {
  const city = await canvas.findByRole("textbox", { name: "City" });
  await userEvent.type(city, "Porto");
  await userEvent.click(await canvas.findByRole("button", { name: "Connect" }));
  await userEvent.click(canvas.getByRole("button", { name: "Allow" }));
  await expect(await canvas.findByText("Calendar connected", told)).toBeVisible();
  await expect(canvas.getByRole("textbox", { name: "City" })).toHaveValue("Porto");
  await userEvent.type(canvas.getByLabelText("Check-in"), "2027-03-01");
  await userEvent.click(sendOf(city));
  await expect(await canvas.findByText("Thank you, that is all I need.")).toBeVisible();
});

/** The agent works on while the card is open, and gets the answer in the same turn. */
export const Background = meta.story({
  name: "A question while the agent works",
  args: {
    world: createWorld("background", scenarios.background),
    says: "Book a hotel in Lisbon, and check the weather.",
  },
});

Background.test("lets the agent work, and continues with the answer", async ({ canvas, userEvent }) => {
  const card = await canvas.findByRole("group", { name: "Which hotel in Lisbon?" });
  await expect(await canvas.findByText(/^It will be sunny/)).toBeVisible();
  await userEvent.click(within(card).getByRole("radio", { name: "Alfama 12" }));
  await userEvent.click(within(card).getByRole("button", { name: "Send" }));
  await expect(await canvas.findByText("Booked: Alfama 12.")).toBeVisible();
});

export const Approval = meta.story({
  name: "Approve a tool call",
  args: { world: createWorld("approval", scenarios.approval), says: "Refund my last order." },
});

Approval.test("runs the call with what the user has changed", async ({ canvas, userEvent }) => {
  const amount = await canvas.findByRole("textbox", { name: "Amount in euros" });
  await userEvent.clear(amount);
  await userEvent.type(amount, "30");
  await userEvent.click(canvas.getByRole("button", { name: "Approve" }));
  await expect(await canvas.findByText("The money is on its way.")).toBeVisible();
});

export const DelegatedAgent = meta.story({
  args: { world: createWorld("delegated", scenarios.delegatedAgent), says: "Book a flight." },
});

DelegatedAgent.test("is named", async ({ canvas }) => {
  await expect(await canvas.findByText(/Travel agent/)).toBeVisible();
});

/** If an answer does not arrive, the kit keeps it and sends it again. It counts once. */
export const FailingReply = meta.story({
  args: { world: createWorld("failing", scenarios.decline) },
});

FailingReply.test("is sent again, and counts once", async ({ canvas, userEvent, args: { world } }) => {
  const decline = await canvas.findByRole("button", { name: "Decline" });
  world.server.inject(faults.failReply());
  await userEvent.click(decline);
  await expect(await canvas.findByText("The answer could not be delivered.", told)).toBeVisible();
  await expect(await canvas.findByText("You declined to connect Tracker", told)).toBeVisible();
});

export const AnsweredInAnotherWindow = meta.story({
  args: { world: createWorld("elsewhere", scenarios.connect) },
});

AnsweredInAnotherWindow.test("is told to this one", async ({ canvas, args: { world } }) => {
  const card = await canvas.findByRole("group", asked);
  await world.server.completeOutside(card.dataset["elicitation"]);
  await waitFor(() => expect(canvas.getByText("Tracker connected", told)).toBeVisible());
  await expect(await canvas.findByText("Done: TRK-42.")).toBeVisible();
});

/** The same drop-in in a narrow side panel. */
export const SidePanel = meta.story({
  args: { world: createWorld("panel", scenarios.connect), compact: true },
});

SidePanel.test("is wide enough for the card", async ({ canvas }) => {
  const card = await canvas.findByRole("group", asked);
  await expect(card.scrollWidth).toBeLessThanOrEqual(card.clientWidth);
});
