import { systemClock } from "../../../src/base/clock.ts";
import type { SlackInstallation } from "./payload.ts";
import { SlackApiError, type SlackClient, type SlackClientOptions, createSlackClient } from "./web-client.ts";
import { KitError } from "../../../src/contract/kit-error.ts";

/** Slack's Web API for each installation, with tokens that may change. */
export interface InstalledClients {
  /** A client of an installation. Rejects if there is no token for it. */
  clientOf(installation: SlackInstallation): Promise<SlackClient>;
  /**
   * A client for long background work. It looks the token up for each call, and waits while Slack limits the rate or the
   * token cannot be read.
   */
  patientClientOf(installation: SlackInstallation): SlackClient;
}

/** The text of a turn must not get lost in a busy workspace. */
const PATIENCE_MS = 10 * 60_000;
/** The store of tokens is unavailable. */
const TOKEN_PATIENCE_MS = 60_000;
/** Each client knows the rate limits of its token. With token rotation, tokens change. */
const MOST_CLIENTS = 1000;
/** Slack refuses the token: it was rotated, or the app was removed and possibly installed again. */
const REFUSED_TOKEN = new Set(["account_inactive", "invalid_auth", "token_expired", "token_revoked"]);

export function createInstalledClients(
  options: Pick<SlackClientOptions, "fetch" | "apiUrl" | "clock"> & {
    readonly tokenOf: (installation: SlackInstallation) => string | undefined | Promise<string | undefined>;
    readonly onError: (error: unknown) => void;
  },
): InstalledClients {
  const { fetch, apiUrl, clock = systemClock, onError } = options;
  const clients = new Map<string, SlackClient>();

  function withToken(token: string): SlackClient {
    const known = clients.get(token);
    if (known !== undefined) return known;
    const client = createSlackClient({ token, fetch, apiUrl, clock });
    clients.set(token, client);
    const [oldest] = clients.keys();
    if (clients.size > MOST_CLIENTS && oldest !== undefined) clients.delete(oldest);
    return client;
  }

  async function lookUp(installation: SlackInstallation): Promise<string> {
    const token = await options.tokenOf(installation);
    if (token !== undefined) return token;
    throw new KitError(
      "elicit-kit: there is no Slack token for this workspace. Pass token, or return one from tokenOf.",
    );
  }

  async function lookUpPatiently(installation: SlackInstallation): Promise<string> {
    const until = clock.now() + TOKEN_PATIENCE_MS;
    for (let pause = 1000; clock.now() + pause < until; pause *= 2) {
      try {
        return await lookUp(installation);
      } catch (error) {
        onError(error);
      }
      await new Promise<void>((resolve) => void clock.after(pause, resolve));
    }
    return lookUp(installation);
  }

  /** A client that looks the token up again when Slack refuses it. */
  function renewing(known: string | undefined, renew: () => Promise<string>): SlackClient {
    let token = known;
    return {
      async call(...call) {
        const used = (token ??= await renew());
        try {
          return await withToken(used).call(...call);
        } catch (error) {
          if (!(error instanceof SlackApiError && REFUSED_TOKEN.has(error.code))) throw error;
          token = await renew();
          if (token === used) throw error;
          return withToken(token).call(...call);
        }
      },
    };
  }

  return {
    async clientOf(installation) {
      return renewing(await lookUp(installation), () => lookUp(installation));
    },
    patientClientOf(installation) {
      const client = renewing(undefined, () => lookUpPatiently(installation));
      return {
        call: (method, args, given) => client.call(method, args, { maxWaitMs: PATIENCE_MS, ...given }),
      };
    },
  };
}
