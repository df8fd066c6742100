import type { SlackWords } from "./slack-words.ts";

/** Japanese. */
export const slackJa: SlackWords = {
  answer: "回答する…",
  answerOnPage: "ページで回答する",
  tooMuchForSlack: "Slack ではこれらの質問を表示できないため、ページに用意しました。",
  for: (person) => `${person} さんへの質問`,
  until: (time) => `期限: ${time}`,
  messageWithdraws: "このスレッドで私に次のメッセージを送ると、この質問は取り下げられます。",
  declined: (service) => (service === undefined ? "断りました" : `断りました: ${service}`),
  by: (person) => `回答者: ${person}`,
  notYours: (person) => `この質問は ${person} さん宛てです。ほかの人は回答できません。`,
  ended: "この質問の受付は終了しました。",
  pressAgain: "フォームを開く前に Slack の待ち時間が終わりました。もう一度ボタンを押してください。",
  sending: "回答を確認しています…",
  failed: "回答を送信できませんでした。もう一度ボタンを押してください。",
  unknownPerson: "あなたがどなたか、まだ確認できていません。",
  linkAccount: "アカウントをリンク",
  comeBack: (seconds) => `ただいま混み合っています。${seconds} 秒後にもう一度お試しください。`,
  stopped: "停止しました。",
  nothingToStop: "ここには停止できるあなたの処理はありません。",
  notInvited: "ここには書き込めません。先にこのアプリをチャンネルに招待してください。",
  emptyCommand: (command) => `コマンドに続けて、ご用件を書いてください: ${command} …`,
};
