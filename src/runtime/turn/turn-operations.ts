import type { Question } from "../request/question.ts";
import type { TurnOperation } from "../ports/index.ts";

/**
 * What makes a question of a call the same in two runs of the turn: its content, or its key. Under a key, only what is
 * asked for counts, and not the words.
 */
export function questionOperation(question: Question): TurnOperation {
  const { mode, tool, toolCallId, message, key } = question;
  const asked = mode === "form" ? question.requestedSchema : pageOf(question);
  const base = [mode, tool?.id, toolCallId];
  const words = mode === "form" ? message : undefined;
  return {
    kind: "question",
    name: tool?.name ?? "a turn",
    identity: JSON.stringify(key === undefined ? [...base, asked, words] : [...base, { key }]),
    shape: JSON.stringify([mode, tool?.id, asked]),
    hasKey: key !== undefined,
  };
}

/** A URL that is made per request stands for the service, and for what the user is to allow there. */
function pageOf({ url, service, signIn }: Extract<Question, { mode: "url" }>): unknown {
  return typeof url === "string"
    ? { url }
    : { service: service?.name, server: signIn?.url, scope: signIn?.scope };
}

/** What makes a step the same in two runs of a turn: its name, and its key if it has one. */
export function stepOperation(name: string, key: string | undefined): TurnOperation {
  const identity = JSON.stringify(key === undefined ? [name] : [name, key]);
  return { kind: "step", name, identity, shape: "", hasKey: key !== undefined };
}
