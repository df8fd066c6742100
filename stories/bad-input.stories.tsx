import { expect } from "storybook/test";
import preview from "../.storybook/preview.tsx";
import { cardArgTypes, cardParameters } from "./card-controls.ts";
import { Chat } from "./chat.tsx";
import { formRequest, question, urlRequest } from "../src/contract/testing/requests.ts";

/** Input from faulty or hostile servers. It looks correct and does no harm. */
const meta = preview.meta({
  title: "Cards/Unusual requests",
  component: Chat,
  argTypes: cardArgTypes.both,
  parameters: cardParameters("both"),
});

const told = { ignore: "output" };

export const TwoHundredOptions = meta.story({
  args: {
    requests: [
      question(
        {
          type: "string",
          title: "Branch",
          enum: Array.from({ length: 200 }, (_, n) => `feature/${n}-with-quite-a-long-name`),
        },
        true,
      ),
    ],
  },
});

TwoHundredOptions.test("are searched", async ({ canvas, userEvent }) => {
  await userEvent.type(await canvas.findByRole("searchbox", { name: "Search" }), "/187-");
  await userEvent.click(canvas.getByRole("radio", { name: /^feature\/187-/ }));
  await userEvent.click(canvas.getByRole("button", { name: "Send" }));
  await expect(await canvas.findByText("Where should the parcel go?", { selector: "strong" })).toBeVisible();
});

export const FiveThousandCharacters = meta.story({
  args: {
    requests: [urlRequest({ message: "An account is needed for this. ".repeat(162).slice(0, 5_000) })],
  },
});

FiveThousandCharacters.test("stay inside the card", async ({ canvas }) => {
  const card = canvas.getByRole("group", { name: "Connect your account" });
  await expect(card.scrollWidth).toBeLessThanOrEqual(card.clientWidth);
  await expect(canvas.getByRole("button", { name: "Connect" })).toBeVisible();
});

export const OneEndlessWord = meta.story({
  args: {
    requests: [
      formRequest({
        message: "x".repeat(500),
        requestedSchema: {
          type: "object",
          properties: { a: { type: "string", title: "y".repeat(300), description: "z".repeat(300) } },
        },
      }),
    ],
  },
});

OneEndlessWord.test("stays inside the card", async ({ canvas }) => {
  const card = canvas.getByRole("group", { name: "Your answer is needed" });
  await expect(card.scrollWidth).toBeLessThanOrEqual(card.clientWidth);
});

/** Markup is shown as text, and a URL in a text is not a link. */
export const Markup = meta.story({
  args: {
    requests: [
      formRequest({
        message: "<b>Free</b> at https://evil.example <img src=x onerror=alert(1)>",
        requestedSchema: {
          type: "object",
          properties: { a: { type: "string", title: "<script>alert(1)</script>" } },
        },
      }),
    ],
  },
});

Markup.test("is shown as text", async ({ canvas, canvasElement }) => {
  await expect(await canvas.findByText(/<b>Free<\/b>/)).toBeVisible();
  await expect(canvas.getByRole("textbox", { name: /^<script>alert\(1\)<\/script>/ })).toBeVisible();
  await expect(canvasElement.querySelector("img, script, b, a")).toBeNull();
});

export const Emoji = meta.story({
  args: {
    requests: [
      formRequest({
        requester: { name: "🦊 Fox", claimedName: "👨‍👩‍👧‍👦 Family ‮gnp.exe" },
        requestedSchema: {
          type: "object",
          properties: { "🎂": { type: "string", title: "🎂 Cake", maxLength: 3 } },
          required: ["🎂"],
        },
      }),
    ],
  },
});

Emoji.test("count as people count them", async ({ canvas, userEvent }) => {
  await userEvent.type(canvas.getByRole("textbox", { name: "🎂 Cake" }), "🍰🍰🍰");
  await userEvent.click(canvas.getByRole("button", { name: "Send" }));
  await expect(await canvas.findByText("Sent", told)).toBeVisible();
});

/** A form without questions can be confirmed. */
export const EmptySchema = meta.story({
  args: {
    requests: [formRequest({ message: "Go on?", requestedSchema: { type: "object", properties: {} } })],
  },
});

EmptySchema.test("is confirmed", async ({ canvas, userEvent }) => {
  await userEvent.click(canvas.getByRole("button", { name: "Confirm" }));
  await expect(await canvas.findByText("Sent", told)).toBeVisible();
});

export const ProtoAsAName = meta.story({
  args: {
    requests: [
      formRequest({
        requestedSchema: {
          type: "object",
          properties: JSON.parse('{"__proto__":{"type":"string","title":"Prototype"}}'),
          required: ["__proto__"],
        },
      }),
    ],
  },
});

ProtoAsAName.test("is a field like any other", async ({ canvas, userEvent }) => {
  await userEvent.click(canvas.getByRole("button", { name: "Send" }));
  await expect(await canvas.findByText("Please fill this in.")).toBeVisible();
  await userEvent.type(canvas.getByRole("textbox", { name: "Prototype" }), "mine{Enter}");
  await expect(await canvas.findByText("Where should the parcel go?", { selector: "strong" })).toBeVisible();
});

/** A default that is not an option selects nothing. */
export const DefaultOutsideItsEnum = meta.story({
  args: {
    requests: [
      {
        ...question({ type: "string", title: "Size", enum: ["S", "M", "L"], default: "XXL" }, true),
        message: "Which size do you wear?",
      },
    ],
  },
});

DefaultOutsideItsEnum.test("chooses nothing", async ({ canvas, userEvent }) => {
  for (const option of canvas.queryAllByRole("radio")) await expect(option).not.toBeChecked();
  await userEvent.click(canvas.getByRole("radio", { name: "M" }));
  await userEvent.click(canvas.getByRole("button", { name: "Send" }));
  await expect(await canvas.findByText("Which size do you wear?", { selector: "strong" })).toBeVisible();
});

/** Keeps text that is not yet a number (modelcontextprotocol/inspector#1888). */
export const DecimalsAsTyped = meta.story({
  args: {
    requests: [
      { ...question({ type: "number", title: "Price" }, true), message: "What may it cost at most?" },
    ],
  },
});

DecimalsAsTyped.test("keeps text that is not a number yet", async ({ canvas, userEvent }) => {
  const price = canvas.getByRole("textbox", { name: "Price" });
  await userEvent.type(price, "-1.");
  await expect(price).toHaveValue("-1.");
  await userEvent.type(price, "50{Enter}");
  await expect(await canvas.findByText("What may it cost at most?", { selector: "strong" })).toBeVisible();
});

/** Users can send a form of optional questions empty (modelcontextprotocol/inspector#925). */
export const AllOptional = meta.story({
  args: {
    requests: [{ ...question({ type: "string", title: "Nickname" }), message: "How shall I call you?" }],
  },
});

AllOptional.test("is sent empty", async ({ canvas, userEvent }) => {
  await userEvent.click(canvas.getByRole("button", { name: "Send" }));
  await expect(await canvas.findByText("Sent", told)).toBeVisible();
});
