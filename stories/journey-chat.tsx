import { useChat } from "@ai-sdk/react";
import { isToolUIPart, type UIMessage } from "ai";
import { composerOf, Elicitations, type ElicitationsProps, useElicitation } from "elicit-kit";
import { type FormEvent, useEffect, useState, useSyncExternalStore } from "react";
import { FakeBrowser } from "../src/client/popup/testing/fake-browser.ts";
import type { World } from "./world.ts";

export interface JourneyChatProps extends Pick<ElicitationsProps, "catalogue" | "components" | "secrets"> {
  world: World;
  /** The first message, sent at once. Without it, the story waits for a message of the reader. */
  says?: string | undefined;
  /** Replaces the service worker. */
  fetch?: typeof globalThis.fetch | undefined;
  /** Shows the chat as a side panel, as copilots do. */
  compact?: boolean | undefined;
}

/**
 * A chat on the AI SDK with the drop-in, beside the window that a sign-in would open. Another first message restarts it.
 */
export function JourneyChat(props: JourneyChatProps) {
  return <Played key={props.says} {...props} />;
}

function Played({ world, says, fetch, compact = false, ...look }: JourneyChatProps) {
  const [browser] = useState(() => new FakeBrowser());
  const elicitation = useElicitation({
    api: world.api,
    fetch,
    trustedOrigin: "https://auth.example.com",
    popupEnvironment: browser,
    storage: null,
  });
  const chat = useChat(elicitation.chatOptions);
  const { sendMessage } = chat;
  const composer = composerOf(elicitation.elicitations, look.catalogue);
  useEffect(() => {
    if (says !== undefined) void sendMessage({ text: says });
  }, [says, sendMessage]);
  return (
    <div className="book-stage" data-compact={compact}>
      {compact && <Document />}
      <section className="book-chat" aria-label="Chat">
        <Log messages={chat.messages} />
        <Elicitations {...look} {...elicitation} />
        {chat.error && <p role="alert">{chat.error.message}</p>}
        <Composer {...composer} onSend={(text) => void sendMessage({ text })} />
      </section>
      <SignInWindow browser={browser} world={world} />
    </div>
  );
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

type ComposerProps = ReturnType<typeof composerOf> & { onSend: (text: string) => void };

function Composer({ hint, propose, onSend }: ComposerProps) {
  const [text, setText] = useState("");
  async function submit(event: FormEvent): Promise<void> {
    event.preventDefault();
    if (text.trim() === "") return;
    if (propose === undefined) onSend(text);
    else if (!(await propose(text))) return;
    setText("");
  }
  return (
    <form className="book-composer" onSubmit={(event) => void submit(event)}>
      <input
        aria-label="Message"
        placeholder={hint ?? "Write a message"}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
      />
      <button type="submit">Send</button>
    </form>
  );
}

/** The popup, shown beside the chat, because a service worker cannot answer the navigation of a real window. */
function SignInWindow({ browser, world: { server } }: { browser: FakeBrowser; world: World }) {
  const url = useSyncExternalStore(browser.subscribe, () => browser.current?.visited.at(-1));
  if (url === undefined) return null;
  const close = () => browser.current?.close();
  const query = new URL(url).searchParams;
  const service = query.get("service") ?? "account";
  const id = query.get("elicitationId") ?? undefined;
  async function finish(end: (id?: string) => Promise<void>): Promise<void> {
    await end(id);
    close();
  }
  return (
    <section className="book-window" aria-label="Sign-in window">
      <header>
        <span>{new URL(url).host}</span>
        <button type="button" aria-label="Close window" onClick={close}>
          ×
        </button>
      </header>
      <h2>Sign in to {service}</h2>
      <p>This page stands in for the popup. No account is connected.</p>
      <button type="button" onClick={() => void finish(server.completeOutside)}>
        Allow
      </button>
      <button type="button" onClick={() => void finish(server.declineOutside)}>
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
