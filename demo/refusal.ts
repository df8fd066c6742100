/** How the runtime's refusals begin. Anchored: an issue may well be about something that was declined. */
const REFUSAL =
  /^(?:Authentication required but not provided|The page was not completed|The payment was not made|The signature was not given|The information was not provided|Tool ".*?" needs information only the user has)/;

/** Whether a tool gave back the runtime's words for "the user did not give it". */
export function isRefusal(output: unknown): boolean {
  return typeof output === "string" && REFUSAL.test(output);
}
