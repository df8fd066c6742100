import type { Act } from "../act.ts";
import type { SlackState } from "../state.ts";

export async function loadState(): Promise<SlackState> {
  const response = await fetch("state");
  return response.json() as Promise<SlackState>;
}

/**
 * Performs an action of the user. Resolves with Slack's reply, or with the reason why Slack's client would not send it.
 */
export async function perform(act: Act): Promise<{ result?: unknown; refused?: string }> {
  const response = await fetch("act", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(act),
  });
  return response.json() as Promise<{ result?: unknown; refused?: string }>;
}

export async function signIn(user?: string): Promise<void> {
  if (user === undefined) return void (await fetch("session"));
  const headers = { "content-type": "application/json" };
  await fetch("session", { method: "POST", headers, body: JSON.stringify({ user }) });
}

/** Calls `listener` after each change. Returns a function that stops it. */
export function watch(changed: () => void): () => void {
  const source = new EventSource("changes");
  source.addEventListener("message", changed);
  source.addEventListener("open", changed);
  return () => source.close();
}
