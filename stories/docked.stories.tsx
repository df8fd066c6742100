import { expect } from "storybook/test";
import preview from "../.storybook/preview.tsx";
import { cardArgTypes, cardParameters } from "./card-controls.ts";
import { ar } from "../src/words/cards/ar.ts";
import { formRequest, urlRequest } from "../src/contract/testing/requests.ts";
import { DockedChat } from "./docked-chat.tsx";
import { dark, narrow, rtl } from "./looks.ts";

/** `placement="composer"`: the open request appears at the composer, one at a time. */
const meta = preview.meta({
  title: "Cards/At the composer",
  component: DockedChat,
  argTypes: cardArgTypes.both,
  parameters: { layout: "fullscreen", ...cardParameters("both", "composer") },
});

const flight = formRequest({
  elicitationId: "flight",
  requester: { name: "Demo agent" },
  message: "The cheapest seat",
  context: { trigger: "tool", layout: "form" },
  requestedSchema: {
    type: "object",
    title: "Flight to book",
    required: ["to", "date"],
    properties: {
      to: { type: "string", title: "Destination", examples: ["Lisbon"] },
      date: { type: "string", title: "Departure", format: "date" },
      cabin: { type: "string", title: "Cabin", enum: ["Economy", "Premium"], default: "Economy" },
      travellers: { type: "integer", title: "Travellers", minimum: 1, maximum: 9, default: 1 },
    },
  },
});
const tracker = urlRequest({
  elicitationId: "tracker",
  service: { name: "Tracker" },
  requester: { name: "Demo agent" },
  message: "To create the issue “Login bug”",
});

/** The questions of a server with an answer page: each can be carried to the phone. */
export const TwoQuestions = meta.story({
  args: {
    requests: [
      { ...flight, context: { trigger: "tool", layout: "form", worksByLink: true } },
      { ...tracker, context: { trigger: "credential_required", worksByLink: true } },
    ],
    link: "https://auth.example.com/auth/answer?elicitationId=q0jC2QsdVmkXrB8LwDPyEg",
  },
});

TwoQuestions.test("turns to the second question, whose way back stays", async ({ canvas, userEvent }) => {
  await expect(await canvas.findByRole("heading", { name: "Flight to book" })).toBeVisible();
  await userEvent.click(canvas.getByRole("button", { name: "Next" }));
  await expect(canvas.getByRole("heading", { name: "Connect Tracker" })).toBeVisible();
  await expect(canvas.getByRole("button", { name: "Next" })).toHaveFocus();
});

export const OneQuestion = meta.story({ args: { requests: [tracker] } });

/** If the server reads sentences, a sentence fills in the form, and the user sends the form. */
export const Sentence = meta.story({
  args: {
    requests: [{ ...flight, context: { trigger: "tool", layout: "form", takesSentence: true } }],
    propose: () => ({ to: "Lisbon", date: "2027-03-01", travellers: 2 }),
  },
});

Sentence.test("fills in the form, and leads to Send", async ({ canvas, userEvent }) => {
  const line = await canvas.findByLabelText("Or say it in a sentence…");
  await userEvent.type(line, "Lisbon on 1 March, two of us{Enter}");
  await expect(await canvas.findByText(/^Filled in from your message/, { ignore: "output" })).toBeVisible();
  await expect(canvas.getByLabelText("Destination")).toHaveValue("Lisbon");
  await expect(canvas.getByRole("button", { name: "Send" })).toHaveFocus();
});

/** A sentence changes no answer: what differs is a choice. */
export const SentenceDiffers = meta.story({
  args: {
    requests: [{ ...flight, context: { trigger: "tool", layout: "form", takesSentence: true } }],
    propose: () => ({ to: "Lisbon", date: "2027-03-01" }),
  },
});

SentenceDiffers.test("shows the choice beside the answer", async ({ canvas, userEvent }) => {
  const to = await canvas.findByLabelText("Destination");
  await userEvent.type(to, "Porto");
  const line = canvas.getByLabelText("Or say it in a sentence…");
  await userEvent.type(line, "make it Lisbon on 1 March{Enter}");
  await expect(await canvas.findByText("Your message says “Lisbon”.")).toBeVisible();
  await expect(to).toHaveFocus();
  await userEvent.click(canvas.getByRole("button", { name: "Use it" }));
  await expect(to).toHaveValue("Lisbon");
});

/** One question at a time, as in a message. */
export const InSteps = meta.story({
  args: { requests: [{ ...flight, context: { trigger: "tool", layout: "steps" } }, tracker] },
});

/** The composer without a request. */
export const NothingAsked = meta.story({ args: { requests: [] } });

/** Text at 200 % on a phone: the whole card scrolls, and its buttons stay below it. */
export const LargeText = TwoQuestions.extend({
  ...narrow,
  tags: ["!dev"],
  beforeEach() {
    document.documentElement.style.fontSize = "200%";
    return () => document.documentElement.style.removeProperty("font-size");
  },
});

LargeText.test("lets the user reach every button", async ({ canvas }) => {
  const line = await canvas.findByText(/^A message withdraws/);
  for (const name of ["Send", "Decline"]) {
    const button = canvas.getByRole("button", { name });
    button.scrollIntoView({ block: "end" });
    const { top, bottom, left } = button.getBoundingClientRect();
    await expect(bottom).toBeLessThanOrEqual(line.getBoundingClientRect().top);
    await expect(button).toBe(document.elementFromPoint(left + 20, (top + bottom) / 2));
  }
});

// For the tests only: axe finds no violation in any look of the toolbar.
export const Dark = TwoQuestions.extend({ ...dark, tags: ["!dev"] });
export const Rtl = TwoQuestions.extend({ ...rtl, args: { catalogue: ar }, tags: ["!dev"] });
export const SentenceDark = Sentence.extend({ ...dark, tags: ["!dev"] });
export const SentenceRtl = Sentence.extend({ ...rtl, args: { catalogue: ar }, tags: ["!dev"] });
export const SentenceNarrow = Sentence.extend({ ...narrow, tags: ["!dev"] });
export const Narrow = TwoQuestions.extend({ ...narrow, tags: ["!dev"] });

Narrow.test("ends where the window ends", async ({ canvas }) => {
  await canvas.findByText(/^A message withdraws/);
  await expect(document.documentElement.scrollHeight).toBe(innerHeight);
});
