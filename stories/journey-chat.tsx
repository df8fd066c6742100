import { useChat } from "@ai-sdk/react";
import { composerOf, ElicitationAnnouncer, type ElicitationsProps, useElicitation } from "elicit-kit";
import { en } from "elicit-kit/catalogues/en";
import { useEffect, useState } from "react";
import { Composer } from "../demo/page/composer.tsx";
import { Elsewhere, Log } from "../demo/page/log.tsx";
import { TurnStrip } from "../demo/page/turn-strip.tsx";
import { FakeBrowser } from "../src/client/popup/testing/fake-browser.ts";
import { SignInWindow } from "./sign-in-window.tsx";
import { useSeenTurn } from "./use-seen-turn.ts";
import { wordsOf } from "./words.ts";
import type { World } from "./world.ts";

export interface JourneyChatProps extends Pick<ElicitationsProps, "catalogue"> {
  world: World;
  /** The first message, sent at once. Without it, the story waits for a message of the reader. */
  says?: string | undefined;
  /** Replaces the service worker. */
  fetch?: typeof globalThis.fetch | undefined;
  /** The requests are in no message, so their cards stand below the log. */
  bare?: boolean | undefined;
  /** Shows the chat as a side panel, as copilots do. */
  compact?: boolean | undefined;
}

/**
 * The demo's chat on a mock server, with the window that a sign-in would open. Another first message restarts it.
 */
export function JourneyChat(props: JourneyChatProps) {
  return <Played key={props.says} {...props} />;
}

function Played({ world, says, fetch, bare = false, compact = false, catalogue = en }: JourneyChatProps) {
  const [browser] = useState(() => new FakeBrowser());
  const { elicitations, chatOptions } = useElicitation({
    api: world.api,
    fetch,
    trustedOrigin: "https://auth.example.com",
    popupEnvironment: browser,
    storage: null,
  });
  const { messages, status, error, sendMessage, stop } = useChat(chatOptions);
  const words = wordsOf(catalogue);
  const composer = composerOf(elicitations, catalogue);
  const turn = useSeenTurn({ messages, status, elicitations });
  const busy = status === "submitted" || status === "streaming";
  const send = (text: string): void => void sendMessage({ text });
  useEffect(() => {
    if (says !== undefined) void sendMessage({ text: says });
  }, [says, sendMessage]);
  const cards = { messages, elicitations, catalogue, watch: unwatched, onAskAgain: send };
  return (
    <div className="book-stage" data-compact={compact}>
      {compact && <Document />}
      <section className="book-chat" aria-label="Chat">
        <div className="book-scroll">
          <ElicitationAnnouncer>
            <Log {...cards} user="Ada" words={words} timeline={turn?.timeline} busy={busy} />
            {bare && <Elsewhere {...cards} />}
          </ElicitationAnnouncer>
          {error && <p role="alert">{error.message}</p>}
        </div>
        <footer>
          <Composer
            words={words}
            placeholder={turn?.phase === "paused" ? words.answerAbove : words.writeAMessage}
            busy={busy}
            propose={composer.propose}
            sendAsMessage={catalogue.sendAsMessage}
            onSend={send}
            onStop={() => void stop()}
            under={composer.hint ?? ""}
          >
            {turn !== undefined && <TurnStrip turn={turn} words={words} />}
          </Composer>
        </footer>
      </section>
      <SignInWindow browser={browser} world={world} />
    </div>
  );
}

const unwatched = (): undefined => undefined;

/** The document beside the side panel. */
function Document() {
  return (
    <article className="book-document" aria-label="Document">
      <h2>Release notes</h2>
      <p>Sign-in works in Safari again. Popups that were closed early no longer end the conversation.</p>
      <p>Forms keep what was typed when the page is loaded again.</p>
    </article>
  );
}
