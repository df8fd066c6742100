import { scopesOf } from "../discovery/challenge.ts";
import type { PageContext } from "./context.ts";
import type { PageRequest } from "./page-request.ts";

/** An account of the person at a service, which their agent can use. */
export interface ConnectedAccount {
  /** What the provider calls it, such as an e-mail address, if it has said so. */
  readonly name: string | undefined;
  /** What it may do, as far as the provider has said so. */
  readonly scopes: readonly string[];
}

/** The account that is connected for a tool, if there is one. Rejects if that cannot be read at the moment. */
export async function readConnected(
  { connection, toolId, user }: PageRequest,
  { credentials }: PageContext,
): Promise<ConnectedAccount | undefined> {
  if (connection.kind === "nango") {
    const made = await connection.client.listByUser(user.id);
    return made.some(({ confirmedFor }) => confirmedFor === toolId)
      ? { name: undefined, scopes: [] }
      : undefined;
  }
  const credential = await credentials.get(toolId, user.id);
  return credential && { name: credential.account, scopes: scopesOf(credential.scope) };
}

/** Forgets the connection of a tool, and gives its token back to the provider. */
export async function removeConnected(
  { connection, toolId, user }: PageRequest,
  { credentials, mcpSignIn, onError }: PageContext,
): Promise<void> {
  if (connection.kind === "nango") {
    const made = await connection.client.listByUser(user.id);
    for (const { id, confirmedFor } of made) {
      if (confirmedFor === toolId) await connection.client.remove(id);
    }
    return;
  }
  // A store that cannot be read, as while it refreshes a token, may still be able to delete.
  const credential = await credentials.get(toolId, user.id).catch(onError);
  await credentials.delete(toolId, user.id);
  if (credential === undefined || credential.type === "api-key") return;
  // What is stored may come from before the tool was configured differently, so it goes back to where it was made.
  if (credential.binding !== undefined) await mcpSignIn?.revoke(credential).catch(onError);
  else if (connection.kind === "oauth") await connection.client.revoke(credential).catch(onError);
}
