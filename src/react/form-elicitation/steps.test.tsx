import { act, cleanup, render, screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { StrictMode } from "react";
import { afterEach, describe, expect, it } from "vitest";
import { CONVERSATION, createScript, type ScriptOptions } from "../../client/testing/scripted-client.ts";
import type { FormElicitationRequest } from "../../contract/contract.ts";
import { formRequest } from "../../contract/testing/requests.ts";
import { expectAccessible } from "../testing/expect-accessible.ts";
import { useElicitationList } from "../use-elicitation-list.ts";
import { FormElicitation } from "./FormElicitation.tsx";

// Files share a page, and so its storage.
afterEach(() => {
  cleanup();
  sessionStorage.clear();
});

const teamDay = (more: Partial<FormElicitationRequest> = {}): FormElicitationRequest =>
  formRequest({
    message: "These facts are needed to plan it.",
    requester: { name: "Demo agent" },
    requestedSchema: {
      type: "object",
      title: "Team day",
      required: ["name", "place", "people"],
      properties: {
        name: { type: "string", title: "Name", description: "What is the day called?", minLength: 2 },
        place: {
          type: "string",
          title: "Place",
          description: "Where should it be?",
          enum: ["Lake house", "Garden", "Climbing hall"],
        },
        people: { type: "integer", title: "People", minimum: 2, maximum: 200, default: 12 },
        avoid: { type: "string", title: "To avoid", description: "Nuts, stairs and the like" },
      },
    },
    ...more,
  });

function Card({ script }: { script: ReturnType<typeof createScript> }) {
  const { elicitations } = useElicitationList({ client: script.client, conversationId: CONVERSATION });
  return elicitations.map((item) => <FormElicitation key={item.id} elicitation={item} />);
}

async function show(request = teamDay(), options: ScriptOptions = {}) {
  const script = createScript({ requests: [request], storage: sessionStorage, ...options });
  await act(async () =>
    render(
      <StrictMode>
        <main>
          <Card script={script} />
        </main>
      </StrictMode>,
    ),
  );
  return script;
}

const button = (name: string) => screen.getByRole("button", { name });
const press = (name: string) => userEvent.click(button(name));
const heading = () => screen.getByRole("heading").textContent;
const announced = () => document.querySelector("output")?.textContent;
const review = () =>
  within(screen.getByRole("list"))
    .getAllByRole("button")
    .map((answer) => [...answer.children].map(({ textContent }) => textContent));

/** Answers the first three questions. */
async function fill(): Promise<void> {
  await userEvent.type(screen.getByRole("textbox"), "Harvest day{Enter}");
  await userEvent.keyboard("2{Enter}");
  await userEvent.keyboard("{Enter}");
}

describe("a form with more than three questions", () => {
  it("asks one question at a time, in the heading of the card, and sends after a review", async () => {
    const script = await show();
    expect(heading()).toBe("What is the day called?");
    expect(screen.getAllByRole("textbox")).toHaveLength(1);
    expect(screen.getByText("1 of 4")).toBeDefined();
    expect(screen.queryByRole("button", { name: "Back" })).toBeNull();
    await expectAccessible();
    await userEvent.type(screen.getByRole("textbox", { name: "Name" }), "Harvest day");
    await press("Next");
    expect(heading()).toBe("Where should it be?");
    await userEvent.click(screen.getByRole("radio", { name: "Garden" }));
    await press("Next");
    expect(heading()).toBe("People");
    await press("Next");
    expect(heading()).toBe("To avoid");
    await press("Review");
    expect(heading()).toBe("Ready to send?");
    expect(review()).toEqual([
      ["Name", "Harvest day"],
      ["Place", "Garden"],
      ["People", "12"],
      ["To avoid", "Skipped"],
    ]);
    await expectAccessible();
    expect(script.sent).toEqual([]);
    await press("Send");
    expect(script.sent).toMatchObject([
      { action: "accept", content: { name: "Harvest day", place: "Garden", people: 12 } },
    ]);
  });

  it("can be answered with the keyboard alone: Enter continues, number keys select, Page Up goes back", async () => {
    const script = await show();
    await fill();
    const avoid = screen.getByRole("textbox", { name: /To avoid/ });
    expect(document.activeElement).toBe(avoid);
    await userEvent.keyboard("{PageUp}{PageUp}");
    const garden = screen.getByRole("radio", { name: "Garden" });
    expect(document.activeElement).toBe(garden);
    await userEvent.keyboard("3");
    expect(heading()).toBe("Where should it be?");
    await userEvent.keyboard("{Enter}{Enter}{Enter}");
    expect(document.activeElement).toBe(button("Send"));
    await userEvent.keyboard("{Enter}");
    expect(script.sent).toMatchObject([{ content: { place: "Climbing hall" } }]);
  });

  it("keeps a number with buttons as it is when Enter continues, because its input has the focus", async () => {
    const guests = { type: "integer", title: "Guests", minimum: 1, maximum: 9, default: 2 };
    const text = { type: "string" };
    const properties = { a: text, guests, b: text, c: text };
    await show(formRequest({ requestedSchema: { type: "object", properties } }));
    await userEvent.type(screen.getByRole("textbox"), "{Enter}");
    expect(document.activeElement).toBe(screen.getByRole("spinbutton", { name: "Guests" }));
    await userEvent.keyboard("{Enter}{PageUp}");
    expect(screen.getByRole("spinbutton")).toHaveProperty("value", "2");
  });

  it("advances only one step while Enter is held down", async () => {
    const script = await show();
    await userEvent.type(screen.getByRole("textbox"), "Harvest day{Enter>5/}");
    expect(heading()).toBe("Where should it be?");
    expect(script.sent).toEqual([]);
  });

  it("shows the position of the question and the error of its answer, and stays at that step", async () => {
    await show();
    await userEvent.type(screen.getByRole("textbox"), "X{Enter}");
    expect(heading()).toBe("What is the day called?");
    expect(screen.getByText("At least 2 characters, please.", { selector: "bdi" })).toBeDefined();
    expect(document.activeElement).toBe(screen.getByRole("textbox"));
    expect(announced()).toContain("At least 2 characters, please.");
    expect(document.querySelectorAll('[data-step="wrong"]')).toHaveLength(1);
    await userEvent.keyboard("Y{Enter}");
    expect(announced()).toContain("Question 2 of 4");
  });

  it("skips an optional question with Skip, which required questions do not have", async () => {
    const script = await show();
    await userEvent.type(screen.getByRole("textbox"), "Harvest day");
    expect(screen.queryByRole("button", { name: "Skip" })).toBeNull();
    await userEvent.keyboard("{Enter}");
    await userEvent.keyboard("1{Enter}{Enter}nuts");
    await press("Skip");
    expect(review().at(-1)).toEqual(["To avoid", "Skipped"]);
    await press("Send");
    expect(script.sent[0]?.content).not.toHaveProperty("avoid");
  });

  it("opens a question when its answer in the review is clicked, and returns to the review with Review", async () => {
    const script = await show();
    await fill();
    await press("Review");
    await userEvent.click(screen.getByRole("button", { name: /^Place/ }));
    expect(heading()).toBe("Where should it be?");
    expect(document.activeElement).toBe(screen.getByRole("radio", { name: "Garden" }));
    await userEvent.click(screen.getByRole("radio", { name: "Lake house" }));
    await press("Review");
    expect(heading()).toBe("Ready to send?");
    await press("Send");
    expect(script.sent).toMatchObject([{ content: { place: "Lake house" } }]);
  });

  it("shows the same step after a reload, with the user's input", async () => {
    await show();
    await fill();
    await userEvent.type(screen.getByRole("textbox"), "nuts");
    cleanup();
    const script = await show();
    expect(heading()).toBe("To avoid");
    expect(screen.getByRole("textbox")).toHaveProperty("value", "nuts");
    expect(document.activeElement).not.toBe(screen.getByRole("textbox"));
    await press("Review");
    await press("Send");
    expect(script.sent).toMatchObject([{ content: { name: "Harvest day", place: "Garden", avoid: "nuts" } }]);
  });

  it("still skips a question with a default after a reload", async () => {
    const text = { type: "string" };
    const avoid = { ...text, title: "To avoid", default: "nuts" };
    const request = formRequest({
      requestedSchema: { type: "object", properties: { avoid, b: text, c: text, d: text } },
    });
    await show(request);
    await press("Skip");
    cleanup();
    const script = await show(request);
    for (const _ of ["b", "c"]) await press("Next");
    await press("Review");
    expect(review()[0]).toEqual(["To avoid", "Skipped"]);
    await press("Send");
    expect(script.sent[0]?.content).not.toHaveProperty("avoid");
  });

  it("opens the question that an error of the server is about, and keeps the other answers", async () => {
    const errors = [{ field: "place", code: "taken", message: "The garden is taken." }];
    let isRefused = false;
    await show(teamDay(), {
      respond: async ([answer]) => {
        if (isRefused)
          return [{ elicitationId: answer!.elicitationId, kind: "settled", outcome: "accepted" }];
        isRefused = true;
        return [{ elicitationId: "form-1", kind: "refused", status: 400, message: "Taken.", errors }];
      },
    });
    await fill();
    await press("Review");
    await press("Send");
    expect(await screen.findByText("The garden is taken.")).toBeDefined();
    expect(heading()).toBe("Where should it be?");
    expect(document.activeElement).toBe(screen.getByRole("radio", { name: "Garden" }));
    await userEvent.keyboard("1");
    await press("Review");
    expect(review()[0]).toEqual(["Name", "Harvest day"]);
  });

  it("offers a decline with a note at the first step and at the review", async () => {
    const script = await show();
    await press("No, and …");
    await press("Back");
    await userEvent.type(screen.getByRole("textbox", { name: "Name" }), "Harvest day{Enter}");
    expect(screen.queryByRole("button", { name: "No, and …" })).toBeNull();
    await userEvent.keyboard("1{Enter}{Enter}{Enter}");
    await press("No, and …");
    await userEvent.keyboard("next year{Enter}");
    expect(script.sent).toMatchObject([{ action: "decline", note: "next year" }]);
  });

  it("lets the user change an answer that waits for its round, from the review", async () => {
    await show(teamDay({ round: { id: "round-1", size: 2 } }));
    await fill();
    await press("Review");
    await press("Send");
    await press("Change answer");
    expect(heading()).toBe("Ready to send?");
  });

  it("of a third party does not show the questions as its heading", async () => {
    await show(teamDay({ requester: { name: "Demo agent", claimedName: "Planner" } }));
    expect(heading()).toBe("Your answer is needed");
    expect(screen.getByText("Name").hasAttribute("data-heading")).toBe(false);
    expect(screen.getByText(/calls itself/)).toBeDefined();
  });
});

describe("the layout of a form", () => {
  const fields = (count: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, index) => [`f${index}`, { type: "string" }]));
  it.each([
    ["the number of questions", 3, undefined, 3],
    ["the number of questions", 4, undefined, 1],
    ["the number of questions", 12, undefined, 1],
    ["the number of questions", 13, undefined, 13],
    ["the hint of the request", 2, "steps", 1],
    ["the hint of the request", 6, "form", 6],
    ["a hint for steps with one question", 1, "steps", 1],
    ["no unknown hint", 3, "carousel", 3],
  ])("depends on %s (%i, %s)", async (_, count, layout, shown) => {
    const context = { trigger: "tool", layout };
    await show(formRequest({ context, requestedSchema: { type: "object", properties: fields(count) } }));
    expect(screen.getAllByRole("textbox")).toHaveLength(shown);
  });

  it("shows all fields at once if the form asks for secrets, with the warning", async () => {
    const properties = { ...fields(4), key: { type: "string", title: "API key" } };
    await show(formRequest({ requestedSchema: { type: "object", properties } }));
    expect(screen.getAllByRole("textbox")).toHaveLength(4);
    expect(screen.getByRole("checkbox", { name: "I want to share this" })).toBeDefined();
  });

  it("allows a property of any name, even the name under which the current step is stored", async () => {
    const properties = { ...fields(4), "elicit-kit place": { type: "string" } };
    await show(formRequest({ requestedSchema: { type: "object", properties } }));
    await press("Next");
    cleanup();
    await show(formRequest({ requestedSchema: { type: "object", properties } }));
    for (let step = 1; step < 5; step += 1) await press("Next");
    expect(heading()).toBe("elicit-kit place");
    expect(screen.getByRole("textbox")).toHaveProperty("value", "");
  });
});
