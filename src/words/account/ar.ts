import type { AccountNeed, AccountWords } from "./account-words.ts";

export const ar: AccountWords = {
  needs(need) {
    const start = need.action === undefined ? "للمتابعة" : `من أجل «${need.action}»`;
    return `${start}، يحتاج ${need.asker} إلى ${needed(need)}.`;
  },
  which: ({ asker, service }) => `أي حساب في ${service} يستخدمه ${asker}؟`,
  account: "الحساب",
  another: "حساب آخر",
};

function needed({ credential, service, moreRights, isAnother }: AccountNeed): string {
  if (isAnother) return `حساب آخر في ${service}`;
  const account = `حسابك في ${service}`;
  const key = `مفتاح API لـ ${service}`;
  if (moreRights === undefined) return credential === "account" ? account : key;
  return credential === "account"
    ? `وصول أوسع إلى ${account}: ${moreRights}`
    : `${key} بصلاحيات أوسع: ${moreRights}`;
}
