import type { AccountNeed, AccountWords } from "./account-words.ts";

export const es: AccountWords = {
  needs(need) {
    const start = need.action === undefined ? "Para continuar" : `Para «${need.action}»`;
    return `${start}, ${need.asker} necesita ${needed(need)}.`;
  },
  which: ({ asker, service }) => `¿Qué cuenta de ${service} debe usar ${asker}?`,
  account: "Cuenta",
  another: "Otra cuenta",
};

function needed({ credential, service, moreRights, isAnother }: AccountNeed): string {
  if (isAnother) return `otra cuenta de ${service}`;
  const account = `su cuenta de ${service}`;
  const key = `una clave de API de ${service}`;
  if (moreRights === undefined) return credential === "account" ? account : key;
  return credential === "account"
    ? `más acceso a ${account}: ${moreRights}`
    : `${key} con más permisos: ${moreRights}`;
}
