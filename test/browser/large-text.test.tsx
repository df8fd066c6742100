import "elicit-kit/styles.css";
import { Elicitations } from "elicit-kit";
import { beforeEach, expect, it, onTestFinished } from "vitest";
import { page, userEvent } from "vitest/browser";
import type { FormElicitationRequest } from "elicit-kit/contract";
import { CONVERSATION, createScript } from "../../src/client/testing/scripted-client.ts";
import { formRequest } from "../../src/contract/testing/requests.ts";
import { mount } from "./mount.ts";

/** A phone whose text is twice as large. */
beforeEach(() => {
  document.documentElement.style.fontSize = "200%";
  onTestFinished(() => void document.documentElement.style.removeProperty("font-size"));
});

async function show(
  properties: FormElicitationRequest["requestedSchema"]["properties"],
  context: FormElicitationRequest["context"],
): Promise<HTMLElement> {
  const asked = formRequest({ context, requestedSchema: { type: "object", properties } });
  const script = createScript({ requests: [asked] });
  const container = mount(<Elicitations client={script.client} conversationId={CONVERSATION} />, "330px");
  await expect.poll(() => container.querySelector("form")).not.toBeNull();
  return container;
}

const box = (element: Element | null | undefined) => element?.getBoundingClientRect() ?? new DOMRect();

it("a recommended option keeps its words whole, above the mark", async () => {
  const flight = { type: "string", title: "Flight", enum: ["TP 1351 at noon", "BA 500"] };
  const recommended = { value: "TP 1351 at noon", word: "usual" };
  await show(
    { flight },
    {
      trigger: "tool",
      layout: "form",
      fields: { flight: { recommended, control: "radio" } },
    },
  );
  const words = box(page.getByText("TP 1351 at noon", { exact: true }).element());
  expect(words.width).toBeGreaterThan(120);
  expect(box(page.getByText("usual").element()).top).toBeGreaterThanOrEqual(words.bottom - 1);
});

it("a slider has the whole width, and five stars share a row", async () => {
  const card = await show(
    {
      budget: { type: "integer", title: "Budget", minimum: 0, maximum: 100 },
      comfort: { type: "integer", title: "Comfort", minimum: 1, maximum: 5 },
    },
    {
      trigger: "tool",
      layout: "form",
      fields: { budget: { control: "slider" }, comfort: { control: "rating" } },
    },
  );
  expect(box(page.getByRole("slider").element()).width).toBeGreaterThan(200);
  const stars = [...card.querySelectorAll('[data-layout="stars"] > label')].map((star) => box(star).top);
  expect(stars).toHaveLength(5);
  expect(new Set(stars).size).toBe(1);
});

it("a receipt shows each answer below its label", async () => {
  const card = await show({ city: { type: "string", title: "City" } }, { trigger: "tool", layout: "form" });
  await userEvent.fill(page.getByLabelText("City"), "Lisbon, by the sea");
  await userEvent.click(page.getByRole("button", { name: "Send" }));
  await expect.poll(() => card.querySelector("summary")).not.toBeNull();
  await userEvent.click(card.querySelector("summary") ?? card);
  expect(box(card.querySelector("dd")).top).toBeGreaterThanOrEqual(box(card.querySelector("dt")).bottom - 1);
});
