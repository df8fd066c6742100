import { Elicitations, type ElicitationsProps } from "elicit-kit";
import type { ElicitationRequest } from "elicit-kit/contract";
import { CONVERSATION } from "../src/client/testing/scripted-client.ts";
import { type ScriptProps, useScript } from "./use-script.ts";

export interface ChatProps
  extends ScriptProps, Pick<ElicitationsProps, "catalogue" | "components" | "secrets" | "onAskAgain"> {
  /** A request that arrives while the user types a message. */
  whileTyping?: ElicitationRequest | undefined;
}

/** The drop-in on a scripted client. */
export function Chat({ catalogue, components, secrets, onAskAgain, whileTyping, ...options }: ChatProps) {
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
