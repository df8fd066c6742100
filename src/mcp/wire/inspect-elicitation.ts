import { inspectUrl } from "../../contract/inspect-url.ts";
import { parseRequestedSchema } from "../../form/index.ts";
import { asksForNamedSecret } from "../../form/secrets.ts";
import type { SupportedModes } from "../../runtime/internal.ts";
import type { McpElicitation } from "./translate.ts";

export type McpInspection =
  /**
   * Show the request to the user. `isBlocked`: the card shows why it cannot be accepted, and the user can only decline.
   */
  | { readonly verdict: "ask"; readonly isBlocked: boolean }
  | {
      readonly verdict: "refuse";
      readonly why: "undeclared" | "secret" | "unanswerable";
      /** The reason for the server. It never contains a value that the server sent. */
      readonly reason: string;
    };

/** Decides whether a server's request is shown, blocked or refused, before the user sees it. */
export function inspectElicitation(
  elicitation: McpElicitation,
  { supports, showUnanswerable }: { supports: SupportedModes; showUnanswerable: boolean },
): McpInspection {
  const { mode } = elicitation;
  if (!supports[mode]) {
    return {
      verdict: "refuse",
      why: "undeclared",
      reason: `This client has not declared elicitation mode ${mode}.`,
    };
  }
  if (mode === "url" && !isWebPage(elicitation.url)) {
    return { verdict: "refuse", why: "unanswerable", reason: "The url must be http or https." };
  }
  if (mode === "url") return { verdict: "ask", isBlocked: inspectUrl(elicitation.url).verdict === "block" };
  const form = parseRequestedSchema(elicitation.requestedSchema);
  if (!form.ok) {
    if (showUnanswerable) return { verdict: "ask", isBlocked: true };
    const reasons = form.reasons.slice(0, 5).map(({ message }) => message);
    const reason = `This form cannot be shown: ${reasons.join("; ")}.`;
    return { verdict: "refuse", why: "unanswerable", reason };
  }
  // For a secret that is only mentioned in a description, the chat shows a warning.
  if (!asksForNamedSecret(form.fields, elicitation.message)) return { verdict: "ask", isBlocked: false };
  const reason = "This form asks for a secret, which must not go through a chat. Use elicitation mode url.";
  return { verdict: "refuse", why: "secret", reason };
}

/** Whether a chat may show a URL. A link with another scheme could run code or another program. */
export function isWebPage(url: string): boolean {
  return /^https?:$/.test(new URL(url).protocol);
}
