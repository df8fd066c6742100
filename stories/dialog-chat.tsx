import { en } from "elicit-kit/catalogues/en";
import { ElicitationDialog } from "elicit-kit/dialog";
import type { UIMessage } from "ai";
import { useState } from "react";
import { Composer } from "../demo/page/composer.tsx";
import { Log } from "../demo/page/log.tsx";
import { CONVERSATION } from "../src/client/testing/scripted-client.ts";
import { changesOf, withChanges } from "./card-controls.ts";
import type { ChatProps } from "./chat.tsx";
import { useScript } from "./use-script.ts";
import { wordsOf } from "./words.ts";

/** A chat with the dialog on a scripted client. A change of a control restarts the story. */
export function DialogChat(props: ChatProps) {
  const changes = changesOf(props);
  return <Played key={JSON.stringify(changes)} {...props} requests={withChanges(props.requests, changes)} />;
}

function Played({ catalogue = en, components, secrets, whileTyping, ...options }: ChatProps) {
  const script = useScript(options);
  const words = wordsOf(catalogue);
  // Inside of the story, so that it gets the story's theme.
  const [container, setContainer] = useState<HTMLElement | null>(null);
  return (
    <div className="book-chat book-page" ref={setContainer}>
      <Log
        user="Ada"
        messages={MESSAGES}
        elicitations={[]}
        words={words}
        catalogue={catalogue}
        watch={ignored}
        timeline={undefined}
        busy={false}
        onAskAgain={ignored}
      />
      <footer onInput={() => whileTyping && script.ask(whileTyping)}>
        <Composer
          words={words}
          placeholder={words.writeAMessage}
          busy={false}
          propose={undefined}
          sendAsMessage={catalogue.sendAsMessage}
          onSend={ignored}
          onStop={ignored}
          under=""
        >
          {null}
        </Composer>
      </footer>
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

const MESSAGES: UIMessage[] = [
  {
    id: "1",
    role: "user",
    parts: [{ type: "text", text: "Send the parcel to Ada, and list my repositories." }],
  },
  {
    id: "2",
    role: "assistant",
    parts: [{ type: "text", text: "I will do both. I need something from you first." }],
  },
];

const ignored = (): undefined => undefined;
