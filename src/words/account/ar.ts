import type { AccountNeed, AccountWords } from "./account-words.ts";

export const ar: AccountWords = {
  needs(need) {
    const account = needed(need);
    return need.action === undefined
      ? `للمتابعة باستخدام ${account}.`
      : `من أجل «${need.action}»، باستخدام ${account}.`;
  },
  which: ({ asker, service }) => `أي حساب في ${service} يستخدمه ${asker}؟`,
  account: "الحساب",
  another: "حساب آخر",
};

function needed({ credential, service, moreRights, isAnother }: Omit<AccountNeed, "asker">): string {
  if (isAnother) return `حساب آخر في ${service}`;
  const account = `حسابك في ${service}`;
  const key = `مفتاح API لـ ${service}`;
  if (moreRights === undefined) return credential === "account" ? account : key;
  return credential === "account"
    ? `وصول أوسع إلى ${account}: ${moreRights}`
    : `${key} بصلاحيات أوسع: ${moreRights}`;
}
