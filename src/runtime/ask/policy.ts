import type { Assignee, ElicitationContent, RequestedSchema } from "../../contract/contract.ts";
import { KitError } from "../../contract/kit-error.ts";
import type { User } from "../../base/identity.ts";
import { checkContent } from "../../form/check-content.ts";
import type { Settlement, ToolRef } from "../ports/index.ts";
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
export interface Decided {
  readonly rule: string;
  readonly settlement?: Settlement | undefined;
  readonly assignee?: Assignee | undefined;
}

/** Throws if the rule fails, because a question that it might refuse must not reach the user. */
export async function decide(
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
