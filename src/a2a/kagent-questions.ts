/**
 * kagent's extension `hitl/v1`, for a client. Pure. Its questions become one form. Its tool approvals become no card,
 * because permission is not elicitation: each is rejected with a reason.
 * Source: https://kagent.dev/docs (Human in the loop), and `kagent.core.a2a._hitl` of its Python package.
 */
import type { ElicitationContent, RequestedSchema } from "../protocol/contract.ts";
import { isObject } from "../protocol/json.ts";
import type { Dialect } from "./dialect.ts";
import { payloadOf } from "./translate.ts";

const URI = "https://kagent.dev/extensions/hitl/v1";
const REJECTION = "The person is not asked to approve tools here.";
const MAX_QUESTIONS = 50;

interface Question {
  readonly question: string;
  readonly choices: readonly string[];
  readonly multiple: boolean;
}

interface AskUser {
  /** For the response: that of the agent behind this one, if it is the one that asks. */
  readonly id: string;
  readonly questions: readonly Question[];
}

export const kagentQuestions: Dialect = {
  uri: URI,
  read(state, message) {
    const payload = payloadOf(message, URI);
    if (state !== "input-required" || payload?.["type"] !== "ask_user_request") return undefined;
    const asked = askUserOf(payload);
    if (asked === undefined) return { ok: false, reason: "ask_user_request: expected an id and questions" };
    const { id, questions } = asked;
    const requestedSchema = {
      type: "object",
      properties: Object.fromEntries(questions.map((question, index) => [nameOf(index), fieldOf(question)])),
      required: questions.map((_, index) => nameOf(index)),
    } satisfies RequestedSchema;
    const words = message.text === "" ? "The agent needs an answer." : message.text;
    return { ok: true, value: [{ elicitationId: id, mode: "form", message: words, requestedSchema }] };
  },
  write([answer], message) {
    const asked = askUserOf(payloadOf(message, URI) ?? {});
    // It has no word for a decline.
    if (asked === undefined || answer?.action !== "accept") return undefined;
    const { id, questions } = asked;
    const answers = questions.map((_, index) => ({ answer: textsOf(answer.content ?? {}, nameOf(index)) }));
    const text = answers.map((given) => given.answer.join(", ")).join("\n");
    return reply(text, { type: "ask_user_response", id, answers });
  },
  refuse(message) {
    const payload = payloadOf(message, URI);
    if (payload?.["type"] !== "tool_approval_request") return undefined;
    const ids = toolIdsOf(isObject(payload["nested"]) ? payload["nested"] : payload);
    const approvals = ids.map((id) => ({ id, approved: false, rejection_reason: REJECTION }));
    return reply(REJECTION, { type: "tool_approval_response", approvals });
  },
};

function askUserOf(payload: Readonly<Record<string, unknown>>): AskUser | undefined {
  const { id, questions, nested } = payload;
  const own = isObject(nested) ? toolIdsOf(nested)[0] : id;
  if (typeof own !== "string" || own === "" || !Array.isArray(questions)) return undefined;
  const read = questions.map(questionOf).filter((question) => question !== undefined);
  const isReadable = read.length === questions.length && read.length > 0 && read.length <= MAX_QUESTIONS;
  return isReadable ? { id: own, questions: read } : undefined;
}

function questionOf(entry: unknown): Question | undefined {
  if (!isObject(entry)) return undefined;
  const { question, choices, multiple } = entry;
  const listed: unknown = choices ?? [];
  if (typeof question !== "string" || !Array.isArray(listed)) return undefined;
  const texts = listed.filter((choice) => typeof choice === "string");
  if (texts.length !== listed.length) return undefined;
  return { question, choices: [...new Set(texts)], multiple: multiple === true };
}

function toolIdsOf({ tools }: Readonly<Record<string, unknown>>): string[] {
  const listed: readonly unknown[] = Array.isArray(tools) ? tools : [];
  return listed.flatMap((tool) => (isObject(tool) && typeof tool["id"] === "string" ? [tool["id"]] : []));
}

function nameOf(index: number): string {
  return `answer${index + 1}`;
}

function fieldOf({ question, choices, multiple }: Question) {
  const title = question;
  if (choices.length === 0) return { type: "string", title };
  return multiple
    ? { type: "array", title, items: { type: "string", enum: choices }, minItems: 1 }
    : { type: "string", title, enum: choices };
}

function textsOf(content: ElicitationContent, name: string): string[] {
  const value = content[name];
  return typeof value === "object" ? [...value] : [String(value)];
}

function reply(text: string, payload: Readonly<Record<string, unknown>>) {
  return { text, extensions: [URI], metadata: { [URI]: payload } };
}
