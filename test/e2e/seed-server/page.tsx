import "elicit-kit/styles.css";
import { useChat } from "@ai-sdk/react";
import { Elicitations, useElicitation } from "elicit-kit";
import { createRoot } from "react-dom/client";

/** The chat of the README. Its server implements only the founding documents. */
function Chat() {
  const elicitation = useElicitation({ api: "/run/api" });
  const { messages, sendMessage, status, error } = useChat(elicitation.chatOptions);
  return (
    <main data-status={status}>
      <div role="log">
        {messages.map(({ id, parts }) => (
          <p key={id}>{parts.map((part) => (part.type === "text" ? part.text : ""))}</p>
        ))}
      </div>
      <p role="alert">{error?.message}</p>
      <Elicitations {...elicitation} />
      <button onClick={() => void sendMessage({ text: "List my issues" })}>Ask</button>
    </main>
  );
}

const root = document.getElementById("root");
if (root !== null) createRoot(root).render(<Chat />);
