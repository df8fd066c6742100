import "elicit-kit/styles.css";
import { Elicitations } from "elicit-kit";
import { expect, it } from "vitest";
import { userEvent } from "vitest/browser";
import { CONVERSATION, createScript } from "../../src/client/testing/scripted-client.ts";
import { previewQuestion } from "../../src/contract/testing/requests.ts";
import { ar } from "../../src/words/cards/ar.ts";
import type { Catalogue } from "../../src/words/cards/catalogue.ts";
import { mount } from "./mount.ts";

async function show(width: string, request = previewQuestion(), catalogue?: Catalogue) {
  const script = createScript({ requests: [request] });
  const container = mount(
    <Elicitations client={script.client} conversationId={CONVERSATION} catalogue={catalogue} />,
    width,
  );
  await expect.poll(() => container.querySelector("[data-field]")).toBeTruthy();
  const preview = () => container.querySelector<HTMLElement>("pre");
  const radio = (value: string) => container.querySelector<HTMLInputElement>(`input[value="${value}"]`)!;
  const option = (value: string) => radio(value).closest("label")!;
  return { script, container, preview, radio, option };
}

it("a wide card shows the preview beside the options, the first one at first", async () => {
  const { preview, option } = await show("640px");
  expect(preview()?.textContent).toMatch(/^\| Change/);
  const [shown, first] = [preview()!.getBoundingClientRect(), option("table").getBoundingClientRect()];
  expect(shown.left).toBeGreaterThan(first.right);
  expect(shown.top).toBe(first.top);
  expect(getComputedStyle(preview()!).fontFamily).toContain("monospace");
});

it("in a right-to-left card the preview is left of the options, whatever the direction of its text", async () => {
  const { preview, option } = await show("640px", previewQuestion(), ar);
  const [shown, first] = [preview()!.getBoundingClientRect(), option("table").getBoundingClientRect()];
  expect(shown.right).toBeLessThan(first.left);
});

it("a narrow card shows the preview below its option, once the user has chosen it", async () => {
  const { preview, option } = await show("320px");
  expect(preview()?.checkVisibility()).toBe(false);
  await userEvent.click(option("list"));
  await expect.poll(() => preview()?.textContent).toMatch(/^Changes in 0.1/);
  expect(preview()!.getBoundingClientRect().top).toBeGreaterThan(
    option("list").getBoundingClientRect().bottom - 1,
  );
  expect(preview()!.getBoundingClientRect().bottom).toBeLessThan(
    option("text").getBoundingClientRect().top + 1,
  );
});

it("the keyboard chooses an option, its preview follows, describes it, and is reached with Tab", async () => {
  const { container, preview, radio, script } = await show("640px");
  radio("table").focus();
  await userEvent.keyboard("{ArrowDown}");
  await expect.poll(() => preview()?.textContent).toMatch(/^Changes in 0.1/);
  expect(radio("list").checked).toBe(true);
  expect(radio("list").getAttribute("aria-describedby")).toBe(preview()!.id);
  expect(radio("table").getAttribute("aria-describedby")).toBeNull();
  await userEvent.tab();
  expect(document.activeElement).toBe(preview());
  expect(preview()!.closest("[aria-live], [role=status], [role=alert]")).toBeNull();
  radio("list").focus();
  await userEvent.keyboard("3");
  await expect.poll(() => preview()).toBeNull();
  await userEvent.keyboard("2");
  [...container.querySelectorAll("button")].find(({ textContent }) => textContent?.includes("Send"))!.click();
  await expect.poll(() => script.sent).toMatchObject([{ action: "accept", content: { layout: "list" } }]);
});

it("a choice with previews is sent by a button also where one press would do, and shows each option", async () => {
  const layouts = Array.from({ length: 8 }, (_, index) => ({
    const: `${index}`,
    title: `Layout ${index}`,
    preview: `<b>${index}</b>`,
  }));
  const { container, preview, option } = await show(
    "640px",
    previewQuestion({
      context: { trigger: "tool", send: "on-press" },
      requestedSchema: {
        type: "object",
        required: ["layout"],
        properties: { layout: { type: "string", oneOf: layouts } },
      },
    }),
  );
  expect(container.querySelectorAll('input[type="radio"]')).toHaveLength(8);
  await userEvent.click(option("7"));
  await expect.poll(() => preview()?.textContent).toBe("<b>7</b>");
  expect(preview()?.children).toHaveLength(0);
});

it("several options may be chosen, and the preview is that of the last one the user has reached", async () => {
  const { preview, radio, option } = await show(
    "640px",
    previewQuestion({
      requestedSchema: {
        type: "object",
        properties: {
          layout: {
            type: "array",
            items: {
              anyOf: [
                { const: "a", title: "A", preview: "of A" },
                { const: "b", title: "B", preview: "of B" },
              ],
            },
          },
        },
      },
    }),
  );
  await userEvent.click(option("b"));
  await expect.poll(() => preview()?.textContent).toBe("of B");
  await userEvent.tab({ shift: true });
  await expect.poll(() => document.activeElement).toBe(radio("a"));
  await expect.poll(() => preview()?.textContent).toBe("of A");
  expect(radio("b").checked).toBe(true);
});
