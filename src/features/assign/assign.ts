import type { Assignee } from "../../contract/contract.ts";
import type { User } from "../../base/identity.ts";
import { isThirdParty } from "../../contract/claimed-name.ts";
import { findSecretFields, parseRequestedSchema } from "../../form/index.ts";
import type { AssignFeature } from "../../runtime/http/feature.ts";
import { deskOf, isSameAssignee } from "../../runtime/request/assignment.ts";
import {
  type Assignable,
  type AssignedQuestion,
  type Assignments,
  OWN_QUESTIONS,
} from "../../runtime/request/features/who-decides.ts";
import { createHandOver } from "./hand-over.ts";
import { addAssignRoutes } from "./routes.ts";

/** The option of `createRuntime` for questions that another user decides. */
export interface AssignOptions {
  /**
   * Lets a tool assign a question to another user or group (`assignee`), such as an approval. The rule decides which
   * assignments are allowed, and which groups a user belongs to.
   * @default undefined: users decide only their own questions, and an `assignee` is an error
   */
  assign?: AssignRule | undefined;
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

/** The maximum for a list on a card. */
const MOST_CHOICES = 100;

/**
 * Lets other users and groups decide. `undefined` without a rule. `showsAssignee`: whether users of a kind of surface read
 * for whom a request waits. The chat always does.
 */
export function assignFor(
  { assign: rule }: AssignOptions,
  showsAssignee: (surface: string) => boolean,
): AssignFeature | undefined {
  if (rule === undefined) return undefined;
  const nameOf: Assignments["nameOf"] = async (who) => (await rule.nameOf(who)) ?? OWN_QUESTIONS.nameOf(who);
  const groupsOf: Assignments["groupsOf"] = async (userId) => (await rule.groupsOf?.(userId)) ?? [];
  const problemOf: Assignments["problemOf"] = (question, surface) => {
    return surface === CHAT || showsAssignee(surface)
      ? problemOfForm(question)
      : `a question for somebody else can be asked in the chat and in Slack only, and this turn came through "${surface}". Leave the assignee out there.`;
  };

  const assignments: Assignments = {
    nameOf,
    groupsOf,
    isTold: ({ user }) => user !== undefined || rule.membersOf !== undefined,
    problemOf,
    async assign(by, to, about) {
      const { asker } = about;
      const own = { user: asker.id };
      const isOwn = to.user === asker.id;
      if (!(await rule.may(by, to, about))) return undefined;
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
    async isFor(record, userId) {
      const { group } = deskOf(record);
      if (group === undefined) return OWN_QUESTIONS.isFor(record, userId);
      // A user who asks a group of their own cannot decide the request themselves.
      return record.user.id !== userId && (await groupsOf(userId)).includes(group);
    },
    async choicesFor({ request, surface, assigned, user: asker, conversationId, tool }, userId) {
      // A third party expects the answer of the user who is connected to it.
      if (rule.choicesOf === undefined || isThirdParty(request)) return [];
      if (problemOf(request, surface) !== undefined) return [];
      const choices = await rule.choicesOf(userId, { asker, conversationId, tool });
      const others = choices.filter(({ user }) => user !== userId);
      return others.filter((to) => !isSameAssignee(to, assigned?.to)).slice(0, MOST_CHOICES);
    },
    async toldOf(record) {
      const group = record.assigned?.to.group;
      if (group === undefined) return OWN_QUESTIONS.toldOf(record);
      return ((await rule.membersOf?.(group)) ?? []).filter(({ id }) => id !== record.user.id);
    },
    handOver: (parts) => createHandOver(assignments, parts),
  };
  return { ...assignments, addRoutes: addAssignRoutes };
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
