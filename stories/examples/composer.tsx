import { composerOf, useElicitation } from "elicit-kit";
import { type FormEvent, useState } from "react";

interface ComposerProps {
  /** The return value of `useElicitation`. */
  elicitation: Pick<ReturnType<typeof useElicitation>, "elicitations">;
  sendMessage: (message: { text: string }) => void;
}

/** Shows the effect of a message before the user sends it. A sentence fills in the form if the form supports it. */
export function Composer({ elicitation, sendMessage }: ComposerProps) {
  const { hint, propose } = composerOf(elicitation.elicitations);
  const [text, setText] = useState("");
  async function send(event: FormEvent): Promise<void> {
    event.preventDefault();
    if (propose === undefined) sendMessage({ text });
    else if (!(await propose(text))) return;
    // Keeps text that the user has typed in the meantime.
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
