import { KitError } from "../contract/kit-error.ts";
import type { Turn } from "../runtime/index.ts";
import type { CredentialGate, GatedResult } from "./credentials/credential-gate.ts";
import { CredentialRefused, refusalOf } from "./credentials/refused-call.ts";

/** A service whose account the tools of an agent use. Its provider has the same name on the hosted page. */
export interface AccountOptions {
  /** Its name for users, such as `GitHub`. */
  service: string;
  /** The address of its API, such as `https://api.github.com`. The token is sent to this origin only. */
  api: string;
  /** Its icon on the card: a `data:` URL of an image. @default its first letter */
  iconDataUrl?: string | undefined;
  /** For its calls. @default globalThis.fetch */
  fetch?: typeof globalThis.fetch | undefined;
}

/**
 * The user's account at a service, for one call of a tool. If the user has not connected it, they are asked to, and the call
 * waits. A token that the service refuses is renewed; if that fails, the user is asked once to connect again. If the service
 * wants more rights, the user is asked for them. The result says whether it worked, with `text` for the model if not.
 */
export interface Account {
  /**
   * Calls the API with the user's token. `path` is resolved against `api`. Every response comes back, also a 404 or a 500,
   * except for a refusal of the token.
   */
  fetch(path: string | URL, init?: RequestInit): Promise<GatedResult<Response>>;
  /** For a client library: runs `work` with a token. An error of it whose `status` is 401 means that the token was refused. */
  run<T>(work: (token: string) => Promise<T>): Promise<GatedResult<T>>;
}

/** Finds the account `name` for one call of a tool. */
export type FindAccount = (name: string, toolCallId: string) => Account;

/** The accounts that a tool of this turn can use. */
export function createAccounts(options: {
  turn: Turn;
  toolName: string;
  accounts: Readonly<Record<string, AccountOptions>>;
  gate: CredentialGate;
}): FindAccount {
  const { turn, toolName, accounts, gate } = options;

  return (name, toolCallId) => {
    const account = Object.hasOwn(accounts, name) ? accounts[name] : undefined;
    if (account === undefined) {
      const known = Object.keys(accounts).join(", ") || "none";
      throw new KitError(`elicit-kit: createAgentTurn has no account "${name}". Its accounts: ${known}.`);
    }
    const { service, api, iconDataUrl, fetch = globalThis.fetch } = account;
    let runs = 0;
    let first: Promise<GatedResult<unknown>> | undefined;
    /** The first use has its token. What its work calls must not wait for it. */
    let isFirstWorking = false;

    /** Uses that begin at once ask for the account once. What the user has refused stays refused in this call. */
    function gated<T>(work: (token: string) => Promise<T>): Promise<GatedResult<T>> {
      if (first !== undefined) return use(isFirstWorking ? undefined : first, work);
      const result = use(undefined, (token) => {
        isFirstWorking = true;
        return work(token);
      }).finally(() => {
        isFirstWorking = false;
      });
      first = result;
      return result;
    }

    async function use<T>(
      before: Promise<GatedResult<unknown>> | undefined,
      work: (token: string) => Promise<T>,
    ): Promise<GatedResult<T>> {
      runs += 1;
      const call = {
        turn,
        server: { name, service, url: api, iconDataUrl },
        toolName,
        input: undefined,
        toolCallId,
        // A call of a tool may use several accounts, each several times.
        part: `${name}/${runs}/`,
        signal: turn.signal,
      };
      const earlier = await before?.catch(() => undefined);
      if (earlier?.ok === false) return earlier;
      return gate.run(call, (credential) => {
        if (credential === undefined) throw new CredentialRefused(`${service} needs an account.`);
        return work(credential.accessToken);
      });
    }

    return {
      run: (work) =>
        gated(async (token) => {
          try {
            return await work(token);
          } catch (error) {
            if (statusOf(error) !== 401) throw error;
            throw new CredentialRefused(`${service} refused the call because the token is invalid.`);
          }
        }),
      async fetch(path, init) {
        const url = new URL(path, api);
        const { origin } = new URL(api);
        if (url.origin !== origin) {
          throw new KitError(
            `elicit-kit: the token of "${name}" is for ${origin}, and is not sent to ${url.origin}.`,
          );
        }
        return gated(async (token) => {
          const headers = new Headers(init?.headers);
          headers.set("authorization", `Bearer ${token}`);
          const response = await fetch(url, { ...init, headers });
          const { status } = response;
          const refusal = await refusalOf(service, {
            status,
            header: response.headers.get("www-authenticate"),
          });
          if (refusal === undefined) return response;
          await response.body?.cancel();
          throw refusal;
        });
      },
    };
  };
}

function statusOf(error: unknown): unknown {
  return typeof error === "object" && error !== null && "status" in error ? error.status : undefined;
}
