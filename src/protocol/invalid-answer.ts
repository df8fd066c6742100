/** How many invalid answers cancel a question. */
export const MAX_REFUSALS = 3;

/** For the person: the last answer was not one that MCP knows. */
export const UNREADABLE_NOTE = "The last answer could not be read.";

const MAX_ERRORS_SHOWN = 10;

/** For the person, beside the question that is asked again: what was wrong with the last answer. */
export function invalidNote(errors: readonly { readonly field: string; readonly message: string }[]): string {
  const reasons = errors
    .slice(0, MAX_ERRORS_SHOWN)
    .map(({ field, message }) => `${field || "The answer"} ${message}`);
  return `Please check: ${reasons.join("; ")}.`;
}
