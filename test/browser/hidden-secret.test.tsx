import "elicit-kit/styles.css";
import { Elicitations } from "elicit-kit";
import { initialDrafts, parseRequestedSchema } from "elicit-kit/form";
import { en } from "elicit-kit/catalogues/en";
import { expect, it, onTestFinished } from "vitest";
import { page } from "vitest/browser";
import { Headless } from "../../stories/examples/headless.tsx";
import { CONVERSATION, createScript } from "../../src/client/testing/scripted-client.ts";
import { formFields } from "../../src/connect/page/answer/answer-form.ts";
import { FORM } from "../../src/connect/page/layout/style/form.ts";
import { ownWordsQuestion, question } from "../../src/contract/testing/requests.ts";
import { mount } from "./mount.ts";

const KEY = question({ type: "string", title: "Private key", maxLength: 4000 });
const PIN = ownWordsQuestion({ message: "What is your PIN?" });

const isHidden = (element: Element) =>
  getComputedStyle(element).getPropertyValue("-webkit-text-security") === "disc";

it.each([
  ["in the card", Elicitations, KEY],
  ["in the card, beside a choice", Elicitations, PIN],
  ["in a form of the hook", Headless, KEY],
])("a secret of several lines is hidden %s", async (_, Card, request) => {
  const { client } = createScript({ requests: [request] });
  const container = mount(<Card client={client} conversationId={CONVERSATION} />, "400px");
  await expect.poll(() => container.querySelector("textarea")).not.toBeNull();
  expect([...container.querySelectorAll("textarea")].every(isHidden)).toBe(true);
});

it("a note of several lines is not hidden", async () => {
  const { client } = createScript({
    requests: [question({ type: "string", title: "Note", maxLength: 4000 })],
  });
  mount(<Elicitations client={client} conversationId={CONVERSATION} />, "400px");
  expect(isHidden(await page.getByRole("textbox", { name: "Note" }).findElement())).toBe(false);
});

it("a secret of several lines is hidden on the hosted page", async () => {
  const parsed = parseRequestedSchema(KEY.requestedSchema);
  if (!parsed.ok) throw new Error("no fields");
  const { fields } = parsed;
  const state = { fields, drafts: initialDrafts(fields), errors: {}, isPressed: false, context: undefined };
  const form = document.createElement("form");
  form.innerHTML = `<style>${FORM}</style>${String(await formFields({ ...state, secrets: fields }, en))}`;
  document.body.append(form);
  onTestFinished(() => form.remove());
  expect([...form.querySelectorAll("textarea")].map(isHidden)).toEqual([true]);
});
