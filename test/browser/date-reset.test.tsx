import "elicit-kit/styles.css";
import { Elicitations } from "elicit-kit";
import { expect, it } from "vitest";
import { page, userEvent } from "vitest/browser";
import { CONVERSATION, createScript } from "../../src/client/testing/scripted-client.ts";
import { question } from "../../src/contract/testing/requests.ts";
import { mount } from "./mount.ts";

/** What "Reset" does in the date picker of iOS: the input has the value of its attribute again, and fires its events. */
function resetAsOnIos(input: HTMLInputElement): void {
  // Without React's own setter on the element, which would hide the change from it.
  const value = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value");
  value?.set?.call(input, input.defaultValue);
  input.dispatchEvent(new Event("input", { bubbles: true }));
  input.dispatchEvent(new Event("change", { bubbles: true }));
}

it.each([
  ["date", "2026-12-01", undefined],
  ["date-time", "2026-12-01T09:30", undefined],
  ["date", "2026-12-01", "2026-11-30"],
])("Reset in the picker of iOS clears an optional %s", async (format, typed, initial) => {
  const asked = question({ type: "string", title: "When", format, default: initial });
  const script = createScript({ requests: [asked] });
  mount(<Elicitations client={script.client} conversationId={CONVERSATION} />, "480px");
  const when = page.getByLabelText("When");
  const input = () => when.element() as HTMLInputElement;
  await expect.poll(() => when.elements()).toHaveLength(1);
  await expect.poll(() => input().value).toBe(initial ?? "");
  await userEvent.fill(when, typed);
  expect(input().value).toBe(typed);
  resetAsOnIos(input());
  await expect.poll(() => input().value).toBe("");
  await userEvent.click(page.getByRole("button", { name: "Send", exact: true }));
  await expect.poll(() => script.sent).toMatchObject([{ action: "accept", content: {} }]);
  expect(script.sent[0]?.content).toEqual({});
});
