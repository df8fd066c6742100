import type { ElicitationRecord, User } from "../../runtime/index.ts";
import type { PageConnector } from "./connectors.ts";
import type { PageContext } from "./context.ts";
import type { Viewer } from "./identity/viewer.ts";

/** A request and what it connects, for the person it belongs to. Everything comes from the record. */
export interface PageRequest {
  readonly connector: PageConnector;
  readonly record: ElicitationRecord;
  readonly toolId: string;
  readonly user: User;
}

/** `undefined` if the page has nothing to connect for the request. A configured provider comes before a discovered one. */
export function pageRequestOf(
  { connectors, discovered }: Pick<PageContext, "connectors" | "discovered">,
  { user, record }: Extract<Viewer, { kind: "verified" }>,
): PageRequest | undefined {
  const toolId = record.tool?.id;
  if (toolId === undefined || record.request.mode !== "url") return undefined;
  const connector = connectors.get(toolId) ?? (record.signIn && discovered?.(record.signIn));
  return connector && { connector, record, toolId, user };
}
