import { type FormEvent, useState } from "react";
import { Icon } from "./icons.tsx";
import type { Words } from "./words/words.ts";

interface ComposerProps {
  words: Words;
  placeholder: string;
  /** A turn is running. The button stops it, or sends when there is text. */
  busy: boolean;
  onSend: (text: string) => void;
  onStop: () => void;
}

export function Composer({ words, placeholder, busy, onSend, onStop }: ComposerProps): React.JSX.Element {
  const [text, setText] = useState("");
  const isEmpty = text.trim() === "";

  function submit(event: FormEvent): void {
    event.preventDefault();
    if (isEmpty) return;
    onSend(text);
    setText("");
  }

  return (
    <form className="composer" onSubmit={submit}>
      <label className="visually-hidden" htmlFor="message">
        {words.message}
      </label>
      <input
        id="message"
        dir="auto"
        autoComplete="off"
        placeholder={placeholder}
        value={text}
        onChange={(event) => setText(event.target.value)}
      />
      {busy && isEmpty ? (
        <button type="button" className="stop" aria-label={words.stop} onClick={onStop}>
          <Icon name="stop" />
        </button>
      ) : (
        <button type="submit" className="send" aria-label={words.send}>
          <Icon name="up" />
        </button>
      )}
    </form>
  );
}
