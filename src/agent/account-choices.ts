import { accountIds } from "../connect/ports/account-ids.ts";
import type { Turn } from "../runtime/index.ts";
import { type ChosenAccount, type Connected, chooseAccount } from "./choose-account.ts";
import type { CredentialGate } from "./credentials/credential-gate.ts";
import { UNREADABLE, failed } from "./credentials/gate-texts.ts";
import type { GatedCall } from "./credentials/gated-call.ts";
import type { GatedServer } from "./mcp/mcp-server.ts";
import { callOf } from "./recorded-tool.ts";

/** The choice of an account for one call of a tool. */
export interface AccountChoice {
  /** Resolves with the account. Asks the user if necessary. */
  made(): Promise<ChosenAccount>;
  /**
   * Call it when the chosen account could not be used. If it was an additional one, later calls use the accounts that
   * are connected.
   */
  failed(): Promise<void>;
}

/** Chooses the account for each service. Calls of one turn use the account that was chosen last. */
export function createAccountChoices(options: {
  turn: Turn;
  gate: Pick<CredentialGate, "stored">;
  requester: { name: string };
  onError: (error: unknown) => void;
}): { forCall(call: GatedCall & { wantsAnother: boolean }): AccountChoice } {
  const { turn, gate, requester, onError } = options;
  /** The last choice for each provider. */
  const latest = new Map<string, Promise<ChosenAccount>>();

  async function connectedAt(server: GatedServer): Promise<readonly Connected[]> {
    const found = accountIds(server.name).map(async (id) => {
      const credential = await gate.stored({ ...server, name: id }, turn.user);
      return credential && { id, name: credential.account };
    });
    return (await Promise.all(found)).filter((one) => one !== undefined);
  }

  async function choose(call: GatedCall & { wantsAnother: boolean }): Promise<ChosenAccount> {
    const { server, toolName, toolCallId, wantsAnother } = call;
    let connected: readonly Connected[];
    try {
      connected = await connectedAt(server);
    } catch (error) {
      onError(error);
      // Do not remember the failure: the next call may be able to read the accounts.
      latest.delete(server.name);
      return failed(call, UNREADABLE);
    }
    // Recorded: a turn that runs again uses the same account, whatever has been connected since.
    const scope = wantsAnother ? callOf(turn, toolName, toolCallId).id : turn.id;
    return turn.runner.tool({ id: `${scope}/account/${server.name}`, name: "choose-account" }, () =>
      chooseAccount({ ...call, requester, connected }),
    );
  }

  return {
    forCall(call) {
      const { name } = call.server;
      let choice: Promise<ChosenAccount> | undefined;
      return {
        async made() {
          choice ??= (call.wantsAnother ? undefined : latest.get(name)) ?? choose(call);
          latest.set(name, choice);
          return choice;
        },
        async failed() {
          const made = await choice;
          if (made?.ok === true && made.account === "another" && latest.get(name) === choice)
            latest.delete(name);
        },
      };
    },
  };
}
