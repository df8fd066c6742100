import { act, cleanup, render } from "@testing-library/react";
import { afterEach, describe, expect, it } from "vitest";
import { ElicitationCards } from "../../registry/elicitation/elicitation-cards.tsx";
import { Headless } from "../../stories/examples/headless.tsx";
import { Elicitations } from "elicit-kit";
import { findSecretFields, initialDrafts, parseRequestedSchema } from "elicit-kit/form";
import { en } from "elicit-kit/catalogues/en";
import { CONVERSATION, createScript } from "../../src/client/testing/scripted-client.ts";
import { formFields } from "../../src/connect/page/answer/answer-form.ts";
import type { FormElicitationRequest } from "../../src/contract/contract.ts";
import { formRequest, ownWordsQuestion, question } from "../../src/contract/testing/requests.ts";

afterEach(() => {
  cleanup();
  document.body.replaceChildren();
});

type Draw = (request: FormElicitationRequest) => Promise<HTMLElement>;

const inReact =
  (Card: typeof Elicitations | typeof Headless): Draw =>
  async (request) => {
    const { client } = createScript({ requests: [request] });
    const { container } = await act(async () =>
      render(<Card client={client} conversationId={CONVERSATION} />),
    );
    return container;
  };

const onPage: Draw = async ({ requestedSchema, message, context }) => {
  const parsed = parseRequestedSchema(requestedSchema);
  const fields = parsed.ok ? parsed.fields : [];
  const secrets = findSecretFields(fields, message);
  const state = { fields, drafts: initialDrafts(fields), errors: {}, secrets, isPressed: false, context };
  const page = document.createElement("form");
  page.innerHTML = String(await formFields(state, en));
  document.body.append(page);
  return page;
};

/** Everything that draws a field as HTML. */
const RENDERERS: readonly [string, Draw][] = [
  ["card", inReact(Elicitations)],
  ["card of the registry", inReact(ElicitationCards)],
  ["form of the hook", inReact(Headless)],
  ["hosted page", onPage],
];

const withHint = (hint: object) => ({ trigger: "tool", fields: { value: hint } });

/** Where a user types the answer. */
function typedInto(container: HTMLElement) {
  const [element] = container.querySelectorAll<HTMLInputElement>(
    "input:not([type=checkbox],[type=radio],[type=hidden]), textarea:not(.elicit-own-words *)",
  );
  if (element === undefined) throw new Error("no input");
  return {
    element: element.tagName.toLowerCase(),
    ...(element.tagName === "INPUT" && { type: element.type }),
    keyboard: element.getAttribute("inputmode") ?? undefined,
    autofill: element.getAttribute("autocomplete") ?? undefined,
    spelling: element.getAttribute("spellcheck") ?? undefined,
  };
}

describe.each(RENDERERS)("a field in the %s", (_, draw) => {
  it.each<[string, FormElicitationRequest, object]>([
    [
      "an email address",
      question({ type: "string", format: "email" }),
      { element: "input", type: "email", autofill: "email" },
    ],
    [
      "a web address",
      question({ type: "string", format: "uri" }),
      { element: "input", type: "url", autofill: "url" },
    ],
    ["a day", question({ type: "string", format: "date" }), { element: "input", type: "date" }],
    [
      "a day that a date picker would drop",
      question({ type: "string", format: "date", default: "0000-01-01" }),
      { element: "input", type: "text" },
    ],
    [
      "a whole number",
      question({ type: "integer", minimum: 0 }),
      { element: "input", type: "text", keyboard: "numeric", autofill: "off" },
    ],
    [
      "a number below zero, for which number pads have no key",
      question({ type: "number" }),
      { element: "input", type: "text", keyboard: "text", autofill: "off" },
    ],
    ["several lines", question({ type: "string", maxLength: 500 }), { element: "textarea" }],
    [
      "several lines that the requester asks for",
      question({ type: "string" }, false, withHint({ control: "textarea" })),
      { element: "textarea" },
    ],
    [
      "a secret",
      question({ type: "string", title: "Password" }),
      { element: "input", type: "password", autofill: "new-password", spelling: "false" },
    ],
    [
      "a secret number",
      question({ type: "integer", minimum: 0, maximum: 9, title: "PIN" }),
      {
        element: "input",
        type: "password",
        keyboard: "numeric",
        autofill: "new-password",
        spelling: "false",
      },
    ],
    [
      "a secret of several lines",
      question({ type: "string", title: "Private key", maxLength: 4000 }),
      { element: "textarea", autofill: "off", spelling: "false" },
    ],
  ])("asks for %s", async (_name, request, expected) => {
    expect(typedInto(await draw(request))).toEqual({
      keyboard: undefined,
      autofill: undefined,
      ...expected,
    });
  });
});

describe.each(RENDERERS)("a typed answer in the %s", (_, draw) => {
  it.each([
    ["a text has the direction of its letters", question({ type: "string" }), "auto"],
    ["a day has the direction of its page", question({ type: "string", format: "date" }), null],
  ])("%s", async (_name, request, direction) => {
    const container = await draw(request);
    expect(container.querySelector("input:not([type=hidden])")?.getAttribute("dir")).toBe(direction);
  });
});

const listed = (container: HTMLElement) =>
  [...container.querySelectorAll("option, [data-slot=select-content] button")].map(
    ({ textContent }) => textContent,
  );

describe.each(RENDERERS)("a list in the %s", (_, draw) => {
  it("says at an option that the requester recommends it", async () => {
    const hint = { control: "select", recommended: { value: "Noon", word: "usual" } };
    const container = await draw(
      question({ type: "string", enum: ["Morning", "Noon"] }, true, withHint(hint)),
    );
    expect(listed(container)).toContain("Noon · usual");
    expect(listed(container)).toContain("Morning");
  });

  it("names no answer at all by what it means for the question", async () => {
    const schema = { type: "string", enum: ["Morning", "Noon"] };
    const hint = withHint({ control: "select" });
    expect(listed(await draw(question(schema, false, hint)))).toContain(en.notSet);
    cleanup();
    document.body.replaceChildren();
    expect(listed(await draw(question(schema, true, hint)))).not.toContain(en.notSet);
  });
});

const cards = RENDERERS.filter(([name]) => name !== "form of the hook");

describe.each(cards)("a form in the %s", (_, draw) => {
  const text = (title: string) => ({ type: "string", title });
  const marked = async (required: string[]) => {
    const properties = { a: text("First"), b: text("Second"), c: text("Third"), d: text("Fourth") };
    const container = await draw(
      formRequest({
        requestedSchema: { type: "object", properties, required },
        context: { trigger: "tool", layout: "form" },
      }),
    );
    return [...container.querySelectorAll("label")].flatMap(({ textContent: label }) =>
      label?.includes(`(${en.optional})`) ? [label.split(" ")[0]] : [],
    );
  };

  it("marks optional questions where at least half are required", async () => {
    expect(await marked(["a", "b"])).toEqual(["Third", "Fourth"]);
  });

  it("marks no optional question where most are optional", async () => {
    expect(await marked(["a"])).toEqual([]);
  });

  it("marks a recommended option of a longer list where every option is visible", async () => {
    const hint = withHint({ recommended: { value: "o7", word: "usual" } });
    const schema = { type: "string", enum: Array.from({ length: 9 }, (_one, index) => `o${index}`) };
    const container = await draw(question(schema, true, hint));
    expect(container.querySelectorAll("[type=radio]")).toHaveLength(9);
    expect(container.textContent).toContain("usual");
  });

  it("offers each step of a rating", async () => {
    const hint = withHint({ control: "rating" });
    const container = await draw(question({ type: "integer", minimum: 1, maximum: 5 }, true, hint));
    expect(container.querySelectorAll("[type=radio]")).toHaveLength(5);
    expect(container.textContent).not.toContain(en.range("1", "5"));
  });

  it("ignores a recommendation of what is no option", async () => {
    const hint = withHint({ recommended: { value: "other", word: "usual" } });
    const schema = { type: "string", enum: Array.from({ length: 9 }, (_one, index) => `o${index}`) };
    const container = await draw(question(schema, true, hint));
    expect(container.querySelectorAll("[type=radio]")).toHaveLength(0);
  });

  it("hides a free text beside a choice where the message asks for a secret", async () => {
    const container = await draw(ownWordsQuestion({ message: "What is your password?" }));
    const words = container.querySelector("textarea");
    expect(words?.getAttribute("autocomplete")).toBe("off");
  });
});
