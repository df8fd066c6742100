import type { ElicitationRecord, SignInTarget, User } from "../../runtime/index.ts";
import { scopesOf } from "../discovery/challenge.ts";
import type { McpSignIn } from "../discovery/mcp-sign-in.ts";
import type { ApiKeyProvider } from "../api-key/api-key.ts";
import type { NangoClient, NangoProvider } from "../nango/nango.ts";
import type { OAuthClient, OAuthProvider } from "../oauth/oauth.ts";
import type { ProviderBase } from "./provider-base.ts";
import type { Viewer } from "./identity/viewer.ts";

/** How one tool is connected. */
export type Provider = OAuthProvider | NangoProvider | ApiKeyProvider;

export interface ConfiguredOAuth {
  readonly kind: "oauth";
  readonly provider: OAuthProvider;
  readonly client: OAuthClient;
}
export interface OAuthConnection extends ConfiguredOAuth {
  /** What is asked for: the provider's scopes, and those that the refused call needs. */
  readonly scopes: readonly string[];
}
export interface NangoConnector {
  readonly kind: "nango";
  readonly provider: NangoProvider;
  readonly client: NangoClient;
}
export interface ApiKeyConnection {
  readonly kind: "api-key";
  readonly provider: ApiKeyProvider;
}
/** An MCP server whose own metadata says where people sign in. */
export interface McpConnection {
  readonly kind: "mcp";
  readonly provider: ProviderBase & { readonly scopes: readonly string[] };
  readonly target: SignInTarget;
  readonly signIn: McpSignIn;
}
/** What the operator has configured for a tool. */
export type ConfiguredConnection = ConfiguredOAuth | NangoConnector | ApiKeyConnection;
export type Connection = OAuthConnection | NangoConnector | ApiKeyConnection | McpConnection;

/** What can be connected. */
interface Connections {
  /** By tool id. */
  readonly connections: ReadonlyMap<string, ConfiguredConnection>;
  /** For MCP servers that nobody has configured. */
  readonly mcpSignIn: McpSignIn | undefined;
}

/** A request and what it connects, for the person it belongs to. Everything comes from the record. */
export interface PageRequest {
  readonly connection: Connection;
  readonly record: ElicitationRecord;
  readonly toolId: string;
  readonly user: User;
}

/** `undefined` if the page has nothing to connect for the request. A configured provider comes before a discovered one. */
export function pageRequestOf(
  { connections, mcpSignIn }: Connections,
  { user, record }: Extract<Viewer, { kind: "verified" }>,
): PageRequest | undefined {
  const toolId = record.tool?.id;
  const configured = toolId === undefined ? undefined : connections.get(toolId);
  const connection =
    configured === undefined ? discovered(record, mcpSignIn) : connectionFor(configured, record.signIn);
  if (toolId === undefined || connection === undefined || record.request.mode !== "url") return undefined;
  return { connection, record, toolId, user };
}

function connectionFor(configured: ConfiguredConnection, signIn: SignInTarget | undefined): Connection {
  if (configured.kind !== "oauth") return configured;
  const { scopes, scopeWords = {} } = configured.provider;
  // The server chooses what it asks for, so only what the operator knows is asked for at their provider.
  const more = scopesOf(signIn?.scope).filter((scope) => Object.hasOwn(scopeWords, scope));
  return { ...configured, scopes: [...new Set([...scopes, ...more])] };
}

function discovered(
  { signIn: target }: ElicitationRecord,
  signIn: McpSignIn | undefined,
): McpConnection | undefined {
  if (target === undefined || signIn === undefined) return undefined;
  const provider = { service: target.service, scopes: scopesOf(target.scope) };
  return { kind: "mcp", provider, target, signIn };
}
