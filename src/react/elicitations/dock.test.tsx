import { act, cleanup, render, screen, within, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { StrictMode } from "react";
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import {
  CONVERSATION,
  createScript,
  type Script,
  type ScriptOptions,
} from "../../client/testing/scripted-client.ts";
import { createDeferred } from "../../base/deadlines.ts";
import { formRequest, urlRequest } from "../../contract/testing/requests.ts";
import { expectAccessible } from "../testing/expect-accessible.ts";
import { Elicitations } from "./Elicitations.tsx";
import { lateDock, lateForm } from "./lazy-cards.ts";

beforeEach(() => Promise.all([lateDock.load(), lateForm.load()]));
afterEach(cleanup);

const user = userEvent.setup();
const flight = formRequest({
  elicitationId: "flight",
  message: "Which flight?",
  requestedSchema: { type: "object", properties: { to: { type: "string", title: "To" } } },
});
const tracker = urlRequest({ elicitationId: "tracker", service: { name: "Tracker" } });

/** A chat whose log and composer are apart. */
async function show(options: ScriptOptions): Promise<Script> {
  const script = createScript(options);
  await mount(script);
  return script;
}

async function mount(
  { client }: Script,
  onAskAgain?: (message: string) => void,
  container?: HTMLElement,
): Promise<void> {
  await act(async () =>
    render(
      <StrictMode>
        <main>
          <Elicitations client={client} conversationId={CONVERSATION} placement="log" />
        </main>
        <footer>
          <Elicitations
            client={client}
            conversationId={CONVERSATION}
            placement="composer"
            onAskAgain={onAskAgain}
          >
            <textarea aria-label="Message" />
          </Elicitations>
        </footer>
      </StrictMode>,
      { ...(container && { container }) },
    ),
  );
  await act(async () => vi.dynamicImportSettled());
}

const log = () => within(screen.getByRole("main"));
const dock = () => within(screen.getByRole("contentinfo"));
const composer = () => screen.getByLabelText<HTMLTextAreaElement>("Message");
const isComposerShown = () => composer().closest("[hidden]") === null;
const heading = () => dock().getByRole("heading").textContent;
const press = (name: string) => user.click(dock().getByRole("button", { name }));

describe("a question at the composer", () => {
  it("replaces the composer, and the conversation says that a question waits", async () => {
    await show({ requests: [flight] });
    expect(heading()).toBe("Which flight?");
    expect(document.activeElement).toBe(dock().getByRole("heading"));
    expect(isComposerShown()).toBe(false);
    expect(log().queryByRole("heading")).toBeNull();
    expect(log().getByText(/Waiting for you/).parentElement?.textContent).toBe(
      "Waiting for you · Which flight?",
    );
    await expectAccessible();
  });

  it("makes room for the composer and its draft when it is answered, and leaves a receipt in the conversation", async () => {
    const script = await show({ requests: [] });
    await user.type(composer(), "half a sentence");
    await act(async () => script.ask(flight));
    // The user is typing.
    expect(isComposerShown()).toBe(true);
    expect(document.activeElement).toBe(composer());
    await user.type(dock().getByRole("textbox", { name: "To" }), "Lisbon");
    await press("Send");
    expect(script.sent).toMatchObject([{ elicitationId: "flight", action: "accept" }]);
    await waitFor(() => expect(dock().queryByRole("heading")).toBeNull());
    expect(document.activeElement).toBe(composer());
    expect(composer().value).toBe("half a sentence");
    expect(await log().findByText("Sent")).toBeDefined();
    expect(screen.getAllByRole("status").map(({ textContent }) => textContent)).toContain("Sent.");
  });

  it("takes the focus from an empty composer", async () => {
    const script = await show({ requests: [] });
    composer().focus();
    await act(async () => script.ask(flight));
    expect(isComposerShown()).toBe(false);
    expect(document.activeElement).toBe(dock().getByRole("heading"));
  });

  it("says what a message does before the composer returns", async () => {
    await show({ requests: [flight, tracker] });
    expect(dock().getByText("A message withdraws both questions.")).toBeDefined();
    await press("Write a message");
    expect(isComposerShown()).toBe(true);
    await vi.waitFor(() => expect(document.activeElement).toBe(composer()));
    expect(heading()).toBe("Which flight?");
    expect(dock().queryByRole("button", { name: "Write a message" })).toBeNull();
  });

  it("is declined at once, and the next question takes its place and the focus", async () => {
    const script = await show({ requests: [flight, tracker] });
    await press("Decline");
    expect(script.sent).toMatchObject([{ action: "decline" }]);
    await vi.waitFor(() => expect(heading()).toBe("Connect Tracker"));
    expect(document.activeElement).toBe(dock().getByRole("heading"));
    await expectAccessible();
  });
});

describe("several questions at the composer", () => {
  it("can be switched with buttons that follow the card's own, and keep user input", async () => {
    await show({ requests: [flight, tracker] });
    const turner = dock().getByRole("group", { name: "Question 1 of 2" });
    await user.type(dock().getByRole("textbox", { name: "To" }), "Lis");
    await user.click(within(turner).getByRole("button", { name: "Next" }));
    expect(heading()).toBe("Connect Tracker");
    expect(document.activeElement).toBe(dock().getByRole("button", { name: "Next" }));
    expect(dock().getByRole("group", { name: "Question 2 of 2" })).toBe(turner);
    await user.keyboard("{Enter}");
    expect(heading()).toBe("Which flight?");
    expect(dock().getByRole<HTMLInputElement>("textbox", { name: "To" }).value).toBe("Lis");
    const buttons = dock()
      .getAllByRole("button")
      .map((button) => button.textContent || button.getAttribute("aria-label"));
    expect(buttons).toEqual(["Not now", "Send", "Decline", "No, and …", "Back", "Next", "Write a message"]);
    await expectAccessible();
  });

  it("are shown one after the other, and the focus moves along", async () => {
    const script = await show({ requests: [flight, tracker] });
    await press("Send");
    expect(script.sent).toMatchObject([{ elicitationId: "flight" }]);
    await waitFor(() => expect(heading()).toBe("Connect Tracker"));
    expect(document.activeElement).toBe(dock().getByRole("heading"));
    expect(dock().queryByRole("button", { name: "Next" })).toBeNull();
    expect(dock().getByText("A message withdraws the question.")).toBeDefined();
  });

  it("do not replace the first one when they arrive later, and are announced", async () => {
    const script = await show({ requests: [flight] });
    (document.activeElement as HTMLElement).blur();
    await act(async () => script.ask(tracker));
    expect(heading()).toBe("Which flight?");
    const said = screen
      .getAllByRole("status")
      .map(({ textContent }) => textContent)
      .join();
    expect(said).toContain("Connect Tracker.");
  });

  it("can be reached from their lines in the conversation also in a shadow root", async () => {
    const host = document.body.appendChild(document.createElement("div"));
    onTestFinished(() => host.remove());
    const root = host.attachShadow({ mode: "open" });
    const chat = root.appendChild(document.createElement("div"));
    await mount(createScript({ requests: [flight, tracker] }), undefined, chat);
    const line = [...chat.querySelectorAll<HTMLElement>(".elicit-wait button")].at(-1);
    await act(async () => line?.click());
    const title = chat.querySelector("[data-shown] h3");
    expect(title?.textContent).toBe("Connect Tracker");
    await waitFor(() => expect(root.activeElement).toBe(title));
  });

  it("can be reached from their lines in the conversation", async () => {
    await show({ requests: [flight, tracker] });
    await user.click(log().getByRole("button", { name: "Connect Tracker" }));
    await vi.waitFor(() => expect(document.activeElement).toBe(dock().getByRole("heading")));
    expect(heading()).toBe("Connect Tracker");
  });

  it("of one round are shown one after the other, and the user can go back to them", async () => {
    const round = { id: "round", size: 2 };
    await show({ requests: [{ ...flight, round }, formRequest({ round, message: "And then?" })] });
    await press("Send");
    expect(heading()).toBe("And then?");
    expect(document.activeElement).toBe(dock().getByRole("heading"));
    await press("Back");
    expect(dock().getByRole("button", { name: "Change answer" })).toBeDefined();
  });
});

describe("a sentence of the user", () => {
  const trip = formRequest({
    elicitationId: "trip",
    message: "Which flight?",
    context: { trigger: "tool", takesSentence: true },
    requestedSchema: {
      type: "object",
      required: ["to"],
      properties: {
        to: { type: "string", title: "To" },
        people: { type: "integer", title: "Travellers", maximum: 9 },
      },
    },
  });
  const line = () => dock().getByLabelText<HTMLInputElement>("Or say it in a sentence…");
  const notice = () => document.querySelector("[data-notice]")?.textContent.trim();
  const say = (text: string) => user.type(line(), `${text}{Enter}`);

  it("fills in the form, sends nothing, and moves the focus to the submit button", async () => {
    const heard: string[] = [];
    const script = await show({
      requests: [trip],
      propose: (_id, text) => {
        heard.push(text);
        return { to: "Lisbon", people: 99, price: 1 };
      },
    });
    await say("Lisbon, 99 of us");
    expect(heard).toEqual(["Lisbon, 99 of us"]);
    await waitFor(() => expect(dock().getByLabelText("To")).toHaveProperty("value", "Lisbon"));
    expect(dock().getByLabelText(/Travellers/)).toHaveProperty("value", "");
    expect(notice()).toBe("Filled in from your message: To.");
    expect(document.activeElement).toBe(dock().getByRole("button", { name: "Send" }));
    expect(line().value).toBe("");
    expect(script.sent).toEqual([]);
    await user.keyboard("{Enter}");
    expect(script.sent).toMatchObject([{ action: "accept", content: { to: "Lisbon" } }]);
  });

  it("changes no answer of the user: the card says what differs, and the user chooses", async () => {
    const script = await show({ requests: [trip], propose: () => ({ to: "Lisbon", people: 2 }) });
    await user.type(dock().getByLabelText("To"), "Porto");
    await say("make it Lisbon, two of us");
    await waitFor(() => expect(notice()).toBe("Filled in from your message: Travellers."));
    const to = dock().getByLabelText("To");
    expect(to).toHaveProperty("value", "Porto");
    expect(document.activeElement).toBe(to);
    const choice = document.getElementById(to.getAttribute("aria-describedby") ?? "");
    expect(choice?.textContent).toBe("Your message says “Lisbon”.Use itKeep mine");
    expect(to.getAttribute("aria-invalid")).toBeNull();
    await expectAccessible();
    await press("Use it");
    expect(to).toHaveProperty("value", "Lisbon");
    expect(dock().queryByText(/^Your message says/)).toBeNull();
    expect(document.activeElement).toBe(to);
    await user.keyboard("{Enter}");
    expect(script.sent).toMatchObject([{ content: { to: "Lisbon", people: 2 } }]);
  });

  it("leaves the answer of a user who keeps it, or who types on", async () => {
    await show({ requests: [trip], propose: () => ({ to: "Lisbon" }) });
    const to = dock().getByLabelText("To");
    await user.type(to, "Porto");
    await say("Lisbon");
    await press("Keep mine");
    expect(to).toHaveProperty("value", "Porto");
    expect(document.activeElement).toBe(to);
    expect(dock().queryByText(/^Your message says/)).toBeNull();
    await say("Lisbon");
    await waitFor(() => expect(dock().getByText(/^Your message says/)).toBeDefined());
    await user.type(to, "!");
    expect(dock().queryByText(/^Your message says/)).toBeNull();
  });

  it("moves the focus to a question that it leaves open", async () => {
    await show({ requests: [trip], propose: () => ({ people: 2 }) });
    await say("two of us");
    await waitFor(() => expect(notice()).toBe("Filled in from your message: Travellers."));
    expect(document.activeElement).toBe(dock().getByLabelText("To"));
  });

  it("claims nothing if the form contains all of it already", async () => {
    await show({ requests: [trip], propose: () => ({ to: "Lisbon" }) });
    await user.type(dock().getByLabelText("To"), "Lisbon");
    await say("Lisbon");
    await waitFor(() => expect(notice()).toBe("Your message says what is already filled in."));
  });

  it("is sent as a message at one press if no part of it fits", async () => {
    const onAskAgain = vi.fn<(message: string) => void>();
    await mount(createScript({ requests: [trip] }), onAskAgain);
    await say("What is the cheapest airline?");
    await press("Send as a message");
    expect(onAskAgain.mock.calls.map(([message]) => message)).toEqual(["What is the cheapest airline?"]);
  });

  it.each([
    ["stays empty", sessionStorage, ""],
    ["is filled in if the app keeps no drafts", undefined, "Lisbon"],
  ])(
    "does not fill in a field again that the user has cleared (the cleared field %s when the card mounts again)",
    async (_, storage, expected) => {
      const script = await show({ requests: [trip], storage, propose: () => ({ to: "Lisbon" }) });
      await say("Lisbon");
      const to = () => dock().getByLabelText<HTMLInputElement>("To");
      await waitFor(() => expect(to().value).toBe("Lisbon"));
      await user.clear(to());
      cleanup();
      await mount(script);
      expect(to().value).toBe(expected);
      sessionStorage.clear();
    },
  );

  it("does not move the focus of a user who keeps typing, because a space would press the button", async () => {
    const read = createDeferred<unknown>();
    const script = await show({ requests: [trip], propose: () => read.promise });
    await say("Lisbon");
    await waitFor(() => expect(notice()).toBe("Reading your message…"));
    await user.type(line(), ", two");
    await act(async () => read.resolve({ to: "Lisbon" }));
    await waitFor(() => expect(dock().getByLabelText("To")).toHaveProperty("value", "Lisbon"));
    expect(document.activeElement).toBe(line());
    await user.keyboard(" of us");
    expect(line().value).toBe("Lisbon, two of us");
    expect(script.sent).toEqual([]);
  });

  it("that fits no field stays in its text field, and can be sent as a message instead", async () => {
    const script = await show({ requests: [trip] });
    await say("never mind");
    await waitFor(() => expect(notice()).toBeDefined());
    expect(notice()).toBe("Nothing in your message fits this form. It was not sent.");
    expect(line().value).toBe("never mind");
    expect(dock().getByText("A message withdraws the question.")).toBeDefined();
    expect(dock().getByRole("button", { name: "Write a message" })).toBeDefined();
    expect(script.sent).toEqual([]);
  });

  it("that cannot be read stays in its text field, and the form shows a notice", async () => {
    await show({
      requests: [trip],
      propose: () => Promise.reject(new Error("offline")),
    });
    await say("Lisbon");
    expect(notice()).toBe("Your message could not be read. Fill in the form, or try again.");
    expect(line().value).toBe("Lisbon");
  });

  it("cannot be typed if the server does not offer that", async () => {
    await show({ requests: [flight] });
    expect(dock().queryByLabelText("Or say it in a sentence…")).toBeNull();
    expect(dock().getByText("A message withdraws the question.")).toBeDefined();
  });

  it("has an accessible text field", async () => {
    await show({ requests: [trip] });
    expect(line().placeholder).toBe("Or say it in a sentence…");
    await expectAccessible();
  });
});
