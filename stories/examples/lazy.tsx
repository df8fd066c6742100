import type { UIMessage } from "ai";
import type { ElicitationClient } from "elicit-kit/client";
import { lazy, Suspense } from "react";

const Elicitations = lazy(() => import("./cards.tsx"));

export interface LaterProps {
  client: ElicitationClient;
  conversationId: string;
  messages: readonly UIMessage[];
}

/** The cards come in a chunk of their own, which the browser loads after the chat. */
export function Later(props: LaterProps) {
  return (
    <Suspense>
      <Elicitations {...props} />
    </Suspense>
  );
}
