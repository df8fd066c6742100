import { Elicitations, type ElicitationsProps } from "elicit-kit";
import type { ElicitationRequest } from "elicit-kit/protocol";
import { useState } from "react";
import {
  CONVERSATION,
  createScript,
  type Script,
  type ScriptOptions,
} from "../src/client/testing/scripted-client.ts";

export interface ChatProps
  extends ScriptOptions, Pick<ElicitationsProps, "catalogue" | "components" | "secrets"> {
  /** Runs once, before the first render. */
  start?: ((script: Script) => void) | undefined;
  /** A request that arrives while the person types a message. */
  whileTyping?: ElicitationRequest | undefined;
}

/** The drop-in on a scripted client. */
export function Chat({ catalogue, components, secrets, start, whileTyping, ...options }: ChatProps) {
  const [script] = useState(() => {
    const made = createScript(options);
    start?.(made);
    return made;
  });
  return (
    <>
      <Elicitations
        client={script.client}
        conversationId={CONVERSATION}
        catalogue={catalogue}
        components={components}
        secrets={secrets}
      />
      {whileTyping && <textarea aria-label="Message" onInput={() => script.ask(whileTyping)} />}
    </>
  );
}
