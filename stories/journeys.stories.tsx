import { failReply, scenarios } from "elicit-kit/mock-server";
import { expect, waitFor } from "storybook/test";
import preview from "../.storybook/preview.tsx";
import { JourneyChat } from "./journey-chat.tsx";
import { createWorld, serve } from "./world.ts";

/** Whole conversations: a real `useChat`, the drop-in, and the mock server in a service worker. */
const meta = preview.meta({
  title: "Journeys",
  component: JourneyChat,
  args: { says: "Please file the login bug." },
  beforeEach: ({ args }) => serve(args.world),
});

const told = { ignore: "output" };
const asked = { name: "Connect your account" };

export const Connect = meta.story({
  args: { world: createWorld("connect", scenarios.connect) },
  async play({ canvas, userEvent }) {
    await userEvent.click(await canvas.findByRole("button", { name: "Connect" }));
    await expect(canvas.getByText(/^Waiting for you to finish/, told)).toBeVisible();
    await userEvent.click(canvas.getByRole("button", { name: "Allow" }));
    await expect(await canvas.findByText("Connected.", told)).toBeVisible();
    await expect(await canvas.findByText("Done: TRK-42.")).toBeVisible();
    await expect(canvas.queryByRole("region", { name: "Sign-in window" })).toBeNull();
  },
});

export const Form = meta.story({
  args: { world: createWorld("form", scenarios.form), says: "Find me a hotel." },
  async play({ canvas, userEvent }) {
    await userEvent.type(await canvas.findByRole("textbox", { name: "City" }), "Lisbon");
    await userEvent.type(canvas.getByLabelText("Check-in"), "2027-03-01");
    await userEvent.click(canvas.getByRole("button", { name: "Submit" }));
    await expect(await canvas.findByText("Casa do Mar in Lisbon has a room.")).toBeVisible();
  },
});

export const Decline = meta.story({
  args: { world: createWorld("decline", scenarios.decline) },
  async play({ canvas, userEvent }) {
    await userEvent.click(await canvas.findByRole("button", { name: "Decline" }));
    await expect(await canvas.findByText("You declined.", told)).toBeVisible();
    await expect(await canvas.findByText(/^I cannot create issues without Tracker/)).toBeVisible();
    await expect(canvas.getAllByRole("group", asked)).toHaveLength(1);
  },
});

export const Cancel = meta.story({
  args: { world: createWorld("cancel", scenarios.cancel) },
  async play({ canvas, userEvent }) {
    await canvas.findByRole("button", { name: "Connect" });
    await userEvent.keyboard("{Escape}");
    await expect(await canvas.findByText("Dismissed.", told)).toBeVisible();
    await expect(await canvas.findByText(/^No problem/)).toBeVisible();
  },
});

export const RefusedOnThePage = meta.story({
  args: { world: createWorld("refused", scenarios.cancel) },
  async play({ canvas, userEvent }) {
    await userEvent.click(await canvas.findByRole("button", { name: "Connect" }));
    await userEvent.click(canvas.getByRole("button", { name: "Wrong password" }));
    await expect(await canvas.findByText(/The password was wrong/, told)).toBeVisible();
    await userEvent.click(canvas.getByRole("button", { name: "Refuse" }));
    await expect(await canvas.findByText("You declined.", told)).toBeVisible();
  },
});

export const Expiry = meta.story({
  args: { world: createWorld("expiry", scenarios.expiry) },
  async play({ canvas, args: { world } }) {
    await expect(await canvas.findByRole("timer")).toHaveTextContent(/left$/);
    await world.server.expire(canvas.getByRole("group", asked).dataset["elicitation"]);
    await expect(await canvas.findByText("Expired before it was answered.", told)).toBeVisible();
    await expect(await canvas.findByText(/^That took too long/)).toBeVisible();
  },
});

export const TwoAtOnce = meta.story({
  args: { world: createWorld("two", scenarios.twoAtOnce), says: "Plan my trip." },
  async play({ canvas, userEvent }) {
    await userEvent.type(await canvas.findByRole("textbox", { name: "City" }), "Porto");
    await userEvent.click(await canvas.findByRole("button", { name: "Connect" }));
    await userEvent.click(canvas.getByRole("button", { name: "Allow" }));
    await expect(await canvas.findByText("Connected.", told)).toBeVisible();
    await expect(canvas.getByRole("textbox", { name: "City" })).toHaveValue("Porto");
    await userEvent.type(canvas.getByLabelText("Check-in"), "2027-03-01");
    await userEvent.click(canvas.getByRole("button", { name: "Submit" }));
    await expect(await canvas.findByText("Thank you, that is all I need.")).toBeVisible();
  },
});

export const DelegatedAgent = meta.story({
  args: { world: createWorld("delegated", scenarios.delegatedAgent), says: "Book a flight." },
  async play({ canvas }) {
    await expect(await canvas.findByText(/It calls itself “.*Travel agent.*”/)).toBeVisible();
  },
});

/** An answer that does not arrive is kept, sent again, and counts once. */
export const FailingReply = meta.story({
  args: { world: createWorld("failing", scenarios.decline) },
  async play({ canvas, userEvent, args: { world } }) {
    const decline = await canvas.findByRole("button", { name: "Decline" });
    world.server.inject(failReply());
    await userEvent.click(decline);
    await expect(await canvas.findByText("The answer could not be delivered.", told)).toBeVisible();
    await expect(await canvas.findByText("You declined.", told)).toBeVisible();
  },
});

export const AnsweredInAnotherWindow = meta.story({
  args: { world: createWorld("elsewhere", scenarios.connect) },
  async play({ canvas, args: { world } }) {
    const card = await canvas.findByRole("group", asked);
    await world.server.completeOutside(card.dataset["elicitation"]);
    await waitFor(() => expect(canvas.getByText("Connected.", told)).toBeVisible());
    await expect(await canvas.findByText("Done: TRK-42.")).toBeVisible();
  },
});

/** The same drop-in in a narrow side panel. */
export const SidePanel = meta.story({
  args: { world: createWorld("panel", scenarios.connect), compact: true },
  async play({ canvas }) {
    const card = await canvas.findByRole("group", asked);
    await expect(card.scrollWidth).toBeLessThanOrEqual(card.clientWidth);
  },
});
