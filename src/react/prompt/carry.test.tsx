import { act, cleanup, render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { type ReactNode, StrictMode } from "react";
import { afterEach, expect, it, vi } from "vitest";
import { CONVERSATION, createScript, type ScriptOptions } from "../../client/testing/scripted-client.ts";
import { formRequest, urlRequest } from "../../contract/testing/requests.ts";
import { ConnectPrompt } from "../connect-prompt/ConnectPrompt.tsx";
import { FormElicitation } from "../form-elicitation/FormElicitation.tsx";
import { expectAccessible } from "../testing/expect-accessible.ts";
import { useElicitationList } from "../use-elicitation-list.ts";

afterEach(cleanup);

const LINK = "https://auth.example.com/auth/answer?elicitationId=form-1";
const context = { trigger: "tool", worksByLink: true };

const Page = ({ children }: { children: ReactNode }) => (
  <StrictMode>
    <main>{children}</main>
  </StrictMode>
);

async function show(options: ScriptOptions) {
  const script = createScript({ trustedOrigin: "https://auth.example.com", ...options });
  function Cards() {
    const { elicitations } = useElicitationList({ client: script.client, conversationId: CONVERSATION });
    return elicitations.map((one) =>
      one.mode === "form" ? (
        <FormElicitation key={one.id} elicitation={one} />
      ) : (
        <ConnectPrompt key={one.id} elicitation={one} />
      ),
    );
  }
  await act(async () => render(<Cards />, { wrapper: Page }));
  return script;
}

const phone = () => screen.queryByRole("button", { name: "Continue on your phone" });
const code = () => screen.queryByRole("img", { name: "QR code of the link to this question" });

it.each([
  ["form", formRequest({ context }), LINK],
  // A link to the page of a request is in the request itself.
  ["page", urlRequest({ context }), urlRequest().url],
])(
  "the card of a %s shows the page's address as a QR code, a link and to copy",
  async (_, request, address) => {
    await show({ requests: [request], link: request.mode === "form" ? LINK : undefined });
    expect(code()).toBeNull();
    phone()?.focus();
    await userEvent.keyboard("{Enter}");
    await vi.waitFor(() => expect(code()).not.toBeNull());
    expect(phone()?.getAttribute("aria-expanded")).toBe("true");
    expect(screen.getByRole("link", { name: "Open in a new tab" }).getAttribute("href")).toBe(address);
    // Dark on light, whatever the theme.
    expect([...code()!.children].map((part) => part.getAttribute("fill"))).toEqual(["#fff", "#000"]);
    await expectAccessible();
    // Escape closes the code, and not the card.
    await userEvent.keyboard("{Escape}");
    expect([code(), document.activeElement === phone()]).toEqual([null, true]);
    await userEvent.keyboard("{Enter}{Tab}{Shift>}{Tab}{/Shift}{Enter}");
    expect(code()).toBeNull();
  },
);

it("the button goes with the answer, and is absent where the server has no answer page", async () => {
  const script = await show({ requests: [formRequest({ context })], link: LINK });
  await userEvent.click(phone()!);
  await vi.waitFor(() => expect(code()).not.toBeNull());
  const resolution = { outcome: "accepted", at: "2026-11-21T12:00:00Z" } as const;
  await act(async () => script.ask(formRequest({ context, resolution })));
  expect([phone(), code()]).toEqual([null, null]);
  cleanup();
  await show({ requests: [formRequest(), urlRequest()] });
  expect(phone()).toBeNull();
});

it("the button that copies the link keeps its name where the browser does not allow it", async () => {
  await show({ requests: [formRequest({ context })], link: LINK });
  const user = userEvent.setup();
  const writeText = vi.spyOn(navigator.clipboard, "writeText");
  writeText.mockRejectedValueOnce(new DOMException("Write permission denied.", "NotAllowedError"));
  await user.click(phone()!);
  await user.click(await screen.findByRole("button", { name: "Copy" }));
  expect(await screen.findByText("That did not work. Try again.", { selector: "output" })).toBeDefined();
  expect(screen.getByRole("button", { name: "Copy" }).querySelector("[data-icon=alert]")).not.toBeNull();
  await user.click(screen.getByRole("button", { name: "Copy" }));
  expect(await screen.findByRole("button", { name: "Copied" })).toBeDefined();
  expect(await navigator.clipboard.readText()).toBe(LINK);
});

it("the card says when the link cannot be read", async () => {
  await show({ requests: [formRequest({ context })] });
  await userEvent.click(phone()!);
  expect((await screen.findByRole("alert")).textContent).toBe("That did not work. Try again.");
  expect(code()).toBeNull();
});
