import type { ControlProps } from "elicit-kit";
import { expect, fn } from "storybook/test";
import preview from "../.storybook/preview.tsx";
import { cardArgTypes, cardParameters } from "./card-controls.ts";
import { Chat } from "./chat.tsx";
import { narrow } from "./looks.ts";
import { offline } from "../src/client/testing/fake-channel.ts";
import { formRequest, previewQuestion, question, reviewRequest } from "../src/contract/testing/requests.ts";

const meta = preview.meta({
  title: "Cards/Fill in a form",
  component: Chat,
  argTypes: cardArgTypes.form,
  parameters: cardParameters("form"),
});

const meals = ["Vegetarian", "Vegan", "Fish", "Meat"];
const seats = ["Window", "Aisle", "Middle", "Exit row", "Front", "Back", "Upper deck"];
const airports = Array.from(
  { length: 140 },
  (_, index) => `Airport ${String.fromCodePoint(65 + (index % 26))}${index}`,
);

const everyControl = formRequest({
  message: "These facts are needed for the booking.",
  context: {
    trigger: "tool",
    fields: { budget: { control: "slider" }, comfort: { control: "rating" }, notes: { control: "textarea" } },
  },
  requestedSchema: {
    type: "object",
    required: ["name", "email", "seat", "meal", "insured"],
    properties: {
      name: { type: "string", title: "Name", description: "As in the passport.", examples: ["Ada Lovelace"] },
      email: { type: "string", title: "Email", format: "email" },
      website: { type: "string", title: "Website", format: "uri" },
      birthday: { type: "string", title: "Date of birth", format: "date" },
      departure: { type: "string", title: "Departure", format: "date-time" },
      guests: { type: "integer", title: "Guests", minimum: 1, maximum: 9, default: 2 },
      price: { type: "number", title: "Highest price", minimum: 0 },
      budget: { type: "integer", title: "Budget", minimum: 0, maximum: 100 },
      comfort: { type: "integer", title: "Comfort", minimum: 1, maximum: 5 },
      news: { type: "boolean", title: "Send me offers" },
      insured: { type: "boolean", title: "With insurance?" },
      meal: { type: "string", title: "Meal", enum: meals },
      seat: { type: "string", title: "Seat", enum: seats },
      airport: { type: "string", title: "Airport", enum: airports },
      extras: {
        type: "array",
        title: "Extras",
        items: { type: "string", enum: meals },
        minItems: 1,
        maxItems: 3,
      },
      notes: { type: "string", title: "Notes" },
    },
  },
});

/** Pressing an option is the answer. Arrow keys are not. */
export const OnePress = meta.story({
  name: "One press answers",
  args: {
    requests: [
      formRequest({
        message: "Which size should the table have?",
        context: {
          trigger: "tool",
          send: "on-press",
          fields: { answer: { recommended: { value: "medium", word: "usual" } } },
        },
        requestedSchema: {
          type: "object",
          required: ["answer"],
          properties: {
            answer: {
              type: "string",
              title: "Your answer",
              oneOf: [
                { const: "small", title: "Small", description: "2 people" },
                { const: "medium", title: "Medium", description: "4 people" },
                { const: "large", title: "Large", description: "8 people" },
              ],
            },
          },
        },
      }),
    ],
  },
});

export const Pending = meta.story({ name: "Waits for an answer", args: { requests: [formRequest()] } });

Pending.test("is sent with Enter", async ({ canvas, userEvent }) => {
  await userEvent.type(canvas.getByRole("textbox", { name: "City" }), "Lisbon{Enter}");
  await expect(await canvas.findByText("Sent", { ignore: "output" })).toBeVisible();
});

export const OnThePhone = meta.story({
  name: "Carried to the phone",
  args: {
    requests: [formRequest({ context: { trigger: "tool", worksByLink: true } })],
    link: "https://auth.example.com/auth/answer?elicitationId=q0jC2QsdVmkXrB8LwDPyEg",
  },
});

OnThePhone.test("shows a QR code, and closes it with Escape", async ({ canvas, userEvent }) => {
  await userEvent.click(canvas.getByRole("button", { name: "Continue on your phone" }));
  const name = "QR code of the link to this question";
  await expect(await canvas.findByRole("img", { name })).toBeVisible();
  await userEvent.keyboard("{Escape}");
  await expect(canvas.queryByRole("img", { name })).toBeNull();
  await expect(canvas.getByRole("button", { name: "Continue on your phone" })).toHaveFocus();
});

export const Remember = meta.story({
  args: {
    requests: [
      formRequest({
        message: "May I create a draft?",
        remember: { days: 30, kind: "Drafts" },
        requestedSchema: {
          type: "object",
          properties: { answer: { type: "boolean", title: "Create a draft" } },
          required: ["answer"],
        },
      }),
    ],
  },
});

const refund = reviewRequest({
  remember: { days: 30, scope: "conversation" },
  context: {
    trigger: "tool",
    layout: "form",
    review: {
      subject: "Refund an order",
      rows: [
        { label: "Order", value: "A-1742" },
        { label: "Reason", value: "The kettle arrived broken." },
        { label: "Notify the customer", value: true },
        {
          label: "Letter",
          value: `Dear Ada,\n${"we are sorry that your kettle is broken. ".repeat(12)}`,
          more: 1200,
        },
      ],
    },
  },
});

/** The arguments of a tool call: rows to read, and one that may be changed. */
export const Approval = meta.story({ args: { requests: [refund] } });

Approval.test("marks what the user has changed, and sends it", async ({ canvas, userEvent }) => {
  const amount = canvas.getByRole("textbox", { name: "Amount in euros" });
  await userEvent.clear(amount);
  await userEvent.type(amount, "30");
  await expect(canvas.getByText(/Was: .*42/)).toBeVisible();
  await userEvent.click(canvas.getByRole("button", { name: "Approve" }));
  await expect(await canvas.findByText(/Refund an order/, { selector: "strong, strong *" })).toBeVisible();
});

export const ApprovalNarrow = Approval.extend({ ...narrow, tags: ["!dev"] });

/** Nothing can be changed. */
export const ApprovalOfRows = meta.story({
  args: {
    requests: [{ ...refund, remember: undefined, requestedSchema: { type: "object", properties: {} } }],
  },
});

/** `review` of an elicitor: every value of the draft is a field. */
export const Draft = meta.story({
  name: "A draft to review",
  args: {
    requests: [
      reviewRequest({
        message: "Send this mail",
        remember: undefined,
        context: {
          trigger: "tool",
          layout: "form",
          review: { subject: "Send this mail", rows: [] },
          fields: { text: { control: "textarea" } },
        },
        requestedSchema: {
          type: "object",
          properties: {
            to: { type: "string", title: "To", format: "email", default: "ben@example.com" },
            text: { type: "string", title: "Text", default: "Hello Ben, lunch at one?" },
          },
          required: ["to", "text"],
        },
      }),
    ],
  },
});

Draft.test("marks what the user has changed in it", async ({ canvas, userEvent }) => {
  await userEvent.type(canvas.getByRole("textbox", { name: "Text" }), " At Rosa's.");
  await expect(canvas.getByText(/Was: .*Hello Ben/)).toBeVisible();
});

/** `extendableUntil`: in the last two minutes, the card shows the time and a button for more. */
export const MoreTime = meta.story({
  args: {
    requests: [
      formRequest({
        expiresAt: new Date(Date.now() + 90_000).toISOString(),
        extendableUntil: new Date(Date.now() + 420_000).toISOString(),
      }),
    ],
    status: () => ({ expiresAt: new Date(Date.now() + 90_000).toISOString() }),
  },
});

MoreTime.test("offers more time", async ({ canvas }) => {
  await expect(await canvas.findByRole("button", { name: /More time/ })).toBeVisible();
});

export const Remembered = meta.story({
  args: {
    requests: [
      formRequest({
        remember: { days: 30 },
        resolution: { outcome: "accepted", at: "2026-11-20T12:00:00Z", remembered: "answer-1" },
      }),
    ],
  },
});

Remembered.test("is asked next time when the user says so", async ({ canvas, userEvent }) => {
  await userEvent.click(canvas.getByRole("button", { name: "Ask me again next time" }));
  await expect(await canvas.findByText("You will be asked next time.")).toBeVisible();
});

export const SomebodyElse = meta.story({
  args: {
    requests: [
      formRequest({
        message: "Approve 480 € for the team day",
        requester: { name: "Demo agent" },
        assignee: { name: "Ada", takeBack: true, remind: true },
      }),
    ],
  },
});

SomebodyElse.test("says that a reminder is on its way", async ({ canvas, userEvent }) => {
  await userEvent.click(canvas.getByRole("button", { name: "Remind" }));
  await expect(await canvas.findByText(/on its way/, { ignore: "output" })).toBeVisible();
});

SomebodyElse.test("becomes the form when the user takes it back", async ({ canvas, userEvent }) => {
  await userEvent.click(canvas.getByRole("button", { name: "Take back" }));
  await expect(await canvas.findByRole("textbox", { name: "City" })).toBeVisible();
});

export const SomebodyElseNarrow = SomebodyElse.extend({ ...narrow, tags: ["!dev"] });

export const TooSoon = SomebodyElse.extend({
  args: { reminder: { sent: false, retryAfterMs: 475_000 } },
  play: async ({ canvas, userEvent }) => {
    await userEvent.click(await canvas.findByRole("button", { name: "Remind" }));
    await expect(await canvas.findByText(/in 8 minutes/, { ignore: "output" })).toBeVisible();
  },
});

const colleagues = [
  { to: { user: "cy" }, name: "Cy" },
  { to: { user: "dan" }, name: "Dan" },
  { to: { group: "finance" }, name: "The finance team" },
];

export const ForSomebodyElse = meta.story({
  args: {
    choices: colleagues,
    requests: [
      formRequest({
        message: "Approve 480 € for the team day?",
        requester: { name: "Demo agent" },
        from: { name: "Bo" },
        giveOn: true,
        requestedSchema: {
          type: "object",
          properties: { approve: { type: "boolean", title: "Approve" } },
          required: ["approve"],
        },
      }),
    ],
  },
});

/** The list is open. */
export const GiveOn = ForSomebodyElse.extend({
  name: "Give it to somebody else",
  play: async ({ canvas, userEvent }) => {
    await userEvent.click(await canvas.findByRole("button", { name: "Give to someone else" }));
    await expect(await canvas.findByRole("radiogroup", { name: "Give to" })).toBeVisible();
  },
});

GiveOn.test("gives the question to the one that was chosen", async ({ canvas, userEvent }) => {
  await userEvent.click(canvas.getByRole("radio", { name: "Cy" }));
  await userEvent.click(canvas.getByRole("button", { name: "Give" }));
  await expect(await canvas.findByText(/Given to .*Cy/, { ignore: "output" })).toBeVisible();
});

export const GiveOnNarrow = GiveOn.extend({ ...narrow, tags: ["!dev"] });

export const EveryControl = meta.story({ args: { requests: [everyControl] } });

export const EveryControlNarrow = EveryControl.extend({ ...narrow, tags: ["!dev"] });

EveryControlNarrow.test("stays inside its card, with targets of 24 px", async ({ canvas }) => {
  const card = canvas.getByRole("group", { name: "These facts are needed for the booking." });
  await expect(card.scrollWidth).toBeLessThanOrEqual(card.clientWidth);
  for (const target of card.querySelectorAll("button, select, input, label.elicit-option")) {
    const { width, height } = target.getBoundingClientRect();
    await expect(Math.min(width, height), target.outerHTML).toBeGreaterThanOrEqual(24);
  }
});

export const Errors = meta.story({
  args: { requests: [everyControl] },
  async play({ canvas, userEvent }) {
    await userEvent.type(canvas.getByRole("textbox", { name: "Email" }), "nobody");
    await userEvent.click(canvas.getByRole("button", { name: "Send" }));
    await expect(canvas.getByRole("textbox", { name: "Name" })).toHaveFocus();
    await expect(await canvas.findByText(/^Please enter an email address/)).toBeVisible();
  },
});

Errors.test(
  "counts them in the row of the quiet buttons, where one row is too narrow",
  async ({ canvas }) => {
    const no = canvas.getByRole("button", { name: "No, and …" });
    const card = no.closest<HTMLElement>("[data-elicitation]");
    if (card) card.style.inlineSize = "400px";
    const count = canvas.getByText(/answers need another look/).getBoundingClientRect();
    const { top, bottom } = no.getBoundingClientRect();
    await expect(top).toBeGreaterThan(
      canvas.getByRole("button", { name: "Decline" }).getBoundingClientRect().top,
    );
    await expect(count.top).toBeGreaterThan(top);
    await expect(count.bottom).toBeLessThan(bottom);
  },
);

export const ServerErrors = meta.story({
  args: {
    requests: [formRequest()],
    respond: async () => [
      {
        elicitationId: "form-1",
        kind: "refused",
        status: 400,
        message: "We do not deliver there.",
        errors: [{ field: "city", code: "not-served", message: "We do not deliver to this city." }],
      },
    ],
  },
  async play({ canvas, userEvent }) {
    const city = canvas.getByRole("textbox", { name: "City" });
    await userEvent.type(city, "Atlantis{Enter}");
    await expect(await canvas.findByText("We do not deliver to this city.")).toBeVisible();
    await expect(city).toHaveFocus();
    await expect(city).toHaveValue("Atlantis");
  },
});

export const LoneBoolean = meta.story({
  name: "Yes or no",
  args: {
    requests: [
      {
        ...question({ type: "boolean", title: "Delete the old branch?" }, true),
        message: "I want to clean up the repository.",
      },
    ],
  },
});

LoneBoolean.test("is answered with the arrow keys", async ({ canvas, userEvent }) => {
  await userEvent.tab();
  await userEvent.tab();
  await expect(canvas.getByRole("radio", { name: "Yes" })).toHaveFocus();
  await userEvent.keyboard("{ArrowDown}");
  await expect(canvas.getByRole("radio", { name: "No" })).toBeChecked();
  await userEvent.click(canvas.getByRole("button", { name: "Send" }));
  await expect(await canvas.findByText("Delete the old branch?", { selector: "strong" })).toBeVisible();
});

const flights = [
  { const: "TP1351", title: "TP 1351", description: "09:05, direct, €142" },
  { const: "BA500", title: "BA 500", description: "12:40, direct, €168" },
  { const: "IB3166", title: "IB 3166", description: "07:20, via Madrid, €96" },
];

const whichFlight = formRequest({
  message: "Which flight should I book?",
  context: {
    trigger: "tool",
    fields: { flight: { recommended: { value: "TP1351", word: "usual" } } },
  },
  requestedSchema: {
    type: "object",
    properties: {
      flight: { type: "string", title: "Flight", oneOf: flights },
      flight_other: { type: "string", title: "Or in your own words", maxLength: 500 },
    },
    anyOf: [{ required: ["flight"] }, { required: ["flight_other"] }],
  },
});

/** `choose(message, options, { other: true })`: an option, or the user's own text. The keys 1 to 4 select them. */
export const OwnWords = meta.story({ args: { requests: [whichFlight] } });

OwnWords.test("is answered by the keyboard alone", async ({ canvas, userEvent }) => {
  canvas.getByRole("heading").focus();
  await userEvent.keyboard("2");
  await expect(canvas.getByRole("radio", { name: /BA 500/ })).toBeChecked();
  await userEvent.keyboard("4");
  await userEvent.keyboard("One that lands before noon{Enter}");
  await expect(await canvas.findByText("Which flight should I book?", { selector: "strong" })).toBeVisible();
});

/** `preview` of an option: beside the options, or below its option where there is no space. */
export const Previews = meta.story({ args: { requests: [previewQuestion()] } });

Previews.test("shows the preview of the option that the keyboard reaches", async ({ canvas, userEvent }) => {
  canvas.getByRole("radio", { name: /Table/ }).focus();
  await userEvent.keyboard("2");
  await expect(canvas.getByRole("group", { name: "List" })).toHaveTextContent("Previews of options");
  await expect(canvas.getByRole("radio", { name: /List/ })).toHaveAccessibleDescription(/More time/);
});

/** `delegate`: the user may leave the decision to the agent. */
export const YouDecide = meta.story({ args: { requests: [{ ...whichFlight, delegate: true }] } });

YouDecide.test("leaves the decision to the agent by keyboard", async ({ canvas, userEvent }) => {
  const button = canvas.getByRole("button", { name: "You decide" });
  while (document.activeElement !== button) await userEvent.tab();
  await userEvent.keyboard("{Enter}");
  await expect(await canvas.findByText("You left this to the assistant")).toBeVisible();
});

YouDecide.test(
  "puts what is quiet in one row below the two prominent buttons on a phone",
  async ({ canvas }) => {
    const send = await canvas.findByRole("button", { name: "Send" });
    const card = send.closest<HTMLElement>("[data-elicitation]");
    if (card) card.style.inlineSize = "358px";
    const [first, decline, decide, no] = ["Send", "Decline", "You decide", "No, and …"].map(
      (name) => canvas.getByRole("button", { name }).getBoundingClientRect().top,
    );
    await expect(decline).toBe(first);
    await expect(decide).toBeGreaterThan(first ?? 0);
    await expect(no).toBe(decide);
  },
);

export const PreviewsNarrow = Previews.extend({ ...narrow, tags: ["!dev"] });

/** A third party gets no note, so the keys take the place of "No, and …". */
export const OwnWordsForThirdParty = meta.story({
  name: "Own words for a third party",
  args: { requests: [{ ...whichFlight, requester: { name: "Airline", claimedName: "TAP flights" } }] },
});

const teamDay = formRequest({
  requester: { name: "Demo agent" },
  message: "To plan the day and book the place.",
  requestedSchema: {
    type: "object",
    title: "Team day",
    required: ["name", "date", "place", "people"],
    properties: {
      name: { type: "string", title: "Name", description: "What is the day called?", minLength: 2 },
      date: { type: "string", title: "Date", description: "When is it?", format: "date" },
      place: {
        type: "string",
        title: "Place",
        description: "Where should it be?",
        enum: ["Lake house", "Garden", "Climbing hall"],
      },
      people: {
        type: "integer",
        title: "People",
        description: "How many people?",
        minimum: 2,
        maximum: 200,
        default: 12,
      },
      travel: {
        type: "string",
        title: "Travel",
        description: "How do you get there?",
        enum: ["By train", "By bus", "Own car", "Not known yet"],
      },
      avoid: { type: "string", title: "To avoid", description: "Anything to avoid?" },
    },
  },
});

/** A form of 4 to 12 questions shows one at a time: Enter goes forward, Page Up goes back, and a review precedes Send. */
export const Steps = meta.story({ args: { requests: [teamDay] } });

/** Checks that the card keeps its height. On a phone it does not: a list of choices would make every step twice as high. */
function heightOf(card: HTMLElement): () => Promise<void> {
  const { height, width } = card.getBoundingClientRect();
  return async () => {
    if (width > 500) await expect(Math.round(card.getBoundingClientRect().height)).toBe(Math.round(height));
  };
}

Steps.test("is answered by the keyboard alone, in steps of one height", async ({ canvas, userEvent }) => {
  const card = canvas.getByRole("group", { name: "Team day" });
  const isOfOneHeight = heightOf(card);
  async function next(keys: string): Promise<void> {
    await userEvent.keyboard(`${keys}{Enter}`);
    await isOfOneHeight();
  }
  canvas.getByRole("textbox").focus();
  await next("Harvest day");
  await userEvent.type(canvas.getByLabelText("Date"), "2027-03-05");
  await next("");
  await next("1");
  await next("");
  await next("2");
  await next("");
  await expect(canvas.getByRole("heading", { name: "Ready to send?" })).toBeVisible();
  await expect(canvas.getByRole("button", { name: "Travel By bus" })).toBeVisible();
  await userEvent.keyboard("{Enter}");
  await expect(await canvas.findByText("Team day:", { selector: "strong" })).toBeVisible();
});

export const StepsNarrow = Steps.extend({ ...narrow, tags: ["!dev"] });

/** The server refuses an answer: the form shows its step again, and keeps the other answers. */
export const StepRefused = meta.story({
  name: "A step with an error",
  args: {
    requests: [teamDay],
    respond: async () => [
      {
        elicitationId: "form-1",
        kind: "refused",
        status: 400,
        message: "The place is taken.",
        errors: [{ field: "place", code: "taken", message: "The lake house is taken on 5 March." }],
      },
    ],
  },
  async play({ canvas, userEvent }) {
    canvas.getByRole("textbox").focus();
    await userEvent.keyboard("Harvest day{Enter}");
    await userEvent.type(canvas.getByLabelText("Date"), "2027-03-05");
    await userEvent.keyboard("{Enter}1{Enter}{Enter}{Enter}{Enter}{Enter}");
    await expect(await canvas.findByText("The lake house is taken on 5 March.")).toBeVisible();
    await expect(canvas.getByRole("heading", { name: "Where should it be?" })).toBeVisible();
  },
});

/** A question of a third party is never a heading. */
export const StepsOfThirdParty = meta.story({
  args: { requests: [{ ...teamDay, requester: { name: "Demo agent", claimedName: "Planner" } }] },
});

StepsOfThirdParty.test("keeps its height, and shows the claim once", async ({ canvas, userEvent }) => {
  const card = canvas.getByRole("group", { name: "Your answer is needed" });
  const isOfOneHeight = heightOf(card);
  await expect(await canvas.findByText(/calls itself/)).toBeVisible();
  canvas.getByRole("textbox").focus();
  await userEvent.keyboard("{Enter}");
  await expect(await canvas.findByText("Please fill this in.", { ignore: "output, output *" })).toBeVisible();
  await isOfOneHeight();
  await userEvent.keyboard("Harvest day{Enter}");
  await isOfOneHeight();
  await expect(canvas.queryByText(/calls itself/)).toBeNull();
  await userEvent.type(canvas.getByLabelText("Date"), "2027-03-05");
  for (const keys of ["{Enter}", "1", "{Enter}", "{Enter}", "2", "{Enter}", "{Enter}"]) {
    await userEvent.keyboard(keys);
    await isOfOneHeight();
  }
  await expect(canvas.getByRole("heading", { name: "Ready to send?" })).toBeVisible();
});

export const StepsOfThirdPartyNarrow = StepsOfThirdParty.extend({ ...narrow, tags: ["!dev"] });

/** A decline with a comment that says what the user wants instead. */
export const NoAnd = meta.story({
  name: "No, with a note",
  args: { requests: [formRequest()] },
  async play({ canvas, userEvent }) {
    await userEvent.click(canvas.getByRole("button", { name: "No, and …" }));
    await expect(canvas.getByRole("textbox", { name: "No, and" })).toHaveFocus();
  },
});

NoAnd.test("is told in the receipt", async ({ canvas, userEvent }) => {
  await userEvent.keyboard("only to my office{Enter}");
  await expect(await canvas.findByText("only to my office", { selector: "q" })).toBeVisible();
});

export const Search = meta.story({
  args: {
    requests: [
      {
        ...question({ type: "string", title: "Airport", enum: airports }, true),
        message: "From where do you fly?",
      },
    ],
  },
});

Search.test("finds an option by a part of its name", async ({ canvas, userEvent }) => {
  await userEvent.type(canvas.getByRole("searchbox"), "a130");
  await userEvent.click(canvas.getByRole("radio", { name: "Airport A130" }));
  await userEvent.click(canvas.getByRole("button", { name: "Send" }));
  await expect(await canvas.findByText("From where do you fly?", { selector: "strong" })).toBeVisible();
});

export const NoQuestions = meta.story({
  args: {
    requests: [formRequest({ message: "Go on?", requestedSchema: { type: "object", properties: {} } })],
  },
});

export const Secrets = meta.story({
  name: "A secret",
  args: {
    requests: [
      {
        ...question({ type: "string", title: "API key" }, true),
        message: "To read your calendar, I need its key.",
      },
    ],
  },
  async play({ canvas, userEvent }) {
    await userEvent.type(canvas.getByLabelText("API key"), "abc{Enter}");
    await expect(canvas.getByRole("checkbox", { name: "I want to share this" })).toHaveFocus();
  },
});

export const SecretsRefused = meta.story({
  name: "A secret, refused",
  args: {
    requests: [
      {
        ...question({ type: "string", title: "API key" }, true),
        message: "To read your calendar, I need its key.",
      },
    ],
    secrets: "refuse",
  },
});

export const Blocked = meta.story({
  args: {
    requests: [
      formRequest({
        requestedSchema: { type: "object", properties: { address: { type: "object", properties: {} } } },
      }),
    ],
  },
});

export const HeldForRound = meta.story({
  name: "Waits for the rest of its round",
  args: { requests: [formRequest({ round: { id: "round-1", size: 2 } })] },
  async play({ canvas, userEvent }) {
    await userEvent.type(canvas.getByRole("textbox", { name: "City" }), "Lisbon{Enter}");
    await expect(canvas.getByRole("button", { name: "Change answer" })).toBeVisible();
    await expect(await canvas.findByText("1 of 2 answered, sent together")).toBeVisible();
  },
});

export const Undelivered = meta.story({
  name: "Not delivered",
  args: { requests: [formRequest()], respond: offline },
  async play({ canvas, userEvent }) {
    await userEvent.type(canvas.getByRole("textbox", { name: "City" }), "Lisbon{Enter}");
    await expect(await canvas.findByRole("button", { name: "Send again" })).toBeVisible();
    await expect(canvas.getByRole("textbox", { name: "City" })).toHaveValue("Lisbon");
  },
});

const Stars = ({ id, labelId, draft, onChange }: ControlProps) => (
  <div role="radiogroup" id={id} aria-labelledby={labelId}>
    {["1", "2", "3", "4", "5"].map((value) => (
      <label key={value}>
        <input type="radio" name={id} checked={draft === value} onChange={() => onChange(value)} />
        {"★".repeat(Number(value))}
      </label>
    ))}
  </div>
);

export const OwnControl = meta.story({
  name: "A control of your own",
  args: {
    requests: [
      question({ type: "integer", title: "Rating", minimum: 1, maximum: 5 }, true, {
        trigger: "tool",
        fields: { value: { control: "rating" } },
      }),
    ],
    components: { control: { rating: Stars } },
  },
});

OwnControl.test("takes the answer of a control of the app", async ({ canvas, userEvent }) => {
  await userEvent.click(canvas.getByRole("radio", { name: "★★★★" }));
  await userEvent.click(canvas.getByRole("button", { name: "Send" }));
  await expect(await canvas.findByText("Where should the parcel go?", { selector: "strong" })).toBeVisible();
});

export const Accepted = meta.story({
  args: { requests: [formRequest({ resolution: { outcome: "accepted", at: "2026-11-21T12:00:00Z" } })] },
});

let expire = (): void => undefined;
export const ExpiredWhileTyping = meta.story({
  args: {
    requests: [formRequest()],
    start(script) {
      const resolution = { outcome: "expired", at: "2026-11-21T12:00:00Z" } as const;
      expire = () => script.ask(formRequest({ resolution }));
    },
  },
  async play({ canvas, userEvent }) {
    await userEvent.type(canvas.getByRole("textbox", { name: "City" }), "Lisbon, by the sea");
    expire();
    await expect(await canvas.findByText("The request expired", { ignore: "output" })).toBeVisible();
    await expect(canvas.getByRole("definition")).toHaveTextContent("Lisbon, by the sea");
  },
});

/** The first Escape leaves the control; the second one asks before the input is discarded. */
export const DiscardTyped = meta.story({
  args: { requests: [formRequest()] },
  async play({ canvas, userEvent }) {
    const city = canvas.getByRole("textbox", { name: "City" });
    await userEvent.type(city, "Lisbon{Escape}");
    await expect(city).not.toHaveFocus();
    await userEvent.keyboard("{Escape}");
    await expect(canvas.getByRole("group", { name: "Discard what you typed?" })).toBeVisible();
    await expect(canvas.getByRole("button", { name: "Keep editing" })).toHaveFocus();
    await expect(canvas.queryByRole("button", { name: "Send" })).toBeNull();
    await expect(city).toHaveValue("Lisbon");
  },
});

/** The receipt of a decline asks the agent to ask again. The form then has its earlier input. */
export const AskAgain = meta.story({
  args: { requests: [formRequest()], onAskAgain: fn<(message: string) => void>() },
  async play({ canvas, userEvent }) {
    await userEvent.type(canvas.getByRole("textbox", { name: "City" }), "Lisbon");
    await userEvent.click(canvas.getByRole("button", { name: "Decline" }));
    await expect(await canvas.findByRole("button", { name: "Ask again" })).toBeVisible();
  },
});

AskAgain.test("sends the agent a message", async ({ args, canvas, userEvent }) => {
  await userEvent.click(canvas.getByRole("button", { name: "Ask again" }));
  await expect(args.onAskAgain).toHaveBeenCalledWith(
    "Please ask me again: Where should the parcel go?",
    expect.anything(),
  );
});

/** Until a reload, the user can open the receipt to see the input. */
export const SentWithWhatWasTyped = meta.story({
  args: { requests: [formRequest()] },
  async play({ canvas, userEvent }) {
    await userEvent.type(canvas.getByRole("textbox", { name: "City" }), "Lisbon{Enter}");
    await userEvent.click(await canvas.findByText("Lisbon", { selector: "summary bdi" }));
    await expect(canvas.getByRole("definition")).toBeVisible();
    await expect(canvas.getByRole("definition")).toHaveTextContent("Lisbon");
  },
});

export const AnsweredElsewhere = meta.story({
  args: { requests: [formRequest()], status: () => ({ status: "accepted" }) },
});
