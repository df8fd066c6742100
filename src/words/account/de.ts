import type { AccountNeed, AccountWords } from "./account-words.ts";

export const de: AccountWords = (need) => {
  const start = need.action === undefined ? "Um fortzufahren," : `Für „${need.action}“`;
  return `${start} braucht ${need.asker} ${needed(need)}.`;
};

function needed({ credential, service, moreRights }: AccountNeed): string {
  const account = `Ihr Konto bei ${service}`;
  const key = `einen API-Schlüssel für ${service}`;
  if (moreRights === undefined) return credential === "account" ? account : key;
  return credential === "account"
    ? `mehr Zugriff auf ${account}: ${moreRights}`
    : `${key} mit mehr Rechten: ${moreRights}`;
}
