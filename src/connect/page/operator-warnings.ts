declare const process: { env: { NODE_ENV?: string } } | undefined;

/** Warns once at the start, because links do not work: only the chat's window can identify the user to this page. */
export function warnOfDeadLinks(): void {
  console.warn(
    "elicit-kit: this hosted page knows people only by the window that their chat has opened, so links that are copied, sent or opened in the same tab are refused. Set vouch, and hostedPage of createRuntime, or session and login.",
  );
}

/** Says once at the start, in development, how the page adapts a colour with too little contrast. */
export function warnOfBrand(warnings: readonly string[]): void {
  if (typeof process !== "undefined" && process.env.NODE_ENV === "production") return;
  for (const warning of warnings) console.warn(`elicit-kit: ${warning}`);
}
