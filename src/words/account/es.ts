import type { AccountNeed, AccountWords } from "./account-words.ts";

export const es: AccountWords = (need) => {
  const start = need.action === undefined ? "Para continuar" : `Para «${need.action}»`;
  return `${start}, ${need.asker} necesita ${needed(need)}.`;
};

function needed({ credential, service, moreRights }: AccountNeed): string {
  const account = `su cuenta de ${service}`;
  const key = `una clave de API de ${service}`;
  if (moreRights === undefined) return credential === "account" ? account : key;
  return credential === "account"
    ? `más acceso a ${account}: ${moreRights}`
    : `${key} con más permisos: ${moreRights}`;
}
