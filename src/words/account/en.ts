import type { AccountNeed, AccountWords } from "./account-words.ts";

export const en: AccountWords = {
  needs(need) {
    const account = needed(need);
    return need.action === undefined
      ? `To continue with ${account}.`
      : `For “${need.action}”, with ${account}.`;
  },
  which: ({ asker, service }) => `Which ${service} account should ${asker} use?`,
  account: "Account",
  another: "Another account",
};

function needed({ credential, service, moreRights, isAnother }: Omit<AccountNeed, "asker">): string {
  if (isAnother) return `another ${service} account`;
  const account = `your ${service} account`;
  const key = `an API key for ${service}`;
  if (moreRights === undefined) return credential === "account" ? account : key;
  return credential === "account"
    ? `more access to ${account}: ${moreRights}`
    : `${key} with more rights: ${moreRights}`;
}
