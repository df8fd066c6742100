import { act, cleanup, render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, expect, it } from "vitest";
import { CONVERSATION, createScript, type Script } from "../../client/testing/scripted-client.ts";
import type { FormElicitationRequest } from "../../contract/contract.ts";
import { reviewRequest } from "../../contract/testing/requests.ts";
import { de } from "../../words/cards/de.ts";
import { expectAccessible } from "../testing/expect-accessible.ts";
import { useElicitationList } from "../use-elicitation-list.ts";
import { FormElicitation } from "./FormElicitation.tsx";

afterEach(cleanup);

function Cards({ script, catalogue }: { script: Script; catalogue?: typeof de | undefined }) {
  const { elicitations } = useElicitationList({ client: script.client, conversationId: CONVERSATION });
  return elicitations.map((item) => (
    <FormElicitation key={item.id} elicitation={item} catalogue={catalogue} />
  ));
}

async function show(request: FormElicitationRequest, catalogue?: typeof de) {
  const script = createScript({ requests: [request] });
  await act(async () =>
    render(
      <main>
        <Cards script={script} catalogue={catalogue} />
      </main>,
    ),
  );
  return script;
}

const rows = () =>
  screen.getAllByRole("term").map((term) => `${term.textContent}: ${term.nextElementSibling?.textContent}`);
const button = (name: string) => screen.getByRole("button", { name });
const euros = () => screen.getByRole("textbox", { name: "Amount in euros" });

it("the user reads the tool's title and its arguments, and approves with the keyboard alone", async () => {
  const script = await show(reviewRequest());
  expect(screen.getByRole("heading", { name: "Refund an order" })).toBe(document.activeElement);
  expect(rows()).toEqual(["Order: A-1742", "Notify the customer: Yes"]);
  expect(screen.getByText("asks for your approval")).toBeTruthy();
  await expectAccessible();
  euros().focus();
  await userEvent.keyboard("{Enter}");
  expect(script.sent).toMatchObject([{ action: "accept", content: { euros: 42 } }]);
});

it("the card marks a value that the user has changed, and no longer when it is as before", async () => {
  const script = await show(reviewRequest());
  expect(screen.queryByText(/Was:/)).toBeNull();
  await userEvent.clear(euros());
  await userEvent.type(euros(), "30");
  expect(screen.getByText(/^Was: .?42/)).toBeTruthy();
  await expectAccessible();
  await userEvent.clear(euros());
  await userEvent.type(euros(), "42");
  expect(screen.queryByText(/Was:/)).toBeNull();
  await userEvent.clear(euros());
  await userEvent.type(euros(), "30");
  await userEvent.click(button("Approve"));
  expect(script.sent).toMatchObject([{ action: "accept", content: { euros: 30 } }]);
});

it("a card whose only value is yes or no has Decline, because a no is not about the whole call", async () => {
  const properties = { urgent: { type: "boolean", title: "Urgent", default: false } };
  const script = await show(reviewRequest({ requestedSchema: { type: "object", properties } }));
  await userEvent.click(button("Decline"));
  expect(script.sent).toMatchObject([{ action: "decline" }]);
});

it("the user can say no with a word, and allow the tool for the conversation", async () => {
  const script = await show(reviewRequest({ remember: { days: 30, scope: "conversation" } }));
  const box = screen.getByRole("checkbox", { name: "Allow this tool for this conversation" });
  expect(button("No, and …")).toBeTruthy();
  await userEvent.click(box);
  await userEvent.click(button("Approve"));
  expect(script.sent).toMatchObject([{ action: "accept", remember: true }]);
});

it("a long value is folded, and the card says how much of it is missing", async () => {
  const value = `First line\n${"x".repeat(400)}`;
  const review = { subject: "Send a letter", rows: [{ label: "Letter", value, more: 12345 }] };
  await show(reviewRequest({ context: { trigger: "tool", review } }));
  const summary = screen.getByText("First line…");
  expect(summary.closest("details")?.open).toBe(false);
  await userEvent.click(summary);
  expect(summary.closest("details")?.textContent).toContain("12,345 more characters are not shown");
});

it("the message of a third party is shown as it is, so that its rows cannot hide anything", async () => {
  await show(reviewRequest({ requester: { name: "Agent", claimedName: "Evil Corp" } }));
  expect(screen.queryByRole("term")).toBeNull();
  expect(screen.getByText(/Order: A-1742/)).toBeTruthy();
  expect(screen.queryByRole("button", { name: "Approve" })).toBeNull();
});

it("the words are those of the user's language", async () => {
  await show(reviewRequest(), de);
  expect(button("Zustimmen")).toBeTruthy();
  expect(rows()).toContain("Notify the customer: Ja");
});
