import { act, cleanup, fireEvent, render, screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { StrictMode } from "react";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { CONVERSATION, createScript, type ScriptOptions } from "../../client/testing/scripted-client.ts";
import { formRequest, urlRequest } from "../../contract/testing/requests.ts";
import { Elicitations } from "../elicitations/Elicitations.tsx";
import { lateForm } from "../elicitations/lazy-cards.ts";
import { expectAccessible } from "../testing/expect-accessible.ts";

beforeEach(() => lateForm.load());
afterEach(() => {
  cleanup();
  sessionStorage.clear();
});

const onAskAgain = vi.fn<(message: string) => void>();

async function show(options: ScriptOptions, ask: typeof onAskAgain | undefined = onAskAgain) {
  onAskAgain.mockClear();
  const script = createScript({ storage: sessionStorage, ...options });
  await act(async () =>
    render(
      <StrictMode>
        <main>
          <Elicitations client={script.client} conversationId={CONVERSATION} onAskAgain={ask} />
        </main>
      </StrictMode>,
    ),
  );
  return script;
}
const press = async (name: string) => userEvent.click(await screen.findByRole("button", { name }));
const offered = () => screen.queryByRole("button", { name: "Ask again" });
const receipt = () => document.querySelector(".elicit-receipt")?.textContent;
const tracker = urlRequest({ service: { name: "Tracker" } });
const AT = "2026-11-21T12:00:00Z";

describe("a no", () => {
  it.each([
    ["Decline", "decline", "You declined"],
    ["Not now", "cancel", "Dismissed"],
  ])("by %s is sent at once, and its receipt offers to ask again", async (name, action, told) => {
    const script = await show({ requests: [tracker] });
    await press(name);
    expect(script.sent).toMatchObject([{ action }]);
    await waitFor(() => expect(receipt()).toContain(told));
    // Enter must not send a message that the user did not want.
    expect(document.activeElement).toBe(screen.getByRole("heading"));
    await expectAccessible();
    await press("Ask again");
    expect(onAskAgain.mock.calls.map(([message]) => message)).toEqual(["Please connect Tracker after all."]);
    expect(offered()).toBeNull();
  });

  it("does not ask again by the second click of a double-click", async () => {
    await show({ requests: [tracker] });
    await press("Decline");
    fireEvent.click(await screen.findByRole("button", { name: "Ask again" }), { detail: 2 });
    expect(onAskAgain).not.toHaveBeenCalled();
  });

  it("that waits for its round can be changed", async () => {
    const round = { id: "round-1", size: 3 };
    const script = await show({ requests: [formRequest({ round }), urlRequest({ ...tracker, round })] });
    await userEvent.click(screen.getAllByRole("button", { name: "Decline" })[0]!);
    expect(script.sent).toEqual([]);
    expect(document.querySelector(".elicit-held")?.textContent).toBe("You declined");
    await press("Change answer");
    expect(screen.getByRole("textbox", { name: "City" })).toBeDefined();
    await userEvent.click(screen.getAllByRole("button", { name: "Decline" })[1]!);
    expect(script.sent).toEqual([]);
    const card = document.querySelector('[data-elicitation="url-1"]');
    expect(card?.textContent).toMatch(/You declined to connect .?Tracker/);
  });
});

describe("a form that was asked again", () => {
  const flight = formRequest({
    requestedSchema: {
      type: "object",
      title: "Your flight",
      properties: { city: { type: "string", title: "City" } },
    },
  });
  const again = { ...flight, elicitationId: "form-2" };
  const city = () => screen.getByRole<HTMLInputElement>("textbox", { name: "City" });

  it("has the input of a decline, and its receipt no longer offers it", async () => {
    const script = await show({ requests: [flight] });
    await userEvent.type(city(), "Lisbon");
    await press("Decline");
    await waitFor(() => expect(receipt()).toBe("You declined · Your flightAsk again"));
    await press("Ask again");
    expect(onAskAgain.mock.calls.map(([message]) => message)).toEqual(["Please ask me again: Your flight"]);
    await act(async () => script.ask(again));
    expect(city().value).toBe("Lisbon");
    cleanup();
    await show({
      requests: [{ ...flight, resolution: { outcome: "declined", at: AT } }, again],
    });
    expect(city().value).toBe("Lisbon");
    expect(offered()).toBeNull();
  });

  it("has the input of an expired form", async () => {
    let status: "pending" | "expired" = "pending";
    const script = await show({ requests: [flight], status: () => ({ status }) });
    await userEvent.type(city(), "Lisbon");
    status = "expired";
    await act(async () => script.client.check("form-1"));
    expect(receipt()).toContain("The request expired");
    await expectAccessible();
    await press("Ask again");
    await act(async () => script.ask(again));
    expect(city().value).toBe("Lisbon");
  });

  it("is empty when the user has discarded the input", async () => {
    const script = await show({ requests: [flight] });
    await userEvent.type(city(), "Lisbon");
    await press("Not now");
    await press("Discard");
    expect(script.sent).toMatchObject([{ action: "cancel" }]);
    await press("Ask again");
    await act(async () => script.ask(again));
    expect(city().value).toBe("");
  });

  it("never has a secret", async () => {
    const secret = (elicitationId: string) =>
      formRequest({
        elicitationId,
        requestedSchema: { type: "object", properties: { password: { type: "string", title: "Password" } } },
      });
    const script = await show({ requests: [secret("a")] });
    await userEvent.type(screen.getByLabelText("Password"), "s3cret");
    await press("Decline");
    await act(async () => script.ask(secret("b")));
    expect(screen.getByLabelText<HTMLInputElement>("Password").value).toBe("");
  });

  it("does not give the text of a third party to the agent", async () => {
    await show({ requests: [{ ...flight, requester: { name: "Agent", claimedName: "Evil" } }] });
    await press("Decline");
    await press("Ask again");
    expect(onAskAgain.mock.calls.map(([message]) => message)).toEqual(["Please ask me that again."]);
  });
});

describe("Ask again", () => {
  it.each([
    ["a decline in the window", { outcome: "declined" }],
    ["a dismissal in another tab", { outcome: "cancelled" }],
    ["an expired request in history", { outcome: "expired" }],
  ] as const)("is offered after %s", async (_, { outcome }) => {
    await show({ requests: [{ ...tracker, resolution: { outcome, at: AT } }] });
    expect(offered()).not.toBeNull();
  });

  it.each([
    ["a yes", { resolution: { outcome: "accepted", at: AT } }],
    ["a withdrawn request", { resolution: { outcome: "withdrawn", at: AT } }],
    [
      "a decline of another user's question",
      { from: { name: "Bo" }, resolution: { outcome: "declined", at: AT } },
    ],
  ] as const)("is not offered after %s", async (_, end) => {
    await show({ requests: [formRequest(end)] });
    expect(receipt()).toBeDefined();
    expect(offered()).toBeNull();
  });

  it("is not offered without a way to the agent", async () => {
    const script = createScript({ requests: [tracker] });
    await act(async () => render(<Elicitations client={script.client} conversationId={CONVERSATION} />));
    await press("Decline");
    await waitFor(() => expect(receipt()).toContain("You declined"));
    expect(offered()).toBeNull();
  });
});
