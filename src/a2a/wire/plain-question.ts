/** The question of an agent without an extension: its text, and one text field for the answer. */
import { findSecretFields, parseRequestedSchema } from "../../form/index.ts";
import type { ElicitationContent, RequestedSchema } from "../../contract/contract.ts";

/** The name of the only field. */
export const PLAIN_ANSWER = "answer";

/** Shows the user the agent's text unchanged. If it asks for a secret, the chat shows a warning. */
export function plainSchema(words: string): RequestedSchema {
  const asked = parseRequestedSchema({
    type: "object",
    properties: { [PLAIN_ANSWER]: { type: "string", title: words } },
  });
  const isSecret = asked.ok && findSecretFields(asked.fields).length > 0;
  return {
    type: "object",
    properties: { [PLAIN_ANSWER]: { type: "string", title: "Answer", ...(isSecret && { writeOnly: true }) } },
    required: [PLAIN_ANSWER],
  };
}

/** The user's answer as text, for an agent without the extension. */
export function plainAnswer(content: ElicitationContent): string {
  const answer = content[PLAIN_ANSWER];
  return typeof answer === "string" ? answer : "";
}
