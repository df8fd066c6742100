import type { ElicitationRecord, User } from "../core/index.ts";
import type { NangoClient, NangoProvider } from "./nango.ts";
import type { OAuthClient, OAuthProvider } from "./oauth.ts";
import type { Viewer } from "./viewer.ts";

/** What makes the connection of one tool. */
export type Provider = OAuthProvider | NangoProvider;

export interface OAuthConnection {
  readonly kind: "oauth";
  readonly provider: OAuthProvider;
  readonly client: OAuthClient;
}
export interface NangoConnector {
  readonly kind: "nango";
  readonly provider: NangoProvider;
  readonly client: NangoClient;
}
export type Connection = OAuthConnection | NangoConnector;

/** A request with what it connects, in front of the person it belongs to. Everything comes from the record. */
export interface PageRequest {
  readonly connection: Connection;
  readonly record: ElicitationRecord;
  readonly toolId: string;
  readonly user: User;
}

/** `undefined`: this page has nothing to connect for the request. */
export function pageRequestOf(
  connections: ReadonlyMap<string, Connection>,
  { user, record }: Extract<Viewer, { kind: "verified" }>,
): PageRequest | undefined {
  const toolId = record.tool?.id;
  const connection = toolId === undefined ? undefined : connections.get(toolId);
  if (toolId === undefined || connection === undefined || record.request.mode !== "url") return undefined;
  return { connection, record, toolId, user };
}
