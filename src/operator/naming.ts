import { sha256 } from "../base/canonical.ts";
import type { ElicitationRecord } from "../runtime/internal.ts";

type Person = Pick<ElicitationRecord["user"], "id" | "name" | "account">;

/** What the page calls people. */
export interface Names {
  user(userId: string): string;
  /** Whom a request waits for, or waited for when it ended. */
  decider(record: ElicitationRecord): string;
}

/**
 * Users by short ids: the first characters of a digest, so that the rows of one user are known as such, and the page says of
 * nobody who they are; groups by their ids. `showContent`: by the names that the application has given.
 */
export async function namesOf(
  people: readonly Person[],
  { showContent }: { showContent: boolean },
): Promise<Names> {
  const names = new Map<string, string>();
  for (const { id, name, account } of people) {
    if (names.has(id)) continue;
    names.set(id, showContent ? (account ?? name ?? id) : `user ${(await sha256(id)).slice(0, 6)}`);
  }
  const user = (id: string): string => names.get(id) ?? "somebody";
  return {
    user,
    decider(record) {
      const { to, name } = record.assigned ?? { to: { user: record.user.id } };
      if (to.user !== undefined) return user(to.user);
      return (showContent ? name : undefined) ?? `group ${to.group}`;
    },
  };
}

/** Who asks, and which user decides in their place. */
export function peopleOf({ user, assigned }: ElicitationRecord): readonly Person[] {
  return assigned?.to.user === undefined ? [user] : [user, { id: assigned.to.user, name: assigned.name }];
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
