import { firstCharacters, visibleText } from "./visible-text.ts";
import type { ElicitationRequest } from "./contract.ts";

const MAX_LENGTH = 100;
/** How many characters are read. More than 100, because the name may have white space around it. */
const MAX_READ = 1000;

/**
 * Makes a short single line from an untrusted name: a third party's own name (`requester.claimedName`), or a provider's
 * name for an account (`resolution.account`). `undefined` if no visible character is left.
 */
export function claimedNameOf(name: unknown): string | undefined {
  if (typeof name !== "string") return undefined;
  // Control and format characters could make the name look like text of our own card.
  const line = visibleText(firstCharacters(name, MAX_READ).replaceAll(/[\p{Cc}\p{Cf}]+/gu, " "))
    .replaceAll(/[\ufe0e\ufe0f\s]+/g, (gap) => (/\s/.test(gap) ? " " : ""))
    .trim();
  return line === "" ? undefined : firstCharacters(line, MAX_LENGTH);
}

/** Whether a third party asks through the agent, under an unverified name. */
export const isThirdParty = ({ requester }: Pick<ElicitationRequest, "requester">): boolean =>
  requester?.claimedName !== undefined;
