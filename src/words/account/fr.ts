import type { AccountNeed, AccountWords } from "./account-words.ts";

export const fr: AccountWords = {
  needs(need) {
    const start = need.action === undefined ? "Pour continuer" : `Pour « ${need.action} »`;
    return `${start}, ${need.asker} a besoin ${needed(need)}.`;
  },
  which: ({ asker, service }) => `Quel compte ${service} faut-il utiliser pour ${asker} ?`,
  account: "Compte",
  another: "Un autre compte",
};

function needed({ credential, service, moreRights, isAnother }: AccountNeed): string {
  if (isAnother) return `d’un autre compte ${service}`;
  const account = `votre compte ${service}`;
  const key = `d’une clé d’API pour ${service}`;
  if (moreRights === undefined) return credential === "account" ? `de ${account}` : key;
  return credential === "account"
    ? `d’un accès plus large à ${account} : ${moreRights}`
    : `${key} avec plus de droits : ${moreRights}`;
}
