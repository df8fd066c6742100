"use client";
import { useChat } from "@ai-sdk/react";
import { Elicitations, useElicitation } from "elicit-kit";
import "elicit-kit/styles.css";

export default function Page() {
  const elicitation = useElicitation({
    api: "/run/api",
    trustedOrigin: process.env.NEXT_PUBLIC_PAGE_ORIGIN ?? "http://127.0.0.1:3000", // the hosted page
  });
  const { messages, sendMessage, stop, error } = useChat(elicitation.chatOptions);
  return (
    <main style={{ maxWidth: 640, margin: "2rem auto", padding: "0 1rem", width: "100%" }}>
      {messages.map((message) => (
        <p key={message.id}>{message.parts.map((part) => (part.type === "text" ? part.text : ""))}</p>
      ))}
      <Elicitations {...elicitation} />
      {error && <p role="alert">{error.message}</p>}
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void sendMessage({ text: String(new FormData(event.currentTarget).get("text")) });
          event.currentTarget.reset();
        }}
      >
        <input
          name="text"
          aria-label="Message"
          placeholder="Book me a hotel"
          style={{ border: "1px solid", padding: "0.5rem" }}
        />{" "}
        <button>Send</button>{" "}
        <button type="button" onClick={() => void stop()}>
          Stop
        </button>
      </form>
    </main>
  );
}
