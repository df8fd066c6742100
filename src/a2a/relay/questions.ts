import { inspectUrl } from "../../contract/inspect-url.ts";
import { parseRequestedSchema } from "../../form/index.ts";
import { asksForNamedSecret } from "../../form/secrets.ts";
import type { FormQuestion, Question } from "../../runtime/index.ts";
import type { ElicitationResult, ToolRef } from "../../runtime/internal.ts";
import { textOfParts, type TaskView } from "../wire/task-view.ts";
import type { AgentWords, Dialect } from "../wire/dialect.ts";
import type { A2aQuestion } from "../wire/translate.ts";

/** The agent as the card names it. */
export interface Asker {
  readonly tool: ToolRef;
  readonly toolCallId: string | undefined;
  /** The operator's name for the agent. */
  readonly service: string;
  readonly claimedName: string | undefined;
}

/** The contract's limit for a message, in code points. */
const MAX_MESSAGE_LENGTH = 8192;
const NO_WORDS = "The agent needs something, and does not say what.";

/** The questions of an interrupted task, and the extension that takes the answers. */
export interface Listed {
  readonly dialect: Dialect;
  readonly questions: readonly A2aQuestion[];
}

/** The requests of an interrupted task. `undefined` where there is only text: no extension, or an invalid payload. */
export function questionsOf(view: TaskView, dialects: readonly Dialect[]): Listed | undefined {
  for (const dialect of dialects) {
    const read = dialect.read(view.state, messageOf(view));
    if (read?.ok === true) return { dialect, questions: read.value };
  }
  return undefined;
}

/** Returns the message of a task's status. */
export function messageOf({ message }: Pick<TaskView, "message">): AgentWords {
  const { extensions, metadata } = message ?? {};
  return { text: textIn(message), extensions, metadata };
}

/** The agent's text, shortened to the length that a card can show. */
export function wordsOf({ message }: Pick<TaskView, "message">): string {
  const words = textIn(message);
  return words === "" ? NO_WORDS : words;
}

function textIn(message: TaskView["message"]): string {
  return [...textOfParts(message?.parts).trim()].slice(0, MAX_MESSAGE_LENGTH).join("");
}

/** The fields that all questions of an agent share. */
export function commonOf({ tool, toolCallId, service, claimedName }: Asker, trigger: string) {
  return {
    tool,
    toolCallId,
    requester: { name: service, ...(claimedName !== undefined && { claimedName }) },
    context: { trigger, toolName: tool.name, service },
  } satisfies Partial<Question>;
}

/** Returns the answer to a form that cannot be shown to the user. `undefined` if it can be shown. */
export function refusedForm({
  message,
  requestedSchema,
}: Pick<FormQuestion, "message" | "requestedSchema">): "decline" | "cancel" | undefined {
  const form = parseRequestedSchema(requestedSchema);
  if (!form.ok) return "cancel";
  // For a secret that is only mentioned in a description, the chat shows a warning.
  return asksForNamedSecret(form.fields, message) ? "decline" : undefined;
}

/** Whether accepting may be sent to the agent. A page with an unsafe URL is never accepted. */
export function isAcceptable(question: A2aQuestion): boolean {
  return question.mode === "form" || inspectUrl(question.url).verdict !== "block";
}

/** An outcome other than accepted. */
export type Refused = Exclude<ElicitationResult, { outcome: "accepted" }>;
