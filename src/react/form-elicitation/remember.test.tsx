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

async function show(request: FormElicitationRequest, options: ScriptOptions = {}) {
  const script = createScript({ requests: [request], ...options });
  await act(async () =>
    render(
      <main>
        <Cards script={script} />
      </main>,
    ),
  );
  return script;
}

const OFFER = formRequest({ remember: { days: 30 } });
const box = () => screen.getByRole("checkbox", { name: "Use this answer again for 30 days" });
const USED = formRequest({
  remember: { days: 30 },
  resolution: { outcome: "accepted", at: "2026-11-20T12:00:00Z", remembered: "answer-1" },
});
const askNextTime = () => screen.getByRole("button", { name: "Ask me again next time" });

it("the card offers to remember the answer, and sends that only if the user has ticked it, also with the keyboard", async () => {
  const script = await show(OFFER);
  expect(box()).toHaveProperty("checked", false);
  await expectAccessible();
  await userEvent.type(screen.getByRole("textbox", { name: "City" }), "Lisbon");
  box().focus();
  await userEvent.keyboard(" ");
  await userEvent.click(screen.getByRole("button", { name: "Send" }));
  expect(script.sent).toMatchObject([{ action: "accept", content: { city: "Lisbon" }, remember: true }]);
});

it("the card does not send remember without the tick, and does not offer it if the server does not", async () => {
  const script = await show(OFFER);
  await userEvent.type(screen.getByRole("textbox", { name: "City" }), "Lisbon{Enter}");
  expect(script.sent[0]).not.toHaveProperty("remember");
  cleanup();
  await show(formRequest());
  expect(screen.queryByRole("checkbox")).toBeNull();
});

it("the card says what a remembered answer will be used for", async () => {
  await show(OFFER);
  const hint = (): string | null =>
    document.getElementById(box().getAttribute("aria-describedby") ?? "")?.textContent ?? null;
  expect(hint()).toBe("Only when this tool asks exactly this again.");
  cleanup();
  await show(formRequest({ remember: { days: 30, kind: "Delivery" } }));
  expect(hint()).toBe("For all questions of this tool about “Delivery”.");
});

it("the receipt says that a remembered answer was used, and lets the user be asked next time", async () => {
  const script = await show(USED);
  expect(screen.getByText("Answered as you allowed before")).toBeTruthy();
  await expectAccessible();
  await userEvent.click(askNextTime());
  expect(script.forgotten).toEqual(["answer-1"]);
  // The button is gone. The focus stays in the receipt.
  expect(document.activeElement).toBe(screen.getByText("You will be asked next time."));
  expect(screen.queryByRole("button", { name: "Ask me again next time" })).toBeNull();
});

it("the receipt says when the server could not forget the answer, and lets the user try again", async () => {
  await show(USED, { forgetFails: true });
  await userEvent.click(askNextTime());
  expect(screen.getByText("That did not work. Try again.")).toBeTruthy();
  expect(askNextTime().getAttribute("aria-disabled")).toBeNull();
});
