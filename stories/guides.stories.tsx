import { useChat } from "@ai-sdk/react";
import { Elicitations, useElicitation, useElicitationList } from "elicit-kit";
import { scenarios } from "elicit-kit/mock-server";
import { useEffect, useRef, useState } from "react";
import { expect, within } from "storybook/test";
import preview from "../.storybook/preview.tsx";
import { Chat } from "./chat.tsx";
import { Composer } from "./examples/composer.tsx";
import { mountInSlots, type SlotDetail } from "./examples/foreign-root.tsx";
import { Headless as HeadlessExample } from "./examples/headless.tsx";
import { Transcript } from "./examples/in-place.tsx";
import { InboxButton } from "./examples/inbox.tsx";
import { components } from "./examples/own-control.tsx";
import { ownCards } from "./examples/own-card.tsx";
import { PlainChat } from "./examples/plain-chat.tsx";
import { tailwindCards } from "./examples/tailwind-form.tsx";
import { startChat } from "./examples/without-react.ts";
import "./examples/theme.css";
import { asked, createFakeInbox } from "../src/client/testing/fake-inbox.ts";
import { CONVERSATION, createScript, type Script } from "../src/client/testing/scripted-client.ts";
import { formRequest, question, urlRequest } from "../src/contract/testing/requests.ts";
import { createWorld, serve } from "./world.ts";
import { dark } from "./looks.ts";

/** Runs the code of `docs/show/own-cards.md` and `docs/show/theming.md`. */
const meta = preview.meta({ title: "Guides/Examples" });

const told = { ignore: "output" };
const two = () => createScript({ requests: [urlRequest(), formRequest()] }).client;

export const Headless = meta.story({
  render: function Headless() {
    const [client] = useState(two);
    return <HeadlessExample client={client} conversationId={CONVERSATION} />;
  },
});

Headless.test("is answered through the hook", async ({ canvas, userEvent }) => {
  await userEvent.click(canvas.getByRole("button", { name: "Open the page" }));
  await userEvent.click(canvas.getByRole("button", { name: "I am done" }));
  await userEvent.type(await canvas.findByRole("textbox", { name: "City" }), "Lisbon");
  await userEvent.click(canvas.getByRole("button", { name: "Send" }));
  await expect(await canvas.findByText("Nothing is asked.")).toBeVisible();
});

/** The form with a question of each kind. */
let everyKind: Script;
export const HeadlessForm = meta.story({
  beforeEach() {
    everyKind = createScript({
      requests: [
        formRequest({
          requestedSchema: {
            type: "object",
            properties: {
              name: { type: "string", title: "Name", minLength: 2 },
              nights: { type: "integer", title: "Nights", minimum: 1, maximum: 14 },
              breakfast: { type: "boolean", title: "Breakfast" },
              board: { type: "string", title: "Board", enum: ["half", "full"] },
              days: { type: "array", title: "Days", items: { type: "string", enum: ["Sat", "Sun"] } },
              constructor: { type: "string", title: "Architect" },
              pin: { type: "string", title: "PIN of your card" },
            },
            required: ["name", "nights", "breakfast"],
          },
        }),
      ],
    });
  },
  render: () => <HeadlessExample client={everyKind.client} conversationId={CONVERSATION} />,
});

HeadlessForm.test("sends an answer of each kind", async ({ canvas, userEvent }) => {
  const send = canvas.getByRole("button", { name: "Send" });
  await userEvent.type(canvas.getByRole("textbox", { name: "Nights" }), "20");
  await userEvent.click(send);
  const name = canvas.getByRole("textbox", { name: "Name" });
  await expect(name).toHaveFocus();
  await expect(name).toHaveAccessibleDescription("Please fill this in.");
  await expect(canvas.getByRole("textbox", { name: "Nights" })).toBeInvalid();
  const share = canvas.getByRole("checkbox", { name: /password or another secret/ });
  await userEvent.type(name, "Ada");
  await userEvent.type(canvas.getByRole("textbox", { name: "Nights" }), "{Backspace}");
  await userEvent.selectOptions(canvas.getByRole("combobox", { name: "Breakfast" }), "No");
  await userEvent.selectOptions(canvas.getByRole("combobox", { name: "Board" }), "full");
  await userEvent.selectOptions(canvas.getByRole("listbox", { name: "Days" }), ["Sat", "Sun"]);
  await userEvent.click(send);
  await expect(share).toHaveFocus();
  await expect(share).toBeInvalid();
  await expect(everyKind.sent).toEqual([]);
  await userEvent.click(share);
  await userEvent.click(send);
  await expect(await canvas.findByText("Nothing is asked.")).toBeVisible();
  await expect(everyKind.sent.map(({ content }) => ({ ...content }))).toEqual([
    { name: "Ada", nights: 2, breakfast: false, board: "full", days: ["Sat", "Sun"] },
  ]);
});

export const OwnCards = meta.story({
  render: function OwnCards() {
    const [client] = useState(two);
    return <Elicitations client={client} conversationId={CONVERSATION} components={ownCards} />;
  },
});

OwnCards.test("have the controls of the kit, with its look", async ({ canvas, userEvent }) => {
  await userEvent.click(canvas.getByRole("button", { name: "Connect" }));
  await userEvent.click(canvas.getByRole("button", { name: "I’ve finished" }));
  await expect(await canvas.findByText(/connected$/i, told)).toBeVisible();
  // The style sheet without the kit's card: text boxes must still have a border.
  await expect(getComputedStyle(canvas.getByRole("textbox", { name: "City" })).borderStyle).toBe("solid");
});

let tailwind: Script;
export const TailwindCard = meta.story({
  beforeEach() {
    tailwind = createScript({ requests: [formRequest()] });
  },
  render: () => (
    <Elicitations client={tailwind.client} conversationId={CONVERSATION} components={tailwindCards} />
  ),
});

TailwindCard.test("takes the place of the kit's form", async ({ canvas, userEvent }) => {
  const card = await canvas.findByRole("group", { name: /parcel/ });
  await expect(card).toHaveClass("rounded-2xl");
  await userEvent.type(within(card).getByRole("textbox", { name: "City" }), "Lisbon");
  await userEvent.click(within(card).getByRole("button", { name: "Send" }));
  await expect(tailwind.sent.map(({ content }) => ({ ...content }))).toEqual([{ city: "Lisbon" }]);
});

/** Shows the effect of a message; here it fills in the form. */
export const OwnComposer = meta.story({
  render: function OwnComposer() {
    const [client] = useState(() => {
      const takes = formRequest({ context: { trigger: "tool", takesSentence: true } });
      return createScript({ requests: [takes], propose: () => ({ city: "Lisbon" }) }).client;
    });
    const elicitation = useElicitationList({ client, conversationId: CONVERSATION });
    return (
      <>
        <Elicitations client={client} conversationId={CONVERSATION} />
        <Composer elicitation={elicitation} sendMessage={() => undefined} />
      </>
    );
  },
});

OwnComposer.test("fills in the form, which is not sent", async ({ canvas, userEvent }) => {
  const message = canvas.getByRole("textbox", { name: "Message" });
  await expect(message).toHaveAccessibleDescription("A message fills in the form. You send it.");
  await userEvent.type(message, "To Lisbon{Enter}");
  await expect(await canvas.findByRole("textbox", { name: "City" })).toHaveValue("Lisbon");
  await expect(message).toHaveValue("");
});

export const OwnControlAndCard = meta.story({
  render: () => (
    <Chat
      components={components}
      requests={[
        question({ type: "integer", title: "Your stay", minimum: 1, maximum: 5 }, true, {
          trigger: "tool",
          fields: { value: { control: "rating" } },
        }),
        urlRequest({ message: "The room is free.", context: { trigger: "payment", amount: "80 €" } }),
      ]}
    />
  ),
});

OwnControlAndCard.test("take the place of the kit’s", async ({ canvas, userEvent }) => {
  const fourStars = canvas.getByRole("radio", { name: "★★★★" });
  // A developer's own radio button is beside its label, not above it.
  const label = fourStars.closest("label")?.getBoundingClientRect();
  await expect(label?.height).toBeLessThan(1.5 * fourStars.getBoundingClientRect().height);
  await userEvent.click(fourStars);
  await userEvent.click(canvas.getByRole("button", { name: "Send" }));
  await expect(await canvas.findByText("Where should the parcel go?", { selector: "strong" })).toBeVisible();
  await expect(canvas.getByRole("button", { name: "Pay 80 €" })).toBeVisible();
});

export const Theme = meta.story({
  render: () => (
    <div className="acme">
      <Chat requests={[urlRequest(), formRequest()]} />
    </div>
  ),
});

Theme.test("changes the heading", async ({ canvas }) => {
  const heading = canvas.getByRole("heading", { name: "Connect your account" });
  await expect(getComputedStyle(heading).fontStyle).toBe("italic");
});

export const ThemeDark = Theme.extend({ ...dark, tags: ["!dev"] });

const inPlace = createWorld("in-place", scenarios.connect);

/** In a chat: the card is in the agent's message, and the agent's next text is below it. */
export const InAChat = meta.story({
  beforeEach: () => serve(inPlace),
  render: function InAChat() {
    const { client, conversationId, chatOptions } = useElicitation({ api: inPlace.api, storage: null });
    const { messages, sendMessage } = useChat(chatOptions);
    useEffect(() => {
      void sendMessage({ text: "Please file the login bug." });
    }, [sendMessage]);
    return (
      <section className="book-chat">
        <Transcript client={client} conversationId={conversationId} messages={messages} />
      </section>
    );
  },
});

InAChat.test("puts the card above the text that follows it", async ({ canvas }) => {
  const card = await canvas.findByRole("group", { name: "Connect Tracker" });
  await inPlace.server.completeOutside(card.dataset["elicitation"]);
  const after = await canvas.findByText("Done: TRK-42.");
  await expect(card.compareDocumentPosition(after)).toBe(Node.DOCUMENT_POSITION_FOLLOWING);
});

const plain = createWorld("plain", scenarios.form);

/** Without the AI SDK: the chat reads the stream itself. */
export const WithoutTheAiSdk = meta.story({
  beforeEach: () => serve(plain),
  render: function WithoutTheAiSdk() {
    const [id] = useState(() => crypto.randomUUID());
    return <PlainChat api={plain.api} conversationId={id} />;
  },
  async play({ canvas, userEvent }) {
    await userEvent.click(canvas.getByRole("button", { name: "Book a hotel" }));
    await canvas.findByRole("group", { name: "Where and when would you like to stay?" });
  },
});

WithoutTheAiSdk.test("tells the agent that the user declined", async ({ canvas, userEvent }) => {
  await userEvent.click(canvas.getByRole("button", { name: "Decline" }));
  await expect(await canvas.findByText(/Then I cannot search/)).toBeVisible();
});

const withoutReact = createWorld("without-react", scenarios.form);

/** In plain DOM: the client without React. */
export const WithoutReact = meta.story({
  beforeEach: () => serve(withoutReact),
  render: function WithoutReact() {
    const page = useRef<HTMLDivElement>(null);
    useEffect(() => {
      if (page.current === null) return undefined;
      const chat = startChat(page.current, withoutReact.api);
      void chat.send("Book a hotel.");
      return chat.stop;
    }, []);
    return <div ref={page} />;
  },
});

WithoutReact.test("checks the form, sends it, and the agent continues", async ({ canvas, userEvent }) => {
  const card = await canvas.findByRole("group", { name: "Where and when would you like to stay?" });
  const send = within(card).getByRole("button", { name: "Send" });
  await userEvent.click(send);
  await expect(within(card).getAllByText("Please check this.").length).toBeGreaterThan(0);
  await userEvent.type(within(card).getByRole("textbox", { name: /^City/ }), "Lisbon");
  await userEvent.type(within(card).getByRole("textbox", { name: /^Check-in/ }), "2027-03-01");
  await userEvent.click(send);
  await expect(await canvas.findByText(/Casa do Mar in Lisbon has a room/)).toBeVisible();
});

/** Another team's widget offers a slot, and the cards mount there in a separate React root. */
export const ForeignRoot = meta.story({
  render: function ForeignRoot() {
    const slot = useRef<HTMLDivElement>(null);
    useEffect(() => {
      const unmount = mountInSlots(two());
      const detail: SlotDetail = { conversationId: CONVERSATION };
      slot.current?.dispatchEvent(new CustomEvent("widget:slot", { bubbles: true, detail }));
      // Waits, because React is still rendering the story itself.
      return () => queueMicrotask(unmount);
    }, []);
    return <div ref={slot} />;
  },
});

ForeignRoot.test("is answered in the slot", async ({ canvas, userEvent }) => {
  await userEvent.click(await canvas.findByRole("button", { name: "Connect" }));
  await userEvent.click(await canvas.findByRole("button", { name: "I’ve finished" }));
  await expect(await canvas.findByText(/connected$/i, told)).toBeVisible();
});

const TITLES = new Map([["trip", "Trip to Lisbon"]]);

export const Inbox = meta.story({
  render: function Inbox() {
    const [{ client }] = useState(() => createFakeInbox({ questions: [asked("trip", formRequest())] }));
    return <InboxButton client={client} titles={TITLES} />;
  },
});

Inbox.test("opens the list of the button, and answers there", async ({ canvas, userEvent }) => {
  await userEvent.click(await canvas.findByRole("button", { name: "Inbox (1)" }));
  await expect(await canvas.findByRole("link", { name: "Trip to Lisbon" })).toBeVisible();
  await userEvent.click(canvas.getByRole("button", { name: /Where should the parcel go/ }));
  await userEvent.type(await canvas.findByRole("textbox", { name: "City" }), "Lisbon{Enter}");
  await expect(await canvas.findByRole("button", { name: "Inbox (0)" })).toBeVisible();
});
