import { sha256 } from "../base/canonical.ts";
import type { ElicitationRecord } from "../runtime/internal.ts";

/** What the page calls a user. */
export type NameUser = (userId: string) => string;

/**
 * Users by short ids: the first characters of a digest, so that the rows of one user are known as such, and the page says of
 * nobody who they are. `showContent`: by the name that the application has given.
 */
export async function namesOf(
  people: readonly (Pick<ElicitationRecord["user"], "id" | "name" | "account"> | undefined)[],
  { showContent }: { showContent: boolean },
): Promise<NameUser> {
  const names = new Map<string, string>();
  for (const person of people) {
    if (person === undefined || names.has(person.id)) continue;
    const { id, name, account } = person;
    names.set(id, showContent ? (account ?? name ?? id) : `user ${(await sha256(id)).slice(0, 6)}`);
  }
  return (id) => names.get(id) ?? "somebody";
}

/** What asks, by the name that the model knows. Absent: the agent itself. */
export function toolOf({ tool }: Pick<ElicitationRecord, "tool">): string {
  return tool?.name ?? "the agent";
}

/** What is asked for: facts, an account, or something on a page. */
export function kindOf({ request }: ElicitationRecord): "form" | "account" | "page" {
  if (request.mode === "form") return "form";
  return request.context?.trigger === "credential_required" ? "account" : "page";
}

const SURFACES: Readonly<Record<string, string>> = {
  acp: "ACP",
  a2a: "A2A",
  "ag-ui": "AG-UI",
  chat: "Chat",
  mcp: "MCP",
  operator: "Operator page",
  page: "Hosted page",
  slack: "Slack",
};

/** A surface, as people call it. `undefined`: server code has reported what happened elsewhere. */
export function surfaceOf(kind: string | undefined): string {
  return kind === undefined ? "server code" : (SURFACES[kind] ?? kind);
}
