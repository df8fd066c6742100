import { useChat } from "@ai-sdk/react";
import { DefaultChatTransport, isTextUIPart } from "ai";
import { Elicitations } from "elicit-kit";
import { createElicitation } from "elicit-kit/ai-sdk";
import { type FormEvent, useState } from "react";

interface ChatProps {
  fetch?: typeof globalThis.fetch;
}

export function Chat({ fetch }: ChatProps) {
  const [elicit] = useState(() => createElicitation({ api: "/run/api", fetch }));
  const [transport] = useState(() => new DefaultChatTransport(elicit.transportOptions));
  const chat = useChat({ transport });
  const [text, setText] = useState("");

  function send(event: FormEvent) {
    event.preventDefault();
    void chat.sendMessage({ text });
    setText("");
  }

  return (
    <>
      {chat.messages.map(({ id, parts }) => (
        <div key={id}>
          {parts.filter(isTextUIPart).map((part) => (
            <p key={part.text}>{part.text}</p>
          ))}
        </div>
      ))}
      <Elicitations client={elicit} conversationId={chat.id} messages={chat.messages} />
      <form onSubmit={send}>
        <input aria-label="Message" value={text} onChange={(event) => setText(event.target.value)} />
      </form>
    </>
  );
}
