"use client";
import { useEffect, useRef } from "react";
import type { Catalogue } from "../../words/cards/catalogue.ts";

export interface DiscardQuestionProps {
  catalogue: Catalogue;
  onKeep: () => void;
  onDiscard: () => unknown;
}

/** Asks before user input is discarded. The focus moves to the button that keeps it. */
export function DiscardQuestion({ catalogue, onKeep, onDiscard }: DiscardQuestionProps) {
  const keep = useRef<HTMLButtonElement>(null);
  useEffect(() => keep.current?.focus(), []);
  return (
    <fieldset className="elicit-actions elicit-discard" aria-label={catalogue.discardTyped}>
      <p>{catalogue.discardTyped}</p>
      <button className="elicit-button elicit-primary" type="button" ref={keep} onClick={onKeep}>
        {catalogue.keepEditing}
      </button>
      <button className="elicit-button" type="button" onClick={() => void onDiscard()}>
        {catalogue.discard}
      </button>
    </fieldset>
  );
}
