import type { ElicitationRecord, ElicitationService } from "../core/index.ts";
import type { NangoClient, NangoProvider } from "./nango.ts";
import type { OAuthClient, OAuthProvider } from "./oauth.ts";
import type { Viewer, Viewers } from "./viewer.ts";

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

/** A request, what it connects, and who looks at it. Everything comes from the record, nothing from the query. */
export interface Subject {
  readonly connection: Connection;
  readonly record: ElicitationRecord;
  readonly toolId: string;
  readonly viewer: Exclude<Viewer, { kind: "other" }>;
}

export type FindSubject = (
  request: Request,
  secret: string,
  elicitationId: string | undefined,
) => Promise<Subject | undefined>;

/** Finds what a page is about. Unknown, not ours to connect, and somebody else's are all `undefined`. */
export function createSubjects(options: {
  elicitations: ElicitationService;
  connections: ReadonlyMap<string, Connection>;
  viewers: Viewers;
}): FindSubject {
  return async (request, secret, elicitationId) => {
    const record = elicitationId === undefined ? undefined : await options.elicitations.get(elicitationId);
    const toolId = record?.tool?.id;
    if (record === undefined || toolId === undefined || record.request.mode !== "url") return undefined;
    const connection = options.connections.get(toolId);
    const viewer = await options.viewers.identify(request, secret, record);
    if (connection === undefined || viewer.kind === "other") return undefined;
    return { connection, record, toolId, viewer };
  };
}
