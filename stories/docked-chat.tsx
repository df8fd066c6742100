import { type Catalogue, ElicitationProvider } from "elicit-kit";
import { CONVERSATION } from "../src/client/testing/scripted-client.ts";
import { Docked } from "./examples/docked.tsx";
import { type ScriptProps, useScript } from "./use-script.ts";

export interface DockedChatProps extends ScriptProps {
  catalogue?: Catalogue | undefined;
}

/** A chat as high as its window, whose questions come at the composer. */
export function DockedChat({ catalogue, ...options }: DockedChatProps) {
  const { client } = useScript(options);
  return (
    <ElicitationProvider catalogue={catalogue}>
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
