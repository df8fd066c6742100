import { type ElicitationClient } from "elicit-kit/client";
import { Elicitations } from "elicit-kit";
import { createRoot } from "react-dom/client";

/** The detail of the event that another team's widget dispatches on its slot. */
export interface SlotDetail {
  conversationId: string;
}

/**
 * Mounts the cards in a separate React root in each slot that a widget offers. The roots need no provider: they share the
 * client. Returns a function that unmounts them.
 */
export function mountInSlots(client: ElicitationClient, target: EventTarget = document): () => void {
  const roots: { unmount(): void }[] = [];
  function onSlot(event: Event): void {
    if (!(event instanceof CustomEvent) || !(event.target instanceof HTMLElement)) return;
    const { conversationId }: SlotDetail = event.detail;
    const root = createRoot(event.target);
    root.render(<Elicitations client={client} conversationId={conversationId} />);
    roots.push(root);
  }
  target.addEventListener("widget:slot", onSlot);
  return () => {
    target.removeEventListener("widget:slot", onSlot);
    for (const root of roots) root.unmount();
  };
}
