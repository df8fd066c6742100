import { isObject } from "../../contract/json.ts";
import { isSendable } from "../ports/credentials.ts";
import { reasonOf } from "../../base/foreign-error.ts";
import { timeout } from "../../base/deadlines.ts";
import type { Credential } from "../ports/credentials.ts";
import type { Clock } from "../../base/clock.ts";
import { codeOf, type ProviderBase } from "../ports/connector.ts";
import { KitError } from "../../contract/kit-error.ts";

/** The methods of a `new Nango({ apiKey, … })` of `@nangohq/node` that the kit calls. Their results are checked. */
export interface NangoApi {
  readonly serverUrl: string;
  createConnectSession(body: {
    tags: Record<string, string>;
    allowed_integrations: string[];
  }): Promise<{ data: { token: string } }>;
  getConnection(integration: string, connectionId: string, forceRefresh?: boolean): Promise<unknown>;
  listConnections(query: {
    integrationId: string;
    tags: Record<string, string>;
  }): Promise<{ connections: readonly unknown[] }>;
  updateMetadata(
    integration: string,
    connectionId: string,
    metadata: Record<string, unknown>,
  ): Promise<unknown>;
  deleteConnection(integration: string, connectionId: string): Promise<unknown>;
  verifyIncomingWebhookRequest(body: string, headers: Record<string, unknown>): boolean;
}

/**
 * A connection that Nango makes and stores. Nango keeps its tokens, and they are read for each call; see {@link
 * withConnectors}.
 *
 * Turn on Nango's OAuth state cookie enforcement (`NANGO_FEATURE_FLAG_OAUTH_STATE_COOKIE_ENFORCEMENT=true`; at Nango
 * Cloud, ask for it). Without it, Nango does not bind a sign-in to the browser in which it began: the page creates a
 * session only for the user who was asked, and ends it right after, but that user can pass it on while it is valid. With
 * an {@link OAuthProvider}, this is not possible.
 */
export interface NangoProvider extends ProviderBase {
  /** Id of the integration at Nango: at most 255 letters, digits, spaces and `~ : . @ _ -`. */
  integration: string;
  /** The Nango client. It needs `webhookSigningKey` if Nango sends webhooks to `/auth/connect/nango/webhook`. */
  nango: NangoApi;
  /**
   * The URL of Nango for browsers.
   * @default nango.serverUrl
   */
  host?: string | undefined;
  /** Only shown to the user. Configure the requested scopes at Nango. */
  scopes?: readonly string[] | undefined;
}

/** The parts of a Nango connection that the kit reads. */
export interface NangoConnection {
  readonly id: string;
  readonly elicitationId: string | undefined;
  readonly userId: string | undefined;
  /** The tool that the connection was confirmed for. Unconfirmed connections are never used. */
  readonly confirmedFor: string | undefined;
  /** When it was made, in milliseconds since the epoch. */
  readonly createdAt: number | undefined;
}

/** The Nango calls for one provider. Failing calls reject with a {@link NangoFailure}. */
export interface NangoClient {
  readonly host: string;
  /** Returns a token for the page's script, which can only make connections for this request and user. */
  startSession(owner: { elicitationId: string; userId: string }): Promise<string>;
  endSession(token: string): Promise<void>;
  find(connectionId: string): Promise<NangoConnection | undefined>;
  listByElicitation(elicitationId: string): Promise<readonly NangoConnection[]>;
  /** Lists connections, newest first. */
  listByUser(userId: string): Promise<readonly NangoConnection[]>;
  confirm(connection: NangoConnection, toolId: string): Promise<void>;
  remove(connectionId: string): Promise<void>;
  credential(connectionId: string, options: { forceRefresh: boolean }): Promise<Credential | undefined>;
}

const CALL_TIMEOUT_MS = 10_000;
const METADATA_KEY = "elicit_kit";
/** Nango's package puts ids unencoded into paths and queries, and sends the operator's key with them. */
const CONNECTION_ID = /^[\w-]{1,64}$/;
const INTEGRATION_ID = /^(?!\.+$)[\w~:.@ -]{1,255}$/;

export function createNangoClient(
  provider: NangoProvider,
  { clock, fetch = globalThis.fetch }: { clock: Clock; fetch?: typeof globalThis.fetch | undefined },
): NangoClient {
  const { nango, integration } = provider;
  if (!INTEGRATION_ID.test(integration)) {
    throw new KitError(
      `elicit-kit: the id of a Nango integration has 1 to 255 letters, digits, spaces and ~ : . @ _ -, as Nango's dashboard shows it. This is not one: ${JSON.stringify(integration)}`,
    );
  }
  const serverUrl = nango.serverUrl.replace(/\/+$/, "");
  const host = provider.host ?? serverUrl;

  async function call<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const signal = timeout(clock, CALL_TIMEOUT_MS);
    const expiry = new Promise<never>((_, reject) => {
      signal.addEventListener("abort", () =>
        reject(
          new KitError(
            `elicit-kit: Nango took longer than ${CALL_TIMEOUT_MS / 1000} seconds to answer. Check that this server reaches ${serverUrl}.`,
          ),
        ),
      );
    });
    try {
      return await Promise.race([work(signal), expiry]);
    } catch (cause) {
      throw new NangoFailure(cause);
    }
  }

  async function list(tags: Record<string, string>): Promise<readonly NangoConnection[]> {
    const { connections } = await call(() => nango.listConnections({ integrationId: integration, tags }));
    return connections.flatMap((connection) => parseConnection(connection, integration) ?? []);
  }

  /** Reads a connection. A reply about another connection counts as missing. */
  async function read(connectionId: string, forceRefresh: boolean): Promise<unknown> {
    if (!CONNECTION_ID.test(connectionId)) return undefined;
    try {
      const answer = await call(() => nango.getConnection(integration, connectionId, forceRefresh));
      return parseConnection(answer, integration)?.id === connectionId ? answer : undefined;
    } catch (error) {
      if (error instanceof NangoFailure && error.status === 404) return undefined;
      throw error;
    }
  }

  return {
    host,
    async startSession({ elicitationId, userId }) {
      const tags = { elicitation_id: elicitationId, end_user_id: userId };
      const body = { tags, allowed_integrations: [integration] };
      const { token } = (await call(() => nango.createConnectSession(body))).data;
      if (typeof token !== "string" || !isSendable(token))
        throw new NangoFailure(new KitError("elicit-kit: its session token is missing or malformed"));
      return token;
    },
    async endSession(token) {
      const headers = { authorization: `Bearer ${token}` };
      const url = `${serverUrl}/connect/session`;
      const response = await call((signal) => fetch(url, { method: "DELETE", headers, signal }));
      await response.body?.cancel();
    },
    find: async (connectionId) => parseConnection(await read(connectionId, false), integration),
    // Filters again, because an older Nango that ignores the filter returns all connections, and callers may remove
    // listed ones.
    listByElicitation: async (elicitationId) =>
      (await list({ elicitation_id: elicitationId })).filter((one) => one.elicitationId === elicitationId),
    listByUser: async (userId) =>
      (await list({ end_user_id: userId })).filter((one) => one.userId === userId),
    async confirm({ id, elicitationId }, toolId) {
      const metadata = { [METADATA_KEY]: { tool: toolId, elicitation: elicitationId } };
      await call(() => nango.updateMetadata(integration, id, metadata));
    },
    async remove(connectionId) {
      try {
        await call(() => nango.deleteConnection(integration, connectionId));
      } catch (error) {
        if (!(error instanceof NangoFailure && error.status === 404)) throw error;
      }
    },
    credential: async (connectionId, { forceRefresh }) =>
      parseCredential(await read(connectionId, forceRefresh)),
  };
}

function parseConnection(value: unknown, integration: string): NangoConnection | undefined {
  if (!isObject(value) || value["provider_config_key"] !== integration) return undefined;
  const id = stringIn(value, "connection_id");
  if (id === undefined || !CONNECTION_ID.test(id)) return undefined;
  const tags = isObject(value["tags"]) ? value["tags"] : {};
  const elicitationId = stringIn(tags, "elicitation_id");
  const metadata = isObject(value["metadata"]) ? value["metadata"][METADATA_KEY] : undefined;
  const isConfirmed = isObject(metadata) && metadata["elicitation"] === elicitationId;
  // A list has `created`. A single connection of newer versions of Nango has `created_at`.
  const createdAt = timeIn(value, "created") ?? timeIn(value, "created_at");
  return {
    id,
    elicitationId,
    userId: stringIn(tags, "end_user_id"),
    confirmedFor: isConfirmed ? stringIn(metadata, "tool") : undefined,
    createdAt,
  };
}

function parseCredential(value: unknown): Credential | undefined {
  const credentials = isObject(value) && isObject(value["credentials"]) ? value["credentials"] : {};
  const accessToken = stringIn(credentials, "access_token") ?? stringIn(credentials, "apiKey");
  if (accessToken === undefined) return undefined;
  const expiresAt = timeIn(credentials, "expires_at");
  return { accessToken, ...(expiresAt !== undefined && { expiresAt }) };
}

/** Reads a date, in milliseconds since the epoch. */
function timeIn(values: Readonly<Record<string, unknown>>, name: string): number | undefined {
  const at = Date.parse(stringIn(values, name) ?? "");
  return Number.isNaN(at) ? undefined : at;
}

function stringIn(values: Readonly<Record<string, unknown>>, name: string): string | undefined {
  const value = Object.hasOwn(values, name) ? values[name] : undefined;
  return typeof value === "string" ? value : undefined;
}

/** An error of a call to Nango, safe to log: it has no cause, because the cause contains the API key. */
export class NangoFailure extends KitError {
  override readonly name = "NangoFailure";
  readonly #status: number | undefined;
  readonly #code: string | undefined;

  constructor(cause: unknown) {
    const response = isObject(cause) && isObject(cause["response"]) ? cause["response"] : {};
    const body =
      isObject(response["data"]) && isObject(response["data"]["error"]) ? response["data"]["error"] : {};
    const status = typeof response["status"] === "number" ? response["status"] : undefined;
    const code = codeOf(body["code"]);
    const reason = status === undefined ? reasonOf(cause) : `status ${status}`;
    super(`elicit-kit: a call to Nango failed: ${reason}${code === undefined ? "" : ` (${code})`}`);
    this.stack = `${this.name}: ${this.message}`;
    this.#status = status;
    this.#code = code;
  }

  /** The HTTP status, if Nango replied. */
  get status(): number | undefined {
    return this.#status;
  }

  /** Nango's error code, if it is safe to show. */
  get code(): string | undefined {
    return this.#code;
  }
}
