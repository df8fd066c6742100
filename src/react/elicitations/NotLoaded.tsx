"use client";
import { useContext, useEffect } from "react";
import type { ElicitationClient } from "../../client/index.ts";
import { enNotLoaded, type NotLoadedWords } from "../../words/cards/en-not-loaded.ts";
import { SettingsContext } from "../elicitation-provider.tsx";
import { AnnounceContext } from "../prompt/live-region.tsx";
import { lateCards } from "./lazy-cards.ts";

/** Stands in place of cards whose code cannot be loaded. The user can still decline. */
export function NotLoaded({
  client,
  requests,
  catalogue,
}: {
  client: ElicitationClient;
  requests: readonly { readonly id: string }[];
  catalogue: NotLoadedWords | undefined;
}) {
  const shared = useContext(SettingsContext);
  const words: NotLoadedWords = catalogue ?? shared.catalogue ?? enNotLoaded;
  const announce = useContext(AnnounceContext);
  function tryAgain(): void {
    // A failure is shown here.
    client.ready().catch(() => undefined);
    void lateCards.load();
  }
  useEffect(() => announce?.(words.notLoaded), [announce, words]);
  return (
    <>
      {requests.map(({ id }) => (
        <div key={id} className="elicit-card" lang={words.locale} dir={words.dir}>
          <p className="elicit-notice">
            <span>{words.notLoaded}</span>
          </p>
          <div className="elicit-actions">
            <button className="elicit-button elicit-primary" type="button" onClick={tryAgain}>
              {words.tryAgain}
            </button>
            <button className="elicit-button" type="button" onClick={() => void client.decline(id)}>
              {words.decline}
            </button>
          </div>
        </div>
      ))}
    </>
  );
}
