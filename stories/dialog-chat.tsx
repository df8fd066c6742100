import { ElicitationDialog } from "elicit-kit/dialog";
import { useState } from "react";
import { CONVERSATION } from "../src/client/testing/scripted-client.ts";
import { changesOf, withChanges } from "./card-controls.ts";
import type { ChatProps } from "./chat.tsx";
import { useScript } from "./use-script.ts";

/** A chat with the dialog on a scripted client. A change of a control restarts the story. */
export function DialogChat(props: ChatProps) {
  const changes = changesOf(props);
  return <Played key={JSON.stringify(changes)} {...props} requests={withChanges(props.requests, changes)} />;
}

function Played({ catalogue, components, secrets, whileTyping, ...options }: ChatProps) {
  const script = useScript(options);
  // Inside of the story, so that it gets the story's theme.
  const [container, setContainer] = useState<HTMLElement | null>(null);
  return (
    <div className="book-chat book-page" ref={setContainer}>
      <ol className="book-log" aria-label="Conversation">
        <li data-role="user">
          <p>Send the parcel to Ada, and file the login bug.</p>
        </li>
        <li>
          <p>I will do both. I need something from you first.</p>
        </li>
      </ol>
      <textarea aria-label="Message" onInput={() => whileTyping && script.ask(whileTyping)} />
      {container && (
        <ElicitationDialog
          client={script.client}
          conversationId={CONVERSATION}
          catalogue={catalogue}
          components={components}
          secrets={secrets}
          container={container}
        />
      )}
    </div>
  );
}
