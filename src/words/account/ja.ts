import type { AccountNeed, AccountWords } from "./account-words.ts";

export const ja: AccountWords = {
  needs(need) {
    const account = needed(need);
    return need.action === undefined
      ? `続けるために、${account}を使います。`
      : `「${need.action}」のために、${account}を使います。`;
  },
  which: ({ asker, service }) => `${asker} はどの ${service} アカウントを使いますか？`,
  account: "アカウント",
  another: "別のアカウント",
};

function needed({ credential, service, moreRights, isAnother }: Omit<AccountNeed, "asker">): string {
  if (isAnother) return `別の ${service} アカウント`;
  const account = `あなたの ${service} アカウント`;
  const key = `${service} の API キー`;
  if (moreRights === undefined) return credential === "account" ? account : key;
  return credential === "account"
    ? `${account}への追加のアクセス権 (${moreRights}) `
    : `追加の権限 (${moreRights}) を持つ ${key}`;
}
