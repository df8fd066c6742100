import type { AccountNeed, AccountWords } from "./account-words.ts";

export const en: AccountWords = {
  needs(need) {
    const start = need.action === undefined ? "To continue" : `For “${need.action}”`;
    return `${start}, ${need.asker} needs ${needed(need)}.`;
  },
  which: ({ asker, service }) => `Which ${service} account should ${asker} use?`,
  account: "Account",
  another: "Another account",
};

function needed({ credential, service, moreRights, isAnother }: AccountNeed): string {
  if (isAnother) return `another ${service} account`;
  const key = `an API key for ${service}`;
  if (moreRights === undefined) return credential === "account" ? `your ${service} account` : key;
  return credential === "account"
    ? `more access to your ${service} account: ${moreRights}`
    : `${key} with more rights: ${moreRights}`;
}
