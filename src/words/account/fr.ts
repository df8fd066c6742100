import type { AccountNeed, AccountWords } from "./account-words.ts";

export const fr: AccountWords = {
  needs(need) {
    const account = needed(need);
    return need.action === undefined
      ? `Pour continuer avec ${account}.`
      : `Pour « ${need.action} », avec ${account}.`;
  },
  which: ({ asker, service }) => `Quel compte ${service} faut-il utiliser pour ${asker} ?`,
  account: "Compte",
  another: "Un autre compte",
};

function needed({ credential, service, moreRights, isAnother }: Omit<AccountNeed, "asker">): string {
  if (isAnother) return `un autre compte ${service}`;
  const account = `votre compte ${service}`;
  const key = `une clé d’API pour ${service}`;
  if (moreRights === undefined) return credential === "account" ? account : key;
  return credential === "account"
    ? `un accès plus large à ${account} : ${moreRights}`
    : `${key} avec plus de droits : ${moreRights}`;
}
