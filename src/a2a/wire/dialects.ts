import { agentStackForms } from "./agentstack-forms.ts";
import type { Dialect } from "./dialect.ts";
import { kagentQuestions } from "./kagent-questions.ts";
import { type A2aModes, ELICITATION_EXTENSION, readQuestions, writeAnswers } from "./translate.ts";

const ELICITATION: Dialect = { uri: ELICITATION_EXTENSION, read: readQuestions, write: writeAnswers };

/** Our own extension comes first: it is preferred for an agent that knows several. */
const DIALECTS: readonly Dialect[] = [ELICITATION, kagentQuestions, agentStackForms];

/**
 * The extensions that an agent and the chat have in common. `approves`: whether the application decides on the agent's
 * tools.
 */
export function dialectsFor(
  card: { readonly extensions: readonly string[] },
  supports: A2aModes,
  approves: boolean,
): readonly Dialect[] {
  return DIALECTS.filter((dialect) => {
    if (!card.extensions.includes(dialect.uri)) return false;
    const isForPages = supports.url && dialect === ELICITATION;
    return supports.form || isForPages || (approves && dialect.approvals !== undefined);
  });
}
