import "elicit-kit/styles.css";
import { Elicitations, type Catalogue } from "elicit-kit";
import { ar } from "elicit-kit/catalogues/ar";
import { de } from "elicit-kit/catalogues/de";
import { en } from "elicit-kit/catalogues/en";
import { afterEach, expect, it } from "vitest";
import { page, userEvent } from "vitest/browser";
import { CONVERSATION, createScript, type Script } from "../../src/client/testing/scripted-client.ts";
import { formRequest } from "../../src/contract/testing/requests.ts";
import { expectAccessible } from "../../src/react/testing/expect-accessible.ts";
import { mount } from "./mount.ts";

const FOR_ADA = formRequest({ assignee: { name: "Ada", takeBack: true, remind: true } });
const FROM_BO = formRequest({ from: { name: "Bo" }, giveOn: true });
const choices = ["Cy", "Dan", "The finance team"].map((name) => ({ to: { user: name }, name }));

afterEach(() => {
  delete document.documentElement.dataset["theme"];
});

function show(request: typeof FOR_ADA, catalogue: Catalogue = en, width = "480px") {
  const status = () => (script.assigned.length > 0 ? undefined : {});
  const script: Script = createScript({ requests: [request], choices, status });
  const container = mount(
    <Elicitations client={script.client} conversationId={CONVERSATION} catalogue={catalogue} />,
    width,
  );
  return { script, container };
}

it.each([
  ["a phone", de, "light"],
  ["an Arabic phone in the dark", ar, "dark"],
])("the card of a form that another user decides says so on one line of %s", async (_, catalogue, theme) => {
  document.documentElement.dataset["theme"] = theme;
  const { container } = show(FOR_ADA, catalogue, "320px");
  const remind = page.getByRole("button", { name: catalogue.others.remind });
  await userEvent.click(remind);
  await expect.element(page.getByText(catalogue.others.reminded).first()).toBeVisible();
  expect(container.querySelector(".elicit-assigned")!.getBoundingClientRect().height).toBeLessThan(50);
  expect(document.activeElement).toBe(remind.element());
  await expectAccessible();
});

it.each([
  ["light", en],
  ["dark", ar],
])("a user passes on a form with the keyboard alone, in the %s theme", async (theme, catalogue) => {
  document.documentElement.dataset["theme"] = theme;
  const { script, container } = show(FROM_BO, catalogue, "320px");
  const words = catalogue.others;
  const giveOn = page.getByRole("button", { name: words.giveOn });
  await expect.element(giveOn).toBeVisible();
  (giveOn.element() as HTMLElement).focus();
  await userEvent.keyboard("{Enter}");
  await expect.element(page.getByRole("radiogroup", { name: words.giveTo })).toBeVisible();
  const card = container.querySelector(".elicit-card")!.getBoundingClientRect();
  const list = container.querySelector("[data-give-to]")!.getBoundingClientRect();
  expect([list.left >= card.left, list.right <= card.right]).toEqual([true, true]);
  await expectAccessible();
  // A digit is for the only question of a form, never for this list.
  await userEvent.keyboard("1");
  expect(container.querySelectorAll("[data-give-to] :checked")).toHaveLength(0);
  await userEvent.keyboard(" {ArrowDown}{Tab}{Enter}");
  await expect.poll(() => script.assigned).toEqual([["form-1", { user: "Dan" }]]);
  await expect.poll(() => container.querySelector(".elicit-receipt")?.textContent).toContain("Dan");
  await expectAccessible();
});
