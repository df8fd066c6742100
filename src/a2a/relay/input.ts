import type { ElicitationResponse, RequestedSchema } from "../../contract/contract.ts";
import type { Turn } from "../../runtime/index.ts";
import type { ElicitationResult } from "../../runtime/internal.ts";
import { derivedId } from "../../base/ids.ts";
import type { Dialect } from "../wire/dialect.ts";
import {
  type Asker,
  type Refused,
  commonOf,
  messageOf,
  questionsOf,
  refusedForm,
  wordsOf,
} from "./questions.ts";
import { PLAIN_ANSWER, plainAnswer, plainSchema } from "../wire/plain-question.ts";
import type { TaskView } from "../wire/task-view.ts";
import { type A2aExtended, actionOf } from "../wire/translate.ts";
import { type AskingCall, whileAsked } from "./while-asked.ts";

/** The context of one call's questions. */
export interface Asking extends AskingCall {
  turn: Pick<Turn, "supports" | "ask" | "askRound">;
  asker: Asker;
  /** The extensions that the agent and this client have in common. */
  dialects: readonly Dialect[];
  /** Makes the ids of this call unique. */
  salt: string;
}

/** A message for the agent: a text, or a payload of an extension. */
export type Reply = Pick<A2aExtended, "text"> & Partial<A2aExtended> & { readonly messageId: string };

/** The result of a round of questions. */
export interface InputRound {
  /** The message for the agent. Absent if its task has moved on, or if it cannot receive one. */
  readonly reply?: Reply | undefined;
  /** The first refusal of the user. */
  readonly refused?:
    | { readonly result: Refused; readonly requestedSchema?: RequestedSchema | undefined }
    | undefined;
  /** The agent already has the refusal and decides how to continue. */
  readonly isTold?: boolean | undefined;
}

const MAX_QUOTED_LENGTH = 500;

interface Form {
  readonly elicitationId: string;
  readonly message: string;
  readonly requestedSchema: RequestedSchema;
}

/**
 * Asks the questions of a task with the state `input-required`: the forms of the extension as one round, or one text
 * field.
 */
export async function askForInput(view: TaskView, asking: Asking): Promise<InputRound> {
  const { dialects, salt } = asking;
  const messageId = await derivedId(salt, view.statusKey, "reply");
  const listed = questionsOf(view, dialects);
  const words = wordsOf(view);
  const forms: readonly Form[] = listed?.questions.flatMap((question) =>
    question.mode === "form" ? [question] : [],
  ) ?? [{ elicitationId: "", message: words, requestedSchema: plainSchema(words) }];
  const asked = forms.filter((form) => refusedForm(form) === undefined || listed === undefined);
  const results = await askAll(view, asked, asking);
  if (results === undefined) return {};
  const resultOf = new Map(asked.map((form, index) => [form, results[index]]));
  const refused = firstRefusal(asked, results);
  if (listed === undefined) {
    const [result] = results;
    if (result?.outcome === "accepted") return { reply: { messageId, text: plainAnswer(result.content) } };
    // The model gets the question of the agent.
    const asksFor = { type: "object", properties: { [PLAIN_ANSWER]: { title: shortened(words) } } } as const;
    return { refused: refused && { ...refused, requestedSchema: asksFor } };
  }
  if (refused?.result.outcome === "unsupported") return { refused };
  const answers = forms.map((form): ElicitationResponse => {
    const { elicitationId } = form;
    const result = resultOf.get(form);
    if (result === undefined) return { elicitationId, action: refusedForm(form) ?? "cancel" };
    if (result.outcome === "accepted") return { elicitationId, action: "accept", content: result.content };
    return { elicitationId, action: result.outcome === "unsupported" ? "cancel" : actionOf(result.outcome) };
  });
  const reply = listed.dialect.write(answers, messageOf(view));
  if (reply !== undefined) return { reply: { messageId, ...reply }, refused };
  // The extension has no message for this, so the task is cancelled.
  return {
    refused: refused ?? { result: { outcome: "unsupported" }, requestedSchema: forms[0]?.requestedSchema },
  };
}

/** Asks the forms together. `undefined` if the agent has moved on while the user was thinking. */
async function askAll(
  view: TaskView,
  forms: readonly Form[],
  asking: Asking,
): Promise<readonly ElicitationResult[] | undefined> {
  if (forms.length === 0) return [];
  const { turn, asker, salt } = asking;
  const questions = await Promise.all(
    forms.map(async ({ elicitationId, message, requestedSchema }) => ({
      ...commonOf(asker, "a2a_input_required"),
      elicitationId: await derivedId(salt, view.statusKey, elicitationId),
      mode: "form" as const,
      message,
      requestedSchema,
    })),
  );
  const ids = forms.map(({ elicitationId }) => elicitationId);
  return whileAsked(view, ids, asking, (signal) =>
    turn.askRound(questions.map((question) => ({ ...question, signal }))),
  );
}

function firstRefusal(forms: readonly Form[], results: readonly ElicitationResult[]): InputRound["refused"] {
  for (const [index, result] of results.entries()) {
    if (result.outcome !== "accepted") return { result, requestedSchema: forms[index]?.requestedSchema };
  }
  return undefined;
}

function shortened(words: string): string {
  return words.length <= MAX_QUOTED_LENGTH ? words : `${words.slice(0, MAX_QUOTED_LENGTH)}…`;
}
