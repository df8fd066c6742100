import "elicit-kit/styles.css";
import { Elicitations } from "elicit-kit";
import { expect, it } from "vitest";
import { userEvent } from "vitest/browser";
import { offline } from "../../src/client/testing/fake-channel.ts";
import { CONVERSATION, createScript, type ScriptOptions } from "../../src/client/testing/scripted-client.ts";
import { formRequest } from "../../src/contract/testing/requests.ts";
import { focused } from "./accessibility-tree.ts";
import { mount } from "./mount.ts";

const sizes = ["Small", "Medium", "Large", "Huge", "Vast", "Endless"];

function sizeRequest(count: number, more: Parameters<typeof formRequest>[0] = {}) {
  return formRequest({
    message: "Which size?",
    context: { trigger: "tool", send: "on-press" },
    requestedSchema: {
      type: "object",
      required: ["answer"],
      properties: { answer: { type: "string", title: "Size", enum: [...sizes, "Seventh"].slice(0, count) } },
    },
    ...more,
  });
}

async function show(options: ScriptOptions) {
  const script = createScript(options);
  const container = mount(<Elicitations client={script.client} conversationId={CONVERSATION} />, "480px");
  await expect.poll(() => container.querySelector("[data-field]")).toBeTruthy();
  const buttons = () => [...container.querySelectorAll("button")].map(({ textContent }) => textContent);
  const option = (name: string) =>
    [...container.querySelectorAll<HTMLElement>(".elicit-option")].find((one) =>
      one.textContent?.includes(name),
    )!;
  return { script, container, buttons, option };
}

const sent = (answer: string) => [{ action: "accept", content: { answer } }];

it.each([
  ["Enter", "{Enter}"],
  ["Space", " "],
])("a user answers a choice with one press of %s", async (_name, key) => {
  const { script, buttons, option } = await show({ requests: [sizeRequest(3)] });
  expect(buttons()).not.toContain("Send");
  option("Medium").focus();
  await userEvent.keyboard(key);
  await expect.poll(() => script.sent).toMatchObject(sent("Medium"));
});

it("a user answers a choice with a click, and with the number of an option", async () => {
  const one = await show({ requests: [sizeRequest(6)] });
  await userEvent.click(one.option("Endless"));
  await expect.poll(() => one.script.sent).toMatchObject(sent("Endless"));
  const other = await show({ requests: [sizeRequest(6)] });
  other.option("Small").focus();
  await userEvent.keyboard("3");
  await expect.poll(() => other.script.sent).toMatchObject(sent("Large"));
});

it("the number of an option sends no answer while the card has taken the focus by itself", async () => {
  const { script, container } = await show({ requests: [sizeRequest(3)] });
  await expect.poll(() => document.activeElement).toBe(container.querySelector("h3"));
  await userEvent.keyboard("3");
  await userEvent.tab();
  expect(await focused()).toContain("Not now");
  await userEvent.keyboard("2");
  await expect.poll(() => script.sent).toMatchObject(sent("Medium"));
});

it("arrow keys, Tab and Escape in an option send no answer", async () => {
  const { script, option } = await show({ requests: [sizeRequest(3)] });
  option("Small").focus();
  await userEvent.keyboard("{ArrowDown}{ArrowUp}{ArrowRight}{Tab}");
  expect(await focused()).toContain("Medium");
  expect(script.sent).toEqual([]);
});

it("an answer that did not arrive stays marked, and the user sends it again", async () => {
  const { script, container, option } = await show({
    requests: [sizeRequest(3)],
    respond: () => Promise.reject(offline()),
  });
  await userEvent.click(option("Large"));
  await expect.poll(() => container.textContent).toContain("Send again");
  expect(option("Large").getAttribute("aria-current")).toBe("true");
  await userEvent.click(option("Small"));
  await expect.poll(() => script.sent.at(-1)).toMatchObject(sent("Small")[0]!);
});

it.each([
  ["seven options", sizeRequest(7)],
  ["a third party that asks", sizeRequest(3, { requester: { name: "Demo", claimedName: "Sizes" } })],
  ["an answer that can be remembered", sizeRequest(3, { remember: { days: 30 } })],
])("a user still presses Send with %s", async (_name, request) => {
  const { buttons } = await show({ requests: [request] });
  expect(buttons().some((text) => text?.startsWith("Send"))).toBe(true);
});
