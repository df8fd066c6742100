import type { Assignee, ElicitationContent, RequestedSchema } from "../../contract/contract.ts";
import { ElicitorError, KitError } from "../../contract/kit-error.ts";
import type { AnswerDigest } from "../../base/answer-digest.ts";
import type { User } from "../../base/identity.ts";
import { checkContent } from "../../form/check-content.ts";
import type { ElicitationRecord, ElicitationRecords, Settlement, ToolRef } from "../ports/index.ts";
import type { Assignment } from "../ports/record.ts";
import type { RecordWriter } from "../request/record-writer.ts";
import type { Assignments } from "../request/features/who-decides.ts";
import type { Question, TurnScope } from "./question.ts";

/** A question before the user is asked, for {@link BeforeAsk}. */
export interface PolicyQuestion {
  readonly user: User;
  readonly conversationId: string;
  readonly mode: Question["mode"];
  readonly message: string;
  readonly tool?: ToolRef | undefined;
  /** Of a form. */
  readonly requestedSchema?: RequestedSchema | undefined;
  readonly context?: Readonly<Record<string, unknown>> | undefined;
}

/**
 * Decides a question in place of the user. `rule` is shown to them and is in the decision log. `answer`: the content of the
 * form. `refuse`: nobody is asked, and the tool gets `failed`. `assignee`: this user or group decides, if `assign` of
 * `createRuntime` allows it. `undefined`: the user is asked.
 */
export type BeforeAsk = (question: PolicyQuestion) => Verdict | undefined | Promise<Verdict | undefined>;

type Verdict = { readonly rule: string } & (
  | { readonly answer: ElicitationContent; readonly refuse?: undefined; readonly assignee?: undefined }
  | { readonly refuse: true; readonly answer?: undefined; readonly assignee?: undefined }
  | { readonly assignee: Assignee; readonly answer?: undefined; readonly refuse?: undefined }
);

/** The decision of a rule: how the request ends, or who decides it. */
interface Decided {
  readonly rule: string;
  readonly settlement?: Settlement | undefined;
  readonly assignee?: Assignee | undefined;
}

/** Who decides a question in place of its user. */
export interface Decider {
  readonly decided?: Decided | undefined;
  readonly assigned?: Assignment | undefined;
}

/**
 * Finds who decides the question in place of its user: a rule of the application, another user, or a group. Returns
 * `undefined` if the application does not allow that user or group. A question that an earlier run of the turn has asked
 * keeps its decider, whatever the rules say now.
 */
export async function deciderOf(
  {
    beforeAsk,
    assignments,
    records,
  }: {
    readonly beforeAsk: BeforeAsk | undefined;
    readonly assignments: Assignments;
    readonly records: Pick<ElicitationRecords, "get">;
  },
  owner: Omit<TurnScope, "signal">,
  question: Question,
): Promise<Decider | undefined> {
  const named = "assignee" in question ? question.assignee : undefined;
  if (beforeAsk === undefined && named === undefined) return {};
  const { elicitationId, tool } = question;
  const known = elicitationId === undefined ? undefined : await records.get(elicitationId);
  if (known !== undefined) return { assigned: known.assigned };
  const { user, conversationId, surface = "chat" } = owner;
  const decided = await decide(beforeAsk, owner, question);
  const to = decided?.assignee ?? named;
  if (to === undefined || to.user === user.id) return { decided };
  const problem = assignments.problemOf(question, surface);
  if (problem !== undefined) throw new ElicitorError(`elicit-kit: ${problem}`);
  const allowed = await assignments.assign(user, to, { asker: user, conversationId, tool });
  return allowed && { decided, assigned: allowed.assigned };
}

/** The end of a request that a rule has decided. */
export async function ruledFor(
  digest: Pick<AnswerDigest, "of">,
  { request }: ElicitationRecord,
  decided: Decided | undefined,
): Promise<Parameters<RecordWriter["createAnswered"]>[1] | undefined> {
  const settlement = decided?.settlement;
  if (settlement === undefined) return undefined;
  const { content, reason } = settlement;
  return {
    settlement,
    endedBy: decided?.rule,
    reason,
    ...(content !== undefined && { answerDigest: await digest.of(request.elicitationId, content) }),
  };
}

/** Throws if the rule fails, because a question that it might refuse must not reach the user. */
async function decide(
  beforeAsk: BeforeAsk | undefined,
  { user, conversationId }: Pick<TurnScope, "user" | "conversationId">,
  question: Question,
): Promise<Decided | undefined> {
  const { mode, message, tool, context } = question;
  const requestedSchema = question.mode === "form" ? question.requestedSchema : undefined;
  const about = { user, conversationId, mode, message, tool, context };
  const verdict = await beforeAsk?.({ ...about, ...(requestedSchema && { requestedSchema }) });
  if (verdict === undefined) return undefined;
  const { rule, answer, assignee } = verdict;
  if (assignee !== undefined) return { rule, assignee };
  if (answer === undefined) {
    return { rule, settlement: { outcome: "failed", reason: `the rule "${rule}" does not allow it` } };
  }
  const checked = requestedSchema && checkContent(requestedSchema, answer);
  if (checked?.ok === true) return { rule, settlement: { outcome: "accepted", content: checked.content } };
  throw new KitError(
    `elicit-kit: the rule "${rule}" of beforeAsk answers a question in a way that its form does not allow. Only a form can be answered.`,
  );
}
