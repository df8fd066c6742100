import type { UIMessage } from "ai";
import type { TurnTimeline } from "elicit-kit/runtime";

/** The reply of the chat page's own server. */
export interface Session {
  user: string;
  users: readonly string[];
  /** Base URL of the runtime's API. */
  api: string;
  /** Origin of the hosted auth page. */
  authOrigin: string;
  /** Name of the language model. Absent if a script replaces the model. */
  model?: string | undefined;
  /** Names of the services to which the user has connected an account. */
  connected: readonly string[];
  /** The MCP servers that the user has added. */
  servers: readonly OwnServer[];
  /** URL of an MCP server that is not configured in the demo. */
  exampleServer: string;
  /** URL of another company's chat that shows a card. */
  otherHost: string;
  /** The company that decides what its users may connect to. */
  company: { name: string; users: readonly string[] };
}

/** An MCP server that the user has added. */
export interface OwnServer {
  /** The id of the server. */
  name: string;
  url: string;
  host: string;
  /** The name in the server's own description, which is untrusted. */
  claimedName?: string | undefined;
  iconDataUrl?: string | undefined;
  isConnected: boolean;
}

/** Why a server was not added. */
export type AddingFault = "url" | "unreachable" | "known" | "full";

async function call(path: string, init?: RequestInit): Promise<Response> {
  const response = await fetch(path, init);
  if (!response.ok) throw new Error(`${path} answered ${response.status}`);
  return response;
}

async function json<T>(path: string, init?: RequestInit): Promise<T> {
  return (await (await call(path, init)).json()) as T;
}

function post(body: unknown = {}): RequestInit {
  return {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  };
}

/** Signs the user in (by default as alice) and returns the URLs. */
export function loadSession(): Promise<Session> {
  return json<Session>("/session");
}

export function switchUser(user: string): Promise<Session> {
  return json<Session>("/session", post({ user }));
}

/** Adds a server by its URL, or changes one by its name. */
export function changeServers(
  act: "add" | "disconnect" | "remove",
  server: string,
): Promise<{ fault?: AddingFault; servers: readonly OwnServer[] }> {
  return json(`/servers/${act}`, post({ server }));
}

/** Deletes the user's connections, so that the agent must ask for them again. */
export async function disconnect(): Promise<void> {
  await call("/disconnect", post());
}

/** Deletes the user's connections and conversations. */
export async function startOver(): Promise<void> {
  await call("/start-over", post());
}

/** Loads the finished messages of a conversation. The runtime streams the open turn. */
export function loadHistory(conversationId: string): Promise<UIMessage[]> {
  return json<UIMessage[]>(`/history/${encodeURIComponent(conversationId)}`);
}

/**
 * Loads the times during which the newest turn worked and waited, on this browser's clock. `undefined` before the first
 * turn.
 */
export async function loadTimeline(
  conversationId: string,
  signal: AbortSignal,
): Promise<TurnTimeline | undefined> {
  const { timeline, now } = await json<{ timeline?: TurnTimeline; now: number }>(
    `/timeline/${encodeURIComponent(conversationId)}`,
    { signal },
  );
  if (timeline === undefined) return undefined;
  const shift = Date.now() - now;
  return {
    from: timeline.from + shift,
    to: timeline.to + shift,
    waits: timeline.waits.map((wait) => ({ ...wait, from: wait.from + shift, to: wait.to + shift })),
  };
}

/** The conversation of this tab. The URL contains it, so that a reload shows it again. */
export function currentConversation(): string {
  const named = location.hash.slice(1);
  return named === "" ? startConversation() : named;
}

export function startConversation(): string {
  const id = crypto.randomUUID();
  history.replaceState(null, "", `#${id}`);
  return id;
}
