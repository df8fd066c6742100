import type { Assignee, ElicitationRequest, RequestedSchema } from "../../../contract/contract.ts";
import type { Clock } from "../../../base/clock.ts";
import type { User } from "../../../base/identity.ts";
import type { ElicitationRecord, ToolRef } from "../../ports/index.ts";
import type { Assignment } from "../../ports/record.ts";
import type { AssignResult, ChoicesResult, RemindResult } from "../answer-result.ts";
import { deskOf } from "../assignment.ts";
import type { RecordWriter } from "../record-writer.ts";

/** The subject of a request, for the rule of the application. */
export interface AssignedQuestion {
  /** The user whose turn asks. */
  readonly asker: User;
  readonly conversationId: string;
  readonly tool?: ToolRef | undefined;
}

/** The parts of a request that decide whether it can be assigned. Only a form that the assignee can answer alone can. */
export type Assignable = Pick<ElicitationRequest, "message" | "round"> & {
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
  handOver(parts: HandOverParts): HandOver;
}

/** The writer of the change, and the notices to the new assignee. */
export interface HandOverParts {
  readonly writer: Pick<RecordWriter, "current" | "change" | "progress">;
  readonly clock: Clock;
  readonly absence: { noticeAt(now: number): number; readonly remindEveryMs: number } | undefined;
}

type Through = { through?: string | undefined };

/** See the methods of the elicitation service. */
export interface HandOver {
  assign(id: string, by: User, to: Assignee | undefined, options?: Through): Promise<AssignResult>;
  assigneesFor(id: string, userId: string): Promise<ChoicesResult>;
  remind(id: string, userId: string, options?: Through): Promise<RemindResult>;
}

/** Without the rule of an application, users decide their own questions, and those that were assigned to them before. */
export const OWN_QUESTIONS: Assignments = {
  problemOf: () =>
    "a question with an assignee needs the rule that says who may decide for whom. Set `assign` of createRuntime.",
  assign: async () => undefined,
  groupsOf: async () => [],
  choicesFor: async () => [],
  isFor: async (record, userId) => deskOf(record).user === userId,
  nameOf: async ({ user, group }) => user ?? group,
  async toldOf({ user, assigned }) {
    if (assigned === undefined) return [user];
    const { to, name } = assigned;
    return to.user === undefined ? [] : [{ id: to.user, name }];
  },
  isTold: ({ user }) => user !== undefined,
  handOver: () => ({
    assign: async () => ({ kind: "forbidden" }),
    assigneesFor: async () => ({ kind: "choices", choices: [] }),
    remind: async () => ({ kind: "forbidden" }),
  }),
};
