"use client";
import { useContext, useEffect } from "react";
import { isOpen } from "../../client/index.ts";
import { enNotLoaded, type NotLoadedWords } from "../../words/cards/en-not-loaded.ts";
import type { BoundElicitation } from "../bound-elicitation.ts";
import { SettingsContext } from "../elicitation-provider.tsx";
import { AnnounceContext } from "../prompt/live-region.tsx";
import { lateCards } from "./lazy-cards.ts";

/** Stands in place of the cards if their code cannot be loaded. The user can still decline. */
export function NotLoaded({
  elicitations,
  catalogue,
}: {
  elicitations: readonly BoundElicitation[];
  catalogue: NotLoadedWords | undefined;
}) {
  const shared = useContext(SettingsContext);
  const words: NotLoadedWords = catalogue ?? shared.catalogue ?? enNotLoaded;
  const announce = useContext(AnnounceContext);
  const open = elicitations.filter(isOpen);
  const isAsked = open.length > 0;
  useEffect(() => {
    if (isAsked) announce?.(words.notLoaded);
  }, [isAsked, announce, words]);
  return (
    <>
      {open.map(({ id, decline }) => (
        <div key={id} className="elicit-card" lang={words.locale} dir={words.dir}>
          <p className="elicit-notice">
            <span>{words.notLoaded}</span>
          </p>
          <div className="elicit-actions">
            <button
              className="elicit-button elicit-primary"
              type="button"
              onClick={() => void lateCards.load()}
            >
              {words.tryAgain}
            </button>
            <button className="elicit-button" type="button" onClick={() => void decline()}>
              {words.decline}
            </button>
          </div>
        </div>
      ))}
    </>
  );
}
