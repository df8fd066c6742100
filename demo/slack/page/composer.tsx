import { useState } from "react";
import type { Act } from "../act.ts";

const SUGGESTIONS = ["Create an issue about the login bug", "Book me a flight", "Plan a team day"] as const;

/** Sends a message to the agent: in the channel, or in a thread. */
export function Composer({
  label,
  thread,
  suggestions = false,
  act,
}: {
  label: string;
  thread?: string;
  suggestions?: boolean;
  act: (act: Act) => Promise<unknown>;
}): React.JSX.Element {
  const [text, setText] = useState("");
  const say = (words: string) => {
    setText("");
    void act({ do: "say", text: words, ...(thread !== undefined && { thread }) });
  };
  return (
    <form
      className="composer"
      onSubmit={(event) => {
        event.preventDefault();
        if (text.trim() !== "") say(text.trim());
      }}
    >
      <span className="mention">@Assistant</span>
      <input
        value={text}
        aria-label={label}
        placeholder={label}
        onChange={(event) => setText(event.target.value)}
      />
      <button type="submit">Send</button>
      {suggestions && (
        <p>
          {SUGGESTIONS.map((words) => (
            <button key={words} type="button" onClick={() => say(words)}>
              {words}
            </button>
          ))}
        </p>
      )}
    </form>
  );
}
