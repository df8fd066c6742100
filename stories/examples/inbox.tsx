import { useElicitationInbox } from "elicit-kit";
import { ElicitationInbox } from "elicit-kit/cards";
import type { ElicitationClient } from "elicit-kit/client";
import { useState } from "react";

/** A button with the number of open questions. It opens and closes their list. */
export function InboxButton({ client, titles }: { client: ElicitationClient; titles: Map<string, string> }) {
  const { count } = useElicitationInbox({ client });
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      <button type="button" aria-expanded={isOpen} onClick={() => setIsOpen(!isOpen)}>
        Inbox ({count})
      </button>
      {isOpen && (
        <ElicitationInbox
          client={client}
          renderConversation={(id) => <a href={`/chats/${id}`}>{titles.get(id) ?? "Untitled"}</a>}
        />
      )}
    </>
  );
}
