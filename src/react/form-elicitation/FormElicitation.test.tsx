import { act, cleanup, fireEvent, render, screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { type ReactNode, StrictMode, createElement } from "react";
import { afterEach, describe, expect, it, vi } from "vitest";
import { expectAccessible } from "../testing/expect-accessible.ts";
import {
  CONVERSATION,
  createScript,
  type Script,
  type ScriptOptions,
} from "../../client/testing/scripted-client.ts";
import { formRequest, ownWordsQuestion, question } from "../../contract/testing/requests.ts";
import type { FormElicitationRequest } from "../../contract/contract.ts";
import { de } from "../../words/cards/de.ts";
import { FormElicitationParts as Form } from "../parts.ts";
import { useElicitationList } from "../use-elicitation-list.ts";
import type { ControlProps } from "./context.ts";
import { localOffset } from "../../form/date-time.ts";
import type { FormElicitationProps } from "../card-props.ts";
import { FormElicitation } from "./FormElicitation.tsx";

afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
  sessionStorage.clear();
});

type CardProps = Omit<FormElicitationProps, "elicitation">;

function Cards({ script, ...props }: CardProps & { script: Script }) {
  const { elicitations } = useElicitationList({ client: script.client, conversationId: CONVERSATION });
  return elicitations.map((item) => <FormElicitation key={item.id} elicitation={item} {...props} />);
}

const Page = ({ children }: { children: ReactNode }) => (
  <StrictMode>
    <main>{children}</main>
  </StrictMode>
);

async function show(
  request: FormElicitationRequest = formRequest(),
  props: CardProps = {},
  options: ScriptOptions = {},
) {
  const script = createScript({ requests: [request], storage: sessionStorage, ...options });
  await act(async () => render(<Cards script={script} {...props} />, { wrapper: Page }));
  return script;
}

const button = (name: string) => screen.getByRole("button", { name });
const submit = () => userEvent.click(button("Send"));
const describedBy = (element: HTMLElement) =>
  (element.getAttribute("aria-describedby") ?? "")
    .split(" ")
    .map((id) => document.getElementById(id)?.textContent)
    .join(" ");
/** The value that one question sends. */
const valueOf = (script: Script) => script.sent.map(({ content }) => content?.["value"]);

describe("a choice that allows a free text", () => {
  const words = () => screen.getByRole<HTMLTextAreaElement>("textbox", { name: /in your own words/ });
  const checked = () => screen.queryByRole<HTMLInputElement>("radio", { checked: true })?.value;

  it("shows the text field in place, below the options, and sends the text", async () => {
    const script = await show(ownWordsQuestion());
    expect(screen.getAllByRole("textbox")).toHaveLength(1);
    await expectAccessible();
    await userEvent.type(words(), "By the exit{Shift>}{Enter}{/Shift}please{Enter}");
    expect(script.sent).toMatchObject([{ content: { seat_other: "By the exit\nplease" } }]);
    expect(script.sent[0]?.content).not.toHaveProperty("seat");
    expect(screen.getByRole("term", { hidden: true }).textContent).toBe("Seat");
  });

  it("deselects the option when the user types, keeps the text when they select again, and sends the option", async () => {
    const script = await show(ownWordsQuestion());
    await userEvent.click(screen.getByRole("radio", { name: "Window" }));
    await userEvent.type(words(), "By the exit");
    expect(checked()).toBeUndefined();
    await userEvent.click(screen.getByRole("radio", { name: "Aisle" }));
    expect(checked()).toBe("aisle");
    expect(words().value).toBe("By the exit");
    await submit();
    expect(script.sent).toMatchObject([{ content: { seat: "aisle" } }]);
    expect(script.sent[0]?.content).not.toHaveProperty("seat_other");
  });

  it("asks for an option or a text when both are empty, and removes the error at the first typed letter", async () => {
    await show(ownWordsQuestion());
    await submit();
    expect(screen.getByText("Choose one, or say it in your own words.")).toBeDefined();
    expect(document.activeElement).toBe(screen.getAllByRole("radio")[0]);
    await expectAccessible();
    await userEvent.type(words(), "x");
    expect(screen.queryByText("Choose one, or say it in your own words.")).toBeNull();
  });

  it("reports a text that is too long, and focuses it", async () => {
    await show(ownWordsQuestion());
    fireEvent.change(words(), { target: { value: "x".repeat(501) } });
    await submit();
    expect(screen.getByText("At most 500 characters, please.")).toBeDefined();
    expect(document.activeElement).toBe(words());
  });

  it("selects an option or focuses its text field with the number keys, which are text in that field", async () => {
    await show(ownWordsQuestion());
    act(() => screen.getByRole("heading").focus());
    await userEvent.keyboard("2");
    expect(checked()).toBe("window");
    await userEvent.keyboard("1");
    expect(checked()).toBe("aisle");
    await userEvent.keyboard("3");
    expect(document.activeElement).toBe(words());
    await userEvent.keyboard("12");
    expect(words().value).toBe("12");
    await userEvent.keyboard("9");
    expect(checked()).toBeUndefined();
  });

  const keys = () => [...document.querySelectorAll(".elicit-keys kbd")].map((key) => key.textContent);

  it("shows its keys at the end of the buttons, if no agent reads a note", async () => {
    await show({ ...ownWordsQuestion(), requester: { name: "Planner", claimedName: "Demo planner" } });
    expect(keys()).toEqual(["1", "3"]);
    await expectAccessible();
  });

  it('shows "No, and …" in place of its keys', async () => {
    await show(ownWordsQuestion());
    expect(button("No, and …")).toBeDefined();
    expect(keys()).toEqual([]);
  });

  it("shows the text field in place also when an app composes the card from parts", async () => {
    const script = createScript({ requests: [ownWordsQuestion()] });
    function Own() {
      const [item] = useElicitationList({ client: script.client, conversationId: CONVERSATION }).elicitations;
      if (item === undefined) return null;
      return (
        <Form.Root elicitation={item}>
          <Form.Fields>
            {(field) => (
              <Form.Field key={field.name} field={field}>
                <Form.Label />
                <Form.Control />
              </Form.Field>
            )}
          </Form.Fields>
          <Form.Submit />
        </Form.Root>
      );
    }
    await act(async () => render(<Own />, { wrapper: Page }));
    expect(screen.getAllByRole("textbox")).toHaveLength(1);
    await userEvent.type(words(), "By the exit");
    await submit();
    expect(script.sent).toMatchObject([{ content: { seat_other: "By the exit" } }]);
  });
});

describe("a rating", () => {
  it.each([
    [0, 10, "7", "7"],
    [0, 4, "4", "4"],
    [1, 5, "3", "3"],
    [3, 7, "1", undefined],
  ])("from %i to %i takes the key %s as its number", async (minimum, maximum, key, expected) => {
    const hint = { trigger: "tool", fields: { value: { control: "rating" } } };
    await show(question({ type: "integer", minimum, maximum }, true, hint));
    act(() => screen.getByRole("heading").focus());
    await userEvent.keyboard(key);
    expect(screen.queryByRole<HTMLInputElement>("radio", { checked: true })?.value).toBe(expected);
  });
});

describe("a form of several questions", () => {
  it("ignores number keys", async () => {
    const seat = { type: "string", enum: ["aisle", "window"] };
    await show(formRequest({ requestedSchema: { type: "object", properties: { seat, back: seat } } }));
    act(() => screen.getByRole("heading").focus());
    await userEvent.keyboard("1");
    expect(screen.queryByRole("radio", { checked: true })).toBeNull();
  });
});

describe("a recommended option", () => {
  const schema = { type: "string", enum: ["Morning", "Noon"] };
  const recommending = (recommended: unknown) =>
    question(schema, true, { trigger: "tool", fields: { value: { recommended } } });

  it("has the word of the requester, and is not preselected", async () => {
    const script = await show(recommending({ value: "Noon", word: "usual" }));
    const noon = screen.getByRole<HTMLInputElement>("radio", { name: "Noon usual" });
    expect(noon.checked).toBe(false);
    await expectAccessible();
    await userEvent.click(noon);
    await submit();
    expect(valueOf(script)).toEqual(["Noon"]);
  });

  it.each([
    ["has the kit’s word if the requester names none", { value: "Noon" }, "Noon recommended"],
    [
      "has the kit’s word in place of a long one",
      { value: "Noon", word: "x".repeat(25) },
      "Noon recommended",
    ],
    ["is not marked when the hint is malformed", "Noon", "Noon"],
    ["is not marked when it is not one of the options", { value: "Evening" }, "Noon"],
  ])("%s", async (_title, recommended, name) => {
    await show(recommending(recommended));
    expect(screen.getByRole("radio", { name })).toBeDefined();
    expect(screen.getByRole("radio", { name: "Morning" })).toBeDefined();
  });
});

describe("the heading of a form", () => {
  it("is a short question, which is then not shown elsewhere", async () => {
    await show();
    expect(screen.getAllByText("Where should the parcel go?")).toEqual([screen.getByRole("heading")]);
    expect(screen.getByRole("heading").getAttribute("aria-describedby")).toBeNull();
  });

  it("replaces the visible label of a single yes-or-no question, which screen readers still read", async () => {
    await show(question({ type: "boolean", title: "Delete the old branch?" }, true));
    expect(screen.getByRole("heading").textContent).toBe("Delete the old branch?");
    expect(screen.getByText("Where should the parcel go?")).toBeDefined();
    const group = screen.getByRole("radiogroup", { name: "Delete the old branch?" });
    const label = document.getElementById(group.getAttribute("aria-labelledby") ?? "");
    expect(label?.hasAttribute("data-heading")).toBe(true);
    await expectAccessible();
  });

  it("is never the text of a third party", async () => {
    await show(formRequest({ requester: { name: "Acme Assistant", claimedName: "GitHub" } }));
    expect(screen.getByRole("heading").textContent).toBe("Your answer is needed");
    expect(screen.getByText("Where should the parcel go?")).toBeDefined();
  });
});

describe("the receipt of a form", () => {
  const receipt = () => document.querySelector(".elicit-receipt")?.textContent;

  it('contains the title of the form, then the answers; numbers and "yes" with their label', async () => {
    const { requestedSchema } = formRequest();
    await show(
      formRequest({
        requestedSchema: {
          ...requestedSchema,
          title: "Flight",
          properties: {
            city: { type: "string", title: "To" },
            travellers: { type: "integer", title: "Travellers", default: 2 },
            flexible: { type: "boolean", title: "My dates are flexible", default: true },
          },
        },
      }),
    );
    await userEvent.type(screen.getByRole("textbox", { name: "To" }), "Lisbon");
    await submit();
    expect(receipt()).toBe("Flight: Lisbon, Travellers: 2, My dates are flexible");
  });

  it("contains the question and the answer, if it was the only one", async () => {
    await show(ownWordsQuestion());
    await userEvent.click(screen.getByRole("radio", { name: "Aisle" }));
    await submit();
    expect(receipt()).toBe("Which seat? Aisle");
  });

  it("quotes a free text, and marks it as the user's", async () => {
    await show(ownWordsQuestion());
    await userEvent.type(screen.getByRole("textbox"), "Near the exit");
    await submit();
    expect(receipt()).toBe("Which seat? Near the exit · your words");
    expect(screen.getByText("Near the exit", { selector: "q" })).toBeDefined();
  });

  it("says what was declined", async () => {
    await show();
    await userEvent.click(button("Decline"));
    expect(receipt()).toBe("You declined · Where should the parcel go?");
  });
});

describe("No, and …", () => {
  it("declines with what the user wants instead, and says who reads it", async () => {
    const script = await show();
    await userEvent.click(button("No, and …"));
    const line = screen.getByRole("textbox", { name: "No, and" });
    expect(document.activeElement).toBe(line);
    await userEvent.type(line, "only to my office");
    expect(describedBy(line)).toBe("Only Acme Assistant reads this · 17 of 500");
    await expectAccessible();
    await userEvent.keyboard("{Enter}");
    expect(script.sent).toMatchObject([{ action: "decline", note: "only to my office" }]);
    expect(document.querySelector(".elicit-receipt")?.textContent).toBe(
      "You declined · Where should the parcel go? · only to my office",
    );
  });

  it("goes back to its button, keeps the text, and sends nothing", async () => {
    const script = await show();
    await userEvent.click(button("No, and …"));
    await userEvent.keyboard("later");
    await userEvent.click(button("Back"));
    expect(document.activeElement).toBe(button("No, and …"));
    await userEvent.click(button("No, and …"));
    expect(screen.getByRole<HTMLInputElement>("textbox", { name: "No, and" }).value).toBe("later");
    expect(script.sent).toEqual([]);
  });

  it("sends a decline without a note when the text field is empty", async () => {
    const script = await show();
    await userEvent.click(button("No, and …"));
    await userEvent.click(button("Decline"));
    expect(script.sent).toEqual([
      { action: "decline", elicitationId: "form-1", conversationId: CONVERSATION },
    ]);
  });

  it("asks before it discards what was typed, and keeps it", async () => {
    const script = await show();
    await userEvent.click(button("No, and …"));
    await userEvent.keyboard("only to my office{Escape}{Escape}");
    expect(screen.getByRole("group", { name: "Discard what you typed?" })).toBeDefined();
    expect(script.sent).toEqual([]);
    await userEvent.click(button("Keep editing"));
    expect(screen.getByRole("textbox", { name: "No, and" })).toHaveProperty("value", "only to my office");
  });

  it("is not in the receipt where another page has declined", async () => {
    const script = await show();
    await userEvent.click(button("No, and …"));
    await userEvent.keyboard("later");
    const resolution = { outcome: "declined", at: "2026-11-21T12:00:00Z" } as const;
    await act(async () => script.ask(formRequest({ resolution })));
    expect(document.querySelector(".elicit-receipt")?.textContent).toContain("declined");
    expect(screen.queryByText("later")).toBeNull();
  });

  it("is not offered for a third party", async () => {
    await show(formRequest({ requester: { name: "Acme Assistant", claimedName: "GitHub" } }));
    expect(screen.queryByRole("button", { name: "No, and …" })).toBeNull();
  });
});

describe("the card of a form", () => {
  it("shows the requester and the questions, sends the values, and leaves a receipt", async () => {
    const script = await show();
    const card = screen.getByRole("group", { name: "Where should the parcel go?" });
    expect(within(card).getByText("Acme Assistant")).toBeDefined();
    expect(within(card).getByText("Where should the parcel go?")).toBeDefined();
    await expectAccessible();
    await userEvent.type(screen.getByRole("textbox", { name: "City" }), "Lisbon");
    await submit();
    expect(script.sent).toMatchObject([{ action: "accept", content: { city: "Lisbon" } }]);
    expect(screen.getByText("Sent", { ignore: "output" })).toBeDefined();
    expect(screen.queryByRole("textbox")).toBeNull();
    await expectAccessible();
  });

  it.each(["expired", "withdrawn"] as const)(
    "shows the user's input when the request is %s before it is sent",
    async (outcome) => {
      const script = await show(
        formRequest({
          requestedSchema: {
            type: "object",
            properties: {
              story: { type: "string", title: "Your story" },
              guests: { type: "integer", title: "Guests", default: 2 },
              size: { type: "string", title: "Size", enum: ["S", "M"] },
            },
          },
        }),
      );
      await userEvent.type(screen.getByRole("textbox", { name: /^Your story/ }), "It began long ago");
      await userEvent.click(screen.getByRole("radio", { name: "S" }));
      await act(async () => script.ask(formRequest({ resolution: { outcome, at: "2026-11-21T12:00:00Z" } })));
      expect(screen.getByRole("term").textContent).toBe("Your story");
      expect(screen.getByRole("definition").textContent).toBe("It began long ago");
      expect(screen.queryByRole("textbox")).toBeNull();
      expect(document.activeElement).toBe(screen.getByRole("heading"));
      await expectAccessible();
    },
  );

  it.each([
    ["Send", "Lisbon"],
    ["Decline", "What you typed"],
  ])("has a receipt that expands to the user's input after %s", async (name, summary) => {
    await show();
    await userEvent.type(screen.getByRole("textbox", { name: "City" }), "Lisbon");
    await userEvent.click(button(name));
    const details = document.querySelector("details");
    expect(details?.querySelector("summary")?.textContent).toMatch(new RegExp(` · ${summary}$`));
    expect(details).toHaveProperty("open", false);
    expect(details?.querySelector("dd")?.textContent).toBe("Lisbon");
    await expectAccessible();
  });

  it.each([
    [{ type: "boolean", title: "Delete it?" }, "Delete it? Yes"],
    [{ type: "string", title: "Story", default: "a".repeat(41) }, "Sent · What you typed"],
  ])("shows a short answer in the receipt, and a general text for any other: %j", async (field, receipt) => {
    await show(formRequest({ requestedSchema: { type: "object", properties: { field } } }));
    if (field.type === "boolean") await userEvent.click(screen.getByRole("radio", { name: "Yes" }));
    await submit();
    expect(document.querySelector("summary")?.textContent).toBe(receipt);
  });

  it("shows the sent values in the receipt in readable form, but never a secret", async () => {
    const properties = {
      date: { type: "string", format: "date", title: "Departure", default: "2027-01-01" },
      cabin: {
        type: "string",
        title: "Cabin",
        oneOf: [{ const: "eco", title: "Economy" }, { const: "b" }],
        default: "eco",
      },
      seats: { type: "integer", title: "Seats", minimum: 1, maximum: 9, default: 2 },
      price: { type: "number", title: "Price", default: 1234567.5 },
      extras: {
        type: "array",
        title: "Extras",
        items: { type: "string", enum: ["bike", "spa"] },
        default: ["bike", "spa"],
      },
      flexible: { type: "boolean", title: "Flexible", default: true },
      pin: { type: "string", title: "PIN" },
      note: { type: "string", title: "Note" },
    };
    await show(formRequest({ requestedSchema: { type: "object", properties } }));
    await userEvent.type(screen.getByLabelText("PIN"), "2468");
    await userEvent.click(screen.getByRole("checkbox", { name: "I want to share this" }));
    await submit();
    const rows = [...document.querySelectorAll("dl > div")].map((row) =>
      [...row.children].map(({ textContent }) => textContent),
    );
    expect(rows).toEqual([
      ["Departure", "Jan 1, 2027"],
      ["Cabin", "Economy"],
      ["Seats", "2"],
      ["Price", "1,234,567.5"],
      ["Extras", "bike, spa"],
      ["Flexible", "Yes"],
      ["PIN", "sent, not shown"],
    ]);
    const isolated = [...document.querySelectorAll("summary bdi")].map(({ textContent }) => textContent);
    expect(isolated).toEqual(["Jan 1, 2027", "Economy", "Seats: 2", "Price: 1,234,567.5"]);
    expect(document.body.textContent).not.toContain("2468");
    await userEvent.click(document.querySelector("summary")!);
    await expectAccessible();
  });

  it("does not show values that were sent from elsewhere", async () => {
    const script = await show();
    await userEvent.type(screen.getByRole("textbox", { name: "City" }), "Lisbon");
    await act(async () =>
      script.ask(formRequest({ resolution: { outcome: "accepted", at: "2026-11-21T12:00:00Z" } })),
    );
    expect(document.querySelector("summary")?.textContent).toContain("What you typed");
    expect(screen.queryByText("Shown to you in this session only.")).toBeNull();
  });

  it("does not keep user input after a discard, or in a form that asks for secrets", async () => {
    const script = await show();
    await userEvent.type(screen.getByRole("textbox", { name: "City" }), "Lisbon");
    await userEvent.click(button("Not now"));
    await userEvent.click(button("Discard"));
    expect(script.sent).toMatchObject([{ action: "cancel" }]);
    expect(screen.queryByText("Lisbon")).toBeNull();
    cleanup();
    const properties = { city: { type: "string", title: "City" }, pin: { type: "string", title: "PIN" } };
    const secret = await show(formRequest({ requestedSchema: { type: "object", properties } }));
    await userEvent.type(screen.getByRole("textbox", { name: /^City/ }), "Lisbon");
    await act(async () =>
      secret.ask(formRequest({ resolution: { outcome: "expired", at: "2026-11-21T12:00:00Z" } })),
    );
    expect(screen.queryByText("Lisbon")).toBeNull();
  });

  it("sends on Enter in a field", async () => {
    const script = await show();
    await userEvent.type(screen.getByRole("textbox", { name: "City" }), "Lisbon");
    expect(script.sent).toEqual([]);
    await userEvent.keyboard("{Enter}");
    expect(script.sent).toHaveLength(1);
  });

  it("shows a symbol for Enter on the submit button, and on Decline when Enter declines", async () => {
    await show();
    const keys = () =>
      screen
        .getAllByRole("button")
        .flatMap((one) => (one.querySelector("[data-icon=enter]") ? [one.textContent] : []));
    expect(keys()).toEqual(["Send"]);
    await userEvent.click(button("No, and …"));
    expect(keys()).toEqual(["Decline"]);
  });

  it("shows no symbol for Enter on a confirmation without questions", async () => {
    await show(formRequest({ requestedSchema: { type: "object", properties: {} } }));
    expect(button("Confirm").querySelector("svg")).toBeNull();
    act(() => screen.getByRole("heading").focus());
    await userEvent.keyboard("{Enter}");
    expect(document.activeElement).toBe(screen.getByRole("heading"));
  });

  it("moves the focus to Send on the first Enter on the card itself, and sends on the second", async () => {
    const script = await show(question({ type: "string", title: "City", default: "Lisbon" }));
    act(() => screen.getByRole("heading").focus());
    await userEvent.keyboard("{Enter>5/}");
    expect(document.activeElement).toBe(button("Send"));
    expect(script.sent).toEqual([]);
    await userEvent.keyboard("{Enter}");
    expect(valueOf(script)).toEqual(["Lisbon"]);
  });

  it("leaves Enter its function in a multi-line text and on other buttons", async () => {
    const script = await show(
      formRequest({
        requestedSchema: {
          type: "object",
          properties: { why: { type: "string", title: "Why", maxLength: 900 } },
        },
        context: { trigger: "tool", fields: { why: { control: "textarea" } } },
      }),
    );
    const text = screen.getByRole<HTMLTextAreaElement>("textbox");
    await userEvent.type(text, "a{Enter>2/}b");
    expect(text.value).toBe("a\n\nb");
    expect(script.sent).toEqual([]);
    act(() => button("Decline").focus());
    await userEvent.keyboard("{Enter}");
    expect(script.sent).toMatchObject([{ action: "decline" }]);
  });

  it.each([
    ["Decline", "decline"],
    ["Not now", "cancel"],
  ])("sends %s as %s, without content", async (name, action) => {
    const script = await show();
    await userEvent.click(button(name));
    expect(script.sent).toEqual([{ conversationId: CONVERSATION, elicitationId: "form-1", action }]);
  });

  it("shows a form without questions as one confirmation (nicobailon/pi-mcp-adapter#309)", async () => {
    const script = await show(formRequest({ requestedSchema: { type: "object", properties: {} } }));
    await expectAccessible();
    await userEvent.click(button("Confirm"));
    expect(script.sent).toMatchObject([{ action: "accept", content: {} }]);
  });

  it("sends a form of optional questions without values (modelcontextprotocol/inspector#925)", async () => {
    const script = await show(question({ type: "string", title: "Nickname" }));
    expect(screen.getByRole("textbox", { name: "Nickname" })).toBeDefined();
    await submit();
    expect(script.sent).toMatchObject([{ action: "accept", content: {} }]);
  });

  it("shows texts as plain text, without markup or links", async () => {
    await show(
      formRequest({
        message: "See https://evil.example",
        requestedSchema: {
          type: "object",
          properties: { a: { type: "string", title: "<b>bold</b>", description: "https://evil.example" } },
        },
      }),
    );
    expect(document.querySelector("main a, main b")).toBeNull();
    expect(screen.getByText("<b>bold</b>")).toBeDefined();
  });

  it("keeps the values visible while the answer is being sent, and sends it once", async () => {
    const script = await show(formRequest(), {}, { respond: () => new Promise(() => undefined) });
    await userEvent.type(screen.getByRole("textbox", { name: "City" }), "Lisbon");
    await submit();
    await userEvent.click(button("Sending…"));
    await userEvent.keyboard("{Enter}");
    expect(script.sent).toHaveLength(1);
    expect(screen.getByRole("textbox", { name: "City" })).toHaveProperty("value", "Lisbon");
    await expectAccessible();
  });

  it("lets the user change an answer that waits for its round", async () => {
    const round = { id: "round-1", size: 2 };
    const script = await show(formRequest({ round }));
    await userEvent.type(screen.getByRole("textbox", { name: "City" }), "Lisbon");
    await submit();
    expect(screen.getByText(/^Your answer is kept/, { ignore: "output" })).toBeDefined();
    expect(screen.getByText("Lisbon")).toBeDefined();
    expect(screen.queryByRole("textbox")).toBeNull();
    await expectAccessible();
    await userEvent.click(button("Change answer"));
    expect(document.activeElement).toBe(screen.getByRole("textbox", { name: "City" }));
    await userEvent.keyboard("!");
    await submit();
    expect(screen.getByText("Lisbon!")).toBeDefined();
    expect(script.sent).toEqual([]);
    await act(async () => script.ask(formRequest({ elicitationId: "form-2", round })));
    await userEvent.click(button("Decline"));
    expect(script.sent).toMatchObject([
      { elicitationId: "form-1", content: { city: "Lisbon!" } },
      { elicitationId: "form-2", action: "decline" },
    ]);
  });

  it("sends no answer of a round while the user changes it", async () => {
    const round = { id: "round-1", size: 2 };
    const script = await show(formRequest({ round }));
    await userEvent.type(screen.getByRole("textbox", { name: "City" }), "Lisbon");
    await submit();
    await act(async () => script.ask(formRequest({ elicitationId: "form-2", round })));
    await userEvent.click(button("Change answer"));
    await userEvent.keyboard("!");
    await userEvent.click(screen.getAllByRole("button", { name: "Decline" })[1]!);
    expect(script.sent).toEqual([]);
    await submit();
    expect(script.sent).toMatchObject([
      { elicitationId: "form-1", content: { city: "Lisbon!" } },
      { elicitationId: "form-2", action: "decline" },
    ]);
  });

  it("says that the question was answered elsewhere", async () => {
    await show(formRequest(), {}, { status: () => ({ status: "accepted" }) });
    expect(screen.getByText("Sent").parentElement?.textContent).toBe(
      "Sent · Where should the parcel go? · Answered in another place.",
    );
  });
});

describe("Escape in a form", () => {
  const six = ["a", "b", "c", "d", "e", "f"];
  it.each([
    ["a text", { type: "string" }, undefined],
    ["a long text", { type: "string" }, "textarea"],
    ["an email address", { type: "string", format: "email" }, undefined],
    ["a date", { type: "string", format: "date" }, undefined],
    ["a point in time", { type: "string", format: "date-time" }, undefined],
    ["a number", { type: "number" }, undefined],
    ["a slider", { type: "integer", minimum: 0, maximum: 9 }, "slider"],
    ["a rating", { type: "integer", minimum: 1, maximum: 5 }, "rating"],
    ["yes or no", { type: "boolean" }, undefined],
    ["radio buttons", { type: "string", enum: ["a", "b"] }, undefined],
    ["a list", { type: "string", enum: six }, undefined],
    ["an empty search", { type: "string", enum: [...six, ..."ghijklmnopqr"] }, undefined],
    ["checkboxes", { type: "array", items: { type: "string", enum: six } }, undefined],
    ["the app's own control", { type: "string" }, "stars"],
  ])("leaves %s and does not dismiss", async (_, schema, control) => {
    const hint = { trigger: "tool", fields: { value: { control } } };
    const components = { control: { stars: Stars } };
    const script = await show(question({ ...schema, title: "It" }, true, hint), { components });
    const place = document.querySelector<HTMLElement>('[data-field="value"]')!;
    const input = place.querySelector<HTMLElement>("input, select, textarea, button")!;
    input.focus();
    await userEvent.keyboard("{Escape}");
    expect(document.activeElement).toBe(place);
    expect(script.sent).toEqual([]);
    await expectAccessible();
    await userEvent.tab();
    expect(document.activeElement).toBe(input);
  });

  it("keeps user input, and asks before it discards any", async () => {
    const script = await show();
    const city = screen.getByRole("textbox", { name: "City" });
    await userEvent.type(city, "Lisbon{Escape}");
    expect(city).toHaveProperty("value", "Lisbon");
    expect(screen.queryByText("Discard what you typed?")).toBeNull();
    await userEvent.keyboard("{Escape}");
    expect(screen.getByRole("group", { name: "Discard what you typed?" })).toBeDefined();
    expect(document.activeElement).toBe(button("Keep editing"));
    await expectAccessible();
    await userEvent.tab();
    await userEvent.keyboard("{Enter}");
    expect(script.sent).toEqual([
      { conversationId: CONVERSATION, elicitationId: "form-1", action: "cancel" },
    ]);
  });

  it("dismisses a form without input at once", async () => {
    const properties = {
      city: { type: "string", title: "City" },
      guests: { type: "integer", default: 2 },
      news: { type: "boolean", default: true },
      fruits: { type: "array", items: { type: "string", enum: ["pear", "plum"] }, default: ["pear"] },
    };
    const script = await show(formRequest({ requestedSchema: { type: "object", properties } }));
    await userEvent.type(screen.getByRole("textbox", { name: /^City/ }), "L{Backspace}{Escape}{Escape}");
    expect(script.sent).toMatchObject([{ action: "cancel" }]);
  });

  it("is left to the app's own control while that has an open list", async () => {
    const List = ({ id, onChange }: ControlProps) => (
      <button type="button" id={id} aria-expanded="true" onClick={() => onChange("1")}>
        List
      </button>
    );
    const script = await show(formRequest(), { components: { control: { text: List } } });
    button("City").focus();
    await userEvent.keyboard("{Escape}");
    expect(document.activeElement).toBe(button("City"));
    expect(script.sent).toEqual([]);
  });
});

describe("the confirmation before input is discarded", () => {
  /** Types into a form, and then dismisses it with ×. */
  async function dismissTyped(options: ScriptOptions = {}) {
    const script = await show(formRequest(), {}, options);
    await userEvent.type(screen.getByRole("textbox", { name: "City" }), "Lisbon");
    await userEvent.click(button("Not now"));
    expect(script.sent).toEqual([]);
    return script;
  }
  const asked = () => screen.queryByRole("group", { name: "Discard what you typed?" });

  it.each(["the button", "Escape"])("can be cancelled with %s, and appears again later", async (way) => {
    await dismissTyped();
    if (way === "Escape") await userEvent.keyboard("{Escape}");
    else await userEvent.click(button("Keep editing"));
    expect(asked()).toBeNull();
    expect(document.activeElement).toBe(button("Not now"));
    expect(screen.getByRole("textbox", { name: "City" })).toHaveProperty("value", "Lisbon");
    await userEvent.click(button("Not now"));
    expect(asked()).not.toBeNull();
  });

  it("disappears when the user continues typing", async () => {
    const script = await dismissTyped();
    await userEvent.type(screen.getByRole("textbox", { name: "City" }), "!");
    expect(asked()).toBeNull();
    await submit();
    expect(script.sent).toMatchObject([{ content: { city: "Lisbon!" } }]);
  });

  it("appears for selected options too, but not while the answer is being sent", async () => {
    const script = await show(
      question({ type: "string", enum: ["a", "b"] }),
      {},
      {
        respond: () => new Promise(() => undefined),
      },
    );
    await userEvent.click(screen.getByRole("radio", { name: "a" }));
    await userEvent.click(button("Not now"));
    expect(asked()).not.toBeNull();
    await userEvent.click(button("Keep editing"));
    await submit();
    await userEvent.click(button("Not now"));
    expect(asked()).toBeNull();
    expect(script.sent).toMatchObject([{ action: "accept" }]);
  });

  it("disappears when the request ends", async () => {
    const script = await dismissTyped();
    await act(async () =>
      script.ask(formRequest({ resolution: { outcome: "expired", at: "2026-11-21T12:00:00Z" } })),
    );
    expect(asked()).toBeNull();
    expect(screen.getByText("Lisbon")).toBeDefined();
    expect(document.activeElement).toBe(screen.getByRole("heading"));
  });
});

describe("validation errors", () => {
  it("appear on submit, are linked to their fields, and the first invalid field gets the focus", async () => {
    const script = await show();
    await userEvent.type(screen.getByRole("textbox", { name: /^Email/ }), "nobody");
    await submit();
    const city = screen.getByRole("textbox", { name: "City" });
    expect(describedBy(city)).toBe("Please fill this in.");
    expect(city.getAttribute("aria-invalid")).toBe("true");
    expect(describedBy(screen.getByRole("textbox", { name: /^Email/ }))).toMatch(
      /^Please enter an email address/,
    );
    expect(document.activeElement).toBe(city);
    expect(script.sent).toEqual([]);
    await expectAccessible();
  });

  it("appear when a field is left, and disappear when it is corrected", async () => {
    await show();
    const city = screen.getByRole("textbox", { name: "City" });
    await userEvent.type(city, "L");
    await userEvent.tab();
    expect(describedBy(city)).toBe("At least 2 characters, please.");
    await userEvent.type(city, "i");
    expect(city.getAttribute("aria-invalid")).toBeNull();
  });

  it("do not appear when an untouched field is left", async () => {
    await show();
    await userEvent.click(screen.getByRole("textbox", { name: "City" }));
    await userEvent.tab();
    expect(screen.queryByText("Please fill this in.")).toBeNull();
  });

  it("of the server appear on the same fields, and the user's input stays", async () => {
    const errors = [
      { field: "city", code: "too-short", message: "server: too short" },
      { field: "email", code: "taken", message: "This address is taken." },
    ];
    await show(
      formRequest(),
      {},
      {
        respond: async () => [
          { elicitationId: "form-1", kind: "refused", status: 400, message: "Invalid.", errors },
        ],
      },
    );
    const city = screen.getByRole("textbox", { name: "City" });
    await userEvent.type(city, "Lisbon");
    await submit();
    expect(describedBy(city)).toBe("At least 2 characters, please.");
    expect(describedBy(screen.getByRole("textbox", { name: /^Email/ }))).toBe("This address is taken.");
    expect(city).toHaveProperty("value", "Lisbon");
    expect(document.activeElement).toBe(city);
    expect(screen.getByText("The answer was not accepted.", { ignore: "output" })).toBeDefined();
    // The server's own message is for developers.
    expect(screen.queryByText("Invalid.")).toBeNull();
    await expectAccessible();
  });

  it("of a number with buttons focus its input, and not the button before it", async () => {
    await show(question({ type: "integer", title: "Guests", minimum: 1, maximum: 9 }, true));
    await submit();
    expect(document.activeElement).toBe(screen.getByRole("spinbutton", { name: "Guests" }));
  });

  it("of a form that cannot be shown leave only Decline and Dismiss", async () => {
    const nested = formRequest({
      requestedSchema: { type: "object", properties: { address: { type: "object", properties: {} } } },
    });
    const script = await show(nested);
    expect(screen.getByText("This form cannot be shown.")).toBeDefined();
    expect(screen.getByText("“address”: This kind of question is not supported.")).toBeDefined();
    expect(screen.queryByRole("button", { name: "Send" })).toBeNull();
    await expectAccessible();
    await userEvent.click(button("Decline"));
    expect(script.sent).toMatchObject([{ action: "decline" }]);
  });
});

it("a lone Yes or No has no Decline beside its No, unless a third party asks", async () => {
  const asked = question({ type: "boolean", title: "Delete the old branch?" }, true);
  await show(asked);
  expect(screen.queryByRole("button", { name: "Decline" })).toBeNull();
  await userEvent.click(button("No, and …"));
  expect(button("Decline")).toBeDefined();
  cleanup();
  await show({ ...asked, requester: { name: "Demo agent", claimedName: "Planner" } });
  expect(button("Decline")).toBeDefined();
});

describe("user input", () => {
  it("returns after a reload, and is removed when the request ends", async () => {
    await show();
    await userEvent.type(screen.getByRole("textbox", { name: "City" }), "Lis");
    cleanup();
    await show();
    expect(screen.getByRole("textbox", { name: "City" })).toHaveProperty("value", "Lis");
    await submit();
    expect(sessionStorage.length).toBe(0);
  });

  it("in the user's own words stays the answer after a reload, also where an option is the default", async () => {
    const asked: FormElicitationRequest = structuredClone(ownWordsQuestion());
    Object.assign(asked.requestedSchema, {
      properties: {
        ...asked.requestedSchema.properties,
        seat: { type: "string", enum: ["aisle", "window"], default: "aisle" },
      },
    });
    await show(asked);
    await userEvent.type(screen.getByRole("textbox"), "By the exit");
    cleanup();
    const script = await show(asked);
    expect(screen.queryByRole("radio", { checked: true })).toBeNull();
    await submit();
    expect(script.sent).toMatchObject([{ content: { seat_other: "By the exit" } }]);
    expect(script.sent[0]?.content).not.toHaveProperty("seat");
  });

  it("is not kept in a form that asks for secrets", async () => {
    await show(question({ type: "string", title: "Password" }));
    await userEvent.type(screen.getByLabelText(/^Password/), "hunter2");
    expect(sessionStorage.length).toBe(0);
  });

  it("stays with its request when another request replaces the card", async () => {
    const script = createScript({ requests: [formRequest(), formRequest({ elicitationId: "form-2" })] });
    function Current() {
      const { current } = useElicitationList({ client: script.client });
      return current && <FormElicitation elicitation={current} />;
    }
    render(<Current />, { wrapper: Page });
    await userEvent.type(screen.getByRole("textbox", { name: "City" }), "Lisbon");
    await submit();
    expect(screen.getByRole("textbox", { name: "City" })).toHaveProperty("value", "");
    expect(script.sent).toHaveLength(1);
  });
});

describe("a form that asks for secrets", () => {
  const secret = question({ type: "string", title: "API key" }, true);

  it("shows a warning, and needs a second, explicit confirmation", async () => {
    const script = await show(secret);
    expect(screen.getByText(/asks for something secret \(API key\)/)).toBeDefined();
    const key = screen.getByLabelText("API key");
    expect(key).toMatchObject({ type: "password", autocomplete: "new-password" });
    await userEvent.type(key, "abc");
    await submit();
    expect(script.sent).toEqual([]);
    const yes = screen.getByRole("checkbox", { name: "I want to share this" });
    expect(document.activeElement).toBe(yes);
    await expectAccessible();
    await userEvent.click(yes);
    await submit();
    expect(valueOf(script)).toEqual(["abc"]);
  });

  it("sends no answer of a round while the user changes it, and keeps nothing in the tab", async () => {
    const round = { id: "round-1", size: 2 };
    const script = await show({ ...secret, round });
    await userEvent.type(screen.getByLabelText("API key"), "abc");
    await submit();
    await userEvent.click(screen.getByRole("checkbox", { name: "I want to share this" }));
    await submit();
    await act(async () => script.ask(formRequest({ elicitationId: "form-2", round })));
    await userEvent.click(button("Change answer"));
    await userEvent.type(screen.getByLabelText("API key"), "d");
    await userEvent.click(screen.getAllByRole("button", { name: "Decline" })[1]!);
    expect(script.sent).toEqual([]);
    expect(sessionStorage.length).toBe(0);
  });

  it("shows a warning even if only the message asks for a secret", async () => {
    const asked = {
      ...question({ type: "string", title: "Answer" }, true),
      message: "Type the 6 digits we texted you",
    };
    const script = await show(asked);
    expect(screen.getByText(/asks for something secret \(Answer\)/)).toBeDefined();
    await userEvent.type(screen.getByLabelText("Answer"), "123456");
    await submit();
    expect(script.sent).toEqual([]);
    expect(sessionStorage.length).toBe(0);
  });

  it("is refused if the app does not allow secrets", async () => {
    const script = await show(secret, { secrets: "refuse" });
    expect(screen.getByText("This form asks for secrets, which is not allowed here.")).toBeDefined();
    expect(screen.queryByLabelText("API key")).toBeNull();
    expect(screen.queryByRole("button", { name: "Send" })).toBeNull();
    await expectAccessible();
    await userEvent.click(button("Decline"));
    expect(script.sent).toMatchObject([{ action: "decline" }]);
  });
});

const Stars = ({ id, labelId, onChange }: ControlProps) => (
  <button type="button" id={id} aria-labelledby={labelId} onClick={() => onChange("5")}>
    Five
  </button>
);

const everyKind = formRequest({
  context: {
    trigger: "tool",
    fields: { slider: { control: "slider" }, stars: { control: "rating" }, list: { control: "select" } },
  },
  requestedSchema: {
    type: "object",
    properties: {
      text: { type: "string" },
      long: { type: "string", maxLength: 900 },
      date: { type: "string", format: "date" },
      time: { type: "string", format: "date-time" },
      number: { type: "number" },
      stepper: { type: "integer", minimum: 1, maximum: 9 },
      slider: { type: "integer", minimum: 1, maximum: 9 },
      stars: { type: "integer", minimum: 1, maximum: 5 },
      box: { type: "boolean" },
      radio: { type: "string", enum: ["a", "b"] },
      list: { type: "string", enum: ["a", "b"] },
      several: { type: "array", items: { type: "string", enum: ["a", "b"] } },
    },
  },
});

describe("the controls of a form", () => {
  const fruits = ["apple", "pear", "plum"];
  const many = Array.from({ length: 120 }, (_, index) => `Place ${index}`);

  it.each([
    ["email", { type: "string", format: "email" }, "email"],
    ["web address", { type: "string", format: "uri" }, "url"],
    ["date", { type: "string", format: "date" }, "date"],
  ])("include the browser's own input for an %s", async (_, schema, type) => {
    await show(question({ ...schema, title: "It" }, true));
    expect(screen.getByLabelText("It")).toHaveProperty("type", type);
    await expectAccessible();
  });

  it("include an input for date and time with a time zone", async () => {
    const script = await show(question({ type: "string", format: "date-time", title: "Start" }, true));
    fireEvent.change(screen.getByLabelText("Start"), { target: { value: "2026-11-21T09:30" } });
    await userEvent.selectOptions(screen.getByRole("combobox", { name: "Time zone" }), "UTC");
    await expectAccessible();
    await submit();
    expect(valueOf(script)).toEqual(["2026-11-21T09:30:00Z"]);
  });

  it("show the time zone that a sentence of the user says, and keep it", async () => {
    const script = await show(
      question({ type: "string", format: "date-time", title: "Start" }, true, {
        trigger: "tool",
        takesSentence: true,
      }),
      {},
      { propose: () => ({ value: "2026-11-21T15:00:00+09:30" }) },
    );
    await act(() => script.client.propose("form-1", "three in Adelaide"));
    const zone = () => screen.getByRole<HTMLSelectElement>("combobox", { name: "Time zone" });
    expect(zone().value).toBe("+09:30");
    fireEvent.change(screen.getByLabelText("Start"), { target: { value: "2026-11-21T16:00" } });
    await userEvent.selectOptions(zone(), "UTC");
    await userEvent.selectOptions(zone(), "UTC+09:30");
    await submit();
    expect(valueOf(script)).toEqual(["2026-11-21T16:00:00+09:30"]);
  });

  it("keep a time zone that is chosen before the time", async () => {
    const script = await show(question({ type: "string", format: "date-time", title: "Start" }, true));
    await userEvent.selectOptions(screen.getByRole("combobox", { name: "Time zone" }), "UTC");
    fireEvent.change(screen.getByLabelText("Start"), { target: { value: "2026-11-21T09:30" } });
    await submit();
    expect(valueOf(script)).toEqual(["2026-11-21T09:30:00Z"]);
  });

  it("use the local time zone again after a reload", async () => {
    const request = question({ type: "string", format: "date-time", title: "Start" }, true);
    await show(request);
    fireEvent.change(screen.getByLabelText("Start"), { target: { value: "2026-07-21T09:30" } });
    cleanup();
    const script = await show(request);
    expect(screen.getByLabelText("Start")).toHaveProperty("value", "2026-07-21T09:30");
    expect(screen.getByRole("combobox", { name: "Time zone" })).toHaveProperty("value", "");
    fireEvent.change(screen.getByLabelText("Start"), { target: { value: "2026-12-21T09:30" } });
    await submit();
    expect(valueOf(script)).toEqual([`2026-12-21T09:30:00${localOffset("2026-12-21T09:30")}`]);
  });

  it.each([
    ["UTC", "Z"],
    ["UTC+09:00", "+09:00"],
  ])("keep the time zone %s of a default after a reload", async (shown, offset) => {
    const start = `2026-11-21T09:30:00${offset}`;
    const request = question({ type: "string", format: "date-time", title: "Start", default: start }, true);
    await show(request);
    fireEvent.change(screen.getByLabelText("Start"), { target: { value: "2026-11-22T10:00" } });
    cleanup();
    await show(request);
    expect(screen.getByRole("option", { name: shown })).toHaveProperty("selected", true);
  });

  it("keep the time zone of a default when the user changes the time", async () => {
    const script = await show(
      question({ type: "string", format: "date-time", default: "2026-11-21T09:30:00+09:00" }),
    );
    fireEvent.change(screen.getByLabelText(/^value/), { target: { value: "2026-11-22T10:00" } });
    await submit();
    expect(valueOf(script)).toEqual(["2026-11-22T10:00:00+09:00"]);
  });

  it("show the number of invalid answers beside the buttons", async () => {
    await show();
    await userEvent.type(screen.getByRole("textbox", { name: /^Email/ }), "nobody");
    await submit();
    expect(screen.getByText("2 answers need another look")).toBeDefined();
    await userEvent.type(screen.getByRole("textbox", { name: "City" }), "Lisbon");
    expect(screen.getByText("1 answer needs another look")).toBeDefined();
    await expectAccessible();
  });

  it.each([
    ["if at least half of the questions must be answered", ["city", "email"], "Note (optional)"],
    ["only if at least half of the questions must be answered", ["city"], "Note"],
  ])("are marked as optional %s", async (_, required, note) => {
    const properties = {
      city: { type: "string", title: "City" },
      email: { type: "string", title: "Email" },
      note: { type: "string", title: "Note" },
      news: { type: "boolean", title: "News" },
    };
    const context = { trigger: "tool", layout: "form" };
    await show(formRequest({ context, requestedSchema: { type: "object", properties, required } }));
    const labels = [...document.querySelectorAll("label")].map(({ textContent }) => textContent);
    expect(labels).toEqual(["City", "Email", note, "News"]);
  });

  it("step an integer in a small range with arrow keys and buttons, but never out of the range", async () => {
    const script = await show(question({ type: "integer", title: "Seats", minimum: 1, maximum: 3 }, true));
    const seats = screen.getByRole("spinbutton", { name: "Seats" });
    const [less, more] = [button("One less"), button("One more")];
    await userEvent.click(more);
    expect(seats).toHaveProperty("value", "1");
    expect(less.getAttribute("aria-disabled")).toBe("true");
    expect([less.tabIndex, more.tabIndex]).toEqual([-1, -1]);
    await userEvent.type(seats, "{ArrowUp}{ArrowUp}{ArrowUp}");
    expect(seats).toHaveProperty("value", "3");
    expect(seats.getAttribute("aria-valuenow")).toBe("3");
    await userEvent.click(more);
    await expectAccessible();
    await userEvent.clear(seats);
    await userEvent.type(seats, "9{ArrowDown}");
    expect(seats).toHaveProperty("value", "3");
    await submit();
    expect(valueOf(script)).toEqual([3]);
  });

  it("leave the arrow keys to an input method that composes a number", async () => {
    await show(question({ type: "integer", title: "Seats", minimum: 1, maximum: 3 }, true));
    const seats = screen.getByRole("spinbutton", { name: "Seats" });
    expect(fireEvent.keyDown(seats, { key: "ArrowUp", isComposing: true })).toBe(true);
    expect(fireEvent.keyDown(seats, { key: "ArrowUp", keyCode: 229 })).toBe(true);
    expect(seats).toHaveProperty("value", "");
  });

  it("count the characters of a long text as users see them", async () => {
    await show(question({ type: "string", title: "Story", maxLength: 500 }, true));
    const story = screen.getByRole("textbox", { name: "Story" });
    expect(describedBy(story)).toBe("0 of 500");
    await userEvent.type(story, "🍕!");
    expect(describedBy(story)).toBe("2 of 500");
  });

  it("add a class name of the app to their own", async () => {
    const script = createScript({ requests: [everyKind], storage: sessionStorage });
    const Own = () => {
      const { current } = useElicitationList({ client: script.client });
      return (
        current && (
          <Form.Root elicitation={current}>
            <Form.Fields>
              {(field) => (
                <Form.Field key={field.name} field={field}>
                  <Form.Label />
                  <Form.Control className={`mine-${field.name}`} />
                </Form.Field>
              )}
            </Form.Fields>
          </Form.Root>
        )
      );
    };
    render(<Own />, { wrapper: Page });
    const names = Object.keys(everyKind.requestedSchema.properties ?? {});
    for (const name of names) expect(document.querySelectorAll(`.mine-${name}`)).toHaveLength(1);
  });

  it("show the range of a number, and reject 1.5 for an integer (mrmans0n/alas#702)", async () => {
    const script = await show(question({ type: "integer", title: "Guests", minimum: 1, maximum: 12 }, true));
    const guests = screen.getByRole("spinbutton", { name: "Guests" });
    expect(describedBy(guests)).toBe("1 to 12");
    expect(guests.getAttribute("inputmode")).toBe("numeric");
    await userEvent.type(guests, "1.5");
    await submit();
    expect(describedBy(guests)).toContain("whole number");
    await userEvent.clear(guests);
    await userEvent.type(guests, "13");
    await userEvent.tab();
    expect(describedBy(guests)).toContain("12 or less");
    await userEvent.type(guests, "{Backspace}");
    await submit();
    expect(valueOf(script)).toEqual([1]);
  });

  it("read a number in the format of the chat's language, and leave the text unchanged", async () => {
    const price = { type: "number", title: "Preis", minimum: 0, default: 2.5 };
    const script = await show(question(price, true), { catalogue: de });
    const input = screen.getByRole("textbox", { name: "Preis" });
    expect(input).toHaveProperty("value", "2,5");
    await userEvent.clear(input);
    expect(input).toHaveProperty("value", "");
    await userEvent.type(input, "1.500,75");
    expect(input).toHaveProperty("value", "1.500,75");
    await userEvent.click(button("Absenden"));
    expect(valueOf(script)).toEqual([1500.75]);
  });

  it("leave a slider without a value until it is moved or pressed", async () => {
    const hint = { trigger: "tool", fields: { value: { control: "slider" } } };
    const script = await show(
      question({ type: "integer", title: "Level", minimum: 0, maximum: 9 }, false, hint),
    );
    const slider = screen.getByRole("slider", { name: /^Level/ });
    expect(slider.getAttribute("aria-valuetext")).toBe("Not set");
    await expectAccessible();
    await userEvent.click(slider);
    expect(slider.getAttribute("aria-valuetext")).toBe("0");
    fireEvent.change(slider, { target: { value: "7" } });
    await submit();
    expect(valueOf(script)).toEqual([7]);
  });

  it("show a rating as one option for each step", async () => {
    const hint = { trigger: "tool", fields: { value: { control: "rating" } } };
    const script = await show(
      question({ type: "integer", title: "Stars", minimum: 1, maximum: 5 }, true, hint),
    );
    const group = screen.getByRole("radiogroup", { name: "Stars" });
    expect(within(group).getAllByRole("radio")).toHaveLength(5);
    await expectAccessible();
    await userEvent.click(within(group).getByRole("radio", { name: "4" }));
    await submit();
    expect(valueOf(script)).toEqual([4]);
  });

  it("ask a single boolean as yes or no, which are both valid answers", async () => {
    const script = await show(question({ type: "boolean", title: "Send it now?" }, true));
    await submit();
    expect(script.sent).toEqual([]);
    await expectAccessible();
    await userEvent.click(screen.getByRole("radio", { name: "No" }));
    await submit();
    expect(script.sent).toMatchObject([{ action: "accept", content: { value: false } }]);
  });

  it("show a boolean among other questions as a checkbox, and omit it when untouched", async () => {
    const properties = { a: { type: "string" }, news: { type: "boolean", title: "News" } };
    const script = await show(formRequest({ requestedSchema: { type: "object", properties } }));
    expect(screen.getByRole("checkbox", { name: /^News/ })).toHaveProperty("checked", false);
    await expectAccessible();
    await submit();
    expect(script.sent).toMatchObject([{ content: {} }]);
  });

  it("show up to five options as radio buttons (anthropics/claude-code#86469)", async () => {
    const schema = {
      type: "string",
      title: "Fruit",
      oneOf: fruits.map((fruit) => ({ const: fruit, title: `A ${fruit}` })),
    };
    const script = await show(question(schema));
    const group = screen.getByRole("radiogroup", { name: /^Fruit/ });
    await userEvent.click(within(group).getByRole("radio", { name: "A pear" }));
    await expectAccessible();
    await userEvent.click(button("Clear"));
    await userEvent.click(within(group).getByRole("radio", { name: "A plum" }));
    await submit();
    expect(valueOf(script)).toEqual(["plum"]);
  });

  it("show more than five options as a list, in which the empty text can be an option", async () => {
    const script = await show(
      question({ type: "string", title: "Size", enum: ["", "s", "m", "l", "xl", "xxl"] }, true),
    );
    const list = screen.getByRole("combobox", { name: "Size" });
    await submit();
    expect(describedBy(list)).toBe("Please fill this in.");
    await expectAccessible();
    await userEvent.selectOptions(list, "xl");
    await submit();
    expect(valueOf(script)).toEqual(["xl"]);
  });

  it("add a search to many options, and keep the selected one in the list", async () => {
    const script = await show(question({ type: "string", title: "Place", enum: many }, true));
    expect(screen.getAllByRole("radio")).toHaveLength(100);
    expect(screen.getByText("20 more. Type to narrow the list.")).toBeDefined();
    const search = screen.getByRole("searchbox", { name: "Search" });
    await userEvent.type(search, "place 119{Enter}");
    await userEvent.click(screen.getByRole("radio", { name: "Place 119" }));
    await userEvent.clear(search);
    await userEvent.type(search, "nowhere");
    expect(screen.getAllByRole("radio")).toEqual([
      screen.getByRole("radio", { name: "Place 119", checked: true }),
    ]);
    await expectAccessible();
    await userEvent.type(search, "{Escape}");
    expect(search).toHaveProperty("value", "");
    expect(script.sent).toEqual([]);
    await submit();
    expect(valueOf(script)).toEqual(["Place 119"]);
  });

  it("show the selected option first if it is beyond the limit of shown options", async () => {
    await show(question({ type: "string", title: "Place", enum: many, default: "Place 119" }, true));
    expect(screen.getAllByRole("radio")[0]).toBe(
      screen.getByRole("radio", { name: "Place 119", checked: true }),
    );
  });

  it("show how many options may be selected, and send them in the order offered", async () => {
    const schema = {
      type: "array",
      title: "Fruits",
      items: { type: "string", enum: fruits },
      minItems: 1,
      maxItems: 2,
    };
    const script = await show(question(schema, true));
    const group = screen.getByRole("group", { name: "Fruits" });
    expect(describedBy(group)).toBe("0 of 2 chosen Choose 1 to 2");
    await submit();
    expect(describedBy(group)).toContain("Please");
    for (const name of ["plum", "pear", "apple"])
      await userEvent.click(screen.getByRole("checkbox", { name }));
    await submit();
    expect(describedBy(group)).toContain("Please choose at most 2.");
    await expectAccessible();
    await userEvent.click(screen.getByRole("checkbox", { name: "pear" }));
    await submit();
    expect(valueOf(script)).toEqual([["apple", "plum"]]);
  });

  it("show default values (SEP-1034)", async () => {
    const script = await show(
      formRequest({
        context: { trigger: "tool", layout: "form" },
        requestedSchema: {
          type: "object",
          properties: {
            city: { type: "string", default: "Lisbon" },
            guests: { type: "integer", default: 2 },
            news: { type: "boolean", default: true },
            fruits: { type: "array", items: { type: "string", enum: fruits }, default: ["pear"] },
          },
        },
      }),
    );
    expect(screen.getByRole("textbox", { name: /^city/ })).toHaveProperty("value", "Lisbon");
    await submit();
    expect(script.sent).toMatchObject([
      { content: { city: "Lisbon", guests: 2, news: true, fruits: ["pear"] } },
    ]);
  });

  it("can be replaced by the app's controls, by the names and hints of the fields but not by inherited properties", async () => {
    const components = { control: { rating: Stars, colour: Stars } };
    const context = {
      trigger: "tool",
      fields: {
        stars: { control: "rating" },
        colour: { control: "colour" },
        plain: { control: "constructor" },
      },
    };
    const properties = {
      stars: { type: "integer", title: "Stars", minimum: 1, maximum: 5 },
      colour: { type: "string", title: "Colour" },
      plain: { type: "string", title: "Plain" },
    };
    const script = await show(formRequest({ context, requestedSchema: { type: "object", properties } }), {
      components,
    });
    await userEvent.click(button("Stars"));
    await userEvent.click(button("Colour"));
    expect(screen.getByRole("textbox", { name: /^Plain/ })).toBeDefined();
    await submit();
    expect(script.sent).toMatchObject([{ content: { stars: 5, colour: "5" } }]);
  });

  it("are buttons where one press answers, also for a hint of the app, because there is no other way to send", async () => {
    const context = { trigger: "tool", send: "on-press", fields: { value: { control: "colour" } } };
    const script = await show(question({ type: "string", enum: ["Red", "Blue"] }, true, context), {
      components: { control: { colour: Stars } },
    });
    await userEvent.click(button("Blue"));
    await expect.poll(() => script.sent).toMatchObject([{ content: { value: "Blue" } }]);
  });

  /** A control that only has the label of its question as name. */
  const OwnSelect = ({ id }: ControlProps) => createElement("select", { id });
  const replaceable = [
    ["radio", { type: "string", enum: ["a", "b"] }, undefined],
    ["search", { type: "string", enum: Array.from({ length: 20 }, (_, index) => `o${index}`) }, undefined],
    ["rating", { type: "integer", minimum: 1, maximum: 5 }, "rating"],
    ["yes-no", { type: "boolean" }, undefined],
    ["checkboxes", { type: "array", items: { type: "string", enum: ["a", "b"] } }, undefined],
    ["text", { type: "string" }, undefined],
  ] as const;

  it.each(replaceable)("keep their label when the app replaces %s", async (name, schema, control) => {
    const components = { control: { [name]: OwnSelect } };
    const context = { trigger: "tool", fields: { value: { control } } };
    await show(question({ ...schema, title: "Question" }, true, context), { components });
    expect(screen.getByLabelText("Question").tagName).toBe("SELECT");
    await expectAccessible();
  });

  it.each(replaceable)(
    "keep their label when the app replaces %s in one field",
    async (_, schema, control) => {
      const context = { trigger: "tool", fields: { value: { control } } };
      const script = createScript({ requests: [question({ ...schema, title: "Question" }, true, context)] });
      const Own = () => {
        const { elicitations } = useElicitationList({ client: script.client, conversationId: CONVERSATION });
        return elicitations.map((elicitation) => (
          <Form.Root key={elicitation.id} elicitation={elicitation}>
            <Form.Fields>
              {(field) => (
                <Form.Field key={field.name} field={field}>
                  <Form.Label />
                  <Form.Control>{OwnSelect}</Form.Control>
                </Form.Field>
              )}
            </Form.Fields>
          </Form.Root>
        ));
      };
      render(<Own />, { wrapper: Page });
      expect(screen.getByLabelText("Question").tagName).toBe("SELECT");
    },
  );

  it("re-render only the field in which the user types", async () => {
    const rendered: string[] = [];
    const Counted = ({ field, id, draft, onChange }: ControlProps) => {
      rendered.push(field.name);
      return (
        <input
          id={id}
          value={String(draft ?? "")}
          onChange={(event) => onChange(event.currentTarget.value)}
        />
      );
    };
    const components = { control: { text: Counted } };
    const properties = { a: { type: "string" }, b: { type: "string" } };
    await show(formRequest({ requestedSchema: { type: "object", properties } }), { components });
    await act(async () => undefined);
    rendered.length = 0;
    await userEvent.type(screen.getByRole("textbox", { name: /^a/ }), "xyz");
    expect(new Set(rendered)).toEqual(new Set(["a"]));
  });
});
