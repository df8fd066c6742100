import { act, cleanup, render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { StrictMode } from "react";
import { afterEach, expect, it } from "vitest";
import {
  CONVERSATION,
  type Script,
  type ScriptOptions,
  createScript,
} from "../../client/testing/scripted-client.ts";
import { formRequest } from "../../contract/testing/requests.ts";
import { ar } from "../../words/cards/ar.ts";
import type { Catalogue } from "../../words/cards/catalogue.ts";
import { ElicitationPrompt } from "../elicitation-prompt/ElicitationPrompt.tsx";
import { lateForm } from "../elicitations/lazy-cards.ts";
import { expectAccessible } from "../testing/expect-accessible.ts";
import { useElicitationList } from "../use-elicitation-list.ts";
import { FormElicitation } from "./FormElicitation.tsx";

afterEach(cleanup);

const FOR_ADA = formRequest({ assignee: { name: "Ada", takeBack: true } });

function Cards({ script, catalogue }: { script: Script; catalogue: Catalogue | undefined }) {
  const { elicitations } = useElicitationList({ client: script.client, conversationId: CONVERSATION });
  return elicitations.map((item) => (
    <FormElicitation key={item.id} elicitation={item} catalogue={catalogue} />
  ));
}

function show(request = FOR_ADA, { catalogue, ...options }: ScriptOptions & { catalogue?: Catalogue } = {}) {
  const script = createScript({ requests: [request], ...options });
  render(
    <StrictMode>
      <main>
        <Cards script={script} catalogue={catalogue} />
      </main>
    </StrictMode>,
  );
  return script;
}

it("the card of a form that another user decides says who decides, and has no questions", async () => {
  const script = show();
  expect(screen.getByText("Waits for Ada")).toBeDefined();
  expect(screen.getByRole("heading", { name: "Where should the parcel go?" })).toBeDefined();
  expect(screen.queryByRole("textbox")).toBeNull();
  expect(screen.getAllByRole("button").map(({ textContent }) => textContent)).toEqual(["Take back"]);
  await expectAccessible();
  // The app's own card can still call `accept`.
  await act(async () => {
    await script.client.accept("form-1", { city: "Lisbon" });
    await script.client.decline("form-1");
  });
  expect(script.sent).toEqual([]);
});

it("the card becomes the form when the user takes it back", async () => {
  const { assigned } = show();
  await userEvent.click(screen.getByRole("button", { name: "Take back" }));
  expect(assigned).toEqual([["form-1", null]]);
  expect(screen.getByRole("textbox", { name: "City" })).toBeDefined();
  expect(screen.queryByText("Waits for Ada")).toBeNull();
});

it("the card says when it could not be taken back, and lets the user try again", async () => {
  show(FOR_ADA, { assignFails: true });
  await userEvent.click(screen.getByRole("button", { name: "Take back" }));
  expect(screen.getByText(/That did not work/, { ignore: "output" })).toBeDefined();
  expect(screen.getByRole("button", { name: "Take back" }).getAttribute("aria-disabled")).not.toBe("true");
});

it("the card has no button to take the form back if the application does not allow that", () => {
  show(formRequest({ assignee: { name: "Ada" } }));
  expect(screen.queryByRole("button")).toBeNull();
});

it("the card shows each new assignee, and at the end who has answered", async () => {
  const { ask } = show();
  await act(async () => ask({ ...FOR_ADA, assignee: { name: "The finance team" } }));
  expect(screen.getByText("Waits for The finance team")).toBeDefined();
  const resolution = { outcome: "accepted" as const, at: "2026-11-20T12:00:00Z", by: "Cy" };
  await act(async () => ask(formRequest({ resolution })));
  expect(screen.getByText("Answered by Cy")).toBeDefined();
});

it("the card of a form that another user decides uses the language of its catalogue", async () => {
  show(FOR_ADA, { catalogue: ar });
  expect(screen.getByText(/بانتظار/, { ignore: "output" }).textContent).toContain("Ada");
  await expectAccessible();
});

it("the kit's card replaces the app's own form card while another user decides", async () => {
  await lateForm.load();
  const script = createScript({ requests: [FOR_ADA] });
  function Chat() {
    const { elicitations } = useElicitationList({ client: script.client, conversationId: CONVERSATION });
    return elicitations.map((item) => (
      <ElicitationPrompt
        key={item.id}
        elicitation={item}
        components={{ FormElicitation: () => <p>The card of the app</p> }}
      />
    ));
  }
  render(<Chat />);
  expect(screen.getByText("Waits for Ada", { ignore: "output" })).toBeDefined();
  await userEvent.click(screen.getByRole("button", { name: "Take back" }));
  expect(screen.getByText("The card of the app")).toBeDefined();
});

it("replaces the app's own card of a context, too", () => {
  const context = { trigger: "payment" };
  const script = createScript({
    requests: [{ ...FOR_ADA, context }, formRequest({ elicitationId: "form-2", context })],
  });
  const components = { context: { payment: () => <p>Pay now</p> } };
  function Chat() {
    const { elicitations } = useElicitationList({ client: script.client, conversationId: CONVERSATION });
    return elicitations.map((item) => (
      <ElicitationPrompt key={item.id} elicitation={item} components={components} />
    ));
  }
  render(<Chat />);
  expect(screen.getByText("Waits for Ada", { ignore: "output" })).toBeDefined();
  expect(screen.getAllByText("Pay now")).toHaveLength(1);
});

const REMINDABLE = formRequest({ assignee: { name: "Ada", takeBack: true, remind: true } });

it("the Remind button sends a reminder to the assignee, and the card confirms it", async () => {
  const { reminded } = show(REMINDABLE);
  const button = screen.getByRole("button", { name: "Remind" });
  await userEvent.click(button);
  expect(reminded).toEqual(["form-1"]);
  expect(screen.getByText(/A reminder is on its way\./, { ignore: "output" })).toBeDefined();
  // The button stays, and with it the focus.
  expect(document.activeElement).toBe(button);
  await expectAccessible();
});

it("the card says when a reminder can be sent, if the last notice is too recent", async () => {
  show(REMINDABLE, { reminder: { sent: false, retryAfterMs: 475_000 } });
  await userEvent.click(screen.getByRole("button", { name: "Remind" }));
  const said = "It is too soon for a reminder. You can send one in 8 minutes.";
  expect(screen.getByText((text) => text.includes(said), { ignore: "output" })).toBeDefined();
});

it("the card removes the text about a reminder when the question gets another assignee", async () => {
  const { ask } = show(REMINDABLE);
  await userEvent.click(screen.getByRole("button", { name: "Remind" }));
  await act(async () => ask(formRequest({ assignee: { name: "Cy", remind: true } })));
  expect(screen.queryByText(/on its way/, { ignore: "output" })).toBeNull();
  expect(screen.getByText("Waits for Cy", { ignore: "output" })).toBeDefined();
});

it("the card takes neither the focus nor Escape while another user decides", async () => {
  const script = show(REMINDABLE);
  expect(document.activeElement).toBe(document.body);
  await userEvent.tab();
  await userEvent.keyboard("{Escape}");
  expect(script.sent).toEqual([]);
  expect(script.client.getSnapshot().items[0]?.status).toBe("pending");
});

const FROM_BO = formRequest({ from: { name: "Bo" }, giveOn: true });
const CHOICES = [
  { to: { user: "cy" }, name: "Cy" },
  { to: { group: "finance" }, name: "The finance team" },
];

async function open(options: ScriptOptions & { catalogue?: Catalogue } = {}) {
  // After `assign`, the request belongs to another user, and the server does not report its status to this one.
  const status = () => (script.assigned.length > 0 ? undefined : {});
  const script: Script = show(FROM_BO, { choices: CHOICES, status, ...options });
  await userEvent.type(screen.getByRole("textbox", { name: "City" }), "Lisbon");
  await userEvent.click(screen.getByRole("button", { name: "Give to someone else" }));
  return script;
}

it("a user who decides for another one can pass the question on, with the keyboard alone", async () => {
  const script = await open();
  const { assigned } = script;
  expect(screen.getByText("From Bo", { ignore: "output" })).toBeDefined();
  const list = screen.getByRole("radiogroup", { name: "Give to" });
  expect(list.contains(document.activeElement)).toBe(true);
  // While the list is open, the buttons that answer are hidden.
  const buttons = screen.getAllByRole("button").map((button) => button.textContent);
  expect(buttons).toEqual(expect.arrayContaining(["Give", "Back"]));
  expect(buttons).not.toEqual(expect.arrayContaining([expect.stringMatching(/^(Send|Decline)$/)]));
  await expectAccessible();
  await userEvent.keyboard(" ");
  await userEvent.tab();
  expect(document.activeElement?.textContent).toBe("Give");
  await userEvent.keyboard("{Enter}");
  expect(assigned).toEqual([["form-1", { user: "cy" }]]);
  expect(script.sent).toEqual([]);
  expect(await screen.findByText("Given to Cy")).toBeDefined();
  await expectAccessible();
});

it("the button Give does nothing before the user has chosen somebody", async () => {
  const { assigned } = await open();
  await userEvent.click(screen.getByRole("button", { name: "Give" }));
  expect(screen.getByText("Please fill this in.")).toBeDefined();
  expect(assigned).toEqual([]);
});

it("the button Back returns to the form, with the user's input", async () => {
  const script = await open();
  await userEvent.click(screen.getByRole("button", { name: "Back" }));
  expect(screen.queryByRole("radiogroup", { name: "Give to" })).toBeNull();
  await userEvent.click(screen.getByRole("button", { name: "Send" }));
  expect(script.sent).toMatchObject([{ action: "accept", content: { city: "Lisbon" } }]);
});

it("the form stays open for a user in the group that now decides", async () => {
  await open({ status: () => ({}) });
  await userEvent.click(screen.getByRole("radio", { name: "The finance team" }));
  await userEvent.click(screen.getByRole("button", { name: "Give" }));
  expect(await screen.findByText(/Given to .*The finance team/, { ignore: "output" })).toBeDefined();
  expect(screen.getByRole("textbox", { name: "City" })).toHaveProperty("value", "Lisbon");
});

it("the card says when the form could not be passed on, and when the list of users could not be read", async () => {
  show(FROM_BO, { assignFails: true });
  await userEvent.click(screen.getByRole("button", { name: "Give to someone else" }));
  expect(screen.getByText(/That did not work/, { ignore: "output" })).toBeDefined();
  expect(screen.queryByRole("button", { name: "Give" })).toBeNull();
});

it("a long list of users has a search", async () => {
  await open({
    choices: Array.from({ length: 40 }, (_, at) => ({ to: { user: `u${at}` }, name: `User ${at}` })),
  });
  expect(screen.getByRole("searchbox")).toBe(document.activeElement);
});

it("the button to pass on a form is missing if the server does not offer it", () => {
  show(formRequest({ from: { name: "Bo" } }), { choices: CHOICES });
  expect(screen.queryByRole("button", { name: "Give to someone else" })).toBeNull();
});

it("the card lets the user give their own question to somebody else, and then says for whom it waits", async () => {
  const { ask } = show(formRequest({ giveOn: true }), { choices: CHOICES, status: () => ({}) });
  await userEvent.click(screen.getByRole("button", { name: "Give to someone else" }));
  await userEvent.click(screen.getByRole("radio", { name: "Cy" }));
  await userEvent.click(screen.getByRole("button", { name: "Give" }));
  expect(await screen.findByText("Waits for Cy", { ignore: "output" })).toBeDefined();
  expect(screen.queryByRole("textbox", { name: "City" })).toBeNull();
  expect(screen.queryByRole("button", { name: "Give to someone else" })).toBeNull();
  await expectAccessible();
  await act(async () => ask(formRequest({ giveOn: true })));
  expect(screen.getByRole("button", { name: "Give to someone else" })).toBeDefined();
});
