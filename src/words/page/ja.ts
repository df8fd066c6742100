import type { PageWords } from "./en.ts";

export const ja: PageWords = {
  locale: "ja",
  dir: "ltr",
  backToChat: "チャットに戻る",
  closeWindow: "このウィンドウは閉じてかまいません。",
  closesSoon: "このウィンドウはまもなく閉じます。",
  tryAgain: "もう一度試す",
  signIn: (site) => (site === undefined ? "ログイン" : `${site} にログイン`),
  switchAccount: "アカウントを切り替える",
  checking: { title: "お待ちください", text: "ご本人かどうかをチャットに確認しています。" },
  continue: "続ける",
  connect: (service) => `${service} を接続する`,
  asksToUse: (service) => ["", ` が、あなたの ${service} アカウントの利用を求めています。`],
  assistant: "アシスタント",
  can: "できること",
  cannot: "できないこと",
  seePassword: "パスワードを見る",
  stayConnected: "解除するまで接続を保つ",
  usesNamedRight: (right) => `「${right}」を使う（このサーバーが付けた権限名）`,
  moreAccess: "追加のアクセス",
  neededFor: "用途",
  signedInAs: "ログイン中のアカウント",
  chat: "チャット",
  passwordOnlyAt: ["パスワードを入力するのは ", " だけです。"],
  nextPageShows: "次のページにこのアドレスが表示されている必要があります。",
  details: "詳細",
  rights: "権限",
  expires: "期限",
  takeBack: "取り消し",
  notYou: "ご本人ではありませんか？",
  sure: {
    title: (account) => `${account} ではありませんか？`,
    text: "続行しないでください。ご自身のチャットのアカウントをお使いください。",
    itIsMe: "本人です",
    notMe: "本人ではありません",
  },
  sharedUse: (service) =>
    `このチャットアカウントを使う人は誰でも、接続した ${service} アカウントを利用できます。`,
  continueTo: (service) => `${service} に進む`,
  decline: "断る",
  passwordStays: (service) => `パスワードは ${service} の外に出ません。`,
  otherAddress: {
    title: "ログインは別のアドレスで行われます",
    text: (server, host) =>
      `${server} のパスワードは ${host} で入力します。このアドレスに心当たりがある場合だけ進んでください。`,
  },
  checkNextAddress:
    "次のページでログインします。アドレスに心当たりがある場合だけ、パスワードを入力してください。",
  signInChanged: (service) =>
    `このページの表示後に、${service} へのログイン内容が変わりました。もう一度確認してから進んでください。`,
  unknownServer: "このページは、サーバーのアドレスだけを知っています。",
  didNotAsk: "心当たりがない場合は、断るか、このウィンドウを閉じてください。",
  nothingConnected: "何も接続されていません。もう一度お試しいただけます。",
  accountAt: (service) => `${service} のアカウント`,
  connected: "接続済み",
  remove: "解除",
  removed: (service) => ({
    title: `${service} の接続を解除しました`,
    text: "チャットはこのアカウントを利用できなくなりました。チャットからもう一度接続できます。",
  }),
  accounts: {
    title: "接続済みのアカウント",
    text: "チャットはこれらのアカウントを利用できます。",
    none: "接続されているアカウントはありません。",
    notChecked: "現在は確認できません",
    since: (date) => `${date}から接続`,
    forgotten:
      "このページはあなたの情報を消去しました。ご自分のアカウントでチャットにサインインしてから、もう一度このページを開いてください。",
    notRevoked: (service) =>
      `${service} に通知できませんでした。${service} のアカウントでもアクセスを取り消してください。`,
    notRemoved: (service) =>
      `${service} に接続できないため、アカウントはまだ接続されています。もう一度お試しください。`,
  },
  remembered: {
    title: "記憶した回答",
    text: "チャットのツールは、確認せずにこれらの回答を使います。",
    until: (date) => `${date}まで`,
  },
  ended(outcome, service) {
    const notConnected = `${service} は接続されませんでした`;
    switch (outcome) {
      case "accepted":
        return { title: `${service} を接続しました`, text: "チャットは自動的に続きます。" };
      case "declined":
        return {
          title: notConnected,
          text: "断りました。何も共有されておらず、チャットはそのまま続きます。",
        };
      case "cancelled":
        return { title: notConnected, text: "リクエストは閉じられました。何も共有されていません。" };
      case "expired":
        return {
          title: "このリクエストは期限切れです",
          text: "何も共有されていません。チャットでもう一度お試しください。",
        };
      case "withdrawn":
        return {
          title: "このリクエストは取り下げられました",
          text: "チャットでは不要になりました。何も共有されていません。",
        };
      case "failed":
        return { title: `${service} を接続できませんでした`, text: "チャットでもう一度お試しください。" };
    }
  },
  asksYou: ["", " からの質問:"],
  checkAnswers: "次の回答をご確認ください。",
  chatGoesOn: "チャットは自動的に続きます。",
  goBackThere: "質問された場所に戻れます。",
  roundProgress: (answered, size) =>
    `${size} 件中 ${answered} 件回答済み。回答は 1 件ずつ送信されます。最後の回答のあとにチャットが続きます。`,
  nothingShared: "何も共有されていません。",
  failures: {
    denied: (service) => `${service} でキャンセルしました。何も接続されていません。`,
    code: (service, code) => `${service} からエラーが返されました（${code}）。`,
    unreachable: (service) => `${service} に接続できないか、応答を読み取れませんでした。`,
    notSetUp: (service) => `${service} はまだ接続できません。先にこのチャットの運営者による設定が必要です。`,
    notApproved: (service) =>
      `先に ${service} の管理者の承認が必要です。管理者に依頼してから、もう一度お試しください。`,
    notConnected: (service) => `${service} は接続されませんでした。`,
    notConnectedCode: (service, code) => `${service} は接続されませんでした（${code}）。`,
  },
  apiKey: {
    add: (service) => `${service} の API キーを追加`,
    format: (prefix, length) =>
      `「${prefix}」で始まります${length === undefined ? "。" : `（${length} 文字）。`}`,
    wrongFormat: (service, prefix) =>
      `これは ${service} のキーではありません。キーは「${prefix}」で始まります。`,
    show: "表示",
    hide: "隠す",
    canUse: (service) => `このキーのすべての権限で ${service} を利用する`,
    seeKey: "キーを見る（チャットには渡されません）",
    asksForKey: (service) => ["", ` が ${service} を利用するには、API キーが必要です。`],
    label: (service) => `${service} の API キー`,
    newKey: (service) => `${service} の新しい API キー`,
    whereToFind: (service) => `${service} のキーの確認方法`,
    save: "キーを保存",
    replace: "キーを置き換える",
    refused: (service) => `${service} はこのキーを受け付けませんでした。`,
    unchecked: (service) => `${service} でキーを確認できませんでした。もう一度お試しください。`,
  },
  nango: {
    starting: "お待ちください…",
    waiting: "開いたウィンドウで続けてください。閉じている場合は、もう一度ボタンを押してください。",
    blocked: "ブラウザーがウィンドウを開きませんでした。もう一度ボタンを押してください。",
    offline: "現在接続できません。ボタンを押してもう一度お試しください。",
    needsScript: "アカウントを接続するには JavaScript が必要です。",
  },
  unknownPerson: {
    title: "どなたか確認できません",
    signedOut:
      "このブラウザーではチャットにログインしていません。チャットにログインしてから、もう一度お試しください。",
    noReferrer:
      "ブラウザーが移動元を知らせないため、このページはチャットから開く必要があります。チャットで「接続する」を押してください。",
    notOpenedByChat: "チャットから開かれていません。チャットで「接続する」を押して開いてください。",
    stillUnknown:
      "ブラウザーがこのページの Cookie をブロックしているか、数分以上経過したか、チャットにログインしていません。",
    notForYou:
      "アカウントを接続するつもりがなければ、このページを閉じてください。あなた宛てではないリンクが送られた可能性があります。",
  },
  unavailable: {
    title: "このリンクは使えません",
    text: "別のアカウントのものか、すでに使用されたか、期限が切れています。チャットからやり直してください。",
  },
  youAre: ["", " としてログインしています。"],
  forgotten: {
    title: "ご自身のチャットアカウントをお使いください",
    text: "このページからあなたの情報を消去しました。何も接続されていません。ご自身のアカウントでチャットにログインし、「接続する」を押してください。",
  },
  forgottenAnswer: {
    title: "ご自身のチャットアカウントをお使いください",
    text: "このページからあなたの情報を消去しました。何も送信されていません。ご自身のアカウントでチャットにログインし、そこで質問を開いてください。",
  },
  later: { title: "現在チャットに確認できません", text: "1 分待ってから、もう一度お試しください。" },
  tooMany: { title: "試行回数が多すぎます", text: "1 分待ってから、このページを再読み込みしてください。" },
  broken: { title: "問題が発生しました", text: "しばらく待ってから、チャットでもう一度お試しください。" },
};
