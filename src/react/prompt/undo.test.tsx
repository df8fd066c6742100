import { act, cleanup, fireEvent, render, screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { StrictMode } from "react";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { CONVERSATION, createScript, type ScriptOptions } from "../../client/testing/scripted-client.ts";
import { formRequest, urlRequest } from "../../contract/testing/requests.ts";
import { Elicitations } from "../elicitations/Elicitations.tsx";
import { loadFormCard } from "../elicitations/form-card.ts";
import { ElicitationDialog } from "../elicitation-dialog/ElicitationDialog.tsx";
import { expectAccessible } from "../testing/expect-accessible.ts";

beforeEach(async () => {
  await loadFormCard();
  vi.useFakeTimers({ shouldAdvanceTime: true });
});
afterEach(() => {
  cleanup();
  vi.useRealTimers();
});

async function show(options: ScriptOptions, onAskAgain?: (message: string) => void) {
  const script = createScript({ undoMs: 6_000, ...options });
  await act(async () =>
    render(
      <StrictMode>
        <main>
          <Elicitations client={script.client} conversationId={CONVERSATION} onAskAgain={onAskAgain} />
        </main>
      </StrictMode>,
    ),
  );
  return script;
}
const user = userEvent.setup({ advanceTimers: (ms) => void vi.advanceTimersByTime(ms) });
const press = (name: string) => user.click(screen.getByRole("button", { name }));
const wait = (ms: number) => act(async () => vi.advanceTimersByTimeAsync(ms));
const service = { name: "Tracker" };

describe("Undo", () => {
  it("has a ring around it that runs while the decline can be undone", async () => {
    await show({ requests: [formRequest()], undoMs: 9_000 });
    await press("Decline");
    const receipt = document.querySelector<HTMLElement>(".elicit-receipt")!;
    const length = Number.parseInt(receipt.style.getPropertyValue("--_undo"), 10);
    expect(length).toBeGreaterThan(8_000);
    expect(length).toBeLessThanOrEqual(9_000);
  });

  it.each([
    ["Decline", "You declined", "decline"],
    ["Not now", "Dismissed", "cancel"],
  ])(
    "undoes %s while its receipt counts the seconds, and sends it when they are over",
    async (name, told, action) => {
      const script = await show({ requests: [formRequest()] });
      await user.type(screen.getAllByRole("textbox")[0]!, "Lisbon");
      await press(name);
      if (name === "Not now") await press("Discard");
      const receipt = document.querySelector<HTMLElement>(".elicit-receipt")!;
      expect(receipt.textContent).toContain(told);
      expect(within(receipt).getByRole("timer").textContent).toMatch(/^[56] s$/);
      expect(document.activeElement).toBe(screen.getByRole("button", { name: "Undo" }));
      expect(screen.getByRole("status").textContent).toContain(told);
      await expectAccessible();
      await wait(2_000);
      expect(within(receipt).getByRole("timer").textContent).toMatch(/^[34] s$/);
      expect(script.sent).toEqual([]);

      await press("Undo");
      expect(screen.getAllByRole("textbox")[0]).toHaveProperty("value", "Lisbon");
      expect(document.activeElement).toBe(screen.getByRole("heading"));
      await wait(10_000);
      expect(script.sent).toEqual([]);

      await press(name);
      if (name === "Not now") await press("Discard");
      await wait(6_000);
      expect(script.sent).toMatchObject([{ action }]);
      expect(screen.queryByRole("button", { name: "Undo" })).toBeNull();
      expect(document.activeElement).toBe(screen.getByRole("heading"));
    },
  );

  it("undoes Escape with Ctrl and Z", async () => {
    const script = await show({ requests: [urlRequest({ service })] });
    screen.getByRole("button", { name: "Connect" }).focus();
    await user.keyboard("{Escape}");
    expect(document.querySelector(".elicit-receipt")?.textContent).toContain("Dismissed");
    // A second Escape has no effect.
    await user.keyboard("{Escape}{Control>}z{/Control}");
    expect(screen.getByRole("button", { name: "Connect" })).toBeDefined();
    await wait(10_000);
    expect(script.sent).toEqual([]);
  });

  it("is not offered on a card that took the focus by itself, because Escape was not meant for it", async () => {
    const script = await show({ requests: [urlRequest({ service })] });
    expect(document.activeElement).toBe(screen.getByRole("heading"));
    await user.keyboard("{Escape}");
    expect(screen.queryByRole("button", { name: "Undo" })).toBeNull();
    expect(screen.getByRole("button", { name: "Connect" })).toBeDefined();
    await wait(10_000);
    expect(script.sent).toEqual([]);
  });

  it("leaves the receipt in place while the decline is sent, and the outcome is announced once", async () => {
    let settle: (() => void) | undefined;
    const script = await show({
      requests: [urlRequest({ service })],
      respond: () =>
        new Promise((resolve) => {
          settle = () => resolve([{ elicitationId: "url-1", kind: "settled", outcome: "declined" }]);
        }),
    });
    await press("Decline");
    const told = screen.getByRole("status").textContent;
    await wait(6_000);
    expect(script.sent).toHaveLength(1);
    expect(screen.queryByRole("button", { name: "Connect" })).toBeNull();
    expect(document.querySelector(".elicit-receipt")?.textContent).toContain("You declined to connect");
    await act(async () => settle?.());
    expect(screen.getByRole("status").textContent).toBe(told);
  });

  it("is not pressed by the second click of a double-click on Decline", async () => {
    await show({ requests: [urlRequest({ service })] });
    await press("Decline");
    fireEvent.click(screen.getByRole("button", { name: "Undo" }), { detail: 2 });
    expect(screen.getByRole("button", { name: "Undo" })).toBeDefined();
  });

  it("is no longer possible when the cards leave the page: the decline is sent at once", async () => {
    const script = await show({ requests: [urlRequest({ service })] });
    await press("Decline");
    expect(script.sent).toEqual([]);
    cleanup();
    expect(script.sent).toMatchObject([{ action: "decline" }]);
  });

  it("is not offered in a dialog, because it closes with the answer", async () => {
    const script = createScript({ undoMs: 6_000, requests: [urlRequest({ service })] });
    await act(async () => render(<ElicitationDialog client={script.client} conversationId={CONVERSATION} />));
    await press("Decline");
    expect(script.sent).toMatchObject([{ action: "decline" }]);
    expect(screen.queryByRole("dialog")).toBeNull();
  });
});

describe("Connect after all", () => {
  it("asks the agent again, once, after a decline in this session", async () => {
    const onAskAgain = vi.fn<(message: string) => void>();
    await show({ requests: [urlRequest({ service })] }, onAskAgain);
    await press("Decline");
    expect(screen.queryByRole("button", { name: "Connect after all" })).toBeNull();
    await wait(6_000);
    await expectAccessible();
    await press("Connect after all");
    expect(onAskAgain).toHaveBeenCalledOnce();
    expect(onAskAgain.mock.calls[0]?.[0]).toBe("Please connect Tracker after all.");
    expect(screen.queryByRole("button", { name: "Connect after all" })).toBeNull();
  });

  it.each([
    ["without a way to the agent", urlRequest({ service }), undefined],
    ["for a page that connects nothing", urlRequest({ service, purpose: "pay" }), () => undefined],
    [
      "in history",
      urlRequest({ service, resolution: { outcome: "declined", at: "2026-11-21T12:00:00Z" } }),
      () => undefined,
    ],
  ])("is not offered %s", async (_, request, onAskAgain) => {
    await show({ requests: [request] }, onAskAgain);
    const decline = screen.queryByRole("button", { name: "Decline" });
    if (decline !== null) await user.click(decline);
    await wait(6_000);
    expect(document.querySelector(".elicit-receipt")).not.toBeNull();
    expect(screen.queryByRole("button", { name: "Connect after all" })).toBeNull();
  });
});
