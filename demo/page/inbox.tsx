import { useElicitationInbox } from "elicit-kit";
import { ElicitationInbox } from "elicit-kit/cards";
import type { ElicitationClient } from "elicit-kit/client";
import { useEffect, useId, useRef, useState } from "react";
import { Icon } from "./icons.tsx";
import { loadHistory } from "./session.ts";
import type { Spoken } from "./settings.ts";

interface InboxProps {
  client: ElicitationClient;
  conversationId: string;
  spoken: Spoken;
}

const MOST = 99;

/** The number of the user's open requests in all conversations, and a button that lists them. */
export function Inbox({
  client,
  conversationId,
  spoken: { words, catalogue },
}: InboxProps): React.JSX.Element {
  const { count, conversations } = useElicitationInbox({ client });
  const [isShown, setShown] = useState(false);
  const titles = useTitles(isShown ? conversations.map((one) => one.conversationId) : []);
  const panel = useRef<HTMLDivElement>(null);
  const panelId = useId();
  const label = (id: string): React.ReactNode =>
    id === conversationId ? (
      words.inbox.thisChat
    ) : (
      <a href={`#${id}`} onClick={() => panel.current?.hidePopover()}>
        <bdi>{titles.get(id) ?? words.inbox.otherChat}</bdi>
      </a>
    );
  return (
    <>
      <button type="button" className="button inbox-button" popoverTarget={panelId}>
        <Icon name="inbox" />
        <span className="visually-hidden">{`${words.inbox.title} (${count})`}</span>
        {count > 0 && (
          <span className="badge" aria-hidden="true">
            {count > MOST ? `${MOST}+` : count}
          </span>
        )}
      </button>
      <div
        ref={panel}
        id={panelId}
        className="inbox"
        popover="auto"
        onToggle={(event) => setShown(event.newState === "open")}
      >
        {isShown && <ElicitationInbox client={client} catalogue={catalogue} renderConversation={label} />}
      </div>
    </>
  );
}

/** The titles of conversations: the first message of each. */
function useTitles(ids: readonly string[]): ReadonlyMap<string, string> {
  const [titles, setTitles] = useState<ReadonlyMap<string, string>>(new Map());
  const missing = ids.filter((id) => !titles.has(id)).join();
  useEffect(() => {
    if (missing === "") return;
    let isWanted = true;
    const load = async (id: string): Promise<readonly [string, string]> => {
      const [first] = await loadHistory(id);
      return [id, first?.parts.find((part) => part.type === "text")?.text ?? ""];
    };
    Promise.all(missing.split(",").map(load)).then(
      (loaded) => {
        const named = loaded.filter(([, title]) => title !== "");
        return isWanted && setTitles((known) => new Map([...known, ...named]));
      },
      // If the server cannot be reached, the chats keep the name that all have.
      () => undefined,
    );
    return () => {
      isWanted = false;
    };
  }, [missing]);
  return titles;
}
