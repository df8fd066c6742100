/**
 * kagent's extension `hitl/v1`, for a client. Pure. Its questions become one form. Its tool approvals are not shown as
 * cards, because a permission is not an elicitation. Source: https://kagent.dev/docs (Human in the loop), and
 * `kagent.core.a2a._hitl` of its Python package.
 */
import type { ElicitationContent, RequestedSchema } from "../../contract/contract.ts";
import { isObject } from "../../contract/json.ts";
import type { Dialect, RequestedCall } from "./dialect.ts";
import { payloadOf } from "./translate.ts";

const URI = "https://kagent.dev/extensions/hitl/v1";
const MAX_QUESTIONS = 50;
const MAX_CALLS = 50;
/** The limit for ids and names of calls, and for the hint. */
const MAX_TEXT_LENGTH = 2000;
/**
 * The limit for the input of a call, as JSON. The input is shown whole or not at all, because users must see what they
 * approve.
 */
const MAX_INPUT_LENGTH = 16 * 1024;

interface Question {
  readonly question: string;
  readonly choices: readonly string[];
  readonly multiple: boolean;
}

interface AskUser {
  /** The id for the response. If the agent behind this one asks, it is that agent's id. */
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
    // The extension has no payload for a decline.
    if (asked === undefined || answer?.action !== "accept") return undefined;
    const { id, questions } = asked;
    const answers = questions.map((_, index) => ({ answer: textsOf(answer.content ?? {}, nameOf(index)) }));
    const text = answers.map((given) => given.answer.join(", ")).join("\n");
    return reply(text, { type: "ask_user_response", id, answers });
  },
  approvals: {
    read(state, message) {
      const payload = payloadOf(message, URI);
      if (state !== "input-required" || payload?.["type"] !== "tool_approval_request") return undefined;
      const { hint, nested } = payload;
      const tools = toolsOf(nested === undefined || nested === null ? payload : nested);
      const ids = toolIdsOf(tools);
      const calls = tools.map(callOf).filter((call) => call !== undefined);
      const isReadable = new Set(ids).size === tools.length && calls.length === tools.length;
      return {
        ids: [...new Set(ids)],
        calls: isReadable && calls.length <= MAX_CALLS ? calls : undefined,
        hint: typeof hint === "string" ? hint.slice(0, MAX_TEXT_LENGTH) : undefined,
      };
    },
    write(decisions) {
      const approvals = [...decisions].map(([id, { approved, reason }]) => ({
        id,
        approved,
        ...(!approved && { rejection_reason: reason }),
      }));
      const text = approvals.map(({ approved }) => (approved ? "[approved]" : "[rejected]")).join("\n");
      return reply(text, { type: "tool_approval_response", approvals });
    },
  },
};

function askUserOf(payload: Readonly<Record<string, unknown>>): AskUser | undefined {
  const { id, questions, nested } = payload;
  const own = isObject(nested) ? toolIdsOf(toolsOf(nested))[0] : id;
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

function toolsOf(asked: unknown): readonly unknown[] {
  const tools = isObject(asked) ? asked["tools"] : undefined;
  return Array.isArray(tools) ? tools : [];
}

function toolIdsOf(tools: readonly unknown[]): string[] {
  return tools.flatMap((tool) => {
    const id = isObject(tool) ? tool["id"] : undefined;
    return typeof id === "string" && id !== "" && id.length <= MAX_TEXT_LENGTH ? [id] : [];
  });
}

function callOf(tool: unknown): RequestedCall | undefined {
  if (!isObject(tool)) return undefined;
  const { id, name } = tool;
  const input = tool["args"] ?? {};
  if (typeof id !== "string" || typeof name !== "string" || name === "" || !isObject(input)) return undefined;
  const isShort = name.length <= MAX_TEXT_LENGTH && JSON.stringify(input).length <= MAX_INPUT_LENGTH;
  return isShort ? { id, name, input } : undefined;
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
