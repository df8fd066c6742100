import type { AccountNeed, AccountWords } from "./account-words.ts";

export const es: AccountWords = {
  needs(need) {
    const account = needed(need);
    return need.action === undefined
      ? `Para continuar con ${account}.`
      : `Para «${need.action}», con ${account}.`;
  },
  which: ({ asker, service }) => `¿Qué cuenta de ${service} debe usar ${asker}?`,
  account: "Cuenta",
  another: "Otra cuenta",
};

function needed({ credential, service, moreRights, isAnother }: Omit<AccountNeed, "asker">): string {
  if (isAnother) return `otra cuenta de ${service}`;
  const account = `su cuenta de ${service}`;
  const key = `una clave de API de ${service}`;
  if (moreRights === undefined) return credential === "account" ? account : key;
  return credential === "account"
    ? `más acceso a ${account}: ${moreRights}`
    : `${key} con más permisos: ${moreRights}`;
}
