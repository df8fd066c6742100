import { type Catalogue, ElicitationProvider, type ElicitationsProps } from "elicit-kit";
import { CONVERSATION } from "../src/client/testing/scripted-client.ts";
import { type CardChanges, changesOf, withChanges } from "./card-controls.ts";
import { Docked } from "./examples/docked.tsx";
import { type ScriptProps, useScript } from "./use-script.ts";

export interface DockedChatProps extends ScriptProps, CardChanges, Pick<ElicitationsProps, "secrets"> {
  catalogue?: Catalogue | undefined;
}

/** A chat of full height whose requests appear at the composer. A change of a control restarts the story. */
export function DockedChat(props: DockedChatProps) {
  const changes = changesOf(props);
  return <Played key={JSON.stringify(changes)} {...props} requests={withChanges(props.requests, changes)} />;
}

function Played({ catalogue, secrets, ...options }: DockedChatProps) {
  const { client } = useScript(options);
  return (
    <ElicitationProvider catalogue={catalogue} secrets={secrets}>
      <div className="docked-chat">
        <Docked
          elicitation={{ client, conversationId: CONVERSATION }}
          messages={
            <>
              <p className="docked-me">Book me a flight, and file the bug</p>
              <p>Gladly. Two questions first.</p>
            </>
          }
          composer={<textarea aria-label="Message" rows={2} placeholder="Write a message" />}
        />
      </div>
    </ElicitationProvider>
  );
}
