const MAX_LENGTH = 100;

/** What a third party calls itself, for `requester.claimedName`: one short line. `undefined` if nothing is left of it. */
export function claimedNameOf(name: unknown): string | undefined {
  if (typeof name !== "string") return undefined;
  // Control and format characters could make it look like something that our own card says.
  const line = name.replaceAll(/[\p{Cc}\p{Cf}\s]+/gu, " ").trim();
  return line === "" ? undefined : [...line].slice(0, MAX_LENGTH).join("");
}
