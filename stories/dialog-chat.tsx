import { ElicitationDialog, type ElicitationDialogProps } from "elicit-kit/dialog";
import type { ElicitationRequest } from "elicit-kit/protocol";
import { useState } from "react";
import {
  CONVERSATION,
  createScript,
  type Script,
  type ScriptOptions,
} from "../src/client/testing/scripted-client.ts";

export interface DialogChatProps
  extends ScriptOptions, Pick<ElicitationDialogProps, "catalogue" | "components" | "secrets"> {
  /** Runs once, before the first render. */
  start?: ((script: Script) => void) | undefined;
  /** A request that arrives while the person types a message. */
  whileTyping?: ElicitationRequest | undefined;
}

/** A chat with the dialog on a scripted client. */
export function DialogChat(props: DialogChatProps) {
  const { catalogue, components, secrets, start, whileTyping, ...options } = props;
  const [script] = useState(() => {
    const made = createScript(options);
    start?.(made);
    return made;
  });
  // Inside of the story, so that it gets the story's theme.
  const [container, setContainer] = useState<HTMLElement | null>(null);
  return (
    <div className="book-chat" ref={setContainer}>
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
