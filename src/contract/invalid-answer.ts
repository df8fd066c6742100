/** The number of invalid answers after which a question ends as failed. */
export const MAX_ATTEMPTS = 3;

/** Tells the user that the last answer was not a valid MCP answer. */
export const UNREADABLE_NOTE = "The last answer could not be read.";

const MAX_ERRORS_SHOWN = 10;

/** Tells the user, beside the repeated question, what was wrong with the last answer. */
export function invalidNote(errors: readonly { readonly field: string; readonly message: string }[]): string {
  const reasons = errors
    .slice(0, MAX_ERRORS_SHOWN)
    .map(({ field, message }) => `${field || "The answer"} ${message}`);
  return `Please check: ${reasons.join("; ")}.`;
}

/** Tells the model why a question failed after its last attempt. `problem` describes the last answer. */
export function failedAnswers(problem: string): string {
  return `none of ${MAX_ATTEMPTS} answers was valid. The last problem: ${problem}`;
}
