import { act, cleanup, render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { StrictMode } from "react";
import { afterEach, expect, it } from "vitest";
import { CONVERSATION, type ScriptOptions, createScript } from "../../client/testing/scripted-client.ts";
import type { ElicitationRequest } from "../../contract/contract.ts";
import { formRequest, urlRequest } from "../../contract/testing/requests.ts";
import { ElicitationPrompt } from "../elicitation-prompt/ElicitationPrompt.tsx";
import { lateForm } from "../elicitations/lazy-cards.ts";
import { expectAccessible } from "../testing/expect-accessible.ts";
import { useElicitationList } from "../use-elicitation-list.ts";

afterEach(cleanup);

const MINUTE = 60_000;
const later = (minutes: number) => new Date(Date.now() + minutes * MINUTE).toISOString();
const timeOf = (minutes: number, most = 100) => ({ expiresAt: later(minutes), extendableUntil: later(most) });

async function show(request: ElicitationRequest, options: ScriptOptions = {}) {
  await lateForm.load();
  const script = createScript({ requests: [request], ...options });
  function Cards() {
    const { elicitations } = useElicitationList({ client: script.client, conversationId: CONVERSATION });
    return elicitations.map((item) => <ElicitationPrompt key={item.id} elicitation={item} />);
  }
  render(
    <StrictMode>
      <main>
        <Cards />
      </main>
    </StrictMode>,
  );
  return script;
}

const button = () => screen.queryByRole("button", { name: "More time" });

it.each([
  ["a form", formRequest],
  ["a page", urlRequest],
])(
  "the user of %s gets more time with one press, and a screen reader hears the new end once",
  async (_, request) => {
    const expiresAt = later(11.5);
    const { extended } = await show(request(timeOf(1.5)), { status: () => ({ expiresAt }) });
    expect(screen.getByRole("timer").textContent).toMatch(/^1:\d\d left$/);
    expect(button()?.hasAttribute("data-soon")).toBe(true);
    // The press comes while the card's last sentence is still being read out, so it must replace it.
    await userEvent.click(button()!);
    expect(extended).toHaveLength(1);
    const told = await screen.findByText("This question now ends in 12 minutes.");
    expect(told.tagName).toBe("OUTPUT");
    expect(screen.queryByRole("timer")).toBeNull();
    expect(button()?.hasAttribute("data-soon")).toBe(false);
    await expectAccessible();
  },
);

it("before the last two minutes, keyboard users reach the button with Tab and press it with Enter", async () => {
  const { extended } = await show(formRequest(timeOf(9)));
  for (let presses = 0; presses < 20 && document.activeElement !== button(); presses += 1)
    await userEvent.tab();
  expect(document.activeElement).toBe(button());
  await userEvent.keyboard("{Enter}");
  expect(extended).toHaveLength(1);
  expect(document.activeElement).toBe(button());
});

it("the user reads before the last press when the question ends at the latest", async () => {
  await show(formRequest(timeOf(1.5, 6.4)));
  expect(screen.getByRole("timer").textContent).toMatch(/^1:\d\d left · at the latest in 7 minutes$/);
});

it("a question whose server gives no more time has no such button", async () => {
  const expiresAt = later(1.5);
  await show(formRequest({ expiresAt, extendableUntil: expiresAt }));
  expect(button()).toBeNull();
  cleanup();
  await show(formRequest({ expiresAt }));
  expect(button()).toBeNull();
});

it("a user whose server cannot give more time now reads that, and can press again", async () => {
  await show(formRequest(timeOf(1.5)), { extendFails: true });
  await userEvent.click(button()!);
  expect(
    await screen.findByRole("button", { name: "More time · That did not work. Try again." }),
  ).toBeDefined();
});

it("a user who got more time on another device reads the new end", async () => {
  const request = formRequest(timeOf(1.5));
  const { ask } = await show(request);
  expect(screen.queryByRole("timer")).not.toBeNull();
  act(() => ask({ ...request, expiresAt: later(11) }));
  expect(screen.queryByRole("timer")).toBeNull();
});
