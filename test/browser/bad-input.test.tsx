import "elicit-kit/styles.css";
import { Elicitations } from "elicit-kit";
import { describe, expect, it } from "vitest";
import { page, userEvent } from "vitest/browser";
import { expectAccessible } from "../../src/react/testing/expect-accessible.ts";
import { CONVERSATION, createScript, type Script } from "../../src/client/testing/scripted-client.ts";
import { formRequest, question, urlRequest } from "../../src/contract/testing/requests.ts";
import type { ElicitationRequest } from "elicit-kit/contract";
import { mount } from "./mount.ts";

let container: HTMLElement;

/** Renders in a column with the width of the smallest phone. */
async function show(request: ElicitationRequest): Promise<Script> {
  const script = createScript({ requests: [request] });
  container = mount(<Elicitations client={script.client} conversationId={CONVERSATION} />, "320px");
  await expect.element(page.getByRole("heading")).toBeVisible();
  return script;
}

/** Nothing extends beyond the column, and axe finds no problem. */
async function expectSound(): Promise<void> {
  const sticking = [...container.querySelectorAll(".elicit-card *")].filter(
    (element) => element.getBoundingClientRect().right > container.getBoundingClientRect().right + 1,
  );
  // The live region is clipped to a point deliberately.
  expect(sticking.filter(({ tagName }) => tagName !== "OUTPUT").map(({ outerHTML }) => outerHTML)).toEqual(
    [],
  );
  await expectAccessible();
}

const submit = (name = "Send") => userEvent.click(page.getByRole("button", { name, exact: true }));
const box = (label: string) => page.getByRole("textbox", { name: label, exact: true });
const sent = (script: Script) => () => script.sent[0]?.content;

describe("a card with extreme input", () => {
  it("looks right with 200 options", async () => {
    const values = Array.from({ length: 200 }, (_, index) => `Option number ${index}`);
    const script = await show(question({ type: "string", title: "Which", enum: values }));
    await expectSound();
    expect(container.getBoundingClientRect().height).toBeLessThan(900);
    await userEvent.fill(page.getByRole("searchbox"), "199");
    await userEvent.click(page.getByRole("radio", { name: "Option number 199" }));
    await submit();
    await expect.poll(sent(script)).toEqual({ value: "Option number 199" });
  });

  it.each([
    ["of words", "word ".repeat(1_000)],
    ["without a space", "x".repeat(5_000)],
    ["of lines", "line\n".repeat(1_000)],
  ])("shows all of a message of 5,000 characters %s, with its buttons near", async (_, message) => {
    await show(urlRequest({ message }));
    await expectSound();
    const text = container.querySelector(".elicit-message")!;
    expect(text.textContent).toBe(message);
    expect(text.getBoundingClientRect().height).toBeLessThan(500);
    expect(text.scrollHeight).toBeGreaterThan(500);
  });

  it("shows markup in a title as text", async () => {
    await show(question({ type: "string", title: '<img src=x onerror="alert(1)"><b>Bold</b>' }));
    await expectSound();
    expect(container.querySelectorAll("img, b")).toHaveLength(0);
    await expect.element(box('<img src=x onerror="alert(1)"><b>Bold</b>')).toBeVisible();
  });

  it("looks right with a field whose name consists of emoji", async () => {
    const script = await show(
      formRequest({
        requester: { name: "👩‍👩‍👧‍👦🚀" },
        requestedSchema: { type: "object", properties: { "🍕": { type: "string" } } },
      }),
    );
    await expectSound();
    await expect.element(page.getByText("👩‍👩‍👧‍👦🚀")).toBeVisible();
    await userEvent.fill(box("🍕"), "Margherita");
    await submit();
    await expect.poll(sent(script)).toEqual({ "🍕": "Margherita" });
  });

  it("has one confirmation if it has no question", async () => {
    const script = await show(formRequest({ requestedSchema: { type: "object", properties: {} } }));
    await expectSound();
    await submit("Confirm");
    await expect.poll(sent(script)).toEqual({});
  });

  it("works with fields that have the names of inherited object properties", async () => {
    const names = ["__proto__", "constructor", "toString"];
    const script = await show(
      formRequest({
        requestedSchema: {
          type: "object",
          properties: Object.fromEntries(
            names.map((name) => [name, { type: "string", title: `The ${name}` }]),
          ),
        },
      }),
    );
    await expectSound();
    for (const name of names) await userEvent.fill(box(`The ${name}`), name);
    await submit();
    await expect
      .poll(() => Object.entries(script.sent[0]?.content ?? {}))
      .toEqual(names.map((name) => [name, name]));
  });

  it("works with fields that have the names of form properties", async () => {
    const names = ["nodeName", "parentNode", "ownerDocument", "submit", "removeChild", "getAttribute"];
    const script = await show(
      formRequest({
        context: { trigger: "tool", layout: "form" },
        requestedSchema: {
          type: "object",
          properties: {
            ...Object.fromEntries(names.map((name) => [name, { type: "string", title: `The ${name}` }])),
            elements: { type: "boolean", title: "The elements" },
          },
        },
      }),
    );
    const form = container.querySelector("form")!;
    const replaced = names.filter((name) => Reflect.get(form, name) instanceof HTMLInputElement);
    expect(replaced).toEqual([]);
    await userEvent.fill(box("The submit"), "me");
    await userEvent.keyboard("{Enter}");
    await expect.poll(sent(script)).toEqual({ submit: "me" });
  });

  it("selects no option if the default is not one of the options", async () => {
    const script = await show(
      question({ type: "string", title: "Which", enum: ["a", "b"], default: "c" }, true),
    );
    await expectSound();
    expect(container.querySelectorAll(":checked")).toHaveLength(0);
    await submit();
    // The matcher also counts the mark before the error, although the stylesheet gives it an empty alternative text.
    await expect.element(page.getByRole("radiogroup")).toHaveAccessibleDescription(/Please fill this in\.$/);
    expect(script.sent).toEqual([]);
    await userEvent.click(page.getByRole("radio", { name: "b" }));
    await submit();
    await expect.poll(sent(script)).toEqual({ value: "b" });
  });

  it("looks right with a link as long as a page", async () => {
    await show(urlRequest({ url: `https://${"sub.".repeat(40)}example.com/${"path/".repeat(400)}` }));
    await expectSound();
    const url = container.querySelector("bdi")!;
    expect(url.textContent).toHaveLength(
      `https://${"sub.".repeat(40)}example.com/${"path/".repeat(400)}`.length,
    );
  });
});
