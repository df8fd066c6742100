import { claimedNameOf } from "../contract/claimed-name.ts";
import type { RequestedSchema } from "../contract/contract.ts";
import { accountIds, type Credential } from "../connect/ports/credentials.ts";
import { scopesOf } from "../connect/oauth/challenge.ts";
import { informationRefusedText } from "../runtime/internal.ts";
import { accountWords } from "../words/account.ts";
import { UNREADABLE, failed } from "./credentials/gate-texts.ts";
import type { GatedCall } from "./mcp/mcp-server.ts";

/** An account that the user has connected. */
export interface Connected {
  readonly id: string;
  /** The provider's name for the account. */
  readonly name: Credential["account"];
  readonly scope: Credential["scope"];
}

/** The account that a call uses, or a text for the model. */
export type ChosenAccount =
  | {
      readonly ok: true;
      readonly id: string;
      readonly account: NonNullable<GatedCall["account"]>;
      readonly scopes?: GatedCall["scopes"];
    }
  | {
      readonly ok: false;
      readonly text: string;
      /** The next call uses the account before, or chooses again. */
      readonly hasFailed?: boolean;
    };

const FIELD = "account";
const ANOTHER = "another";

/**
 * Chooses one of a user's accounts at a service: the only one, or the one that the user selects on a card.
 * `wantsAnother`: the user wants another account than the last one.
 */
export async function chooseAccount({
  turn,
  server: { name: provider, service },
  toolName,
  toolCallId,
  requester,
  wantsAnother,
  readConnected,
}: Pick<GatedCall, "turn" | "server" | "toolName" | "toolCallId"> & {
  requester: { name: string };
  wantsAnother: boolean;
  /** `undefined`: they cannot be read. */
  readConnected: () => Promise<readonly Connected[] | undefined>;
}): Promise<ChosenAccount> {
  const unreadable = () => {
    return { ...failed({ toolName, server: { service } }, UNREADABLE), hasFailed: true };
  };
  const connected = await readConnected();
  if (connected === undefined) return unreadable();
  const free = freeId(provider, connected);
  const [first, second] = connected;
  if (first === undefined) return { ok: true, id: provider, account: "only" };
  if (second === undefined) {
    return wantsAnother && free !== undefined
      ? { ok: true, id: free, account: "another", scopes: scopesOf(first.scope) }
      : { ok: true, id: first.id, account: "only" };
  }
  const words = accountWords(turn.languages);
  const more = free === undefined ? [] : [{ const: ANOTHER, title: words.another }];
  const options = optionsOf(connected, service);
  const oneOf = [...options.map(({ id, title }) => ({ const: id, title })), ...more];
  const requestedSchema: RequestedSchema = {
    type: "object",
    properties: { [FIELD]: { type: "string", title: words.account, oneOf } },
    required: [FIELD],
  };
  const result = await turn.ask({
    mode: "form",
    message: words.which({ asker: requester.name, service }),
    requestedSchema,
    tool: { id: provider, name: toolName },
    toolCallId,
    requester,
    context: { trigger: "tool", toolName },
    // A chat that cannot show the question uses the first account.
    ...(!wantsAnother && { fallback: { [FIELD]: first.id } }),
    // The options must change when the user connects another account in place of one. A number would stay the same.
    ...(!wantsAnother && options.every(({ isUnique }) => isUnique) && { remember: true as const }),
    // A remembered "another account" would connect one more account in each turn.
    isStillGood: (content) => content[FIELD] !== ANOTHER,
  });
  if (result.outcome !== "accepted") {
    const text = informationRefusedText(result, { tool: toolName, requestedSchema });
    // Without another account, the user keeps the one that they have.
    return { ok: false, text, hasFailed: wantsAnother || result.outcome === "failed" };
  }
  const chosen = connected.find(({ id }) => id === result.content[FIELD]);
  if (chosen !== undefined) return { ok: true, id: chosen.id, account: "of-several" };
  // Another chat may have taken the place while the user was choosing.
  const now = await readConnected();
  if (now === undefined) return unreadable();
  const id = freeId(provider, now) ?? first.id;
  return { ok: true, id, account: "another", scopes: scopesOf(first.scope) };
}

/** The first id of the provider under which the user has connected no account. `undefined`: all are in use. */
function freeId(provider: string, connected: readonly Connected[]): string | undefined {
  return accountIds(provider).find((id) => connected.every((one) => one.id !== id));
}

/** Names the accounts for the user. Accounts with the same name, or without a name, get a number. */
function optionsOf(
  connected: readonly Connected[],
  service: string,
): { id: string; title: string; isUnique: boolean }[] {
  const shown = connected.map(({ id, name }) => {
    return { id, isNamed: name !== undefined, title: claimedNameOf(name) ?? service };
  });
  return shown.map(({ id, isNamed, title }, index) => {
    const isUnique = isNamed && shown.filter((one) => one.title === title).length === 1;
    return { id, isUnique, title: isUnique ? title : `${title} (${index + 1})` };
  });
}
