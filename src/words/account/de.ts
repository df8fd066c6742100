import type { AccountNeed, AccountWords } from "./account-words.ts";

export const de: AccountWords = {
  needs(need) {
    const account = needed(need);
    return need.action === undefined
      ? `Um mit ${account} fortzufahren.`
      : `Für „${need.action}“, mit ${account}.`;
  },
  which: ({ asker, service }) => `Welches Konto bei ${service} soll ${asker} verwenden?`,
  account: "Konto",
  another: "Ein anderes Konto",
};

/** In the dative. */
function needed({ credential, service, moreRights, isAnother }: Omit<AccountNeed, "asker">): string {
  if (isAnother) return `einem anderen Konto bei ${service}`;
  const account = `Ihrem Konto bei ${service}`;
  const key = `einem API-Schlüssel für ${service}`;
  if (moreRights === undefined) return credential === "account" ? account : key;
  return credential === "account"
    ? `mehr Zugriff auf Ihr Konto bei ${service}: ${moreRights}`
    : `${key} mit mehr Rechten: ${moreRights}`;
}
