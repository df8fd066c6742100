import { Elicitations, type UseElicitationListOptions } from "elicit-kit";
import type { ReactNode } from "react";

export interface DockedProps {
  /** The return value of `useElicitation`, or a client with a conversation. */
  elicitation: UseElicitationListOptions;
  messages: ReactNode;
  composer: ReactNode;
}

/** The open request appears at the composer. The conversation shows that it waits, and keeps the receipts. */
export function Docked({ elicitation, messages, composer }: DockedProps) {
  return (
    <>
      <section aria-label="Conversation">
        {messages}
        <Elicitations {...elicitation} placement="log" />
      </section>
      <footer>
        <Elicitations {...elicitation} placement="composer">
          {composer}
        </Elicitations>
      </footer>
    </>
  );
}
