import { type ElicitationClient } from "elicit-kit/client";
import { Elicitations } from "elicit-kit";
import { createRoot } from "react-dom/client";

/** What a chat widget of another team dispatches on the element that it has made room in. */
export interface SlotDetail {
  conversationId: string;
}

/**
 * Mounts the cards in a React root of their own wherever a widget offers a slot. No provider is needed: the client is
 * all that the roots share. Returns the function that ends it.
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
