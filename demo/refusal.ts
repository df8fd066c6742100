/** The start of the runtime's refusals. Anchored, because an issue may well mention something that was declined. */
const REFUSAL =
  /^(?:Authentication required but not provided|The page was not completed|The payment was not made|The signature was not given|The information was not provided|\w+ was not called: the user's company does not allow|Tool ".*?" needs information only the user has)/;

/** Whether a tool returned the runtime's text for a missing answer. */
export function isRefusal(output: unknown): boolean {
  return typeof output === "string" && REFUSAL.test(output);
}
