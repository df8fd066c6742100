import { composerOf, useElicitation } from "elicit-kit";
import { type FormEvent, useState } from "react";

interface ComposerProps {
  /** What `useElicitation` returns. */
  elicitation: Pick<ReturnType<typeof useElicitation>, "elicitations">;
  sendMessage: (message: { text: string }) => void;
}

/** Says what a message does before it is sent. Where a form takes a sentence, it fills in the form. */
export function Composer({ elicitation, sendMessage }: ComposerProps) {
  const { hint, propose } = composerOf(elicitation.elicitations);
  const [text, setText] = useState("");
  async function send(event: FormEvent): Promise<void> {
    event.preventDefault();
    if (propose === undefined) sendMessage({ text });
    else if (!(await propose(text))) return;
    // What was typed meanwhile stays.
    setText((now) => (now === text ? "" : now));
  }
  return (
    <form onSubmit={(event) => void send(event)}>
      <input
        aria-label="Message"
        aria-describedby="hint"
        value={text}
        onChange={(event) => setText(event.target.value)}
      />
      <button>Send</button>
      <p id="hint">{hint}</p>
    </form>
  );
}
