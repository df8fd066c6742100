import { act, cleanup, fireEvent, render, screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { type ReactNode, StrictMode } from "react";
import { afterEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { expectAccessible } from "../testing/expect-accessible.ts";
import type { AnswerReceipt } from "../../client/channel.ts";
import { FakeChannel, offline } from "../../client/testing/fake-channel.ts";
import {
  CONVERSATION,
  createScript,
  type Script,
  type ScriptOptions,
} from "../../client/testing/scripted-client.ts";
import { urlRequest } from "../../contract/testing/requests.ts";
import type { UrlElicitationRequest } from "../../contract/contract.ts";
import { useElicitationList } from "../use-elicitation-list.ts";
import { ConnectPrompt } from "./ConnectPrompt.tsx";

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

function Card({ script }: { script: Script }) {
  const { elicitations } = useElicitationList({ client: script.client, conversationId: CONVERSATION });
  return elicitations.map((elicitation) => <ConnectPrompt key={elicitation.id} elicitation={elicitation} />);
}

const Page = ({ children }: { children: ReactNode }) => (
  <StrictMode>
    <main>{children}</main>
    <footer>
      <button type="button">Elsewhere</button>
    </footer>
  </StrictMode>
);

async function show(
  changes: Partial<UrlElicitationRequest> = {},
  options: ScriptOptions = {},
): Promise<Script> {
  const script = createScript({ requests: [urlRequest(changes)], ...options });
  await act(async () => render(<Card script={script} />, { wrapper: Page }));
  return script;
}

const button = (name: string) => screen.getByRole("button", { name });
const status = () => screen.getByRole("status").textContent;

describe("the connect card", () => {
  it("opens its receipt to the time and to the operator's page of accounts, and only to that", async () => {
    const trustedOrigin = "https://auth.example.com";
    const connected = {
      service: { name: "Tracker" },
      context: { trigger: "credential_required", worksByLink: true },
      resolution: { outcome: "accepted", at: "2026-11-21T12:00:00Z" },
    } as const;
    const link = () => screen.queryByRole("link", { name: "See what it allows, or remove it", hidden: true });
    const { ask } = await show({ ...connected, resolution: undefined }, { trustedOrigin });
    expect(link()).toBeNull();
    await act(async () => ask(urlRequest(connected)));
    expect(screen.getByText("Tracker connected", { selector: "strong" }).closest("summary")).not.toBeNull();
    expect(link()?.getAttribute("href")).toBe("https://auth.example.com/auth/accounts");
    await openReceipt();
    expect(await screen.findByText(/Nov 21, 2026/)).toBeDefined();
    // This server offers no accounts.
    expect(screen.queryByRole("button", { name: "Remove" })).toBeNull();
    await expectAccessible();

    for (const [changes, origin] of [
      // A page of another product: the card may be in that product's chat.
      [connected, "https://other.example.com"],
      [{ ...connected, context: { trigger: "credential_required" } }, trustedOrigin],
      [{ ...connected, purpose: "pay" }, trustedOrigin],
      [{ ...connected, url: "https://auth.example.com/own-page" }, trustedOrigin],
      [{ ...connected, resolution: { ...connected.resolution, outcome: "declined" } }, trustedOrigin],
    ] as const) {
      cleanup();
      await show(changes, { trustedOrigin: origin });
      expect(document.querySelector(".elicit-receipt")).not.toBeNull();
      expect(link()).toBeNull();
    }
  });

  it("shows the requester, the message, and the whole link as text", async () => {
    await show();
    const card = screen.getByRole("group", { name: "Connect your account" });
    expect(within(card).getByText("Acme Assistant")).toBeDefined();
    expect(within(card).getByText("To list your repositories, GitHub needs your permission.")).toBeDefined();
    const link = within(card).getByRole("group", { name: "Link to auth.example.com" });
    expect(link.querySelector("bdi")?.textContent).toBe(
      "https://auth.example.com/auth/connect?elicitationId=url-1",
    );
    expect(link.querySelector("strong")?.textContent).toBe("auth.example.com");
    expect(screen.queryByRole("link")).toBeNull();
    await expectAccessible();
  });

  it("shows a third party's own name as a claim", async () => {
    await show({ requester: { name: "Acme Assistant", claimedName: "GitHub" } });
    const card = screen.getByRole("group", { name: "Connect your account" });
    expect(card.textContent).toContain("It calls itself “GitHub”. Nobody has verified this name.");
    expect(within(card).getByText("GitHub").tagName).toBe("B");
  });

  it("opens no page before the click, and sends no answer with it", async () => {
    const script = await show();
    expect(script.visited).toEqual([]);
    await userEvent.click(button("Connect"));
    expect(script.visited).toEqual([urlRequest().url]);
    expect(script.sent).toEqual([]);
  });

  it.each([
    ["the operator's own page", "https://auth.example.com", "&lang=de&theme=dark"],
    ["a page of others", undefined, ""],
  ])("opens %s with the chat's language and theme only if it is the kit's hosted page", async (...row) => {
    const [, trustedOrigin, look] = row;
    const { documentElement } = document;
    onTestFinished(() => {
      documentElement.removeAttribute("lang");
      documentElement.removeAttribute("style");
    });
    documentElement.lang = "de";
    documentElement.style.colorScheme = "dark";
    const script = await show({}, { trustedOrigin });
    await userEvent.click(button("Connect"));
    expect(script.visited).toEqual([`${urlRequest().url}${look}`]);
  });

  it("shows the message as plain text, without markup or links", async () => {
    await show({
      message: '<img src=x onerror=alert(1)> <a href="https://evil.example">https://evil.example</a>',
    });
    expect(screen.getByText(/<img src=x/)).toBeDefined();
    expect(document.querySelector("img, a")).toBeNull();
  });

  it("warns about an unusual link, and shows the decoded host only beside the ASCII one", async () => {
    await show({ url: "https://xn--80ak6aa92e.com/" });
    expect(screen.getByText("This is not apple.com")).toBeDefined();
    expect(screen.getByText(/only look the same/)).toBeDefined();
    const link = screen.getByRole("group", { name: /^Link to/ });
    expect(link.querySelector("strong")?.textContent).toBe("xn--80ak6aa92e.com");
    expect(within(link).getByText(/^reads as/)).toBeDefined();
    await expectAccessible();
  });

  it("does not open, copy or link an unsafe URL, and shows the reason", async () => {
    const script = await show({ url: "javascript:alert(1)" });
    expect(screen.getByText("This link is not safe, so it cannot be opened.")).toBeDefined();
    expect(screen.getByText("The link does not lead to a web page.")).toBeDefined();
    expect(screen.queryByRole("button", { name: "Connect" })).toBeNull();
    expect(screen.queryByRole("button", { name: "Copy" })).toBeNull();
    expect(screen.queryByRole("link")).toBeNull();
    await expectAccessible();
    await userEvent.click(button("Decline"));
    expect(script.sent).toMatchObject([{ action: "decline" }]);
  });

  it("copies the link", async () => {
    await show();
    const user = userEvent.setup();
    await user.click(button("Copy"));
    expect(await navigator.clipboard.readText()).toBe(urlRequest().url);
    expect(button("Copied")).toBeDefined();
    expect(status()).toBe("Copied.");
  });

  it("says that it could not copy the link where the browser does not allow it", async () => {
    await show();
    const user = userEvent.setup();
    const writeText = vi.spyOn(navigator.clipboard, "writeText");
    writeText.mockRejectedValueOnce(new DOMException("Write permission denied.", "NotAllowedError"));
    await user.click(button("Copy"));
    expect(status()).toBe("That did not work. Try again.");
    expect(button("Copy").querySelector("[data-icon=alert]")).not.toBeNull();
    await user.click(button("Copy"));
    expect(button("Copied")).toBeDefined();
  });
});

it("the connect card decodes the icon of the service once, however often it renders", async () => {
  const decode = vi.fn(async () => undefined);
  Object.defineProperty(HTMLImageElement.prototype, "decode", { configurable: true, value: decode });
  onTestFinished(() => void Reflect.deleteProperty(HTMLImageElement.prototype, "decode"));
  const service = { name: "Tracker", iconDataUrl: "data:image/png;base64,AAAA" };
  const script = createScript({ requests: [urlRequest({ service })] });
  await act(async () => render(<Card script={script} />));
  for (const url of ["one", "two", "three"]) {
    const lastError = `Try ${url}`;
    await act(async () => script.ask(urlRequest({ service, progress: { status: "pending", lastError } })));
  }
  expect(screen.getAllByText(/Try three/).length).toBeGreaterThan(0);
  expect(decode).toHaveBeenCalledOnce();
});

describe("the connect card, answered without opening the page,", () => {
  it.each([
    ["Decline", "decline", "You declined"],
    ["Not now", "cancel", "Dismissed"],
  ])("sends %s as %s and leaves a receipt", async (name, action, receipt) => {
    const script = await show();
    await userEvent.click(button(name));
    expect(script.sent).toMatchObject([{ elicitationId: "url-1", action }]);
    expect(screen.getByText(receipt, { ignore: "output" })).toBeDefined();
    expect(status()).toBe(`${receipt}.`);
    expect(screen.queryAllByRole("button")).toEqual([button("Elsewhere")]);
    await expectAccessible();
  });

  it("dismisses on Escape inside the card, and ignores Escape outside of it", async () => {
    const script = await show();
    const user = userEvent.setup();
    button("Elsewhere").focus();
    await user.keyboard("{Escape}");
    expect(script.sent).toEqual([]);
    button("Connect").focus();
    await user.keyboard("{Escape}");
    expect(script.sent).toMatchObject([{ action: "cancel" }]);
  });

  it("ignores Escape while an input method composes a character", async () => {
    const script = await show();
    fireEvent.keyDown(button("Connect"), { key: "Escape", isComposing: true });
    // Safari reports an Escape that ends a composition with this key code.
    fireEvent.keyDown(button("Connect"), { key: "Escape", keyCode: 229 });
    expect(script.sent).toEqual([]);
  });
});

describe("the receipt of a connected account", () => {
  const account = { connected: true, rights: ["create issues for you"], since: "2026-11-20T10:00:00Z" };
  const connected = {
    service: { name: "Tracker" },
    context: { trigger: "credential_required", worksByLink: true },
    resolution: { outcome: "accepted", at: "2026-11-21T12:00:00Z" },
  } as const;
  const trustedOrigin = "https://auth.example.com";
  const heading = () => document.querySelector("summary");

  it("opens to its rights and since when it is connected, and removes it after one question", async () => {
    await show(connected, { trustedOrigin, account });
    await openReceipt();
    expect((await screen.findByText("create issues for you")).closest("dd")).not.toBeNull();
    expect(screen.getByText(/Nov 20, 2026/)).toBeDefined();
    await expectAccessible();
    await userEvent.tab();
    expect(document.activeElement).toBe(button("Remove"));
    await userEvent.keyboard("{Enter}");
    expect(screen.getByRole("group", { name: /^Remove .*Tracker.*\? Your chat/ })).toBeDefined();
    expect(document.activeElement).toBe(button("Keep"));
    await expectAccessible();
    await userEvent.keyboard("{Enter}");
    expect(document.activeElement).toBe(button("Remove"));
    await userEvent.keyboard("{Enter}{Tab}{Enter}");
    await vi.waitFor(() => expect(heading()?.textContent).toBe("Tracker is no longer connected"));
    expect(document.activeElement).toBe(heading());
    expect(screen.queryByRole("button", { name: "Remove" })).toBeNull();
    expect(status()).toContain("is no longer connected");
    await expectAccessible();
  });

  it("says so when the provider does not know of the removal, and when nothing was removed", async () => {
    await show(connected, { trustedOrigin, account, revokes: false });
    await remove();
    expect(await screen.findByText(/Remove the access in your account there, too/)).toBeDefined();

    cleanup();
    await show(connected, { trustedOrigin, account, revokes: "fails" });
    await remove();
    await vi.waitFor(() =>
      expect(document.activeElement?.textContent).toBe("Remove · That did not work. Try again."),
    );
    expect(heading()?.textContent).toContain("connected");
  });

  it("says when it opens that the user has removed the account elsewhere", async () => {
    await show(connected, { trustedOrigin, account: { connected: false } });
    await openReceipt();
    await vi.waitFor(() => expect(heading()?.textContent).toContain("is no longer connected"));
  });

  it("asks the server nothing before it is opened, and nothing in another product's chat", async () => {
    const read = vi.spyOn(FakeChannel.prototype, "read");
    onTestFinished(() => read.mockRestore());
    await show(connected, { trustedOrigin, account });
    expect(read).not.toHaveBeenCalled();
    cleanup();
    await show(connected, { trustedOrigin: "https://other.example.com", account });
    expect(heading()).toBeNull();
    expect(read).not.toHaveBeenCalled();
  });

  async function remove(): Promise<void> {
    await openReceipt();
    await userEvent.click(await screen.findByRole("button", { name: "Remove" }));
    await userEvent.click(button("Remove"));
  }
});

/** As a browser does when the user presses the receipt's line. */
async function openReceipt(): Promise<void> {
  document.querySelector("summary")?.focus();
  await userEvent.click(document.querySelector("summary")!);
}

describe("the connect card, while its page is open,", () => {
  it("waits, and sends an accept when the user has finished", async () => {
    const script = await show();
    await userEvent.click(button("Connect"));
    expect(screen.getByText("Finish in the window that opened")).toBeDefined();
    expect(document.querySelector(".elicit-waiting")?.textContent).toBe("Waiting for auth.example.com");
    expect(status()).toBe("Finish in the window that opened.");
    expect(button("Show window")).toBeDefined();
    expect(button("Cancel")).toBeDefined();
    await expectAccessible();
    await userEvent.click(button("I’ve finished"));
    expect(script.sent).toMatchObject([{ action: "accept" }]);
    expect(screen.getByText("Connected", { ignore: "output" })).toBeDefined();
  });

  it("stays open and shows a notice when the server reports that the page is not complete", async () => {
    await show({}, { respond: async () => [{ elicitationId: "url-1", kind: "pending" }] });
    await userEvent.click(button("Connect"));
    await userEvent.click(button("I’ve finished"));
    expect(screen.getByText(/^Not finished yet/, { ignore: "output" })).toBeDefined();
    expect(button("I’ve finished")).toBeDefined();
    await expectAccessible();
  });

  it("checks the page without layout changes, and shows in the same place that it is not complete", async () => {
    let reply: (receipts: readonly AnswerReceipt[]) => void = () => {};
    await show({}, { respond: () => new Promise((resolve) => (reply = resolve)) });
    await userEvent.click(button("Connect"));
    const shape = () =>
      [...document.querySelectorAll("[data-elicitation] :is(div, p, button)")].map(
        ({ tagName, className }) => `${tagName}.${className}`,
      );
    const before = shape();
    await userEvent.click(button("I’ve finished"));
    const row = () => document.querySelector(".elicit-waiting")?.textContent;
    expect(row()).toBe("Checking…");
    expect(shape()).toEqual(before);
    expect(button("I’ve finished").getAttribute("aria-disabled")).toBe("true");
    await act(async () => reply([{ elicitationId: "url-1", kind: "pending" }]));
    expect(row()).toBe("Not finished yet");
    expect(shape()).toEqual(before);
    expect(status()).toMatch(/^Not finished yet\. Complete the steps/);
  });

  it("waits again when the chat is reloaded while the page is open", async () => {
    await show({}, { storage: sessionStorage });
    await userEvent.click(button("Connect"));
    cleanup();
    const script = await show({}, { storage: sessionStorage });
    expect(screen.getByText("Finish on the page in the other tab")).toBeDefined();
    expect(button("Open again")).toBeDefined();
    await userEvent.click(button("I’ve finished"));
    expect(script.sent).toMatchObject([{ action: "accept" }]);
    expect(sessionStorage).toHaveLength(0);
  });

  it("shows the operator's own message from its page unchanged", async () => {
    const lastError = "You cancelled at Tracker. Nothing was connected.";
    await show({ progress: { status: "pending", lastError } }, { trustedOrigin: "https://auth.example.com" });
    expect(document.querySelector(".elicit-notice")?.textContent.trim()).toBe(lastError);
    expect(document.querySelector("q")).toBeNull();
  });

  it.each([
    [true, "no"],
    [undefined, "alert"],
  ])("shows a cancel at the provider calmly, as the page does (by the user: %s)", async (byUser, sign) => {
    await show({ progress: { status: "pending", lastError: "You cancelled at Tracker.", byUser } });
    expect(document.querySelector(".elicit-notice > svg")?.getAttribute("data-icon")).toBe(sign);
  });
  it("shows the error that the page reported, and lets the user try again", async () => {
    const script = await show();
    await userEvent.click(button("Connect"));
    act(() => script.ask(urlRequest({ progress: { status: "consented", lastError: "Access denied" } })));
    expect(
      screen.getByText("The page reported a problem. You can try again.", { ignore: "output" }),
    ).toBeDefined();
    expect(screen.getByText("Access denied").tagName).toBe("Q");
    expect(screen.queryByRole("button", { name: "I’ve finished" })).toBeNull();
    await userEvent.click(button("Try again"));
    expect(script.visited).toHaveLength(1);
  });

  it("treats a closed window as a hint only, and offers to open it again (NangoHQ/nango#571)", async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true });
    const script = await show();
    fireEvent.click(button("Connect"));
    script.closeWindow();
    await act(async () => vi.advanceTimersByTimeAsync(2_100));
    expect(screen.getByText(/^Closed the window\?/, { ignore: "output" })).toBeDefined();
    expect(button("Open again")).toBeDefined();
    expect(button("I’ve finished")).toBeDefined();
    expect(script.sent).toEqual([]);
  });

  it("offers links when the browser blocks the window (decocms/studio#512)", async () => {
    const script = await show({}, { popupsBlocked: true });
    await userEvent.click(button("Connect"));
    const tab = screen.getByRole("link", { name: "Open in a new tab" });
    expect(tab.getAttribute("href")).toBe(urlRequest().url);
    expect(tab.getAttribute("rel")).toBe("noopener noreferrer");
    expect(tab.getAttribute("target")).toBe("_blank");
    expect(screen.getByRole("link", { name: "Continue in this tab" }).getAttribute("target")).toBeNull();
    await expectAccessible();
    tab.addEventListener("click", (event) => event.preventDefault());
    await userEvent.click(tab);
    expect(screen.getByText("Finish on the page in the other tab")).toBeDefined();
    expect(script.sent).toEqual([]);
  });

  describe("with the operator's own page", () => {
    const trustedOrigin = "https://auth.example.com";
    const rel = (name: string) => screen.getByRole("link", { name }).getAttribute("rel");

    it("offers every link if the server says that the page works by link, and lets the tab message the chat", async () => {
      const context = { trigger: "credential_required", worksByLink: true };
      await show({ context }, { popupsBlocked: true, trustedOrigin });
      expect(button("Copy")).toBeDefined();
      await userEvent.click(button("Connect"));
      expect(rel("Open in a new tab")).toBe("opener");
      expect(rel("Continue in this tab")).toBe("noreferrer");
    });

    it("offers neither Copy nor Continue in this tab for a page that cannot identify the user", async () => {
      await show({}, { popupsBlocked: true, trustedOrigin });
      expect(screen.queryByRole("button", { name: "Copy" })).toBeNull();
      await userEvent.click(button("Connect"));
      // The chat opens the tab, so its page can ask the chat.
      expect(rel("Open in a new tab")).toBe("opener");
      expect(screen.queryByRole("link", { name: "Continue in this tab" })).toBeNull();
      await expectAccessible();
    });
  });

  it("sends a second accept when the user has finished, if the first accept means consent", async () => {
    const script = await show(
      { acceptMeans: "consent" },
      { respond: async () => [{ elicitationId: "url-1", kind: "consented" }] },
    );
    await userEvent.click(button("Connect"));
    expect(script.sent).toMatchObject([{ action: "accept" }]);
    await userEvent.click(button("I’ve finished"));
    expect(script.sent).toMatchObject([{ action: "accept" }, { action: "accept" }]);
    expect(button("I’ve finished")).toBeDefined();
  });

  it("cancels with the Cancel button", async () => {
    const script = await show();
    await userEvent.click(button("Connect"));
    await userEvent.click(button("Cancel"));
    expect(script.sent).toMatchObject([{ action: "cancel" }]);
  });
});

describe("the connect card, while its answer cannot be delivered,", () => {
  it("counts the seconds until the next try", async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true });
    await show({}, { respond: offline });
    fireEvent.click(button("Decline"));
    await act(async () => vi.advanceTimersByTimeAsync(0));
    expect(screen.getByRole("timer").textContent).toBe("next try in 1 s");
    await act(async () => vi.advanceTimersByTimeAsync(1_050));
    expect(screen.getByRole("timer").textContent).toBe("next try in 2 s");
    await act(async () => vi.advanceTimersByTimeAsync(1_000));
    expect(screen.getByRole("timer").textContent).toBe("next try in 1 s");
  });

  it("keeps the answer, and sends it again when the user asks for that", async () => {
    let online = false;
    const script = await show(
      {},
      {
        respond: () =>
          online
            ? Promise.resolve([{ elicitationId: "url-1", kind: "settled", outcome: "declined" }])
            : offline(),
      },
    );
    // The pause before the next try never ends: on a busy machine, it would be over before the user presses.
    vi.useFakeTimers();
    fireEvent.click(button("Decline"));
    await act(async () => vi.advanceTimersByTimeAsync(0));
    vi.useRealTimers();
    expect(screen.getByText(/^The server does not answer/, { ignore: "output" })).toBeDefined();
    await expectAccessible();
    online = true;
    await userEvent.click(button("Send again"));
    expect(screen.getByText("You declined", { ignore: "output" })).toBeDefined();
    expect(script.sent).toHaveLength(2);
  });

  it("sends the answer once, however often the button is pressed", async () => {
    const script = await show({}, { respond: () => new Promise(() => undefined) });
    await userEvent.dblClick(button("Decline"));
    await userEvent.keyboard("{Enter}");
    expect(script.sent).toHaveLength(1);
    expect(button("Decline").getAttribute("aria-disabled")).toBe("true");
    expect(status()).toBe("Sending…");
  });
});

describe("the purpose of the page", () => {
  it.each([
    ["connect", "Connect Venue", "Connect", "Waiting for auth.example.com", "Venue connected"],
    ["open", "Continue at Venue", "Open page", /^Waiting for you to finish at/, "Done at Venue"],
    ["pay", "Pay at Venue", "Continue to payment", /^Waiting for the payment at/, "Paid at Venue"],
    ["sign", "Sign at Venue", "Continue to sign", /^Waiting for the signature at/, "Signed at Venue"],
    ["of a later version", "Continue at Venue", "Open page", /^Waiting for you/, "Done at Venue"],
  ])("is in the title, the button, the waiting text and the receipt: %s", async (...row) => {
    const [purpose, title, verb, waiting, receipt] = row;
    await show({ purpose, service: { name: "Venue" } });
    expect(screen.getByRole("group", { name: title })).toBeDefined();
    await userEvent.click(button(verb));
    const text = (_: string, element: Element | null) =>
      element?.tagName === "P" && new RegExp(waiting).test(element.textContent ?? "");
    expect(screen.getByText(text)).toBeDefined();
    await userEvent.click(button("I’ve finished"));
    expect(screen.getByText(receipt, { ignore: "output" })).toBeDefined();
  });

  it.each([
    ["mcp_elicitation", "Continue on another page", "Open page", "Page finished"],
    ["credential_required", "Connect your account", "Connect", "Connected"],
  ])(
    "uses the trigger %s for the texts of the card when the request has neither purpose nor service",
    async (trigger, title, verb, receipt) => {
      await show({ context: { trigger } });
      expect(screen.getByRole("group", { name: title })).toBeDefined();
      await userEvent.click(button(verb));
      await userEvent.click(button("I’ve finished"));
      expect(screen.getByText(receipt, { ignore: "output" })).toBeDefined();
    },
  );

  it("is not mentioned if the address imitates another one", async () => {
    await show({ purpose: "pay", url: "https://xn--80ak6aa92e.com/pay" });
    expect(button("Open anyway")).toBeDefined();
  });
});

describe("the receipt of a connect card", () => {
  it.each([
    ["accepted", "Connected"],
    ["declined", "You declined"],
    ["cancelled", "Dismissed"],
    ["expired", "The request expired"],
    ["withdrawn", "No longer needed"],
    ["failed", "It did not work"],
  ] as const)(
    "shows a past request as %s without taking the focus or announcing it",
    async (outcome, text) => {
      await show({ resolution: { outcome, at: "2026-11-21T12:00:00Z" } });
      expect(screen.getByText(text)).toBeDefined();
      expect(screen.queryAllByRole("button")).toEqual([button("Elsewhere")]);
      expect(status()).toBe("");
      expect(document.activeElement).toBe(document.body);
      await expectAccessible();
    },
  );

  it("does not show the server's reason for a withdrawn request", async () => {
    const reason = "A new message was sent.";
    await show({ resolution: { outcome: "withdrawn", at: "2026-11-21T12:00:00Z", reason } });
    expect(screen.getByText("No longer needed")).toBeDefined();
  });

  it("shows the server's reason for a failure", async () => {
    await show({ resolution: { outcome: "failed", at: "2026-11-21T12:00:00Z", reason: "No such account." } });
    expect(screen.getByText("It did not work").parentElement?.textContent).toBe(
      "It did not work · No such account.",
    );
  });

  it("has no buttons if the server does not know the request (ThinkInAIXYZ/deepchat#2213)", async () => {
    await show({}, { status: () => undefined });
    expect(screen.getByText("This request is no longer open", { ignore: "output" })).toBeDefined();
    expect(screen.queryAllByRole("button")).toEqual([button("Elsewhere")]);
  });
});

describe("the focus", () => {
  it("moves to the heading when the card appears", async () => {
    await show();
    expect(document.activeElement).toBe(screen.getByRole("heading", { name: "Connect your account" }));
  });

  it("stays where the user types, and the card is announced instead (anthropics/claude-code#50923)", async () => {
    const script = createScript();
    render(
      <>
        <textarea aria-label="Message" />
        <Card script={script} />
      </>,
    );
    screen.getByRole("textbox").focus();
    await act(async () => script.ask(urlRequest()));
    expect(document.activeElement).toBe(screen.getByRole("textbox"));
    expect(status()).toBe("Connect your account. To list your repositories, GitHub needs your permission.");
  });

  it("stays in the card that the user is answering when another card appears", async () => {
    const script = await show();
    button("Decline").focus();
    await act(async () => script.ask(urlRequest({ elicitationId: "url-2" })));
    expect(document.activeElement).toBe(screen.getAllByRole("button", { name: "Decline" })[0]);
  });

  it("moves to the heading when the focused button disappears with the answer", async () => {
    await show();
    await userEvent.click(button("Decline"));
    expect(document.activeElement).toBe(screen.getByRole("heading"));
  });

  it("stays on the button that opened the page", async () => {
    await show();
    await userEvent.click(button("Connect"));
    expect(document.activeElement).toBe(button("Show window"));
  });
});

describe("the remaining time of a connect card", () => {
  it("appears below two minutes, counts down, and is announced once", async () => {
    vi.useFakeTimers();
    const expiresAt = new Date(Date.now() + 121_500).toISOString();
    await show({ expiresAt });
    expect(screen.queryByRole("timer")).toBeNull();
    await act(async () => vi.advanceTimersByTimeAsync(1_600));
    expect(screen.getByRole("timer").textContent).toBe("2:00 left");
    expect(status()).toBe("Less than two minutes left.");
    await act(async () => vi.advanceTimersByTimeAsync(60_000));
    expect(screen.getByRole("timer").textContent).toBe("1:00 left");
    vi.useRealTimers();
    await expectAccessible();
  });
});
