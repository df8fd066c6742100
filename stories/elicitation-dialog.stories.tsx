import { expect, waitFor, within } from "storybook/test";
import preview from "../.storybook/preview.tsx";
import { cardArgTypes, cardParameters, cardSource } from "./card-controls.ts";
import { DialogChat } from "./dialog-chat.tsx";
import { formRequest, urlRequest } from "../src/contract/testing/requests.ts";

/** The drop-in as a modal dialog (`elicit-kit/dialog`): one request at a time. */
const meta = preview.meta({
  title: "Cards/In a dialog",
  component: DialogChat,
  // A modal dialog covers its page, so each story needs its own frame.
  argTypes: cardArgTypes.both,
  parameters: {
    column: false,
    ...cardParameters("both", "dialog"),
    docs: { source: cardSource("dialog"), story: { inline: false, height: "28rem" } },
  },
});

const connect = { name: "Connect your account" };
const details = { name: "Where should the parcel go?" };

export const Url = meta.story({ name: "A page to open", args: { requests: [urlRequest()] } });

Url.test("keeps the focus inside", async ({ canvas, userEvent }) => {
  const dialog = await canvas.findByRole("dialog", connect);
  await waitFor(() => expect(canvas.getByRole("heading", connect)).toHaveFocus());
  await expect(canvas.queryByRole("textbox", { name: "Message" })).toBeNull();
  // Tab cycles within the dialog.
  const stops = new Set<Element | null>();
  for (let press = 0; press < 8; press++) {
    await userEvent.tab();
    stops.add(document.activeElement);
    await expect(dialog.contains(document.activeElement)).toBe(true);
  }
  for (const button of within(dialog).getAllByRole("button")) await expect(stops).toContain(button);
});

export const Form = meta.story({ name: "A form", args: { requests: [formRequest()] } });

/** Type a letter: the dialog takes the focus, even from the composer. */
export const WhileTyping = meta.story({ args: { whileTyping: urlRequest() } });

WhileTyping.test("returns the focus to the composer", async ({ canvas, userEvent }) => {
  const composer = canvas.getByRole("textbox", { name: "Message" });
  await userEvent.type(composer, "L");
  await waitFor(() => expect(canvas.getByRole("heading", connect)).toHaveFocus());
  await userEvent.keyboard("{Escape}");
  await waitFor(() => expect(canvas.queryByRole("dialog")).toBeNull());
  await waitFor(() => expect(composer).toHaveFocus());
  await expect(composer).toHaveValue("L");
  await expect(canvas.getByRole("status")).toHaveTextContent("Dismissed.");
});

export const TwoRequests = meta.story({ args: { requests: [urlRequest(), formRequest()] } });

TwoRequests.test("shows one after the other", async ({ canvas, userEvent }) => {
  await expect(await canvas.findAllByRole("dialog")).toHaveLength(1);
  await userEvent.click(canvas.getByRole("button", { name: "Decline" }));
  await waitFor(() => expect(canvas.getByRole("heading", details)).toHaveFocus());
  await expect(canvas.getAllByRole("dialog")).toHaveLength(1);
  await userEvent.type(canvas.getByRole("textbox", { name: "City" }), "Lisbon{Enter}");
  await waitFor(() => expect(canvas.queryByRole("dialog")).toBeNull());
  await expect(canvas.getByRole("status")).toHaveTextContent("Sent.");
});

let expire = (): void => undefined;
/** A request that ends without an answer stays visible, with the user's input, until the user closes it. */
export const ExpiredWhileTyping = meta.story({
  args: {
    requests: [formRequest()],
    start(script) {
      const resolution = { outcome: "expired", at: "2026-11-21T12:00:00Z" } as const;
      expire = () => script.ask(formRequest({ resolution }));
    },
  },
  async play({ canvas, userEvent }) {
    await userEvent.type(await canvas.findByRole("textbox", { name: "City" }), "Lisbon, by the sea");
    expire();
    const dialog = await canvas.findByRole("dialog", details);
    await expect(await within(dialog).findByRole("definition")).toHaveTextContent("Lisbon, by the sea");
    await expect(within(dialog).getByRole("button", { name: "Close" })).toBeVisible();
  },
});

const QUESTIONS = Array.from({ length: 24 }, (_, index) => [
  `answer${index}`,
  { type: "string", title: `Question ${index + 1}` },
]);

/** A long form scrolls inside of the dialog; the page behind it does not. */
export const Long = meta.story({
  name: "A long form",
  args: {
    requests: [
      formRequest({ requestedSchema: { type: "object", properties: Object.fromEntries(QUESTIONS) } }),
    ],
  },
});

Long.test("keeps the page behind it still", async ({ canvas }) => {
  const dialog = await canvas.findByRole("dialog", details);
  await expect(dialog.getBoundingClientRect().bottom).toBeLessThanOrEqual(innerHeight);
  const submit = canvas.getByRole("button", { name: "Send" });
  await expect(submit.getBoundingClientRect().bottom).toBeLessThanOrEqual(innerHeight);
  canvas.getByRole("textbox", { name: /^Question 9/ }).scrollIntoView({ block: "end" });
  await expect(submit.getBoundingClientRect().bottom).toBeLessThanOrEqual(innerHeight);
  await expect(document.scrollingElement?.scrollTop).toBe(0);
});
