import type { Catalogue } from "./catalogue.ts";

/** 日本語 */
export const ja: Catalogue = {
  locale: "ja",
  dir: "ltr",
  title: (mode, trigger, service) =>
    service !== undefined
      ? `${service} に接続`
      : mode === "form"
        ? "いくつかの情報が必要です"
        : trigger === "credential_required"
          ? "アカウントを接続してください"
          : "別のページで続けてください",
  claimedName: (name) => `「${name}」と名乗っていますが、この名前は確認されていません。`,
  connect: "接続する",
  connectAnyway: "それでも接続する",
  tryAgain: "再試行",
  showWindow: "ウィンドウを表示",
  openAgain: "もう一度開く",
  finished: "完了しました",
  decline: "断る",
  dismiss: "今はしない",
  cancel: "キャンセル",
  close: "閉じる",
  retry: "再送信",
  submit: "送信",
  confirm: "確認",
  changeAnswer: "回答を変更",
  copyLink: "コピー",
  linkCopied: "コピー済み",
  link: (host) => `${host} へのリンク`,
  decodedHost: (host) => `表記: ${host}`,
  urlReasons: {
    "white-space": "リンクに空白が含まれています。",
    control: "リンクに制御文字が含まれています。",
    bidi: "リンクに読む方向を変える文字が含まれています。",
    invisible: "リンクに見えない文字が含まれています。",
    backslash: "リンクに、行き先を隠すバックスラッシュが含まれています。",
    unparsable: "リンクは有効なウェブアドレスではありません。",
    scheme: "リンクの行き先はウェブページではありません。",
    insecure: "このアドレスへの接続は暗号化されません。",
    userinfo: "リンクのアドレスの前に、行き先を隠す名前が含まれています。",
    "invalid-host": "リンクのアドレスが無効です。",
    punycode: "国際化された名前です。一文字ずつ確認してください。",
    "mixed-script": "異なる種類の文字が混ざっています。",
    lookalike: "別の種類の文字で書かれ、見た目だけが同じです。",
    "loopback-http": "ローカル開発用アドレス",
    "ip-host": "アドレスが名前ではなく数字です。",
    "unusual-port": "アドレスのポートが通常と異なります。",
    "trailing-dot": "アドレスの末尾に点があります。",
    "host-differs": "リンクの表記が、実際の行き先のアドレスと異なります。",
  },
  imitates: (host) => `これは ${host} ではありません`,
  blockedUrl: "このリンクは安全ではないため、開くことができません。",
  blockedForm: "このフォームは表示できません。",
  schemaReasons: {
    "not-an-object-schema": "質問の一覧ではありません。",
    "too-large": "フォームが大きすぎます。",
    "too-many-properties": "質問が多すぎます。",
    "too-many-options": "選択肢が多すぎます。",
    "unsupported-property": "この種類の質問には対応していません。",
    "invalid-keyword": "質問の内容が矛盾しています。",
  },
  aboutQuestion: (name, reason) => `「${name}」: ${reason}`,
  waiting: {
    open: "開いたウィンドウで完了してください",
    closed: "ウィンドウは閉じられたようです",
    blocked: "ブラウザーがウィンドウを開きませんでした",
    elsewhere: "別のタブのページで完了してください",
  },
  waitingFor: (host) => `${host} を待っています`,
  windowClosed: "ウィンドウを閉じましたか?",
  checking: "確認しています…",
  openInNewTab: "新しいタブで開く",
  continueInThisTab: "このタブで続ける",
  submitting: "送信しています…",
  held: "このグループのほかの質問に回答するまで、回答を保管します。まだ変更できます。",
  notices: {
    "not-completed": "まだ完了していません。ページの手順を終えてから、もう一度お試しください。",
    "provider-error": "ページで問題が発生しました。もう一度お試しください。",
    offline: "オフラインのようです。回答は保管され、再送信されます。",
    "server-error": "回答を届けられませんでした。",
    refused: "回答は受け付けられませんでした。",
    "answered-elsewhere": "別の場所で回答済みです。",
  },
  receipt: (mode, outcome, service) =>
    ({
      accepted: service ? `${service} に接続しました` : mode === "url" ? "接続しました" : "送信しました",
      declined: service ? `${service} への接続を断りました` : "断りました",
      cancelled: "閉じました",
      expired: service ? `${service} の依頼は期限が切れました` : "依頼の期限が切れました",
      withdrawn: "不要になりました",
      failed: service ? `${service} に接続できませんでした` : "うまくいきませんでした",
      gone: "この依頼はすでに終了しています",
    })[outcome],
  discardTyped: "入力した内容を破棄しますか?",
  keepEditing: "編集を続ける",
  discard: "破棄する",
  typed: "入力した内容",
  sentNote: "このセッションの間だけ、あなたに表示されます。",
  notShown: "送信済み(表示しません)",
  errorCount: (count) => `${count}件の回答を確認してください`,
  timeLeft: (time) => `残り ${time}`,
  underTwoMinutes: "残り 2 分を切りました。",
  roundProgress: (answered, size) => `${size} 件中 ${answered} 件回答済み。まとめて送信されます`,
  optional: "任意",
  range: (minimum, maximum) =>
    maximum === undefined
      ? `${minimum} 以上`
      : minimum === undefined
        ? `${maximum} 以下`
        : `${minimum}~${maximum}`,
  count: (minimum, maximum) =>
    maximum === undefined
      ? `${minimum} 個以上選択`
      : minimum === undefined
        ? `${maximum} 個まで選択`
        : minimum === maximum
          ? `${minimum} 個選択`
          : `${minimum}~${maximum} 個選択`,
  outOf: (value, most) => `${most}中${value}`,
  chosen: (outOf) => `${outOf}を選択`,
  errors: {
    required: () => "入力してください。",
    "too-short": (limit) => `${limit} 文字以上で入力してください。`,
    "too-long": (limit) => `${limit} 文字以内で入力してください。`,
    email: () => "name@example.com のようなメールアドレスを入力してください。",
    uri: () => "https://example.com のような完全なウェブアドレスを入力してください。",
    date: () => "日付を入力してください。",
    "date-time": () => "日付と時刻を入力してください。",
    pattern: () => "指定された形式で入力してください。",
    number: () => "数値を入力してください。",
    integer: () => "整数を入力してください。",
    "too-small": (limit) => `${limit} 以上にしてください。`,
    "too-large": (limit) => `${limit} 以下にしてください。`,
    "not-an-option": () => "選択肢から選んでください。",
    "too-few": (limit) => `${limit} 個以上選んでください。`,
    "too-many": (limit) => `${limit} 個以内で選んでください。`,
    duplicate: () => "同じ選択肢は一度だけ選んでください。",
    type: () => "この回答を確認してください。",
    "unknown-field": () => "この項目は求められていません。",
  },
  yes: "はい",
  no: "いいえ",
  choose: "選択…",
  clear: "クリア",
  notSet: "未設定",
  decrease: "1つ減らす",
  increase: "1つ増やす",
  search: "検索",
  moreOptions: (hidden) => `ほかに ${hidden} 件あります。入力して絞り込んでください。`,
  noMatch: "一致するものがありません。",
  timeZone: "タイムゾーン",
  localTime: (zone) => `現地時間(${zone})`,
  secretsWarning: (fields) =>
    `このフォームは秘密の情報(${fields})を求めています。依頼元はそれを読み、保存できます。`,
  secretsConfirm: "この情報を共有します",
  secretsRefused: "このフォームは秘密の情報を求めていますが、ここでは許可されていません。",
};
