/** Told once, at the start, to operators who have not said how people without the chat's window are known. */
export function warnOfDeadLinks(): void {
  console.warn(
    "elicit-kit: this hosted page knows people only by the window that their chat has opened, so links that are copied, sent or opened in the same tab are refused. Set vouch, and hostedPage of createRuntime, or session and login.",
  );
}
