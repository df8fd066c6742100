import { act, cleanup, render, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { type ReactNode, StrictMode } from "react";
import { afterEach, describe, expect, it } from "vitest";
import { expectAccessible } from "../testing/expect-accessible.ts";
import {
  CONVERSATION,
  createScript,
  type Script,
  type ScriptOptions,
} from "../../client/testing/scripted-client.ts";
import { formRequest, question, urlRequest } from "../../contract/testing/requests.ts";
import type { ElicitationRequest } from "../../contract/contract.ts";
import { ElicitationAnnouncer } from "../prompt/live-region.tsx";
import { ElicitationDialog } from "./ElicitationDialog.tsx";
import { lateForm } from "../elicitations/lazy-cards.ts";

await lateForm.load();
afterEach(cleanup);

const Page = ({ children }: { children: ReactNode }) => (
  <StrictMode>
    <main>
      <textarea aria-label="Message" />
      {children}
    </main>
  </StrictMode>
);

async function show(
  requests: readonly ElicitationRequest[] = [],
  options: ScriptOptions = {},
): Promise<Script> {
  const script = createScript({ requests, ...options });
  const { client } = script;
  await act(async () =>
    render(<ElicitationDialog client={client} conversationId={CONVERSATION} />, { wrapper: Page }),
  );
  return script;
}

const composer = () => screen.getByLabelText("Message");
const dialogs = () => screen.queryAllByRole("dialog");

describe("ElicitationDialog", () => {
  it("is absent while there is no request", async () => {
    await show();
    expect(dialogs()).toEqual([]);
  });

  it("opens with the name of the request and takes the focus, even from the composer", async () => {
    const script = await show();
    composer().focus();
    await act(async () => script.ask(urlRequest()));
    expect(screen.getByRole("dialog", { name: "Connect your account" })).toBeDefined();
    expect(document.activeElement).toBe(screen.getByRole("heading", { name: "Connect your account" }));
    await expectAccessible();
  });

  it("dismisses on Escape, returns the focus and announces the outcome", async () => {
    const script = await show();
    composer().focus();
    await act(async () => script.ask(urlRequest()));
    await userEvent.keyboard("{Escape}");
    expect(script.sent).toMatchObject([{ action: "cancel" }]);
    await waitFor(() => expect(dialogs()).toEqual([]));
    await waitFor(() => expect(document.activeElement).toBe(composer()));
    expect(screen.getByRole("status").textContent).toBe("Dismissed.");
  });

  it("announces inside the dialog while it is open, even within an ElicitationAnnouncer", async () => {
    const script = createScript({ requests: [urlRequest()] });
    await act(async () =>
      render(
        <ElicitationAnnouncer>
          <ElicitationDialog client={script.client} conversationId={CONVERSATION} />
        </ElicitationAnnouncer>,
        { wrapper: Page },
      ),
    );
    await userEvent.click(screen.getByRole("button", { name: "Connect" }));
    const inside = within(screen.getByRole("dialog")).getByRole("status");
    expect(inside.textContent).toBe("Finish in the window that opened.");
    // The outer live region is not hidden either.
    expect(screen.getAllByRole("status")).toHaveLength(2);
    await userEvent.keyboard("{Escape}");
    await waitFor(() => expect(dialogs()).toEqual([]));
    expect(screen.getByRole("status").textContent).toBe("Dismissed.");
  });

  it("stays open when the user presses outside of it", async () => {
    const script = await show([urlRequest()]);
    await userEvent.click(document.querySelector(".elicit-overlay")!, { pointerEventsCheck: 0 });
    expect(dialogs()).toHaveLength(1);
    expect(script.sent).toEqual([]);
  });

  it("shows one request at a time, in order", async () => {
    await show([urlRequest(), formRequest()]);
    await userEvent.click(screen.getByRole("button", { name: "Decline" }));
    await waitFor(() =>
      expect(dialogs().map((dialog) => dialog.textContent)).toEqual([
        expect.stringContaining("Where should the parcel go?"),
      ]),
    );
    expect(document.activeElement).toBe(screen.getByRole("heading", { name: "Where should the parcel go?" }));
  });

  it("asks before it discards user input, with Escape and with ×", async () => {
    const script = await show([formRequest()]);
    const city = screen.getByRole<HTMLInputElement>("textbox", { name: "City" });
    await userEvent.type(city, "Lisbon{Escape}");
    expect(city.value).toBe("Lisbon");
    expect(script.sent).toEqual([]);
    await userEvent.keyboard("{Escape}");
    expect(document.activeElement).toBe(screen.getByRole("button", { name: "Keep editing" }));
    await expectAccessible();
    await userEvent.keyboard("{Escape}");
    await userEvent.click(screen.getByRole("button", { name: "Not now" }));
    await userEvent.click(document.querySelector(".elicit-overlay")!, { pointerEventsCheck: 0 });
    expect(dialogs()).toHaveLength(1);
    expect(script.sent).toEqual([]);
    await userEvent.click(screen.getByRole("button", { name: "Discard" }));
    expect(script.sent).toMatchObject([{ action: "cancel" }]);
    await waitFor(() => expect(dialogs()).toEqual([]));
  });

  it.each(["×", "Escape"])(
    "stays open with the user's input when the request ends without an answer, until closed with %s",
    async (way) => {
      const script = await show([formRequest(), urlRequest()]);
      await userEvent.type(screen.getByRole("textbox", { name: "City" }), "Lisbon");
      await act(async () =>
        script.ask(formRequest({ resolution: { outcome: "expired", at: "2026-11-21T12:00:00Z" } })),
      );
      const dialog = screen.getByRole("dialog", { name: "Where should the parcel go?" });
      expect(within(dialog).getByText("Lisbon")).toBeDefined();
      expect(within(dialog).getByRole("status").textContent).toBe("The request expired.");
      await expectAccessible();
      if (way === "×") await userEvent.click(screen.getByRole("button", { name: "Close" }));
      else await userEvent.keyboard("{Escape}");
      expect(screen.getByRole("dialog", { name: "Connect your account" })).toBeDefined();
      expect(script.sent).toEqual([]);
    },
  );

  it("dismisses the app's own card on Escape, but not while one of its controls has the focus", async () => {
    const Own = () => <input aria-label="Amount" />;
    const script = createScript({ requests: [urlRequest({ context: { trigger: "payment" } })] });
    const components = { context: { payment: Own } };
    await act(async () =>
      render(<ElicitationDialog client={script.client} components={components} />, { wrapper: Page }),
    );
    await userEvent.type(screen.getByRole("textbox", { name: "Amount" }), "5{Escape}");
    expect(script.sent).toEqual([]);
    await userEvent.keyboard("{Escape}");
    expect(script.sent).toMatchObject([{ action: "cancel" }]);
  });

  it("closes the code for a phone on Escape, and keeps the request", async () => {
    const context = { trigger: "tool", worksByLink: true };
    const link = "https://auth.example.com/auth/answer?elicitationId=form-1";
    const script = await show([formRequest({ context })], {
      link,
      trustedOrigin: "https://auth.example.com",
    });
    const phone = screen.getByRole("button", { name: "Continue on your phone" });
    await userEvent.click(phone);
    const copy = await screen.findByRole("button", { name: "Copy" });
    act(() => copy.focus());
    await userEvent.keyboard("{Escape}");
    expect(screen.queryByRole("button", { name: "Copy" })).toBeNull();
    expect(document.activeElement).toBe(phone);
    expect(script.sent).toEqual([]);
  });

  it("lets Escape clear a search before it dismisses", async () => {
    const cities = Array.from({ length: 20 }, (_, index) => `City ${index}`);
    const script = await show([question({ type: "string", enum: cities })]);
    const search = screen.getByRole<HTMLInputElement>("searchbox");
    await userEvent.type(search, "ci");
    await userEvent.keyboard("{Escape}");
    expect(search.value).toBe("");
    expect(script.sent).toEqual([]);
    await userEvent.keyboard("{Escape}{Escape}");
    expect(script.sent).toMatchObject([{ action: "cancel" }]);
  });
});
