import type { AccountNeed, AccountWords } from "./account-words.ts";

export const en: AccountWords = (need) => {
  const start = need.action === undefined ? "To continue" : `For “${need.action}”`;
  return `${start}, ${need.asker} needs ${needed(need)}.`;
};

function needed({ credential, service, moreRights }: AccountNeed): string {
  const key = `an API key for ${service}`;
  if (moreRights === undefined) return credential === "account" ? `your ${service} account` : key;
  return credential === "account"
    ? `more access to your ${service} account: ${moreRights}`
    : `${key} with more rights: ${moreRights}`;
}
