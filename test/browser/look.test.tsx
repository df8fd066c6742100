import "elicit-kit/styles.css";
import { Elicitations, type Catalogue } from "elicit-kit";
import { ar } from "elicit-kit/catalogues/ar";
import { en } from "elicit-kit/catalogues/en";
import { afterEach, describe, expect, it } from "vitest";
import { page, userEvent } from "vitest/browser";
import type { FormElicitationRequest } from "elicit-kit/contract";
import { CONVERSATION, createScript, type ScriptOptions } from "../../src/client/testing/scripted-client.ts";
import { formRequest } from "../../src/contract/testing/requests.ts";
import { expectAccessible } from "../../src/react/testing/expect-accessible.ts";
import { mount } from "./mount.ts";

afterEach(() => {
  document.documentElement.removeAttribute("style");
});

const request = formRequest({
  context: { trigger: "tool", layout: "form" },
  requestedSchema: {
    type: "object",
    properties: {
      note: { type: "string", title: "Note" },
      departure: { type: "string", title: "Departure", format: "date-time" },
      size: { type: "string", title: "Size", enum: ["Small", "Large"] },
      news: { type: "boolean", title: "Send me offers" },
    },
  },
});

const flight = formRequest({
  message: "To book the cheapest seat",
  context: { trigger: "tool", layout: "form" },
  requestedSchema: {
    type: "object",
    title: "Details for your flight",
    required: ["destination", "date"],
    properties: {
      destination: { type: "string", title: "Destination", examples: ["Lisbon"] },
      date: { type: "string", format: "date", title: "Departure" },
      cabin: { type: "string", title: "Cabin", enum: ["Economy", "Premium", "Business"], default: "Economy" },
      travellers: { type: "integer", title: "Travellers", minimum: 1, maximum: 9, default: 1 },
      flexible: { type: "boolean", title: "My dates are flexible", default: false },
    },
  },
});

async function show(
  width: string,
  catalogue: Catalogue,
  asked: FormElicitationRequest = request,
  options: ScriptOptions = {},
): Promise<HTMLElement> {
  const script = createScript({ requests: [asked], ...options });
  const container = mount(
    <Elicitations client={script.client} conversationId={CONVERSATION} catalogue={catalogue} />,
    width,
  );
  await expect.element(page.getByRole("heading")).toBeVisible();
  // The controls are in the chunk of the form.
  await expect.poll(() => container.querySelector("form")).not.toBeNull();
  // A new card is still animating.
  await Promise.all(document.getAnimations().map(({ finished }) => finished));
  return container;
}

/** The position of the field with that name. */
const placeOf = (chat: HTMLElement, name: string): DOMRect =>
  chat.querySelector(`[data-field="${name}"]`)!.getBoundingClientRect();

/** Elements that extend beyond the card. */
function sticking(chat: HTMLElement): string[] {
  const card = chat.querySelector(".elicit-card")!.getBoundingClientRect();
  return [...chat.querySelectorAll("form *")]
    .filter((element) => element.tagName !== "OUTPUT")
    .filter((element) => {
      const { left, right, width } = element.getBoundingClientRect();
      return width > 0 && (right > card.right || left < card.left);
    })
    .map(({ outerHTML }) => outerHTML);
}

describe("the layout of a form", () => {
  it("fits a flight on 350 pixels in a column of 480", async () => {
    const chat = await show("480px", en, flight);
    expect(chat.querySelector(".elicit-card")!.getBoundingClientRect().height).toBeLessThanOrEqual(350);
  });

  it("puts two short questions in a row if there is space, and below each other otherwise", async () => {
    const wide = await show("480px", en, flight);
    expect(placeOf(wide, "date").top).toBe(placeOf(wide, "destination").top);
    expect(placeOf(wide, "date").width).toBe(placeOf(wide, "destination").width);
    expect(placeOf(wide, "cabin").top).toBeGreaterThan(placeOf(wide, "date").bottom);
    wide.style.inlineSize = "320px";
    expect(placeOf(wide, "date").top).toBeGreaterThan(placeOf(wide, "destination").bottom);
  });

  it("keeps answers at full contrast while they are being sent", async () => {
    const chat = await show("480px", en, flight, { respond: () => new Promise(() => undefined) });
    const city = page.getByRole("textbox", { name: "Destination" });
    await userEvent.fill(city, "Lisbon");
    await userEvent.fill(page.getByLabelText("Departure"), "2027-01-01");
    const colour = getComputedStyle(city.element()).color;
    const ground = getComputedStyle(city.element()).backgroundColor;
    await userEvent.click(page.getByRole("button", { name: "Send" }));
    await expect.element(page.getByRole("button", { name: "Sending…" })).toHaveStyle({ opacity: "1" });
    expect(chat.querySelector('[aria-busy="true"]')).not.toBeNull();
    await expect.element(city).toHaveStyle({ color: colour, opacity: "1" });
    expect(getComputedStyle(city.element()).backgroundColor).not.toBe(ground);
    await expectAccessible();
  });

  it.each([
    ["a phone", "320px", "16px", en],
    ["text of twice the size", "480px", "32px", en],
    ["an Arabic chat", "320px", "16px", ar],
  ])(
    "keeps labels, options and defaults of any length within its card on %s",
    async (_, width, size, words) => {
      document.documentElement.style.fontSize = size;
      const endless = "x".repeat(200);
      const wordy = "many words ".repeat(30);
      const properties = {
        a: { type: "string", title: wordy, description: endless, examples: [wordy], default: wordy },
        b: { type: "string", title: endless, examples: [endless] },
        c: { type: "string", title: "One", enum: [endless, wordy, "short"] },
        d: { type: "array", title: "Several", items: { type: "string", enum: [endless, wordy] } },
        e: { type: "string", title: "List", enum: ["1", "2", "3", "4", "5", endless], default: endless },
        f: { type: "integer", title: wordy, minimum: 1, maximum: 9 },
        g: { type: "number", title: "Big", minimum: -1e15, maximum: 1e15 },
        h: { type: "boolean", title: wordy },
        i: { type: "integer", title: "Stars", minimum: 1, maximum: 5 },
        j: { type: "integer", title: "Scale", minimum: 1, maximum: 10 },
      };
      const fields = { i: { control: "rating" }, j: { control: "rating" } };
      const asked = formRequest({
        message: wordy.repeat(24),
        context: { trigger: "tool", layout: "form", fields },
        requestedSchema: { type: "object", title: endless, properties, required: ["b"] },
      });
      const chat = await show(width, words, asked);
      await userEvent.click(page.getByRole("button", { name: words.submit }));
      await expect.element(page.getByText(words.errorCount(1))).toBeVisible();
      expect(sticking(chat)).toEqual([]);
      await expectAccessible();
    },
  );

  it("shows 100 questions, each within the card and with an accessible name", async () => {
    const kinds = [
      { type: "string" },
      { type: "string", format: "date" },
      { type: "integer", minimum: 1, maximum: 9 },
      { type: "boolean" },
      { type: "string", enum: ["one", "two"] },
    ];
    const properties = Object.fromEntries(
      Array.from({ length: 100 }, (_, n) => [
        `q${n}`,
        { ...kinds[n % kinds.length], title: `Question ${n}` },
      ]),
    );
    const chat = await show("320px", en, formRequest({ requestedSchema: { type: "object", properties } }));
    expect(chat.querySelectorAll("[data-field]")).toHaveLength(100);
    expect(sticking(chat)).toEqual([]);
    await expectAccessible();
  });

  it("puts a placeholder at the start side of the chat's language", async () => {
    await show("480px", ar, flight);
    await expect
      .element(page.getByRole("textbox", { name: "Destination" }))
      .toHaveStyle({ direction: "rtl" });
  });

  it("shows Enter on the Send button, except where Enter has another function", async () => {
    await show(
      "480px",
      en,
      formRequest({
        requestedSchema: {
          type: "object",
          properties: { city: { type: "string", title: "City" }, why: { type: "string", title: "Why" } },
        },
        context: { trigger: "tool", fields: { why: { control: "textarea" } } },
      }),
    );
    const send = page.getByRole("button", { name: "Send" });
    const key = () => getComputedStyle(send.element().querySelector("[data-icon=enter]")!).visibility;
    const width = send.element().getBoundingClientRect().width;
    expect(key()).toBe("visible");
    await userEvent.click(page.getByRole("textbox", { name: "Why" }));
    expect(key()).toBe("hidden");
    expect(send.element().getBoundingClientRect().width).toBe(width);
    await userEvent.click(page.getByRole("textbox", { name: "City" }));
    expect(key()).toBe("visible");
    await userEvent.keyboard("{Tab}{Tab}{Tab}");
    await expect.element(page.getByRole("button", { name: "Decline" })).toHaveFocus();
    expect(key()).toBe("hidden");
  });

  it("stays within its card with text at 150 %", async () => {
    document.documentElement.style.fontSize = "24px";
    const chat = await show("375px", en);
    expect(sticking(chat)).toEqual([]);
  });

  it("keeps an English question beside its control in an Arabic chat", async () => {
    const chat = await show("375px", ar);
    const text = document.createRange();
    text.selectNodeContents([...chat.querySelectorAll("label")].at(-1)!);
    const gap =
      chat.querySelector("input[type=checkbox]")!.getBoundingClientRect().left -
      text.getBoundingClientRect().right;
    expect(gap).toBeGreaterThan(0);
    expect(gap).toBeLessThan(24);
  });

  it("aligns typed text by its own letters, whatever the language of the chat", async () => {
    await show("375px", ar);
    const note = page.getByRole("textbox", { name: /^Note/ });
    await userEvent.fill(note, "Ring twice!");
    await expect.element(note).toHaveStyle({ direction: "ltr", textAlign: "right" });
    await userEvent.fill(note, "دق مرتين!");
    await expect.element(note).toHaveStyle({ direction: "rtl", textAlign: "right" });
  });
});
