import { useChat } from "@ai-sdk/react";
import { isTextUIPart } from "ai";
import { Elicitations, useElicitation } from "elicit-kit";
import { type FormEvent, useState } from "react";

interface ChatProps {
  fetch?: typeof globalThis.fetch;
}

export function Chat({ fetch }: ChatProps) {
  const elicitation = useElicitation({ api: "/run/api", fetch });
  const chat = useChat(elicitation.chatOptions);
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
      <Elicitations {...elicitation} />
      <form onSubmit={send}>
        <input aria-label="Message" value={text} onChange={(event) => setText(event.target.value)} />
      </form>
    </>
  );
}
