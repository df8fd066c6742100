import { useChat } from "@ai-sdk/react";
import { DefaultChatTransport, isToolUIPart, type UIMessage } from "ai";
import { Elicitations, type ElicitationsProps } from "elicit-kit";
import { createElicitation } from "elicit-kit/ai-sdk";
import { type FormEvent, useEffect, useState, useSyncExternalStore } from "react";
import { createStandIn, type StandIn } from "./stand-in.ts";
import type { World } from "./world.ts";

export interface JourneyChatProps extends Pick<ElicitationsProps, "catalogue" | "components" | "secrets"> {
  world: World;
  /** The first message, sent at once; without it the story waits for the reader's. */
  says?: string | undefined;
  /** Shows the chat as a side panel, as copilots do. */
  compact?: boolean | undefined;
}

/** A chat on the AI SDK with the drop-in, beside the window that a sign-in would open. */
export function JourneyChat({ world, says, compact = false, ...look }: JourneyChatProps) {
  const [{ id, page, elicit, transport }] = useState(() => connect(world.api));
  const chat = useChat({ id, transport });
  const { sendMessage } = chat;
  useEffect(() => {
    if (says !== undefined) void sendMessage({ text: says });
  }, [says, sendMessage]);
  return (
    <div className="book-stage" data-compact={compact}>
      {compact && <Document />}
      <section className="book-chat" aria-label="Chat">
        <Log messages={chat.messages} />
        <Elicitations {...look} client={elicit} conversationId={id} messages={chat.messages} />
        {chat.error && <p role="alert">{chat.error.message}</p>}
        <Composer onSend={(text) => void sendMessage({ text })} />
      </section>
      <SignInPage page={page} world={world} />
    </div>
  );
}

function connect(api: string) {
  const page = createStandIn();
  const elicit = createElicitation({
    api,
    trustedOrigin: "https://auth.example.com",
    popupEnvironment: page.environment,
    storage: null,
  });
  const transport = new DefaultChatTransport<UIMessage>(elicit.transportOptions);
  return { id: crypto.randomUUID(), page, elicit, transport };
}

function Log({ messages }: { messages: readonly UIMessage[] }) {
  return (
    <ol className="book-log" aria-label="Conversation">
      {messages.map((message) => (
        <li key={message.id} data-role={message.role}>
          {message.parts.map((part, index) => {
            if (part.type === "text") return <p key={index}>{part.text}</p>;
            if (!isToolUIPart(part)) return null;
            const done = part.state === "output-available";
            return (
              <p key={part.toolCallId} className="book-tool">
                {part.type.replace("tool-", "")} {done ? "✓" : "…"}
              </p>
            );
          })}
        </li>
      ))}
    </ol>
  );
}

function Composer({ onSend }: { onSend: (text: string) => void }) {
  const [text, setText] = useState("");
  function submit(event: FormEvent): void {
    event.preventDefault();
    if (text.trim() !== "") onSend(text);
    setText("");
  }
  return (
    <form className="book-composer" onSubmit={submit}>
      <input
        aria-label="Message"
        placeholder="Write a message"
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
      />
      <button type="submit">Send</button>
    </form>
  );
}

/** The content of the popup. */
function SignInPage({ page, world: { server } }: { page: StandIn; world: World }) {
  const url = useSyncExternalStore(page.subscribe, page.url);
  if (url === undefined) return null;
  const query = new URL(url).searchParams;
  const service = query.get("service") ?? "account";
  const id = query.get("elicitationId") ?? undefined;
  async function leave(end: (id?: string) => Promise<void>): Promise<void> {
    await end(id);
    page.close();
  }
  return (
    <section className="book-window" aria-label="Sign-in window">
      <header>
        <span>{new URL(url).host}</span>
        <button type="button" aria-label="Close window" onClick={page.close}>
          ×
        </button>
      </header>
      <h2>Sign in to {service}</h2>
      <p>This page stands in for the popup. No account is connected.</p>
      <button type="button" onClick={() => void leave(server.completeOutside)}>
        Allow
      </button>
      <button type="button" onClick={() => void leave(server.declineOutside)}>
        Refuse
      </button>
      <button type="button" onClick={() => void server.failOutside("The password was wrong.", id)}>
        Wrong password
      </button>
    </section>
  );
}

/** The document beside the side panel. */
function Document() {
  return (
    <article className="book-document" aria-label="Document">
      <h2>Release notes</h2>
      <p>Sign-in works in Safari again. Popups that were closed early no longer end the conversation.</p>
      <p>Forms keep what was typed when the page is loaded again.</p>
    </article>
  );
}
