import { useChat, type UseChatHelpers } from "@ai-sdk/react";
import { DefaultChatTransport, getToolName, isToolUIPart, type UIMessage } from "ai";
import { type BoundElicitation, ElicitationAnnouncer, ElicitationPrompt, useElicitation } from "elicit-kit";
import { createElicitation } from "elicit-kit/ai-sdk";
import { readElicitations } from "elicit-kit/client";
import { type FormEvent, type RefObject, useEffect, useRef, useState } from "react";
import { loadHistory, type Session } from "./session.ts";

const SUGGESTIONS = [
  "Create an issue about the login bug",
  "Book me a flight",
  "Do both: an issue and a flight",
];

interface ChatProps {
  session: Session;
  conversationId: string;
  history: UIMessage[];
}

export function Chat({ session, conversationId, history }: ChatProps): React.JSX.Element {
  const [elicit] = useState(() =>
    createElicitation({ api: session.api, trustedOrigin: session.authOrigin, credentials: "include" }),
  );
  const [transport] = useState(
    () =>
      new DefaultChatTransport<UIMessage>({
        ...elicit.transportOptions,
        // Where the hosted page leads back to, for people who continued in this tab.
        body: () => ({ returnUrl: location.href }),
      }),
  );
  const chat = useChat({ id: conversationId, messages: history, transport });
  useOpenTurn(conversationId, history, chat);
  const { elicitations } = useElicitation({ client: elicit, conversationId, messages: chat.messages });
  const main = useRef<HTMLElement>(null);
  useFollowEnd(main);
  const busy = chat.status === "submitted" || chat.status === "streaming";

  return (
    <main ref={main}>
      <ElicitationAnnouncer>
        <Log messages={chat.messages} elicitations={elicitations} busy={busy} />
        {!busy && <Elsewhere messages={chat.messages} elicitations={elicitations} />}
      </ElicitationAnnouncer>
      {chat.error !== undefined && (
        <p role="alert">
          Something went wrong: {messageOf(chat.error)}{" "}
          <button type="button" onClick={() => void chat.regenerate()}>
            Try again
          </button>
        </p>
      )}
      {chat.messages.length === 0 && (
        <ul className="suggestions">
          {SUGGESTIONS.map((text) => (
            <li key={text}>
              <button type="button" onClick={() => void chat.sendMessage({ text })}>
                {text}
              </button>
            </li>
          ))}
        </ul>
      )}
      {!busy && chat.messages.length > 1 && (
        <Timeline conversationId={conversationId} turn={chat.messages.length} />
      )}
      <Composer
        busy={busy}
        onSend={(text) => void chat.sendMessage({ text })}
        onStop={() => void chat.stop()}
      />
    </main>
  );
}

/**
 * Reads the stream of the turn that is open. When there is none, the turn may have ended after the history was read: then
 * its end is in the history by now.
 */
function useOpenTurn(
  conversationId: string,
  history: readonly UIMessage[],
  { resumeStream, setMessages }: Pick<UseChatHelpers<UIMessage>, "resumeStream" | "setMessages">,
): void {
  useEffect(() => {
    if (history.at(-1)?.role !== "user") return;
    resumeStream()
      .then(() => loadHistory(conversationId))
      .then((stored) => setMessages((now) => (stored.length > now.length ? stored : now)))
      // The chat tells its own errors, and what it shows stays.
      .catch(() => undefined);
  }, [conversationId, history, resumeStream, setMessages]);
}

/** A refusal of the runtime is problem+json, of which the AI SDK makes the whole message. */
function messageOf({ message }: Error): string {
  try {
    const { detail }: { detail?: unknown } = Object(JSON.parse(message));
    return typeof detail === "string" ? detail : message;
  } catch {
    return message;
  }
}

/** When the last turn worked and when it waited, drawn by the server from the turn's log. */
function Timeline({ conversationId, turn }: { conversationId: string; turn: number }): React.JSX.Element {
  const [open, setOpen] = useState(false);
  const source = `/timeline/${encodeURIComponent(conversationId)}?turn=${turn}`;
  return (
    <details className="timeline" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>Timeline of the last turn</summary>
      {open && <img src={source} alt="When the agent worked, paused and went on" width="640" />}
    </details>
  );
}

/**
 * Keeps the newest in view while the page grows, unless the person has scrolled away from it: the request that they are at,
 * or else the last words.
 */
function useFollowEnd(main: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const element = main.current;
    if (element === null) return;
    let follows = true;
    const onScroll = (): void => {
      follows = innerHeight + scrollY > document.documentElement.scrollHeight - 100;
    };
    const observer = new ResizeObserver(() => {
      const asked = element.querySelector(".elicit-card:focus-within:not(:has(.elicit-receipt))");
      const newest = [...element.querySelectorAll(".log > li > *, :scope > .elicit-card")].at(-1);
      if (follows) (asked ?? newest)?.scrollIntoView({ block: "nearest" });
    });
    for (const child of element.children) observer.observe(child);
    addEventListener("scroll", onScroll);
    return () => {
      observer.disconnect();
      removeEventListener("scroll", onScroll);
    };
  }, [main]);
}

interface LogProps {
  messages: readonly UIMessage[];
  elicitations: readonly BoundElicitation[];
}

/** What was said, with each card where it was asked. */
function Log({ messages, elicitations, busy }: LogProps & { busy: boolean }): React.JSX.Element {
  const byId = new Map(elicitations.map((elicitation) => [elicitation.id, elicitation]));
  return (
    <ol className="log" aria-label="Conversation">
      {messages.map((message, at) => (
        <li key={message.id} data-role={message.role}>
          <span className="who">{message.role === "user" ? "You" : "Agent"}</span>
          {message.parts.map((part, index) => {
            if (part.type === "text") return <p key={index}>{part.text}</p>;
            if (isToolUIPart(part))
              return (
                <ToolCall
                  key={part.toolCallId}
                  name={getToolName(part)}
                  state={part.state}
                  running={busy && at === messages.length - 1}
                />
              );
            const elicitation = byId.get(requestIn(part) ?? "");
            return elicitation && <ElicitationPrompt key={elicitation.id} elicitation={elicitation} />;
          })}
        </li>
      ))}
    </ol>
  );
}

/** Requests that the server still has open, but of which no message tells: its answer was lost before it was stored. */
function Elsewhere({ messages, elicitations }: LogProps): React.JSX.Element {
  const asked = new Set(readElicitations(messages).map(({ elicitationId }) => elicitationId));
  const rest = elicitations.filter(({ id }) => !asked.has(id));
  return (
    <>
      {rest.map((elicitation) => (
        <ElicitationPrompt key={elicitation.id} elicitation={elicitation} />
      ))}
    </>
  );
}

/** The id of the request that a part shows. */
function requestIn(part: UIMessage["parts"][number]): string | undefined {
  return part.type === "data-elicitation-request" && "id" in part ? part.id : undefined;
}

const TOOL_STATE: Readonly<Record<string, string>> = {
  "input-streaming": "preparing",
  "input-available": "waiting",
  "output-available": "done",
  "output-error": "failed",
};

interface ToolCallProps {
  name: string;
  state: string;
  /** Its turn is going on; the calls of one that was stopped never end. */
  running: boolean;
}

function ToolCall({ name, state, running }: ToolCallProps): React.JSX.Element {
  const told = state.startsWith("input") && !running ? "stopped" : (TOOL_STATE[state] ?? state);
  return (
    <p className="tool" data-state={state}>
      <code>{name}</code> {told}
    </p>
  );
}

interface ComposerProps {
  busy: boolean;
  onSend(text: string): void;
  onStop(): void;
}

function Composer({ busy, onSend, onStop }: ComposerProps): React.JSX.Element {
  const [text, setText] = useState("");

  function submit(event: FormEvent): void {
    event.preventDefault();
    if (text.trim() === "") return;
    onSend(text);
    setText("");
  }

  return (
    <form className="composer" onSubmit={submit}>
      <label className="visually-hidden" htmlFor="message">
        Message
      </label>
      <input
        id="message"
        autoComplete="off"
        placeholder="Ask for something that needs you"
        value={text}
        onChange={(event) => setText(event.target.value)}
      />
      {busy ? (
        <button type="button" onClick={onStop}>
          Stop
        </button>
      ) : (
        <button type="submit">Send</button>
      )}
    </form>
  );
}
