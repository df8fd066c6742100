import type { UIMessage } from "ai";

/** What the chat page's own server tells it. */
export interface Session {
  user: string;
  users: readonly string[];
  /** Base URL of the runtime's API. */
  api: string;
  /** Origin of the hosted auth page. */
  authOrigin: string;
}

async function json<T>(path: string, init?: RequestInit): Promise<T> {
  const response = await fetch(path, init);
  if (!response.ok) throw new Error(`${path} answered ${response.status}`);
  return (await response.json()) as T;
}

/** Signs the visitor in (as alice, unless they switched) and says where everything is. */
export function loadSession(): Promise<Session> {
  return json<Session>("/session");
}

export function switchUser(user: string): Promise<Session> {
  return json<Session>("/session", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ user }),
  });
}

/** The finished messages of a conversation. The open turn comes from the runtime's stream. */
export function loadHistory(conversationId: string): Promise<UIMessage[]> {
  return json<UIMessage[]>(`/history/${encodeURIComponent(conversationId)}`);
}

/** The conversation of this tab: kept in the address, so that a reload comes back to it. */
export function currentConversation(): string {
  const named = location.hash.slice(1);
  return named === "" ? startConversation() : named;
}

export function startConversation(): string {
  const id = crypto.randomUUID();
  history.replaceState(null, "", `#${id}`);
  return id;
}
