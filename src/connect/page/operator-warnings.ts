declare const process: { env: { NODE_ENV?: string } } | undefined;

/** Logged once at the start: only the chat's window can tell this page who the user is. */
export function warnOfDeadLinks(): void {
  console.warn(
    "elicit-kit: this hosted page knows people only by the window that their chat has opened, so links that are copied, sent or opened in the same tab are refused. Set vouch, and hostedPage of createRuntime, or session and login.",
  );
}

/** Logged once at the start, in development: what the page does about a colour that is hard to see or to read on. */
export function warnOfBrand(warnings: readonly string[]): void {
  if (typeof process !== "undefined" && process.env.NODE_ENV === "production") return;
  for (const warning of warnings) console.warn(`elicit-kit: ${warning}`);
}
