import type { AgentCard } from "@a2a-js/sdk";
import type { Client } from "@a2a-js/sdk/client";
import type { A2aRelayedCall } from "../../a2a/relay/relay.ts";
import { acceptLanguage } from "../../base/accept-language.ts";
import { isSendable } from "../../connect/ports/credentials.ts";
import { limitLength } from "../../base/read-body.ts";
import { missingPackage } from "../../base/foreign-error.ts";
import { sleep, within } from "../../base/deadlines.ts";
import type { User } from "../../runtime/index.ts";
import type { CredentialInUse } from "../credentials/credential-in-use.ts";
import type { Clock } from "../../base/clock.ts";
import type { A2aAgent } from "./a2a-agent.ts";
import { cardScopes, checkCardSecurity, withProtocolSchemes } from "./a2a-security.ts";
import { carryCredential } from "../credentials/api-key.ts";
import { type Conceal, concealer } from "../credentials/conceal.ts";
import { ToolFailure } from "../../base/tool-failure.ts";
import { secretsOf, valuesFor } from "../mcp/mcp-server.ts";
import { CredentialRefused, refusalOf } from "../credentials/refused-call.ts";

/** A client for one call: it carries one user's credential. */
export interface A2aConnection {
  client: Client;
  card: A2aRelayedCall["card"];
  conceal: Conceal;
}

/** The limit for one response, in MiB. A stream counts as one response. */
const MAX_ANSWER_MIB = 8;
/** The time limit for the card, as for the tools of an MCP server. */
const CARD_MS = 10_000;
/** How often the card is requested while there is no response, over 3.75 seconds. */
const MAX_TRIES = 5;
const FIRST_PAUSE_MS = 250;

/** Reads the agent's card and creates a client for it. */
export async function connectA2a(
  agent: A2aAgent,
  {
    user,
    languages,
    credential,
    signal,
    clock,
  }: {
    user: User | undefined;
    /** The user's languages as BCP 47 tags, best first. */
    languages: readonly string[];
    credential: CredentialInUse | undefined;
    signal: AbortSignal;
    clock: Clock;
  },
): Promise<A2aConnection> {
  if (credential !== undefined && !isSendable(credential.accessToken)) {
    throw new CredentialRefused(`the credential for ${agent.service} cannot be sent in a header.`);
  }
  const language = acceptLanguage(languages);
  const own = await valuesFor(agent.headers, user);
  const headers = { ...(language !== undefined && { "accept-language": language }), ...own };
  let card: AgentCard | undefined;
  const fetchImpl = guardedFetch(agent, { headers, credential, scopes: () => cardScopes(card) });
  const {
    ClientFactory,
    ClientFactoryOptions,
    DefaultAgentCardResolver,
    JsonRpcTransportFactory,
    RestTransportFactory,
  } = await loadSdk();
  // Agents with protocol 0.3 get messages in that version.
  const options = { fetchImpl, legacyCompat: { enabled: true } };
  const resolver = new DefaultAgentCardResolver({
    ...options,
    // The SDK sets no signal.
    fetchImpl: (input, init) =>
      within(clock, CARD_MS, async (late) => {
        try {
          const response = await fetchImpl(input, { ...init, signal: AbortSignal.any([signal, late]) });
          return response.ok ? Response.json(withProtocolSchemes(await response.json())) : response;
        } catch (error) {
          throw late.aborted ? new ToolFailure(`${agent.service} did not answer in time.`) : error;
        }
      }),
  });
  const isCard = new URL(agent.url).pathname.endsWith(".json");
  const factory = new ClientFactory(
    ClientFactoryOptions.createFrom(ClientFactoryOptions.default, {
      transports: [new JsonRpcTransportFactory(options), new RestTransportFactory(options)],
      ...(agent.transport !== undefined && { preferredTransports: [agent.transport] }),
      cardResolver: {
        async resolve(url, path) {
          card = await whileUnreachable(() => resolver.resolve(url, path), { clock, signal });
          checkCardSecurity(agent, card);
          return card;
        },
      },
    }),
  );
  signal.throwIfAborted();
  const client = await factory.createFromUrl(agent.url, isCard ? "" : undefined);
  const { name = "", capabilities } = card ?? {};
  return {
    client,
    card: {
      name,
      streaming: capabilities?.streaming === true,
      extensions: (capabilities?.extensions ?? []).map(({ uri }) => uri),
    },
    conceal: concealer(secretsOf(own), credential?.tokens),
  };
}

/** Tries again after a network error: the agent may be restarting, and one of its tasks may still be open. */
async function whileUnreachable<T>(
  read: () => Promise<T>,
  { clock, signal }: { clock: Clock; signal: AbortSignal },
): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await read();
    } catch (error) {
      // `fetch` rejects with a TypeError if there is no response.
      if (!(error instanceof TypeError) || tries === MAX_TRIES) throw error;
    }
    await sleep(clock, FIRST_PAUSE_MS * 2 ** (tries - 1));
    signal.throwIfAborted();
  }
}

/** Sends HTTP requests only to the agent's origins, with its headers and the credential, and reads refusals. */
function guardedFetch(
  agent: A2aAgent,
  {
    headers,
    credential,
    scopes,
  }: {
    headers: Readonly<Record<string, string>>;
    credential: CredentialInUse | undefined;
    /** The scopes of the card, used when a refusal does not name any. */
    scopes: () => readonly string[];
  },
): typeof globalThis.fetch {
  const { service } = agent;
  const origins = new Set([agent.url, ...(agent.origins ?? [])].map((url) => new URL(url).origin));
  const { fetch, authProvider } = carryCredential({ apiKey: agent.apiKey, fetch: agent.fetch }, credential);
  return async (input, init) => {
    const url = new URL(input instanceof Request ? input.url : input);
    if (!origins.has(url.origin)) {
      throw new ToolFailure(
        `elicit-kit: the card of ${service} names ${url.origin}, which is neither the origin of its URL nor one of its \`origins\`. Add it there if the agent is to be found there.`,
      );
    }
    const sent = new Headers(init?.headers);
    for (const [name, value] of Object.entries(headers)) sent.set(name, value);
    if (authProvider !== undefined) sent.set("authorization", `Bearer ${await authProvider.token()}`);
    // Redirects are not followed: one could send the credential to another origin.
    const response = await fetch(url, { ...init, headers: sent, redirect: "manual" });
    const refusal = await refusalOf(service, {
      status: response.status,
      header: response.headers.get("www-authenticate"),
    });
    if (refusal !== undefined) throw withScopes(refusal, scopes());
    return limitLength(response, { service, mib: MAX_ANSWER_MIB });
  };
}

/** Adds the scopes of the card to a refusal that names none. */
function withScopes(refusal: CredentialRefused, scopes: readonly string[]): CredentialRefused {
  const { challenge, needsMoreScopes, message } = refusal;
  if (scopes.length === 0 || needsMoreScopes || (challenge?.scopes ?? []).length > 0) return refusal;
  return new CredentialRefused(message.replace(/^elicit-kit: /, ""), { ...challenge, scopes });
}

/** Loads the A2A SDK on first use. Agents without `a2aAgents` need not install it. */
async function loadSdk() {
  try {
    return await import("@a2a-js/sdk/client");
  } catch (error) {
    throw missingPackage("@a2a-js/sdk", "calling an A2A agent", error);
  }
}
