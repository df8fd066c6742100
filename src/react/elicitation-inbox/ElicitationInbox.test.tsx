import { act, cleanup, render, screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { type ReactNode, StrictMode } from "react";
import { afterEach, describe, expect, it, vi } from "vitest";
import {
  asked,
  createFakeInbox,
  type FakeInbox,
  type FakeInboxOptions,
} from "../../client/testing/fake-inbox.ts";
import { formRequest, urlRequest } from "../../contract/testing/requests.ts";
import { ar } from "../../words/cards/ar.ts";
import { lateForm } from "../elicitations/lazy-cards.ts";
import { expectAccessible } from "../testing/expect-accessible.ts";
import { ElicitationInbox, type ElicitationInboxProps } from "./ElicitationInbox.tsx";

await lateForm.load();
afterEach(() => {
  cleanup();
  vi.useRealTimers();
});

const Page = ({ children }: { children: ReactNode }) => (
  <StrictMode>
    <main>{children}</main>
  </StrictMode>
);

const parcel = asked("trip", formRequest(), 2);
const tracker = asked("trip", urlRequest({ service: { name: "Tracker" } }), 65);
const release = asked(
  "release",
  formRequest({ elicitationId: "form-2", message: "Ship it?" }),
  3 * 24 * 60,
  "slack",
);

async function show(
  options: FakeInboxOptions = { questions: [parcel, tracker, release] },
  props: Partial<ElicitationInboxProps> = {},
): Promise<FakeInbox> {
  const inbox = createFakeInbox(options);
  render(<ElicitationInbox client={inbox.client} {...props} />, { wrapper: Page });
  await act(() => new Promise((resolve) => setTimeout(resolve)));
  return inbox;
}

const rows = () =>
  screen.queryAllByRole("button", { name: /Parcel|Where should|Connect Tracker|Ship it|And when/ });
const row = (name: RegExp) => screen.getByRole("button", { name });
const title = () => screen.getByRole("heading", { level: 2 });
const flush = () => act(() => new Promise((resolve) => setTimeout(resolve)));

describe("ElicitationInbox", () => {
  it("lists the questions of all conversations with the requester, the conversation and the age", async () => {
    const titles: Readonly<Record<string, string>> = { trip: "Trip to Lisbon", release: "Release 3.0" };
    await show(undefined, { renderConversation: (id) => <a href={`#${id}`}>{titles[id]}</a> });
    expect(title().textContent).toBe("Waiting for you3");
    const lists = screen.getAllByRole("list");
    expect(lists.map((list) => within(list).getAllByRole("listitem").length)).toEqual([2, 1]);
    expect(screen.getByRole("list", { name: "Trip to Lisbon" })).toBe(lists[0]);
    expect(screen.getByRole("link", { name: "Release 3.0" })).toBeDefined();
    expect(rows().map((button) => button.textContent)).toEqual([
      "Where should the parcel go?Acme Assistant · Chat2 min",
      "TConnect TrackerAcme Assistant · Chat1 hr",
      "Ship it?Acme Assistant · Slack3 days",
    ]);
    await expectAccessible();
  });

  it("lists questions that other users ask below the user's own, and shows who asked", async () => {
    const approval = formRequest({
      elicitationId: "form-4",
      message: "Approve 480 €?",
      from: { name: "Bo" },
    });
    await show({ questions: [asked("form-4", approval), parcel] });
    expect(screen.getAllByRole("heading", { level: 3 }).map(({ textContent }) => textContent)).toEqual([
      "Conversation 1",
      "Asked by others",
    ]);
    expect(row(/Approve/).textContent).toContain("From Bo");
    await userEvent.click(row(/Approve/));
    expect(screen.getByRole("textbox", { name: "City" })).toBeDefined();
    await expectAccessible();
  });

  it("numbers conversations without a name", async () => {
    await show();
    expect(screen.getAllByRole("heading", { level: 3 }).map(({ textContent }) => textContent)).toEqual([
      "Conversation 1",
      "Conversation 2",
    ]);
  });

  it("expands a row to its card, answers there, and moves to the next question", async () => {
    const inbox = await show();
    await userEvent.click(row(/Where should/));
    expect(document.activeElement).toBe(screen.getByRole("heading", { name: /Where should/ }));
    await expectAccessible();
    await userEvent.type(screen.getByRole("textbox", { name: "City" }), "Lisbon{Enter}");
    await flush();
    expect(inbox.sent).toMatchObject([
      { elicitationId: "form-1", action: "accept", content: { city: "Lisbon" } },
    ]);
    expect(title().textContent).toBe("Waiting for you2");
    expect(screen.getByText("Sent")).toBeDefined();
    expect(document.activeElement).toBe(row(/Connect Tracker/));
    expect(screen.getByRole("status").textContent).toMatch(/Sent/);
    await expectAccessible();
  });

  it("moves the focus to the question above after the last question of the list", async () => {
    await show({ questions: [release, tracker, parcel] });
    await userEvent.click(row(/Where should/));
    await userEvent.type(screen.getByRole("textbox", { name: "City" }), "Lisbon{Enter}");
    await flush();
    expect(document.activeElement).toBe(row(/Connect Tracker/));
  });

  it("moves the focus to the heading after the last answer", async () => {
    await show({ questions: [parcel] });
    await userEvent.click(row(/Where should/));
    await userEvent.type(screen.getByRole("textbox", { name: "City" }), "Lisbon{Enter}");
    await flush();
    expect(document.activeElement).toBe(title());
    expect(title().textContent).toBe("Waiting for you");
  });

  it("sends a decline at once, and moves the focus to the next question", async () => {
    const inbox = await show({ questions: [parcel, release] });
    await userEvent.click(row(/Where should/));
    await userEvent.click(screen.getByRole("button", { name: "Decline" }));
    expect(inbox.sent).toMatchObject([{ action: "decline" }]);
    await flush();
    expect(document.querySelector(".elicit-receipt")?.textContent).toContain("You declined");
    expect(document.activeElement?.textContent).toContain(release.request.message);
  });

  it.each(["{Escape}", "×"])(
    "closes the row with %s, and keeps the request open with the user's input",
    async (how) => {
      const inbox = await show();
      await userEvent.click(row(/Where should/));
      await userEvent.type(screen.getByRole("textbox", { name: "City" }), "Lis");
      // The first Escape leaves the control.
      if (how === "×") await userEvent.click(screen.getByRole("button", { name: "Not now" }));
      else await userEvent.keyboard("{Escape}{Escape}");
      expect(screen.queryByRole("textbox")).toBeNull();
      expect(document.activeElement).toBe(row(/Where should/));
      expect(inbox.sent).toEqual([]);
      await userEvent.click(row(/Where should/));
      expect(screen.getByRole<HTMLInputElement>("textbox", { name: "City" }).value).toBe("Lis");
    },
  );

  it("shows one card at a time", async () => {
    await show();
    await userEvent.click(row(/Where should/));
    await userEvent.click(row(/Ship it/));
    expect(
      screen.getAllByRole("group").filter((group) => group.hasAttribute("data-elicitation")),
    ).toHaveLength(1);
    expect(document.activeElement).toBe(screen.getByRole("heading", { name: "Ship it?" }));
  });

  it("moves between rows with the arrow keys, Home and End", async () => {
    await show();
    row(/Where should/).focus();
    const focused = async (key: string) => {
      await userEvent.keyboard(key);
      return rows().indexOf(document.activeElement as HTMLButtonElement);
    };
    expect(await focused("{ArrowDown}")).toBe(1);
    expect(await focused("{End}")).toBe(2);
    expect(await focused("{ArrowDown}")).toBe(2);
    expect(await focused("{ArrowUp}")).toBe(1);
    expect(await focused("{Home}")).toBe(0);
  });

  it("announces a new question, and a question that was answered elsewhere", async () => {
    const inbox = await show();
    const region = screen.getByRole("status");
    expect(region.textContent).toBe("");
    await act(async () =>
      inbox.ask(asked("trip", formRequest({ elicitationId: "form-3", message: "And when?" }))),
    );
    await flush();
    expect(region.textContent).toBe("And when?");
    expect(title().textContent).toBe("Waiting for you4");
    await new Promise((resolve) => setTimeout(resolve, 150));
    await act(async () => inbox.end("form-2", "accepted"));
    await flush();
    expect(region.textContent).toMatch(/^Ship it\?: Sent/);
    expect(screen.queryByRole("button", { name: /Ship it/ })).toBeNull();
    await expectAccessible();
  });

  it("omits requests that ended before the inbox was shown", async () => {
    const inbox = createFakeInbox({ questions: [parcel, release] });
    const badge = render(<ElicitationInbox client={inbox.client} />, { wrapper: Page });
    await flush();
    await act(async () => inbox.end("form-1", "declined"));
    await flush();
    expect(screen.getByText("You declined")).toBeDefined();
    render(<ElicitationInbox client={inbox.client} />, { wrapper: Page });
    badge.unmount();
    await flush();
    expect(screen.queryByText("You declined")).toBeNull();
    expect(rows()).toHaveLength(1);
  });

  it("says that no request waits", async () => {
    await show({});
    expect(screen.getByText("Nothing waits for you")).toBeDefined();
    expect(title().textContent).toBe("Waiting for you");
    await expectAccessible();
  });

  it("says that it is loading", async () => {
    await show({ network: "slow" });
    expect(screen.getByText("Looking for your questions…")).toBeDefined();
    expect(screen.getByRole("region").getAttribute("aria-busy")).toBe("true");
    await expectAccessible();
  });

  it.each(["absent", "offline"] as const)("offers to try again when the inbox is %s", async (network) => {
    const inbox = await show({ questions: [parcel], network });
    expect(screen.getByText("Your questions cannot be shown right now.", { ignore: "output" })).toBeDefined();
    expect(screen.getByRole("status").textContent).toBe("Your questions cannot be shown right now.");
    await expectAccessible();
    inbox.setNetwork(undefined);
    await userEvent.click(screen.getByRole("button", { name: "Try again" }));
    await flush();
    expect(rows()).toHaveLength(1);
    expect(document.activeElement).toBe(title());
  });

  it("keeps the list when the connection is lost, and says that it may be out of date", async () => {
    const inbox = await show();
    await act(async () => inbox.setNetwork("offline"));
    await flush();
    expect(
      screen.getByText("No connection. This list may be out of date.", { ignore: "output" }),
    ).toBeDefined();
    expect(rows()).toHaveLength(3);
    inbox.setNetwork(undefined);
    await userEvent.click(screen.getByRole("button", { name: "Try again" }));
    await flush();
    expect(
      screen.queryByText("No connection. This list may be out of date.", { ignore: "output" }),
    ).toBeNull();
    expect(rows()).toHaveLength(3);
  });

  it("shows how many requests of a round are answered", async () => {
    const round = { id: "round-1", size: 2 };
    await show({
      questions: [asked("trip", formRequest({ round })), asked("trip", urlRequest({ round }))],
    });
    expect(screen.getAllByText(/0 of 2 answered, sent together/)).toHaveLength(2);
  });

  it("uses the language of its catalogue, from right to left", async () => {
    await show(undefined, { catalogue: ar });
    expect(screen.getByRole("region", { name: new RegExp(ar.inbox.title) }).dir).toBe("rtl");
    expect(screen.getByRole("heading", { name: "المحادثة 1" })).toBeDefined();
    await expectAccessible();
  });
});
