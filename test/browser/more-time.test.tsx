import "elicit-kit/styles.css";
import { type Catalogue, Elicitations } from "elicit-kit";
import { ar } from "elicit-kit/catalogues/ar";
import { de } from "elicit-kit/catalogues/de";
import { en } from "elicit-kit/catalogues/en";
import { afterEach, expect, it } from "vitest";
import { page, userEvent } from "vitest/browser";
import { CONVERSATION, createScript } from "../../src/client/testing/scripted-client.ts";
import { formRequest, urlRequest } from "../../src/contract/testing/requests.ts";
import { expectAccessible } from "../../src/react/testing/expect-accessible.ts";
import { mount } from "./mount.ts";

const later = (ms: number) => new Date(Date.now() + ms).toISOString();

afterEach(() => {
  delete document.documentElement.dataset["theme"];
});

function show(
  request: typeof formRequest | typeof urlRequest,
  leftMs: number,
  catalogue: Catalogue,
  width: string,
) {
  const expiresAt = later(leftMs);
  const script = createScript({
    requests: [request({ expiresAt, extendableUntil: later(leftMs + 300_000) })],
    status: () => ({ expiresAt }),
  });
  const container = mount(
    <Elicitations client={script.client} conversationId={CONVERSATION} catalogue={catalogue} />,
    width,
  );
  return { script, container };
}

it.each<[string, typeof formRequest | typeof urlRequest, Catalogue, string, string]>([
  ["a form on a phone", formRequest, de, "light", "320px"],
  ["a page on an Arabic phone in the dark", urlRequest, ar, "dark", "320px"],
])(
  "the last two minutes of %s show the time and the button inside the card",
  async (_, request, catalogue, theme, width) => {
    document.documentElement.dataset["theme"] = theme;
    const { container } = show(request, 90_000, catalogue, width);
    const button = page.getByRole("button", { name: catalogue.moreTime });
    await expect.element(button).toBeVisible();
    const card = container.querySelector(".elicit-card")!.getBoundingClientRect();
    const { left, right, height } = button.element().getBoundingClientRect();
    expect(left >= card.left && right <= card.right).toBe(true);
    expect(height).toBeGreaterThanOrEqual(24);
    expect(container.scrollWidth).toBeLessThanOrEqual(container.clientWidth);
    await expectAccessible();
  },
);

it("before, Tab reaches the button, shows it, and Enter gives more time", async () => {
  const { script, container } = show(formRequest, 500_000, en, "320px");
  const button = page.getByRole("button", { name: "More time" });
  await expect.element(button).toBeInTheDocument();
  expect(button.element().getBoundingClientRect().width).toBe(1);
  container.querySelector("input")?.focus();
  for (let presses = 0; presses < 9 && document.activeElement !== button.element(); presses += 1)
    await userEvent.tab();
  expect(document.activeElement).toBe(button.element());
  expect(button.element().getBoundingClientRect().height).toBeGreaterThanOrEqual(24);
  await userEvent.keyboard("{Enter}");
  await expect.poll(() => script.extended).toHaveLength(1);
});
