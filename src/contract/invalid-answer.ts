/** How many invalid answers end a question as failed. */
export const MAX_ATTEMPTS = 3;

/** For the user: the last answer was not one that MCP knows. */
export const UNREADABLE_NOTE = "The last answer could not be read.";

const MAX_ERRORS_SHOWN = 10;

/** For the user, beside the question that is asked again: what was wrong with the last answer. */
export function invalidNote(errors: readonly { readonly field: string; readonly message: string }[]): string {
  const reasons = errors
    .slice(0, MAX_ERRORS_SHOWN)
    .map(({ field, message }) => `${field || "The answer"} ${message}`);
  return `Please check: ${reasons.join("; ")}.`;
}

/** For the model: why a question has failed after its last attempt. `problem` is what was wrong with the last answer. */
export function failedAnswers(problem: string): string {
  return `none of ${MAX_ATTEMPTS} answers was valid. The last problem: ${problem}`;
}
