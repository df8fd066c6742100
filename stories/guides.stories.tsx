import { useChat } from "@ai-sdk/react";
import { DefaultChatTransport, type UIMessage } from "ai";
import { useElicitation } from "elicit-kit";
import { createElicitation } from "elicit-kit/ai-sdk";
import { scenarios } from "elicit-kit/mock-server";
import { useEffect, useRef, useState } from "react";
import { expect } from "storybook/test";
import preview from "../.storybook/preview.tsx";
import { Chat } from "./chat.tsx";
import { mountInSlots, type SlotDetail } from "./examples/foreign-root.tsx";
import { Headless as HeadlessExample } from "./examples/headless.tsx";
import { Transcript } from "./examples/in-place.tsx";
import { components } from "./examples/own-control.tsx";
import { OwnCard } from "./examples/own-card.tsx";
import { PlainChat } from "./examples/plain-chat.tsx";
import "./examples/theme.css";
import { CONVERSATION, createScript, formRequest, question, urlRequest } from "./scripted-client.ts";
import { createWorld, serve } from "./world.ts";

/** Runs the code of `docs/headless.md` and `docs/theming.md`. */
const meta = preview.meta({ title: "Guides" });

const told = { ignore: "output" };
const two = () => createScript({ requests: [urlRequest(), formRequest()] }).client;

export const Headless = meta.story({
  render: function Headless() {
    const [client] = useState(two);
    return <HeadlessExample client={client} conversationId={CONVERSATION} />;
  },
  async play({ canvas, userEvent }) {
    await userEvent.click(canvas.getByRole("button", { name: "Open the page" }));
    await userEvent.click(canvas.getByRole("button", { name: "I am done" }));
    await userEvent.type(await canvas.findByRole("textbox", { name: "City" }), "Lisbon");
    await userEvent.click(canvas.getByRole("button", { name: "Send" }));
    await expect(await canvas.findByText("Nothing is asked.")).toBeVisible();
  },
});

export const OwnCards = meta.story({
  render: function OwnCards() {
    const [client] = useState(two);
    const { elicitations } = useElicitation({ client, conversationId: CONVERSATION });
    return (
      <>
        {elicitations.map((elicitation) => (
          <OwnCard key={elicitation.id} elicitation={elicitation} />
        ))}
      </>
    );
  },
  async play({ canvas, userEvent }) {
    await userEvent.click(canvas.getByRole("button", { name: "Connect" }));
    await userEvent.click(canvas.getByRole("button", { name: "I’ve finished" }));
    await expect(await canvas.findByText("Connected.", told)).toBeVisible();
    // The style sheet without the kit's card: text boxes must have a border all the same.
    await expect(getComputedStyle(canvas.getByRole("textbox", { name: "City" })).borderStyle).toBe("solid");
  },
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
  async play({ canvas, userEvent }) {
    const fourStars = canvas.getByRole("radio", { name: "★★★★" });
    // A developer's own radio button stands beside its label, not above it.
    const label = fourStars.closest("label")?.getBoundingClientRect();
    await expect(label?.height).toBeLessThan(1.5 * fourStars.getBoundingClientRect().height);
    await userEvent.click(fourStars);
    await userEvent.click(canvas.getByRole("button", { name: "Submit" }));
    await expect(await canvas.findByText("Sent.", told)).toBeVisible();
    await expect(canvas.getByRole("button", { name: "Pay 80 €" })).toBeVisible();
  },
});

export const Theme = meta.story({
  render: () => (
    <div className="acme">
      <Chat requests={[urlRequest(), formRequest()]} />
    </div>
  ),
  async play({ canvas }) {
    const heading = canvas.getByRole("heading", { name: "Connect your account" });
    await expect(getComputedStyle(heading).fontStyle).toBe("italic");
  },
});

export const ThemeDark = Theme.extend({ globals: { theme: "dark" } });

const inPlace = createWorld("in-place", scenarios.connect);

/** In a chat: the card is in the agent's message, and the agent's next text is below it. */
export const InAChat = meta.story({
  beforeEach: () => serve(inPlace),
  render: function InAChat() {
    const [{ id, elicit, transport }] = useState(() => {
      const made = createElicitation({ api: inPlace.api, storage: null });
      return {
        id: crypto.randomUUID(),
        elicit: made,
        transport: new DefaultChatTransport<UIMessage>(made.transportOptions),
      };
    });
    const { messages, sendMessage } = useChat({ id, transport });
    useEffect(() => {
      void sendMessage({ text: "Please file the login bug." });
    }, [sendMessage]);
    return (
      <section className="book-chat">
        <Transcript client={elicit} conversationId={id} messages={messages} />
      </section>
    );
  },
  async play({ canvas }) {
    const card = await canvas.findByRole("group", { name: "Connect your account" });
    await inPlace.server.completeOutside(card.dataset["elicitation"]);
    const after = await canvas.findByText("Done: TRK-42.");
    await expect(card.compareDocumentPosition(after)).toBe(Node.DOCUMENT_POSITION_FOLLOWING);
  },
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
    const card = await canvas.findByRole("group", { name: "A few details are needed" });
    await expect(card).toBeVisible();
    await userEvent.click(canvas.getByRole("button", { name: "Decline" }));
    await expect(await canvas.findByText(/Then I cannot search/)).toBeVisible();
  },
});

/** A widget of another team offers a slot; the cards are mounted there in a React root of their own. */
export const ForeignRoot = meta.story({
  render: function ForeignRoot() {
    const slot = useRef<HTMLDivElement>(null);
    useEffect(() => {
      const unmount = mountInSlots(two());
      const detail: SlotDetail = { conversationId: CONVERSATION };
      slot.current?.dispatchEvent(new CustomEvent("widget:slot", { bubbles: true, detail }));
      // Not while React renders the story itself.
      return () => queueMicrotask(unmount);
    }, []);
    return <div ref={slot} />;
  },
  async play({ canvas, userEvent }) {
    await userEvent.click(await canvas.findByRole("button", { name: "Connect" }));
    await userEvent.click(await canvas.findByRole("button", { name: "I’ve finished" }));
    await expect(await canvas.findByText("Connected.", told)).toBeVisible();
  },
});
