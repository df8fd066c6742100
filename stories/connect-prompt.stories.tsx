import { expect, fn, waitFor } from "storybook/test";
import preview from "../.storybook/preview.tsx";
import { cardArgTypes, cardParameters } from "./card-controls.ts";
import { Chat } from "./chat.tsx";
import { narrow } from "./looks.ts";
import { offline } from "../src/client/testing/fake-channel.ts";
import { urlRequest } from "../src/contract/testing/requests.ts";

const meta = preview.meta({
  title: "Cards/Connect an account",
  component: Chat,
  argTypes: cardArgTypes.url,
  parameters: cardParameters("url"),
});

const never = () => new Promise<never>(() => undefined);
const ended = (
  outcome: "accepted" | "declined" | "cancelled" | "expired" | "withdrawn" | "failed",
  reason?: string,
) => ({
  requests: [urlRequest({ resolution: { outcome, at: "2026-11-21T12:00:00Z", reason } })],
});

export const Pending = meta.story({
  name: "Waits for an answer",
  args: { requests: [urlRequest({ service: { name: "GitHub" } })] },
});

Pending.test("ends as a receipt once the account is connected", async ({ canvas, userEvent }) => {
  await userEvent.click(canvas.getByRole("button", { name: "Connect" }));
  await userEvent.click(canvas.getByRole("button", { name: "I’ve finished" }));
  await expect(await canvas.findByText("GitHub connected", { ignore: "output" })).toBeVisible();
});

Pending.test("is dismissed with Escape, and keeps the focus", async ({ canvas, userEvent }) => {
  await expect(canvas.getByRole("heading", { name: "Connect GitHub" })).toHaveFocus();
  await userEvent.tab();
  await expect(canvas.getByRole("button", { name: "Not now" })).toHaveFocus();
  await userEvent.keyboard("{Escape}");
  await expect(await canvas.findByText("Dismissed", { ignore: "output" })).toBeVisible();
  await expect(canvas.getByRole("heading")).toHaveFocus();
});

export const ClaimedName = meta.story({
  name: "A name that nobody vouches for",
  args: { requests: [urlRequest({ requester: { name: "Acme Assistant", claimedName: "GitHub" } })] },
});

export const LongUrl = meta.story({
  name: "A long address",
  args: {
    requests: [urlRequest({ url: `https://auth.example.com/authorize?state=${"a1b2c3d4".repeat(60)}` })],
  },
});

export const LongHost = meta.story({
  name: "A long host name",
  args: {
    requests: [urlRequest({ url: "https://a-rather-long-name.of-a-tenant.auth.example.com/connect" })],
  },
});

export const LongHostNarrow = LongHost.extend({ ...narrow, tags: ["!dev"] });

LongHostNarrow.test("stays inside its card", async ({ canvas }) => {
  const card = canvas.getByRole("group", { name: "Connect your account" });
  await expect(card.scrollWidth).toBeLessThanOrEqual(card.clientWidth);
});

export const WarningInternational = meta.story({
  name: "Caution: an international name",
  args: { requests: [urlRequest({ url: "https://xn--mnchen-3ya.example/" })] },
});

export const WarningLookalike = meta.story({
  name: "Danger: a lookalike",
  args: { requests: [urlRequest({ url: "https://xn--80ak6aa92e.com/" })] },
});

export const WarningLocal = meta.story({
  name: "A local address",
  args: { requests: [urlRequest({ url: "http://127.0.0.1:3000/auth" })] },
});

export const BlockedScheme = meta.story({
  name: "Blocked: not https",
  args: { requests: [urlRequest({ url: "javascript:alert(1)" })] },
});

export const BlockedUserInfo = meta.story({
  name: "Blocked: a name before the host",
  args: { requests: [urlRequest({ url: "https://accounts.example.com@evil.example/" })] },
});

export const Waiting = meta.story({
  name: "The window is open",
  args: { requests: [urlRequest()], start: ({ client }) => client.connect("url-1") },
});

export const WindowClosed = meta.story({
  name: "The window was closed",
  args: {
    requests: [urlRequest()],
    start: (script) => {
      void script.client.connect("url-1");
      script.closeWindow();
    },
  },
  async play({ canvas }) {
    await waitFor(() => expect(canvas.getByText(/^Closed the window/, { ignore: "output" })).toBeVisible());
    await expect(canvas.getByRole("button", { name: "Open again" })).toBeVisible();
  },
});

export const NotFinishedYet = meta.story({
  args: { requests: [urlRequest()], respond: async () => [{ elicitationId: "url-1", kind: "pending" }] },
  async play({ canvas, userEvent }) {
    await userEvent.click(canvas.getByRole("button", { name: "Connect" }));
    await userEvent.click(canvas.getByRole("button", { name: "I’ve finished" }));
    await expect(await canvas.findByText(/^Not finished yet/, { ignore: "output" })).toBeVisible();
  },
});

export const ProviderError = meta.story({
  name: "The provider said no",
  args: { requests: [urlRequest({ progress: { status: "pending", lastError: "access_denied" } })] },
});

export const PopupBlocked = meta.story({
  name: "The browser blocked the window",
  args: {
    requests: [urlRequest({ url: "http://localhost/fallback" })],
    popupsBlocked: true,
    start: ({ client }) => client.connect("url-1"),
  },
});

PopupBlocked.test("offers two links in place of the window", async ({ canvas }) => {
  const link = canvas.getByRole("link", { name: "Open in a new tab" });
  await expect(link).toHaveAttribute("rel", "noopener noreferrer");
  await expect(canvas.getByRole("link", { name: "Continue in this tab" })).toBeVisible();
});

/**
 * The hosted page can only recognise the user by the window that opened it. The card offers only a link that keeps the
 * opener.
 */
export const PopupBlockedOpenerNeeded = meta.story({
  name: "The blocked window needs its opener",
  args: { ...PopupBlocked.input.args, trustedOrigin: "http://localhost" },
});

PopupBlockedOpenerNeeded.test("offers only the link that keeps the opener", async ({ canvas }) => {
  await expect(canvas.getByRole("link", { name: "Open in a new tab" })).toHaveAttribute("rel", "opener");
  await expect(canvas.queryByRole("link", { name: "Continue in this tab" })).toBeNull();
  await expect(canvas.queryByRole("button", { name: "Copy" })).toBeNull();
});

export const Sending = meta.story({
  args: { requests: [urlRequest()], respond: never },
  async play({ canvas, userEvent }) {
    await userEvent.click(canvas.getByRole("button", { name: "Decline" }));
    await waitFor(() => expect(canvas.getByRole("status")).toHaveTextContent("Sending…"));
    await expect(canvas.getByRole("button", { name: "Decline" })).toHaveFocus();
  },
});

export const Undelivered = meta.story({
  name: "Not delivered",
  args: { requests: [urlRequest()], respond: offline },
  async play({ canvas, userEvent }) {
    await userEvent.click(canvas.getByRole("button", { name: "Decline" }));
    await expect(await canvas.findByRole("button", { name: "Send again" })).toBeVisible();
  },
});

/** The tool has its answer, so only the agent can ask again. */
export const AskAgain = meta.story({
  args: {
    requests: [urlRequest({ service: { name: "Tracker" } })],
    onAskAgain: fn<(message: string) => void>(),
  },
  async play({ canvas, userEvent }) {
    await userEvent.click(canvas.getByRole("button", { name: "Decline" }));
    await expect(await canvas.findByRole("button", { name: "Ask again" })).toBeVisible();
  },
});

AskAgain.test("asks the agent once", async ({ args, canvas, userEvent }) => {
  await userEvent.click(canvas.getByRole("button", { name: "Ask again" }));
  await expect(args.onAskAgain).toHaveBeenCalledWith("Please connect Tracker after all.", expect.anything());
  await expect(canvas.queryByRole("button", { name: "Ask again" })).toBeNull();
});

export const UnderTwoMinutes = meta.story({
  args: { requests: [urlRequest({ expiresAt: new Date(Date.now() + 90_000).toISOString() })] },
});

UnderTwoMinutes.test("shows the remaining time", async ({ canvas }) => {
  await expect(canvas.getByRole("timer")).toHaveTextContent(/^[01]:\d\d left$/);
});

/** How long the server gives the request from now on, in milliseconds. */
let givenMs = 90_000;

export const MoreTime = meta.story({
  args: {
    requests: [
      urlRequest({
        expiresAt: new Date(Date.now() + 90_000).toISOString(),
        extendableUntil: new Date(Date.now() + 420_000).toISOString(),
      }),
    ],
    status: () => ({ expiresAt: new Date(Date.now() + givenMs).toISOString() }),
  },
  beforeEach() {
    givenMs = 90_000;
  },
});

MoreTime.test("gives the user more time, and says so", async ({ canvas, userEvent }) => {
  await expect(await canvas.findByRole("timer")).toHaveTextContent(/left/);
  givenMs = 420_000;
  await userEvent.click(canvas.getByRole("button", { name: "More time" }));
  await expect(await canvas.findByText(/^This question now ends in \d+ minutes?\.$/)).toBeInTheDocument();
  await expect(canvas.queryByRole("timer")).toBeNull();
});

export const Accepted = meta.story({ args: ended("accepted") });
export const AcceptedOpened = meta.story({
  name: "Connected: what it allows",
  args: {
    requests: [
      urlRequest({
        service: { name: "GitHub" },
        context: { trigger: "credential_required", worksByLink: true },
        resolution: { outcome: "accepted", at: "2026-11-21T12:00:00Z", account: "ada@example.com" },
      }),
    ],
    trustedOrigin: "https://auth.example.com",
    account: {
      connected: true,
      rights: ["read your repositories", "create issues for you"],
      since: "2026-11-21T12:00:00Z",
    },
  },
});

AcceptedOpened.test(
  "opens to its rights, and removes the account after one question",
  async ({ canvas, userEvent }) => {
    await userEvent.click(canvas.getByText(/GitHub connected/, { selector: "strong" }));
    await expect(await canvas.findByText("create issues for you")).toBeVisible();
    await userEvent.click(canvas.getByRole("button", { name: "Remove" }));
    await userEvent.click(canvas.getByRole("button", { name: "Keep" }));
    await userEvent.click(canvas.getByRole("button", { name: "Remove" }));
    await userEvent.click(canvas.getByRole("button", { name: "Remove" }));
    await expect(
      await canvas.findByText("GitHub is no longer connected", { selector: "strong" }),
    ).toBeVisible();
  },
);

export const Declined = meta.story({ args: ended("declined") });
export const Dismissed = meta.story({ args: ended("cancelled") });
export const Expired = meta.story({ args: ended("expired") });
export const Withdrawn = meta.story({ args: ended("withdrawn") });
export const Failed = meta.story({ args: ended("failed", "The account has no such permission.") });
export const Gone = meta.story({ args: { requests: [urlRequest()], status: () => undefined } });
