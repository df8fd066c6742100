import { isSendable } from "../connect/ports/credentials.ts";
import { KitError } from "../contract/kit-error.ts";
import { type AccountChoice, type AccountChoices, onlyAccount } from "./account-choices.ts";
import type { CredentialGate, GatedResult } from "./credentials/credential-gate.ts";
import { CredentialRefused, refusalOf } from "./credentials/refused-call.ts";
import type { AccountTurn, GatedServer } from "./mcp/mcp-server.ts";

/** A service whose account the tools of an agent use. Its provider has the same name on the hosted page. */
export interface AccountOptions {
  /** Its name for users, such as `GitHub`. */
  service: string;
  /** The address of its API, such as `https://api.github.com`. The token is sent to this origin only. */
  api: string;
  /** Its icon on the card: a `data:` URL of an image. @default its first letter */
  iconDataUrl?: string | undefined;
  /**
   * Lets a user connect up to five accounts of the service. If they have several, a card asks which one to use, once in a
   * turn, and the user can have their choice remembered.
   * @default false
   */
  several?: boolean | undefined;
  /** The `fetch` for its calls. @default globalThis.fetch */
  fetch?: typeof globalThis.fetch | undefined;
}

/**
 * The user's account at a service, for one call of a tool. If the user has not connected it, they are asked to, and the
 * call waits. A token that the service refuses is refreshed. If that fails, the user is asked once to connect again. If
 * the service requires more scopes, the user is asked for them. The result says whether this worked. If not, it contains
 * a `text` for the model.
 */
export interface Account {
  /**
   * Calls the API with the user's token. `path` is resolved against `api`. Returns every response, including 404 or 500,
   * except a refusal of the token. A body that is a stream is read into memory first.
   */
  fetch(path: string | URL, init?: RequestInit): Promise<GatedResult<Response>>;
  /** For a client library: runs `work` with a token. An error of it whose `status` is 401 means that the token was refused. */
  run<T>(work: (token: string) => Promise<T>): Promise<GatedResult<T>>;
  /**
   * Removes the account, as when the user wants to be signed out. Its tokens are revoked if `credentials` is a store of
   * `withConnectors`. The next use asks the user to connect. Of several accounts, the user chooses which one.
   */
  forget(): Promise<GatedResult<undefined>>;
}

/**
 * Finds the account `name` for one call of a tool. `another`: the user wants another account than before, so they choose or
 * connect one. Needs `several`. Call it outside of steps, in the same order in each run, and use the same object for all
 * steps with that account: a step that is done does not run again, so what it has found or chosen is unknown then.
 */
export type FindAccount = (
  name: string,
  toolCallId: string,
  options?: { another?: boolean | undefined },
) => Account;

/** The accounts that the tools of a turn can use, by the name of the tool. */
export function createTurnAccounts(options: {
  turn: AccountTurn;
  accounts: Readonly<Record<string, AccountOptions>>;
  gate: CredentialGate;
  choices: AccountChoices;
}): (toolName: string) => FindAccount {
  const { turn, accounts, gate, choices } = options;
  return (toolName) =>
    (name, toolCallId, { another = false } = {}) => {
      const account = Object.hasOwn(accounts, name) ? accounts[name] : undefined;
      if (account === undefined) {
        const known = Object.keys(accounts).join(", ") || "none";
        throw new KitError(
          `elicit-kit: there is no account "${name}". Name it in the option accounts, which has: ${known}.`,
        );
      }
      const { service, api, iconDataUrl, several = false, fetch = globalThis.fetch } = account;
      if (another && !several) {
        throw new KitError(
          `elicit-kit: a tool asks for another account of "${name}". Set several: true in accounts.${name}, so that users can have more than one.`,
        );
      }
      const server: GatedServer = { name, service, url: api, iconDataUrl };
      const call = { turn, server, toolName, input: undefined, toolCallId, signal: turn.signal };
      const choice = several ? choices.forCall({ ...call, wantsAnother: another }) : onlyAccount(gate, call);
      const uses = createUses(gate, server, choice);
      return {
        run: (work) => uses.run(withStatus(service, work)),
        fetch: fetchFrom({ name, service, api, fetch }, uses),
        forget: uses.forget,
      };
    };
}

/** The uses of one account in one call of a tool. */
interface Uses {
  /** Runs work with the token. */
  run<T>(work: (token: string) => Promise<T>): Promise<GatedResult<T>>;
  forget(): Promise<GatedResult<undefined>>;
}

/** Uses that begin at the same time ask for the account once. A refusal by the user stays valid for this call. */
function createUses(gate: CredentialGate, { name, service }: GatedServer, choice: AccountChoice): Uses {
  let runs = 0;
  let first: Promise<GatedResult<unknown>> | undefined;
  /**
   * Set once the first use has its token. Further uses inside its work must not wait for it, because it waits for them.
   */
  let isFirstWorking = false;

  async function use<T>(
    before: Promise<GatedResult<unknown>> | undefined,
    work: (token: string) => Promise<T>,
  ): Promise<GatedResult<T>> {
    runs += 1;
    // A call of a tool may use several accounts, each several times.
    const part = `${name}/${runs}/`;
    const earlier = await before?.catch(() => undefined);
    if (earlier?.ok === false) return earlier;
    return choice.run(async (credential) => {
      if (credential === undefined) throw new CredentialRefused(`${service} needs an account.`);
      // `fetch` would put the token into the message of its error, which the model reads.
      if (!isSendable(credential.accessToken)) {
        throw new CredentialRefused(`the credential for ${service} cannot be sent in a header.`);
      }
      return work(credential.accessToken);
    }, part);
  }

  return {
    run(work) {
      if (first !== undefined) return use(isFirstWorking ? undefined : first, work);
      const result = use(undefined, (token) => {
        isFirstWorking = true;
        return work(token);
      }).finally(() => {
        isFirstWorking = false;
      });
      first = result;
      return result;
    },
    async forget() {
      const made = await choice.made();
      return made.ok ? gate.forget(made.call) : made;
    },
  };
}

function withStatus<T>(service: string, work: (token: string) => Promise<T>): (token: string) => Promise<T> {
  return async (token) => {
    try {
      return await work(token);
    } catch (error) {
      if (statusOf(error) !== 401) throw error;
      throw new CredentialRefused(`${service} refused the call because the token is invalid.`);
    }
  };
}

function fetchFrom(
  {
    name,
    service,
    api,
    fetch,
  }: { name: string; service: string; api: string; fetch: typeof globalThis.fetch },
  { run }: Uses,
): Account["fetch"] {
  return async (path, init) => {
    const url = new URL(path, api);
    const { origin } = new URL(api);
    if (url.origin !== origin) {
      throw new KitError(
        `elicit-kit: the token of "${name}" is for ${origin}, and is not sent to ${url.origin}.`,
      );
    }
    // A stream can be read only once, and the call is sent again if the token is refused.
    const isStream = init?.body instanceof ReadableStream;
    const again = isStream ? { ...init, body: await new Response(init.body).arrayBuffer() } : init;
    return run(async (token) => {
      const headers = new Headers(init?.headers);
      headers.set("authorization", `Bearer ${token}`);
      const response = await fetch(url, { ...again, headers });
      const { status } = response;
      const refusal = await refusalOf(service, {
        status,
        header: response.headers.get("www-authenticate"),
      });
      if (refusal === undefined) return response;
      await response.body?.cancel();
      throw refusal;
    });
  };
}

function statusOf(error: unknown): unknown {
  return typeof error === "object" && error !== null && "status" in error ? error.status : undefined;
}
