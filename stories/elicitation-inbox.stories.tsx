import { expect, waitFor, within } from "storybook/test";
import preview from "../.storybook/preview.tsx";
import { cardArgTypes, cardParameters } from "./card-controls.ts";
import { asked, type FakeInbox } from "../src/client/testing/fake-inbox.ts";
import { formRequest, urlRequest } from "../src/contract/testing/requests.ts";
import { InboxPage } from "./inbox-page.tsx";
import { dark, narrow, rtl } from "./looks.ts";

/** The requests of all conversations, in a list whose rows open the kit's cards. */
const meta = preview.meta({
  title: "Pages/Inbox",
  component: InboxPage,
  argTypes: cardArgTypes.both,
  parameters: { column: false, ...cardParameters("both", "inbox") },
});

const requester = { name: "Demo agent" };
const TRACKER_ICON = `data:image/svg+xml,${encodeURIComponent(
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 40 40"><rect width="40" height="40" fill="#4f46e5"/><path d="M12 13h9M12 20h16M12 27h4" fill="none" stroke="#fff" stroke-width="2.6" stroke-linecap="round"/></svg>',
)}`;
const hotel = asked(
  "trip",
  formRequest({
    elicitationId: "hotel",
    requester,
    message: "Which hotel shall I book?",
    requestedSchema: {
      type: "object",
      properties: { hotel: { type: "string", title: "Hotel", enum: ["Casa do Rio", "Alfama 12"] } },
      required: ["hotel"],
    },
  }),
  2,
);
const tracker = asked(
  "trip",
  urlRequest({
    elicitationId: "tracker",
    requester,
    message: "To create the issue “Login bug”, it needs your Tracker account.",
    service: { name: "Tracker", iconDataUrl: TRACKER_ICON },
  }),
  6,
);
const release = asked(
  "release",
  formRequest({
    elicitationId: "release",
    requester: { name: "Release agent" },
    message: "Ship the release today?",
    requestedSchema: {
      type: "object",
      properties: { ship: { type: "boolean", title: "Ship it" } },
      required: ["ship"],
    },
  }),
  65,
  "slack",
);
const approval = asked(
  "approval",
  formRequest({
    elicitationId: "approval",
    requester,
    from: { name: "Bo" },
    message: "Approve 480 € for the team day?",
    requestedSchema: {
      type: "object",
      properties: { approve: { type: "boolean", title: "Approve" } },
      required: ["approve"],
    },
  }),
  120,
);
const questions = [hotel, tracker, release, approval];

export const AllConversations = meta.story({ args: { questions } });

AllConversations.test("is moved through with the arrow keys", async ({ canvas, userEvent }) => {
  const rows = await canvas.findAllByRole("button");
  await userEvent.tab();
  await expect(rows[0]).toHaveFocus();
  await userEvent.keyboard("{ArrowDown}{ArrowDown}");
  await expect(rows[2]).toHaveFocus();
  await userEvent.keyboard("{Home}{Enter}");
  await waitFor(() => expect(canvas.getByRole("heading", { name: /hotel/ })).toHaveFocus());
  await userEvent.keyboard("{Escape}");
  await waitFor(() => expect(canvas.getByRole("button", { name: /Which hotel/ })).toHaveFocus());
});

/** The row opens the card. × and Escape close it, and the request stays open. */
export const AnswerInPlace = meta.story({
  args: { questions },
  async play({ canvas, userEvent }) {
    await userEvent.click(await canvas.findByRole("button", { name: /Which hotel/ }));
    await expect(await canvas.findByRole("button", { name: "Send" })).toBeVisible();
  },
});

/** The receipt stays until the user closes the list. The focus moves to the next request. */
export const Answered = meta.story({
  args: { questions },
  async play({ canvas, userEvent }) {
    await userEvent.click(await canvas.findByRole("button", { name: /Which hotel/ }));
    await userEvent.click(await canvas.findByRole("radio", { name: "Casa do Rio" }));
    await userEvent.click(canvas.getByRole("button", { name: "Send" }));
    await waitFor(() => expect(canvas.getByRole("button", { name: /Connect Tracker/ })).toHaveFocus());
    await expect(canvas.getByRole("heading", { level: 2 })).toHaveTextContent("Waiting for you3");
  },
});

/** A decline is sent at once. The focus moves to the next request. */
export const Declined = meta.story({
  args: { questions },
  async play({ canvas, userEvent }) {
    await userEvent.click(await canvas.findByRole("button", { name: /Connect Tracker/ }));
    await userEvent.click(await canvas.findByRole("button", { name: "Decline" }));
    await expect(await canvas.findByText("You declined to connect Tracker")).toBeVisible();
  },
});

let live: FakeInbox;
/** Requests appear and disappear while the list is open. */
export const Live = meta.story({
  args: { questions: [hotel, release], start: (inbox) => void (live = inbox) },
  async play({ canvas }) {
    await canvas.findByRole("button", { name: /Which hotel/ });
    live.ask(tracker);
    await expect(await canvas.findByRole("button", { name: /Connect Tracker/ })).toBeVisible();
    await expect(canvas.getByRole("status")).toHaveTextContent("Connect Tracker.");
    live.end("release", "accepted");
    const list = canvas.getByRole("list", { name: "Release 3.0" });
    await expect(await within(list).findByText("Answered in another place.", { exact: false })).toBeVisible();
  },
});

export const Round = meta.story({
  args: {
    questions: [hotel, tracker].map((question) => ({
      ...question,
      request: { ...question.request, round: { id: "round-1", size: 2 } },
    })),
  },
});

export const Empty = meta.story({});

export const Loading = meta.story({ args: { network: "slow" } });

/** The server has no inbox, the user is not signed in, or the server cannot be reached. */
export const Unreachable = meta.story({ args: { network: "absent" } });

export const OutOfDate = meta.story({
  args: { questions, start: (inbox) => void (live = inbox) },
  async play({ canvas }) {
    await canvas.findByRole("button", { name: /Which hotel/ });
    live.setNetwork("offline");
    await expect(await canvas.findByRole("button", { name: "Try again" })).toBeVisible();
  },
});

// For the tests only: axe finds no violation in any look of the toolbar.
export const Dark = AnswerInPlace.extend({ ...dark, tags: ["!dev"] });
export const DarkEmpty = Empty.extend({ ...dark, tags: ["!dev"] });
export const Rtl = AllConversations.extend({ ...rtl, tags: ["!dev"] });
/** Text at 200 % on a phone. */
export const LargeText = AllConversations.extend({
  ...narrow,
  tags: ["!dev"],
  beforeEach() {
    document.documentElement.style.fontSize = "200%";
    return () => document.documentElement.style.removeProperty("font-size");
  },
});

LargeText.test("breaks no row within a word", async ({ canvas }) => {
  const row = await canvas.findByRole("button", { name: /Connect Tracker/ });
  const words = document.createRange();
  for (const text of textsOf(row))
    for (const { 0: word, index } of (text.textContent ?? "").matchAll(/\S+/g)) {
      words.setStart(text, index);
      words.setEnd(text, index + word.length);
      await expect(new Set([...words.getClientRects()].map(({ top }) => top)).size).toBe(1);
    }
});

function textsOf(element: Element): Node[] {
  const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
  const texts: Node[] = [];
  while (walker.nextNode()) texts.push(walker.currentNode);
  return texts;
}

export const Narrow = AnswerInPlace.extend({ ...narrow, tags: ["!dev"] });
