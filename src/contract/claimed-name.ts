import { firstCharacters } from "./first-characters.ts";

const MAX_LENGTH = 100;
/** How much is read: the name may have white space around it. */
const MAX_READ = 1000;

/**
 * A name from a stranger as one short line: what a third party calls itself (`requester.claimedName`), or what a provider
 * calls an account (`resolution.account`). `undefined` if nothing is left of it.
 */
export function claimedNameOf(name: unknown): string | undefined {
  if (typeof name !== "string") return undefined;
  // Control and format characters could make it look like something that our own card says.
  const line = firstCharacters(name, MAX_READ)
    .replaceAll(/[\p{Cc}\p{Cf}\s]+/gu, " ")
    .trim();
  return line === "" ? undefined : firstCharacters(line, MAX_LENGTH);
}
