import { type FormEvent, type ReactNode, useState } from "react";
import { Icon } from "./icons.tsx";
import type { Words } from "./words/en.ts";

interface ComposerProps {
  words: Words;
  placeholder: string;
  /** Whether a turn is running. The button stops the turn, or sends if there is text. */
  busy: boolean;
  /** Fills in the open form instead of sending the text. */
  propose: ((text: string) => Promise<boolean>) | undefined;
  /** Label of the button that sends a text that did not fit into the form. */
  sendAsMessage: string;
  onSend: (text: string) => void;
  onStop: () => void;
  /** Rendered above the text field. */
  children: ReactNode;
  /** Rendered below the text field. */
  under: string;
}

export function Composer({
  words,
  placeholder,
  busy,
  propose,
  sendAsMessage,
  onSend,
  onStop,
  children,
  under,
}: ComposerProps): React.JSX.Element {
  const [text, setText] = useState("");
  /** The text that did not fit into the form. */
  const [refused, setRefused] = useState<string>();
  const isEmpty = text.trim() === "";

  function send(): void {
    onSend(text);
    setText("");
  }

  async function submit(event: FormEvent): Promise<void> {
    event.preventDefault();
    if (isEmpty) return;
    if (propose === undefined) return send();
    setRefused(undefined);
    if (await propose(text)) setText((now) => (now === text ? "" : now));
    else setRefused(text);
  }

  return (
    <>
      <div className="dock-box">
        {children}
        <form className="composer" onSubmit={(event) => void submit(event)}>
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
      </div>
      <p className="under">
        {under}
        {propose !== undefined && !isEmpty && refused === text && (
          <button type="button" className="button" onClick={send}>
            {sendAsMessage}
          </button>
        )}
      </p>
    </>
  );
}
