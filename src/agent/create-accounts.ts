import { type Clock, systemClock } from "../base/clock.ts";
import { safeLog } from "../base/foreign-error.ts";
import type { CredentialStore } from "../connect/ports/credentials.ts";
import { createAccountChoices } from "./account-choices.ts";
import { type AccountOptions, type FindAccount, createTurnAccounts } from "./accounts.ts";
import { type GateOptions, createCredentialGate } from "./credentials/credential-gate.ts";
import { errorForLog } from "./error-text.ts";
import type { AccountTurn } from "./mcp/mcp-server.ts";

/** The options of `createAccounts`. They are those of `createAgentTurn` with the same names. */
interface AccountsOptions extends Pick<GateOptions, "credentialMessage" | "telemetry" | "onError"> {
  /** The services whose accounts the tools use, by the names of their providers on the hosted page. */
  accounts: Readonly<Record<string, AccountOptions>>;
  credentials: CredentialStore;
  /** URL of the hosted page, such as `https://auth.example.com/auth/connect`. */
  connectUrl: string;
  /** The name of the assistant, shown to the user as the one who asks. */
  requester: { name: string };
  /** @default systemClock */
  clock?: Clock | undefined;
}

/**
 * The users' accounts for an agent around your own `streamText`; `createAgentTurn` has them built in. Returns a
 * function that finds the accounts for one tool of a turn. In a route of your own, the turn is `elicitorFor.turn` of
 * `createRouteElicitor`.
 *
 * @example
 * const accountsOf = createAccounts({
 *   accounts: { github: { service: "GitHub", api: "https://api.github.com" } },
 *   credentials: createMemoryCredentials(),
 *   connectUrl: "https://auth.example.com/auth/connect",
 *   requester: { name: "Travel assistant" },
 *   onError: console.error,
 * });
 * // In a tool: accountsOf(turn, "list_repositories")("github", toolCallId).fetch("/user/repos")
 */
export function createAccounts(
  options: AccountsOptions,
): (turn: AccountTurn, toolName: string) => FindAccount {
  const { accounts, requester, clock = systemClock } = options;
  const onError = safeLog(options.onError, errorForLog);
  const gate = createCredentialGate({ ...options, clock, onError });
  // All tools of a turn use the account that the user has chosen in it.
  const turns = new WeakMap<AccountTurn, (toolName: string) => FindAccount>();
  return (turn, toolName) => {
    let known = turns.get(turn);
    if (known === undefined) {
      const choices = createAccountChoices({ turn, gate, requester, onError });
      known = createTurnAccounts({ turn, accounts, gate, choices });
      turns.set(turn, known);
    }
    return known(toolName);
  };
}
