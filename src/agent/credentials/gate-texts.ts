import { pageRefusedText } from "../../runtime/index.ts";
import type { GatedServer } from "../mcp/mcp-server.ts";

const MAX_SCOPES_SHOWN = 5;
const MAX_SCOPE_LENGTH = 60;

/**
 * What the person reads on the card.
 *
 * @param more the rights that the user's credential lacks
 */
export function messageFor({ service, apiKey }: GatedServer, more: readonly string[] | undefined): string {
  const what = apiKey === undefined ? `access to your ${service} account` : `an API key for ${service}`;
  if (more === undefined) return `To go on, the assistant needs ${what}.`;
  return apiKey === undefined
    ? `To go on, the assistant needs more ${what}: ${listed(more)}.`
    : `To go on, the assistant needs ${what} with more rights: ${listed(more)}.`;
}

/** The scopes as part of a sentence. They are third-party text, so only a few are shown. */
function listed(scopes: readonly string[]): string {
  const shown = scopes.slice(0, MAX_SCOPES_SHOWN).map((scope) => scope.slice(0, MAX_SCOPE_LENGTH));
  const more = scopes.length - shown.length;
  return [...shown, ...(more > 0 ? [`and ${more} more`] : [])].join(", ");
}

/** The call ends without a credential. */
export function failed(
  { toolName, server }: { toolName: string; server: GatedServer },
  reason: string,
): { ok: false; text: string } {
  const names = { tool: toolName, service: server.service, purpose: "connect" as const };
  return { ok: false, text: pageRefusedText({ outcome: "failed", reason }, names) };
}
