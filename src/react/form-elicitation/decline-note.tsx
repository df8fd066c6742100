"use client";
import { type KeyboardEvent, type ReactElement, useEffect, useRef, useState } from "react";
import { MAX_NOTE_LENGTH } from "../../contract/contract.ts";
import { isolate } from "../isolate.ts";
import { isAboutComposition } from "../prompt/keys.ts";
import type { FormShared } from "./context.ts";
import { formatNumber } from "./field-words.ts";

export interface DeclineNote {
  /** Opens the line; nothing where no note is read. */
  button: ReactElement | null;
  /** The line with its own buttons, in place of those of the card. */
  line: ReactElement | null;
  /** What was sent with the decline. */
  sent: string | undefined;
}

/** "No, and …": a decline that says what the user wants instead. */
export function useDeclineNote({ elicitation, catalogue, messageId, decline }: FormShared): DeclineNote {
  const { status, takesNote, request } = elicitation;
  const [note, setNote] = useState("");
  const [isOpen, setOpen] = useState(false);
  const place = useRef<HTMLElement>(null);
  const wasOpen = useRef(false);
  useEffect(() => {
    // Not at first: a card that arrives takes no focus for it.
    if (wasOpen.current || isOpen) place.current?.focus();
    wasOpen.current = isOpen;
  }, [isOpen]);
  const text = note.trim();
  const busy = status === "submitting";
  function send(): void {
    if (!busy) decline(text === "" ? undefined : text);
  }
  const sent = text === "" || !isOpen ? undefined : text;
  if (takesNote !== true || (status !== "pending" && !busy)) return { button: null, line: null, sent };
  if (!isOpen) {
    const button = (
      <button
        className="elicit-button elicit-quiet elicit-no-and"
        type="button"
        ref={(node) => {
          place.current = node;
        }}
        onClick={() => busy || setOpen(true)}
      >
        {catalogue.noAnd}
      </button>
    );
    return { button, line: null, sent };
  }
  const used = catalogue.outOf(
    formatNumber([...note].length, catalogue),
    formatNumber(MAX_NOTE_LENGTH, catalogue),
  );
  const name = request.requester?.name;
  const line = (
    <fieldset className="elicit-actions elicit-note" aria-label={catalogue.noAnd}>
      <label className="elicit-input">
        <span>{catalogue.noAndLine}</span>
        <input
          ref={(node) => {
            place.current = node;
          }}
          dir="auto"
          value={note}
          maxLength={MAX_NOTE_LENGTH}
          aria-describedby={`${messageId}note`}
          onChange={(event) => setNote(event.currentTarget.value)}
          onKeyDown={(event: KeyboardEvent) => {
            if (event.key !== "Enter" || isAboutComposition(event.nativeEvent)) return;
            event.preventDefault();
            send();
          }}
        />
      </label>
      <button
        className="elicit-button elicit-primary"
        type="button"
        aria-disabled={busy || undefined}
        onClick={send}
      >
        {catalogue.decline}
      </button>
      <button className="elicit-button elicit-quiet" type="button" onClick={() => busy || setOpen(false)}>
        {catalogue.back}
      </button>
      <small id={`${messageId}note`}>{catalogue.onlyReads(name && isolate(name), used)}</small>
    </fieldset>
  );
  return { button: null, line, sent };
}
