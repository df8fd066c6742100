import { Elicitations, type ElicitationsProps } from "elicit-kit";
import type { ElicitationRequest } from "elicit-kit/contract";
import { CONVERSATION } from "../src/client/testing/scripted-client.ts";
import { type CardChanges, changesOf, withChanges } from "./card-controls.ts";
import { type ScriptProps, useScript } from "./use-script.ts";

export interface ChatProps
  extends
    ScriptProps,
    CardChanges,
    Pick<ElicitationsProps, "catalogue" | "components" | "secrets" | "onAskAgain"> {
  /** A request that arrives while the user types a message. */
  whileTyping?: ElicitationRequest | undefined;
}

/** The drop-in on a scripted client. A change of a control restarts the story. */
export function Chat(props: ChatProps) {
  const changes = changesOf(props);
  return <Played key={JSON.stringify(changes)} {...props} requests={withChanges(props.requests, changes)} />;
}

function Played({ catalogue, components, secrets, onAskAgain, whileTyping, ...options }: ChatProps) {
  const script = useScript(options);
  return (
    <>
      <Elicitations
        client={script.client}
        conversationId={CONVERSATION}
        catalogue={catalogue}
        components={components}
        secrets={secrets}
        onAskAgain={onAskAgain}
      />
      {whileTyping && <textarea aria-label="Message" onInput={() => script.ask(whileTyping)} />}
    </>
  );
}
