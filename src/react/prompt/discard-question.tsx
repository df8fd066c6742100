"use client";
import { useEffect, useRef } from "react";
import type { Messages } from "../messages/catalogue.ts";

export interface DiscardQuestionProps {
  messages: Messages;
  onKeep: () => void;
  onDiscard: () => unknown;
}

/** Asks before what was typed is lost. The focus goes to the way back. */
export function DiscardQuestion({ messages, onKeep, onDiscard }: DiscardQuestionProps) {
  const keep = useRef<HTMLButtonElement>(null);
  useEffect(() => keep.current?.focus(), []);
  return (
    <fieldset className="elicit-discard" aria-label={messages.discardTyped}>
      <p>{messages.discardTyped}</p>
      <button className="elicit-button elicit-primary" type="button" ref={keep} onClick={onKeep}>
        {messages.keepEditing}
      </button>
      <button className="elicit-button" type="button" onClick={() => void onDiscard()}>
        {messages.discard}
      </button>
    </fieldset>
  );
}
