import { ElicitationInbox, useElicitationInbox } from "elicit-kit";
import type { ElicitationClient } from "elicit-kit/client";
import { useId, useRef, useState } from "react";
import { Icon } from "./icons.tsx";
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
  const { count } = useElicitationInbox({ client });
  const [isShown, setShown] = useState(false);
  const panel = useRef<HTMLDivElement>(null);
  const panelId = useId();
  const label = (id: string): React.ReactNode =>
    id === conversationId ? (
      words.inbox.thisChat
    ) : (
      <a href={`#${id}`} onClick={() => panel.current?.hidePopover()}>
        {words.inbox.otherChat}
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
