import {
  type ElicitationResult,
  type FormQuestion,
  type Turn,
  type UrlQuestion,
  connectionRefusedText,
  informationRefusedText,
} from "../core/index.ts";

/** What a local tool asks. `toolCallId` comes with the call (second argument of `execute`). */
export type ElicitQuestion = { toolCallId: string } & (
  | Omit<FormQuestion, "tool" | "toolCallId">
  | (Omit<UrlQuestion, "tool" | "toolCallId" | "service"> & {
      /** What is connected or done on the page, as people call it. */
      service: string;
    })
);

/** How asking ended. When it was not accepted, `text` is what to return to the model. */
export type ElicitAnswer =
  | Extract<ElicitationResult, { outcome: "accepted" }>
  | (Exclude<ElicitationResult, { outcome: "accepted" }> & { readonly text: string });

/** Asks the person from inside a tool, and waits. Never rejects. */
export type Elicit = (question: ElicitQuestion) => Promise<ElicitAnswer>;

/** `elicit` for one tool of one turn. */
export function createElicit(turn: Pick<Turn, "ask">, toolName: string, requester: { name: string }): Elicit {
  const tool = { id: toolName, name: toolName };
  return async (question) => {
    const common = { requester, context: { trigger: "tool", toolName }, tool };
    const result = await turn.ask(
      question.mode === "form"
        ? { ...common, ...question }
        : { ...common, ...question, service: { name: question.service } },
    );
    if (result.outcome === "accepted") return result;
    const text =
      question.mode === "form"
        ? informationRefusedText(result, { tool: toolName, requestedSchema: question.requestedSchema })
        : connectionRefusedText(result, { tool: toolName, service: question.service });
    return { ...result, text };
  };
}
