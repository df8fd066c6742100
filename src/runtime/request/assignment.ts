import type { Assignee, ElicitationRequest, RequestedSchema } from "../../contract/contract.ts";
import { isId } from "../../base/ids.ts";
import type { User } from "../../base/identity.ts";
import type { SealedStatement } from "../../base/seal.ts";
import type { UserStatement } from "../../base/user-seal.ts";
import { isObject } from "../../contract/json.ts";
import { isThirdParty } from "../../contract/claimed-name.ts";
import { findSecretFields, parseRequestedSchema } from "../../form/index.ts";
import type { ElicitationRecord, ToolRef } from "../ports/index.ts";
import type { Assignment } from "../ports/record.ts";

/** The subject of a request, for the rule of the application. */
export interface AssignedQuestion {
  /** The user whose turn asks. */
  readonly asker: User;
  readonly conversationId: string;
  readonly tool?: ToolRef | undefined;
}

/** The application's rule for requests that another user decides. */
export interface AssignRule {
  /**
   * Whether `user` may leave the decision to `assignee`. Called when a question with an assignee is asked, when it is
   * passed on, and when it is taken back. When it is taken back, `assignee` is the user whose turn asks: return `false`
   * if they must not decide themselves. When the assignee gives it back, it is also called with that user as both.
   */
  may(user: User, assignee: Assignee, about: AssignedQuestion): boolean | Promise<boolean>;
  /**
   * The display name of a user or a group. `undefined`: there is no such user or group, and nothing can be assigned to
   * them.
   */
  nameOf(who: Assignee): string | undefined | Promise<string | undefined>;
  /** The groups that a user belongs to now. @default none */
  groupsOf?: ((userId: string) => readonly string[] | Promise<readonly string[]>) | undefined;
  /**
   * The users and groups to whom the user who decides may give the question. Their card lists them, at most 100. `may` is
   * still called for the selected one. Also called for the user whose turn asks (`about.asker`): return `[]` where they
   * must decide themselves. A stream of the inbox calls it once for each question. Not called for questions of a third
   * party, such as an MCP server.
   * @default none, and the card does not offer it
   */
  choicesOf?:
    | ((userId: string, about: AssignedQuestion) => readonly Assignee[] | Promise<readonly Assignee[]>)
    | undefined;
  /** The users whom `onWaiting` notifies about a request for a group. @default nobody */
  membersOf?: ((group: string) => readonly User[] | Promise<readonly User[]>) | undefined;
}

/** The parts of a request that decide whether it can be assigned. Only a form that the assignee can answer alone can. */
type Assignable = Pick<ElicitationRequest, "message" | "round"> & {
  readonly requestedSchema?: RequestedSchema | undefined;
};

/** Decides which user decides which request. */
export interface Assignments {
  /** The reason why such a request can never be assigned, for the author of its tool. */
  problemOf(question: Assignable, surface: string): string | undefined;
  /** `undefined`: the rule refuses, or there is no such user or group. */
  assign(
    by: User,
    to: Assignee,
    about: AssignedQuestion,
  ): Promise<{ readonly assigned: Assignment | undefined } | undefined>;
  groupsOf(userId: string): Promise<readonly string[]>;
  /** The users and groups to whom this user, who decides the request, may give it. */
  choicesFor(record: ElicitationRecord, userId: string): Promise<readonly Assignee[]>;
  /** Whether the request waits for this user, or waited for them when it ended. */
  isFor(record: ElicitationRecord, userId: string): Promise<boolean>;
  nameOf(who: Assignee): Promise<string>;
  /** The users whom a notice about the record goes to. */
  toldOf(record: ElicitationRecord): Promise<readonly User[]>;
  /** Whether there is a user to notify. */
  isTold(to: Assignee): boolean;
}

/** The maximum for a list on a card. */
const MOST_CHOICES = 100;

/** `showsAssignee`: whether users of a kind of surface read for whom a request waits. The chat always does. */
export function createAssignments(
  rule: AssignRule | undefined,
  showsAssignee: (surface: string) => boolean,
): Assignments {
  const nameOf: Assignments["nameOf"] = async (who) =>
    (await rule?.nameOf(who)) ?? (who.user === undefined ? who.group : who.user);
  const groupsOf: Assignments["groupsOf"] = async (userId) => (await rule?.groupsOf?.(userId)) ?? [];
  const membersOf = async (group: string) => (await rule?.membersOf?.(group)) ?? [];
  const problemOf: Assignments["problemOf"] = (question, surface) => {
    if (rule === undefined)
      return "a question with an assignee needs the rule that says who may decide for whom. Set `assign` of createRuntime.";
    return surface === CHAT || showsAssignee(surface)
      ? problemOfForm(question)
      : `a question for somebody else can be asked in the chat and in Slack only, and this turn came through "${surface}". Leave the assignee out there.`;
  };

  return {
    nameOf,
    groupsOf,
    isTold: ({ user }) => user !== undefined || rule?.membersOf !== undefined,
    problemOf,
    async assign(by, to, about) {
      const { asker } = about;
      const own = { user: asker.id };
      const isOwn = to.user === asker.id;
      if (rule === undefined || !(await rule.may(by, to, about))) return undefined;
      // When another user gives it back, the user whose turn asks would decide themself, too.
      if (isOwn && by.id !== asker.id && !(await rule.may(asker, own, about))) return undefined;
      if (isOwn) return { assigned: undefined };
      const [name, from, mayTakeBack] = await Promise.all([
        rule.nameOf(to),
        asker.name ?? nameOf(own),
        rule.may(asker, own, about),
      ]);
      if (name === undefined) return undefined;
      return { assigned: { to, name, from, mayTakeBack } };
    },
    async isFor({ user, assigned }, userId) {
      if (assigned === undefined) return user.id === userId;
      const { to } = assigned;
      if (to.user !== undefined) return to.user === userId;
      // A user who asks a group of their own cannot decide the request themselves.
      return user.id !== userId && (await groupsOf(userId)).includes(to.group);
    },
    async choicesFor({ request, surface, assigned, user: asker, conversationId, tool }, userId) {
      // A third party expects the answer of the user who is connected to it.
      if (rule?.choicesOf === undefined || isThirdParty(request)) return [];
      if (problemOf(request, surface) !== undefined) return [];
      const choices = await rule.choicesOf(userId, { asker, conversationId, tool });
      const others = choices.filter(({ user }) => user !== userId);
      return others.filter((to) => !isSameAssignee(to, assigned?.to)).slice(0, MOST_CHOICES);
    },
    async toldOf({ user, assigned }) {
      if (assigned === undefined) return [user];
      const { to, name } = assigned;
      if (to.user !== undefined) return [{ id: to.user, name }];
      return (await membersOf(to.group)).filter(({ id }) => id !== user.id);
    },
  };
}

function problemOfForm(question: Assignable): string | undefined {
  if (question.requestedSchema === undefined)
    return "a page is always the user's own, so it cannot be left to somebody else. Leave the assignee out, or ask with a form.";
  if (question.round !== undefined)
    return "a question of a round is answered together with the others, so it cannot be left to somebody else.";
  const parsed = parseRequestedSchema(question.requestedSchema);
  const secrets = parsed.ok ? findSecretFields(parsed.fields, question.message) : [];
  return secrets.length > 0
    ? "a form that asks for a secret cannot be left to somebody else. Leave the assignee out."
    : undefined;
}

const CHAT = "chat";

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
