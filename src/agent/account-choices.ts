import { isStoreAway } from "../base/foreign-error.ts";
import { accountIds } from "../connect/ports/credentials.ts";
import { type ChosenAccount, type Connected, chooseAccount } from "./choose-account.ts";
import type { CredentialGate, GatedResult } from "./credentials/credential-gate.ts";
import type { CredentialInUse } from "./credentials/credential-in-use.ts";
import { UNREADABLE, failed } from "./credentials/gate-texts.ts";
import type { AccountTurn, GatedCall, GatedServer } from "./mcp/mcp-server.ts";
import { type CallChanges, callOf } from "./recorded-tool.ts";

/** The account that one call of a tool uses. */
export interface AccountChoice {
  /** Resolves with the call when its account is known. Asks the user if necessary. */
  made(): Promise<
    { readonly ok: true; readonly call: GatedCall } | { readonly ok: false; readonly text: string }
  >;
  /** Runs `work` with the account, as the gate does. `part`: see {@link GatedCall}. */
  run<T>(
    work: (credential: CredentialInUse | undefined) => Promise<T>,
    part?: string,
  ): Promise<GatedResult<T>>;
}

/** Chooses the account for each service. Calls of one turn use the account that was chosen last. */
export interface AccountChoices extends CallChanges {
  /** `wantsAnother`: the user wants another account than before. */
  forCall(call: AskedCall): AccountChoice;
  /** The account that the turn uses now. `undefined`: none has been chosen. */
  chosenAt(provider: string): Promise<ChosenAccount | undefined>;
  /** Makes later calls use an account that was chosen before the turn ran again. */
  use(provider: string, chosen: ChosenAccount): void;
}

type AskedCall = GatedCall & { wantsAnother: boolean };

interface Choice {
  readonly made: Promise<ChosenAccount>;
  /** The call that has changed the account of the turn. `undefined`: it is the first one of the turn. */
  readonly changedBy?: string | undefined;
  /** Set when it is made. */
  account?: ChosenAccount;
}

/** What one call uses, and whether it has changed the account of the turn. */
interface Decision {
  readonly chosen: ChosenAccount;
  readonly isChange: boolean;
}

export function createAccountChoices(options: {
  turn: AccountTurn;
  gate: Pick<CredentialGate, "stored" | "run">;
  requester: { name: string };
  onError: (error: unknown) => void;
}): AccountChoices {
  const { turn, gate, requester, onError } = options;
  /** By provider, without those that have failed. The last one is used. */
  const choices = new Map<string, readonly Choice[]>();
  /** The providers whose first choice is recorded for the whole turn. */
  const begun = new Set<string>();
  /** How often each call has used a service. */
  const uses = new Map<string, number>();

  const choicesAt = (provider: string) => choices.get(provider) ?? [];
  const lastAt = (provider: string) => choicesAt(provider).at(-1);

  /** Calls use it from now on. If it fails, they use the one before. */
  function add(provider: string, choice: Choice): Choice {
    choices.set(provider, [...choicesAt(provider), choice]);
    const forgetIt = () => forget(provider, choice);
    choice.made.then((account) => {
      choice.account = account;
      return account.ok || account.hasFailed !== true ? undefined : forgetIt();
    }, forgetIt);
    return choice;
  }

  function forget(provider: string, choice: Choice | undefined): void {
    choices.set(
      provider,
      choicesAt(provider).filter((one) => one !== choice),
    );
  }

  async function connectedAt(server: GatedServer): Promise<readonly Connected[]> {
    const found = accountIds(server.name).map(async (id) => {
      const credential = await gate.stored({ ...server, name: id }, turn.user);
      return credential && { id, name: credential.account, scope: credential.scope };
    });
    return (await Promise.all(found)).filter((one) => one !== undefined);
  }

  async function choose(call: AskedCall, isFirst: boolean): Promise<ChosenAccount> {
    const { name } = call.server;
    let connected: readonly Connected[];
    try {
      connected = await connectedAt(call.server);
    } catch (error) {
      onError(error);
      // A durable turn runs again when the store is back.
      if (isStoreAway(error)) throw error;
      return { ...failed(call, UNREADABLE), hasFailed: true };
    }
    const ask = () => chooseAccount({ ...call, requester, connected });
    if (!isFirst) return ask();
    begun.add(name);
    // Calls that run beside this one share it, also if they come first when the turn runs again.
    return turn.runner.tool({ id: `${turn.id}/account/${name}`, name: RECORD }, ask);
  }

  /** Decides which account one call uses. */
  async function decide(call: AskedCall): Promise<Decision & { choice: Choice | undefined }> {
    const { server, toolName, toolCallId, wantsAnother } = call;
    const { name } = server;
    const { id: callId } = callOf(turn, toolName, toolCallId);
    const use = `${callId}/account/${name}`;
    const number = (uses.get(use) ?? 0) + 1;
    uses.set(use, number);
    let choice: Choice | undefined;
    const make = async (): Promise<Decision> => {
      const before = wantsAnother ? undefined : lastAt(name);
      const isFirst = !wantsAnother && !begun.has(name);
      const isChange = before === undefined && !isFirst;
      choice = before ?? add(name, { made: choose(call, isFirst), ...(isChange && { changedBy: callId }) });
      return { chosen: await choice.made, isChange };
    };
    // Recorded: a call that runs again uses the same account, whatever has been chosen or connected since.
    const decision = await turn.runner.tool({ id: `${use}/${number}`, name: RECORD }, make);
    if (choice === undefined && decision.isChange)
      choice = add(name, { made: Promise.resolve(decision.chosen), changedBy: callId });
    return { ...decision, choice };
  }

  const use: AccountChoices["use"] = (provider, chosen) =>
    void add(provider, { made: Promise.resolve(chosen) });

  return {
    chosenAt: async (provider) => lastAt(provider)?.made,
    use,
    async keep(callId) {
      const changes = [...choices].flatMap(([provider, all]) => {
        const account = all.findLast(({ changedBy }) => changedBy === callId)?.account;
        return account === undefined ? [] : [{ provider, account }];
      });
      if (changes.length > 0) await turn.runner.tool(recordOf(callId), async () => changes);
    },
    async restore(callId) {
      const none: { provider: string; account: ChosenAccount }[] = [];
      const changes = await turn.runner.tool(recordOf(callId), async () => none);
      for (const { provider, account } of changes) use(provider, account);
    },
    forCall(asked) {
      const { wantsAnother, ...call } = asked;
      const { server } = call;
      let decision: ReturnType<typeof decide> | undefined;

      async function decided(): ReturnType<typeof decide> {
        const mine = (decision ??= decide(asked));
        try {
          return await mine;
        } catch (error) {
          if (decision === mine) decision = undefined;
          throw error;
        }
      }

      const made: AccountChoice["made"] = async () => {
        const { chosen } = await decided();
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
          // A call may let the user connect several accounts of one service.
          const ownPart = part && { part: `${part}${found.call.server.name}/` };
          const result = await gate.run({ ...found.call, ...ownPart }, work);
          // If it was to be another account, later calls use those that there are.
          if (!result.ok && found.call.account === "another") forget(server.name, (await decided()).choice);
          return result;
        },
      };
    },
  };
}

const RECORD = "choose-account";
const recordOf = (callId: string) => ({ id: `${callId}/accounts`, name: RECORD });

/** The choice for a service at which each user has one account. */
export function onlyAccount(gate: Pick<CredentialGate, "run">, call: GatedCall): AccountChoice {
  return {
    made: async () => ({ ok: true, call }),
    run: (work, part) => gate.run({ ...call, ...(part !== undefined && { part }) }, work),
  };
}
