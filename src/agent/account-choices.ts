import { isStoreAway } from "../base/foreign-error.ts";
import { accountIds } from "../connect/ports/credentials.ts";
import type { CallChanges, CallChoice } from "./call-changes.ts";
import { type ChosenAccount, type Connected, chooseAccount } from "./choose-account.ts";
import type { CredentialGate, GatedResult } from "./credentials/credential-gate.ts";
import type { CredentialInUse } from "./credentials/credential-in-use.ts";
import type { AccountTurn, GatedCall, GatedServer } from "./mcp/mcp-server.ts";
import { callOf } from "./recorded-tool.ts";

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
  /**
   * `wantsAnother`: the user wants another account than before. A call that runs again must make its choices for a service
   * in the same order, so call it outside of steps.
   */
  forCall(call: AskedCall): AccountChoice;
  /** The account that the turn uses now. `undefined`: none has been chosen. */
  chosenAt(provider: string): Promise<ChosenAccount | undefined>;
}

type AskedCall = GatedCall & { wantsAnother: boolean };

interface Choice extends Omit<CallChoice, "account"> {
  readonly made: Promise<ChosenAccount>;
  /** Set when it is made. */
  account?: ChosenAccount | undefined;
  isConnected: boolean;
  isOver: boolean;
  /** The ids of the calls that use it. */
  readonly users: Set<string>;
}

export function createAccountChoices(options: {
  turn: AccountTurn;
  gate: Pick<CredentialGate, "stored" | "run">;
  requester: { name: string };
  onError: (error: unknown) => void;
}): AccountChoices {
  const { turn, gate, requester, onError } = options;
  /** In the order in which they began, also when the turn runs again. */
  const choices: Choice[] = [];
  /** How many choices each call has at a service. */
  const counts = new Map<string, number>();

  const choicesAt = (provider: string) => choices.filter((one) => one.provider === provider);
  const lastAt = (provider: string) => choicesAt(provider).findLast(({ isOver }) => !isOver);

  /** Calls use it from now on. When it is over, they use the one before. */
  function begin(
    { id, provider, isFirst }: Pick<Choice, "id" | "provider" | "isFirst">,
    made: Promise<ChosenAccount>,
  ): Choice {
    const order = 1 + Math.max(0, ...choices.map((one) => one.order));
    const state = { isConnected: false, isOver: false, users: new Set<string>() };
    const choice: Choice = { id, provider, isFirst, order, made, ...state };
    choices.push(choice);
    const end = (account?: ChosenAccount): void => {
      choice.account = account;
      choice.isOver = account === undefined || isFailed(account);
    };
    made.then(end, () => end());
    return choice;
  }

  /** Adds a choice of an earlier run of the turn. */
  function restore({ account, isConnected, isOver, ...rest }: CallChoice): Choice {
    let choice = choices.find(({ id }) => id === rest.id);
    if (choice === undefined) {
      const made = Promise.resolve(account);
      choice = { ...rest, made, account, isConnected, isOver, users: new Set() };
      // Choices of this run are newer than those of earlier runs.
      const next = choices.findIndex(({ order }) => order >= rest.order);
      choices.splice(next === -1 ? choices.length : next, 0, choice);
    }
    choice.isConnected ||= isConnected;
    choice.isOver ||= isOver;
    return choice;
  }

  /** `undefined`: they cannot be read. */
  async function connectedAt(server: GatedServer): Promise<readonly Connected[] | undefined> {
    const found = accountIds(server.name).map(async (id) => {
      const credential = await gate.stored({ ...server, name: id }, turn.user);
      return credential && { id, name: credential.account, scope: credential.scope };
    });
    try {
      return (await Promise.all(found)).filter((one) => one !== undefined);
    } catch (error) {
      onError(error);
      // A durable turn runs again when the store is back.
      if (isStoreAway(error)) throw error;
      return undefined;
    }
  }

  function choose(call: AskedCall, isFirst: boolean): Promise<ChosenAccount> {
    const { server } = call;
    const ask = () => chooseAccount({ ...call, requester, readConnected: () => connectedAt(server) });
    // Calls that run beside this one share it, also if they come first when the turn runs again.
    return isFirst ? turn.runner.tool({ id: `${turn.id}/account/${server.name}`, name: RECORD }, ask) : ask();
  }

  /** Decides which account one call uses. `id`: of the choice, if it is a new one. */
  async function decide(call: AskedCall, { id, callId }: { id: string; callId: string }): Promise<Choice> {
    const { name: provider } = call.server;
    let choice: Choice | undefined;
    // Recorded: a call that runs again uses the same account, whatever has been chosen or connected since.
    const decision = await turn.runner.tool({ id, name: RECORD }, async (): Promise<CallChoice> => {
      const isFirst = !call.wantsAnother && choicesAt(provider).every((one) => !one.isFirst);
      const before = call.wantsAnother ? undefined : lastAt(provider);
      choice = before ?? begin({ id, provider, isFirst }, choose(call, isFirst));
      return recordOf(choice, await choice.made);
    });
    choice ??= restore(decision);
    choice.users.add(callId);
    return choice;
  }

  /** Whether the user has not connected this account. If that is unknown, later calls must not use another one. */
  async function isMissing(server: GatedServer): Promise<boolean> {
    try {
      return (await gate.stored(server, turn.user)) === undefined;
    } catch (error) {
      onError(error);
      if (isStoreAway(error)) throw error;
      return false;
    }
  }

  return {
    chosenAt: async (provider) => lastAt(provider)?.made,
    choicesOf: (callId) =>
      choices.flatMap((choice) =>
        choice.account !== undefined && choice.users.has(callId) ? [recordOf(choice, choice.account)] : [],
      ),
    restore: (all) => all.forEach(restore),
    forCall(asked) {
      const { wantsAnother, ...call } = asked;
      const { server } = call;
      const { id: callId } = callOf(turn, call.toolName, call.toolCallId);
      // Counted here, because a call that runs again may use its accounts in another order.
      const kind = `${callId}/account/${server.name}${wantsAnother ? "/another" : ""}`;
      const number = (counts.get(kind) ?? 0) + 1;
      counts.set(kind, number);
      const id = `${kind}/${number}`;
      let decision: Promise<Choice> | undefined;

      async function decided(): Promise<Choice> {
        const mine = (decision ??= decide(asked, { id, callId }));
        try {
          return await mine;
        } catch (error) {
          if (decision === mine) decision = undefined;
          throw error;
        }
      }

      const made: AccountChoice["made"] = async () => {
        const chosen = await (await decided()).made;
        if (!chosen.ok) return chosen;
        const { account, scopes } = chosen;
        // Otherwise a server that is asked without an account first might not need one.
        const signIn = wantsAnother || account === "another" ? "first" : server.signIn;
        return {
          ok: true,
          call: { ...call, server: { ...server, name: chosen.id, signIn }, account, scopes },
        };
      };

      return {
        made,
        async run(work, part) {
          const found = await made();
          if (!found.ok) return found;
          const choice = await decided();
          // A call may let the user connect several accounts of one service.
          const ownPart = part && { part: `${part}${found.call.server.name}/` };
          // If it was to be another account, later calls use those that there are.
          const isOpen = () => found.call.account === "another" && !choice.isConnected && !choice.isOver;
          const onRefused = () => {
            // Without a look into the store: another chat may have connected an account in its place.
            choice.isOver ||= isOpen();
          };
          const isOwnChoice = choice.id === id;
          const result = await gate.run(
            { ...found.call, ...ownPart, isOwnChoice, onRefused },
            (credential) => {
              choice.isConnected ||= credential !== undefined;
              return work(credential);
            },
          );
          if (!result.ok && isOpen()) choice.isOver = await isMissing(found.call.server);
          return result;
        },
      };
    },
  };
}

const RECORD = "choose-account";

const isFailed = (account: ChosenAccount) => !account.ok && account.hasFailed === true;

/** A choice, as it is recorded. */
function recordOf(
  { id, provider, isFirst, order, isConnected, isOver }: Choice,
  account: ChosenAccount,
): CallChoice {
  return { id, provider, isFirst, order, account, isConnected, isOver };
}

/** The choice for a service at which each user has one account. */
export function onlyAccount(gate: Pick<CredentialGate, "run">, call: GatedCall): AccountChoice {
  return {
    made: async () => ({ ok: true, call }),
    run: (work, part) => gate.run({ ...call, ...(part !== undefined && { part }) }, work),
  };
}
