import type { User } from "../../runtime/index.ts";
import type { ElicitationRecord, SignInTarget } from "../../runtime/internal.ts";
import type { Accounts, SignInFlow, ProviderBase } from "../ports/connector.ts";
import { byAccount } from "../ports/credentials.ts";
import type { Consent } from "./connect-page.ts";
import type { Viewer } from "./identity/viewer.ts";
import type { Html } from "./layout/html.ts";
import type { PageView } from "./layout/layout.ts";
import type { RequestOfPage } from "./layout/page-parts.ts";

/** A connector as the page uses it. Without `start` and `finish`, the account is connected on the page itself. */
export interface PageConnector extends ProviderBase, Accounts, Partial<SignInFlow> {
  /** Whether the accounts are in a vault, which every view of the page would have to call. */
  readonly isRemote?: boolean;
  /** The page of an open request, if it does not redirect to another page. */
  consent?(view: PageView, consent: Consent): Html;
  /** Additional content for the page of an accepted request. `fault`: why the last try failed. */
  accepted?(view: PageView, request: RequestOfPage & { fault: string | undefined }): Html;
}

export interface PageConnectors {
  /** By tool id. */
  readonly byTool: ReadonlyMap<string, PageConnector>;
  /** Returns the connector for a server that is not configured. */
  readonly discovered: ((target: SignInTarget) => PageConnector) | undefined;
}

/** A request and its connection, for its user. All data comes from the record. */
export interface PageRequest {
  readonly connector: PageConnector;
  readonly record: ElicitationRecord;
  readonly toolId: string;
  readonly user: User;
}

/**
 * `undefined` if the page has nothing to connect for the request. A configured provider takes precedence over a
 * discovered one.
 */
export function pageRequestOf(
  { connectors }: { readonly connectors: PageConnectors },
  { user, record }: Extract<Viewer, { kind: "verified" }>,
): PageRequest | undefined {
  const toolId = record.tool?.id;
  if (toolId === undefined || record.request.mode !== "url") return undefined;
  const connector =
    byAccount(connectors.byTool, toolId) ?? (record.signIn && connectors.discovered?.(record.signIn));
  return connector && { connector, record, toolId, user };
}
