import type { Assignee } from "../../contract/contract.ts";
import { isId } from "../../base/ids.ts";
import type { SealedStatement } from "../../base/seal.ts";
import type { UserStatement } from "../../base/user-seal.ts";
import { isObject } from "../../contract/json.ts";
import type { ElicitationRecord } from "../ports/index.ts";

/** `null`: the user whose agent asks. `undefined`: the value is malformed. */
export function readAssignee(to: unknown): Assignee | null | undefined {
  if (to === null) return null;
  if (!isObject(to)) return undefined;
  const { user, group } = to;
  if (isId(user) && group === undefined) return { user };
  return isId(group) && user === undefined ? { group } : undefined;
}

/** The user or group for whom the record waits. */
export function deskOf({ assigned, user }: ElicitationRecord): Assignee {
  return assigned?.to ?? { user: user.id };
}

/** The assignees whose requests this user may answer: the user, and each of their groups. */
export function desksFor(userId: string, groups: readonly string[]): readonly Assignee[] {
  return [{ user: userId }, ...groups.map((group) => ({ group }))];
}

/** A map key that distinguishes users from groups. */
export function deskKey({ user, group }: Assignee): string {
  return JSON.stringify([user ?? null, group ?? null]);
}

export function isSameAssignee(one: Assignee | undefined, other: Assignee | undefined): boolean {
  return one?.user === other?.user && one?.group === other?.group;
}

/**
 * The context of a form that the kit itself sets. The other properties may contain anything about the user's
 * conversation.
 */
const SHARED_CONTEXT = ["fields", "layout", "review", "send", "takesSentence"];

/**
 * The record for the assigned user: as if it were their own, without information about the conversation. Never stored.
 */
export function asAssigned(record: ElicitationRecord, userId: string): ElicitationRecord {
  const { assigned } = record;
  if (assigned === undefined) return record;
  const { round: _, toolCallId: __, remember: ___, delegate: ____, ...kept } = record.request;
  const { giveOn: _____, context, ...request } = kept;
  const { elicitationId } = request;
  const shared = Object.entries(context ?? {}).filter(([name]) => SHARED_CONTEXT.includes(name));
  return {
    ...record,
    user: { id: userId },
    conversationId: elicitationId,
    turnId: elicitationId,
    chatOrigin: undefined,
    returnUrl: undefined,
    assigned: undefined,
    request: {
      ...request,
      from: { name: assigned.from },
      ...(context !== undefined && { context: { ...Object.fromEntries(shared), trigger: context.trigger } }),
    },
  };
}

/**
 * The data that a ticket or proof of the hosted page authenticates for an assigned request. It includes the user, because
 * a group has many.
 */
export function assignedStatement({ purpose, elicitationId, subject }: SealedStatement): UserStatement {
  return {
    purpose: purpose === "page" ? "page" : "vouch",
    subject: [purpose, elicitationId, subject].join("\n"),
  };
}
