import type { AccountNeed, AccountWords } from "./account-words.ts";

export const de: AccountWords = {
  needs(need) {
    const start = need.action === undefined ? "Um fortzufahren," : `Für „${need.action}“`;
    return `${start} braucht ${need.asker} ${needed(need)}.`;
  },
  which: ({ asker, service }) => `Welches Konto bei ${service} soll ${asker} verwenden?`,
  account: "Konto",
  another: "Ein anderes Konto",
};

function needed({ credential, service, moreRights, isAnother }: AccountNeed): string {
  if (isAnother) return `ein anderes Konto bei ${service}`;
  const account = `Ihr Konto bei ${service}`;
  const key = `einen API-Schlüssel für ${service}`;
  if (moreRights === undefined) return credential === "account" ? account : key;
  return credential === "account"
    ? `mehr Zugriff auf ${account}: ${moreRights}`
    : `${key} mit mehr Rechten: ${moreRights}`;
}
