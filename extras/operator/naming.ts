import type { ElicitationRecord, ElicitationService } from "../../src/runtime/internal.ts";

type Person = Pick<ElicitationRecord["user"], "id" | "name" | "account">;

/** Returns the names that the page shows for people. */
export interface Names {
  user(userId: string): string;
  /** The user or group that a request waits for, or waited for when it ended. */
  decider(record: ElicitationRecord): string;
}

/**
 * Names users by short ids, made with the key of the runtime. An operator can see that rows belong to one user, but not
 * who that is. Groups keep their ids. With `showContent`, it uses the names from the application.
 */
export async function namesOf(
  people: readonly Person[],
  { elicitations, showContent }: { elicitations: Pick<ElicitationService, "users">; showContent: boolean },
): Promise<Names> {
  const names = new Map<string, string>();
  for (const { id, name, account } of people) {
    if (names.has(id)) continue;
    names.set(id, showContent ? (account ?? name ?? id) : `user ${await elicitations.users.pseudonym(id)}`);
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

/** The user whose agent asks, and the assignee if that is a user and not a group. */
export function peopleOf({ user, assigned }: ElicitationRecord): readonly Person[] {
  return assigned?.to.user === undefined ? [user] : [user, { id: assigned.to.user, name: assigned.name }];
}

/** The tool that asks, by the name that the model uses. Absent: the agent itself asks. */
export function toolOf({ tool }: Pick<ElicitationRecord, "tool">): string {
  return tool?.name ?? "the agent";
}

/** The kind of request: a form, an account, or another page. */
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

/** The display name of a surface. `undefined`: server code reported the outcome. */
export function surfaceOf(kind: string | undefined): string {
  return kind === undefined ? "server code" : (SURFACES[kind] ?? kind);
}
