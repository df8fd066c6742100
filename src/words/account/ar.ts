import type { AccountNeed, AccountWords } from "./account-words.ts";

export const ar: AccountWords = (need) => {
  const start = need.action === undefined ? "للمتابعة" : `من أجل «${need.action}»`;
  return `${start}، يحتاج ${need.asker} إلى ${needed(need)}.`;
};

function needed({ credential, service, moreRights }: AccountNeed): string {
  const account = `حسابك في ${service}`;
  const key = `مفتاح API لـ ${service}`;
  if (moreRights === undefined) return credential === "account" ? account : key;
  return credential === "account"
    ? `وصول أوسع إلى ${account}: ${moreRights}`
    : `${key} بصلاحيات أوسع: ${moreRights}`;
}
