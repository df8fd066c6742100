import { ElicitationInbox, type ElicitationInboxProps } from "elicit-kit/cards";
import { useState } from "react";
import { createFakeInbox, type FakeInbox, type FakeInboxOptions } from "../src/client/testing/fake-inbox.ts";
import { type CardChanges, changesOf, withChanges } from "./card-controls.ts";

export interface InboxPageProps
  extends FakeInboxOptions, CardChanges, Pick<ElicitationInboxProps, "catalogue" | "components" | "secrets"> {
  /** Creates the inbox once, before the first render. */
  start?: (inbox: FakeInbox) => void;
}

const TITLES: Readonly<Record<string, string>> = { trip: "Trip to Lisbon", release: "Release 3.0" };

/** The inbox on a scripted client, in a panel as beside a chat. A change of a control restarts the story. */
export function InboxPage(props: InboxPageProps) {
  const changes = changesOf(props);
  const requests = withChanges(
    props.questions?.map(({ request }) => request),
    changes,
  );
  const questions = props.questions?.map((question, index) => ({
    ...question,
    request: requests?.[index] ?? question.request,
  }));
  return <Played key={JSON.stringify(changes)} {...props} {...(questions && { questions })} />;
}

function Played({ catalogue, components, secrets, start, ...options }: InboxPageProps) {
  const [{ client }] = useState(() => {
    const inbox = createFakeInbox(options);
    start?.(inbox);
    return inbox;
  });
  return (
    <div className="book-inbox">
      <ElicitationInbox
        client={client}
        renderConversation={(id) => TITLES[id]}
        catalogue={catalogue}
        components={components}
        secrets={secrets}
      />
    </div>
  );
}
