import { ElicitationDialog, type ElicitationDialogProps } from "elicit-kit/dialog";
import type { ElicitationRequest } from "elicit-kit/protocol";
import { useState } from "react";
import { CONVERSATION, createScript, type Script, type ScriptOptions } from "./scripted-client.ts";

export interface DialogChatProps
  extends ScriptOptions, Pick<ElicitationDialogProps, "catalogue" | "components" | "secrets"> {
  /** Done once, before anything is shown. */
  start?: ((script: Script) => void) | undefined;
  /** Asked for while somebody types a message. */
  whileTyping?: ElicitationRequest | undefined;
}

/** A chat whose requests come in a dialog, on a client whose server is a script. */
export function DialogChat(props: DialogChatProps) {
  const { catalogue, components, secrets, start, whileTyping, ...options } = props;
  const [script] = useState(() => {
    const made = createScript(options);
    start?.(made);
    return made;
  });
  // Within the story, so that it has the story's look.
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
