import { act, cleanup, render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, expect, it } from "vitest";
import {
  CONVERSATION,
  createScript,
  type Script,
  type ScriptOptions,
} from "../../client/testing/scripted-client.ts";
import type { FormElicitationRequest } from "../../contract/contract.ts";
import { formRequest } from "../../contract/testing/requests.ts";
import { expectAccessible } from "../testing/expect-accessible.ts";
import { useElicitationList } from "../use-elicitation-list.ts";
import { FormElicitation } from "./FormElicitation.tsx";

afterEach(cleanup);

function Cards({ script }: { script: Script }) {
  const { elicitations } = useElicitationList({ client: script.client, conversationId: CONVERSATION });
  return elicitations.map((item) => <FormElicitation key={item.id} elicitation={item} />);
}

async function show(requests: readonly FormElicitationRequest[], options: ScriptOptions = {}) {
  const script = createScript({ requests, ...options });
  await act(async () =>
    render(
      <main>
        <Cards script={script} />
      </main>,
    ),
  );
  return script;
}

const OFFER = formRequest({ delegate: true });
const RECEIPT = "You left this to the assistant";

it("the user leaves the decision to the agent with the keyboard, and what they typed is not sent", async () => {
  const script = await show([{ ...OFFER, remember: { days: 30 } }]);
  await expectAccessible();
  await userEvent.type(screen.getByRole("textbox", { name: "City" }), "Lis");
  screen.getByRole("button", { name: "You decide" }).focus();
  await userEvent.keyboard("{Enter}");
  const { elicitationId } = OFFER;
  expect(script.sent).toEqual([
    { conversationId: CONVERSATION, elicitationId, action: "accept", delegated: true },
  ]);
  expect(await screen.findByText(RECEIPT)).toBeTruthy();
  expect(screen.queryByText(/Lis/)).toBeNull();
  await expectAccessible();
});

it("the card does not offer it if the tool does not, or if somebody else decides", async () => {
  await show([
    formRequest(),
    formRequest({ elicitationId: "other", delegate: true, assignee: { name: "Ben" } }),
  ]);
  expect(screen.queryByRole("button", { name: "You decide" })).toBeNull();
});

it("the receipt says it after a reload, and on another device", async () => {
  const resolution = { outcome: "accepted", at: "2026-11-20T12:00:00Z", delegated: true } as const;
  await show([{ ...OFFER, resolution }]);
  expect(screen.getByText(RECEIPT)).toBeTruthy();
});

it("of two questions at once, one is left to the agent, and both are sent together", async () => {
  const round = { id: "r", size: 2 };
  const script = await show([
    { ...OFFER, round },
    formRequest({ elicitationId: "second", message: "How many?", round }),
  ]);
  await userEvent.click(screen.getByRole("button", { name: "You decide" }));
  expect(script.sent).toEqual([]);
  expect(screen.getByText(RECEIPT, { selector: ".elicit-held *" })).toBeTruthy();
  await userEvent.type(screen.getByRole("textbox", { name: "City" }), "Lisbon{Enter}");
  expect(script.sent).toMatchObject([
    { elicitationId: OFFER.elicitationId, delegated: true },
    { elicitationId: "second", content: { city: "Lisbon" } },
  ]);
});
