import { isStoreAway } from "../base/foreign-error.ts";
import { accountIds, type Credential } from "../connect/ports/credentials.ts";
import { type ChosenAccount, type Connected, chooseAccount } from "./choose-account.ts";
import type { CredentialGate, GatedResult } from "./credentials/credential-gate.ts";
import { UNREADABLE, failed } from "./credentials/gate-texts.ts";
import type { AccountTurn, GatedCall, GatedServer } from "./mcp/mcp-server.ts";
import { callOf } from "./recorded-tool.ts";

/** The account that one call of a tool uses. */
export interface AccountChoice {
  /** Resolves with the call when its account is known. Asks the user if necessary. */
  made(): Promise<
    { readonly ok: true; readonly call: GatedCall } | { readonly ok: false; readonly text: string }
  >;
  /** Runs `work` with the account, as the gate does. `part`: see {@link GatedCall}. */
  run<T>(work: (credential: Credential | undefined) => Promise<T>, part?: string): Promise<GatedResult<T>>;
}

/** Chooses the account for each service. Calls of one turn use the account that was chosen last. */
export interface AccountChoices {
  /** `wantsAnother`: the user wants another account than before. */
  forCall(call: GatedCall & { wantsAnother: boolean }): AccountChoice;
  /** The account that the turn uses now. `undefined`: none has been chosen. */
  chosenAt(provider: string): Promise<ChosenAccount | undefined>;
  /** Makes later calls use an account that was chosen before the turn ran again. */
  use(provider: string, chosen: ChosenAccount): void;
}

export function createAccountChoices(options: {
  turn: AccountTurn;
  gate: Pick<CredentialGate, "stored" | "run">;
  requester: { name: string };
  onError: (error: unknown) => void;
}): AccountChoices {
  const { turn, gate, requester, onError } = options;
  /** The last choice for each provider. */
  const latest = new Map<string, Promise<ChosenAccount>>();

  async function connectedAt(server: GatedServer): Promise<readonly Connected[]> {
    const found = accountIds(server.name).map(async (id) => {
      const credential = await gate.stored({ ...server, name: id }, turn.user);
      return credential && { id, name: credential.account, scope: credential.scope };
    });
    return (await Promise.all(found)).filter((one) => one !== undefined);
  }

  async function choose(call: GatedCall & { wantsAnother: boolean }): Promise<ChosenAccount> {
    const { server, toolName, toolCallId, wantsAnother } = call;
    let connected: readonly Connected[];
    try {
      connected = await connectedAt(server);
    } catch (error) {
      // Do not remember the failure: the next call may be able to read the accounts.
      latest.delete(server.name);
      onError(error);
      // A durable turn runs again when the store is back.
      if (isStoreAway(error)) throw error;
      return failed(call, UNREADABLE);
    }
    // Recorded: a turn that runs again uses the same account, whatever has been connected since.
    const scope = wantsAnother ? callOf(turn, toolName, toolCallId).id : turn.id;
    return turn.runner.tool({ id: `${scope}/account/${server.name}`, name: "choose-account" }, () =>
      chooseAccount({ ...call, requester, connected }),
    );
  }

  return {
    chosenAt: async (provider) => latest.get(provider),
    use: (provider, chosen) => void latest.set(provider, Promise.resolve(chosen)),
    forCall(asked) {
      const { wantsAnother, ...call } = asked;
      const { server } = call;
      let choice: Promise<ChosenAccount> | undefined;

      const made: AccountChoice["made"] = async () => {
        choice ??= (wantsAnother ? undefined : latest.get(server.name)) ?? choose(asked);
        latest.set(server.name, choice);
        const chosen = await choice;
        if (!chosen.ok) return chosen;
        const { id, account, scopes } = chosen;
        // Otherwise a server that is asked without an account first might not need one.
        const signIn = wantsAnother || account === "another" ? "first" : server.signIn;
        return { ok: true, call: { ...call, server: { ...server, name: id, signIn }, account, scopes } };
      };

      return {
        made,
        async run(work, part) {
          const found = await made();
          if (!found.ok) return found;
          const result = await gate.run({ ...found.call, ...(part !== undefined && { part }) }, work);
          // If it was to be another account, later calls use those that there are.
          if (!result.ok && found.call.account === "another" && latest.get(server.name) === choice)
            latest.delete(server.name);
          return result;
        },
      };
    },
  };
}

/** The choice for a service at which each user has one account. */
export function onlyAccount(gate: Pick<CredentialGate, "run">, call: GatedCall): AccountChoice {
  return {
    made: async () => ({ ok: true, call }),
    run: (work, part) => gate.run({ ...call, ...(part !== undefined && { part }) }, work),
  };
}
