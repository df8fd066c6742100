import type { AccountNeed, AccountWords } from "./account-words.ts";

export const ja: AccountWords = {
  needs(need) {
    const action = need.action === undefined ? "続ける" : `「${need.action}」を行う`;
    return `${need.asker} が${action}には、${needed(need)}が必要です。`;
  },
  which: ({ asker, service }) => `${asker} はどの ${service} アカウントを使いますか？`,
  account: "アカウント",
  another: "別のアカウント",
};

function needed({ credential, service, moreRights, isAnother }: AccountNeed): string {
  if (isAnother) return `別の ${service} アカウント`;
  const account = `あなたの ${service} アカウント`;
  const key = `${service} の API キー`;
  if (moreRights === undefined) return credential === "account" ? account : key;
  return credential === "account"
    ? `${account}への追加のアクセス権 (${moreRights}) `
    : `追加の権限 (${moreRights}) を持つ ${key}`;
}
