import { claimedNameOf } from "../../contract/claimed-name.ts";
import { pageRefusedText } from "../../runtime/internal.ts";
import { accountWords } from "../../words/account.ts";
import { providerOf } from "../../connect/ports/credentials.ts";
import type { GatedServer, GatedCall } from "../mcp/mcp-server.ts";

const MAX_SCOPES_SHOWN = 5;
const MAX_SCOPE_LENGTH = 60;
/** Inputs that say what a call is about. Others may be long, or not for other readers of the thread. */
const NAMING: ReadonlySet<string> = new Set(["title", "name", "subject"]);
const MAX_NAME_LENGTH = 60;
/** Tells the model why a call fails while the credential store does not reply. */
export const UNREADABLE = "the stored connection cannot be read at the moment";
/** The quotation marks for a title in the kit's languages. */
const QUOTES = /["“”„«»‹›「」『』]/g;

/** The argument of a {@link CredentialMessage}. */
export interface CredentialMessageContext {
  /** The name of the server or agent for users. */
  service: string;
  /** Its `name` in the options of the agent. */
  server: string;
  credential: "account" | "api-key";
  /** The called tool: its name for the model, and the title from the server. */
  tool: { name: string; title?: string | undefined };
  /** The input of the call, as the model wrote it. Show only the parts that the user should read. */
  input: unknown;
  /** The scopes that the user's credential lacks. Absent if there is no credential yet. */
  missingScopes?: readonly string[] | undefined;
  /** The user's languages as BCP 47 tags, best first. Empty if they are unknown. */
  languages: readonly string[];
}

/**
 * Returns the message of the card that asks for an account or an API key. `undefined`: the default message, in the user's
 * language.
 */
export type CredentialMessage = (context: CredentialMessageContext) => string | undefined;

/**
 * Returns the message of the card.
 *
 * @param missingScopes the scopes that the user's credential lacks
 */
export function messageFor(
  { turn, server, toolName, title, input, account }: GatedCall,
  missingScopes: readonly string[] | undefined,
  options: {
    credentialMessage?: CredentialMessage | undefined;
    onError: (error: unknown) => void;
  },
): string {
  const { languages } = turn;
  const { service } = server;
  const credential = server.apiKey === undefined ? "account" : "api-key";
  try {
    const tool = { name: toolName, title };
    const context = {
      service,
      server: providerOf(server.name),
      credential,
      tool,
      input,
      missingScopes,
      languages,
    } as const;
    const message = options.credentialMessage?.(context);
    if (message !== undefined) return message;
  } catch (error) {
    options.onError(error);
  }
  // The title comes from the server and stands inside our sentence, so it must not close the quotation.
  const action = claimedNameOf(titleWith(input, title)?.replaceAll(QUOTES, ""));
  const moreRights = missingScopes && listed(missingScopes);
  return accountWords(languages).needs({
    service,
    credential,
    action,
    moreRights,
    isAnother: account === "another" && moreRights === undefined,
  });
}

/** The title of the tool, with the title or name that the call gives to its object: "Create issue: Login bug". */
function titleWith(input: unknown, title: string | undefined): string | undefined {
  if (title === undefined || typeof input !== "object" || input === null) return title;
  const named = Object.entries(input).find(
    ([key, value]) =>
      NAMING.has(key) && typeof value === "string" && value !== "" && value.length <= MAX_NAME_LENGTH,
  );
  return named === undefined ? title : `${title}: ${named[1]}`;
}

/** The scopes as part of a sentence. They are third-party text, so only a few are shown. */
function listed(scopes: readonly string[]): string {
  const shown = scopes.slice(0, MAX_SCOPES_SHOWN).map((scope) => scope.slice(0, MAX_SCOPE_LENGTH));
  return [...shown, ...(scopes.length > shown.length ? ["…"] : [])].join(", ");
}

/** The call ends, because the user's company does not allow it. */
export function refusedByPolicy(
  { toolName, server }: { toolName: string; server: GatedServer },
  refusedBy: string,
): { ok: false; text: string } {
  return {
    ok: false,
    text: `${toolName} was not called: the user's company does not allow this app to use ${server.service}. The user was not asked, and cannot change it. Tell them that ${refusedBy} can.`,
  };
}

/** The call ends without a credential. */
export function failed(
  { toolName, server }: { toolName: string; server: Pick<GatedServer, "service"> },
  reason: string,
): { ok: false; text: string } {
  const names = { tool: toolName, service: server.service, purpose: "connect" as const };
  return { ok: false, text: pageRefusedText({ outcome: "failed", reason }, names) };
}
