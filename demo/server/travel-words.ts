import { inLanguageOf } from "./languages.ts";

/** The texts of the travel agent and of its page. */
export interface TravelWords {
  readonly locale: string;
  readonly dir: "ltr" | "rtl";
  readonly needsAccount: string;
  readonly where: string;
  readonly city: string;
  readonly cities: Readonly<Record<City, string>>;
  readonly nights: string;
  readonly breakfast: string;
  readonly noAccount: string;
  readonly nobodySaid: string;
  held(weekend: { city: string; nights: number; breakfast: boolean }): string;
  readonly points: string;
  readonly title: string;
  /** Around the names of the two agents. */
  readonly asksFor: readonly [string, string, string];
  readonly can: string;
  readonly seePoints: string;
  readonly cannot: string;
  readonly seePassword: string;
  readonly bookAlone: string;
  /** Around the host. */
  readonly youAreAt: readonly [string, string];
  readonly noPassword: string;
  readonly signedInAs: string;
  readonly allow: string;
  readonly decline: string;
  readonly didNotAsk: string;
  readonly connected: string;
  /** Around the name of the account. */
  readonly seesPointsOf: readonly [string, string];
  readonly declined: string;
  readonly youDeclined: string;
  readonly gone: string;
  readonly askAgain: string;
  readonly close: string;
}

export type City = "Lisbon" | "Rome" | "Vienna";

const en: TravelWords = {
  locale: "en",
  dir: "ltr",
  needsAccount: "To see your points, the travel agent needs your account.",
  where: "Where shall the weekend be?",
  city: "City",
  cities: { Lisbon: "Lisbon", Rome: "Rome", Vienna: "Vienna" },
  nights: "Nights",
  breakfast: "With breakfast",
  noAccount: "No weekend was planned, because the account is not connected.",
  nobodySaid: "No weekend was planned, because nobody said where.",
  held: ({ city, nights, breakfast }) =>
    `${city}, ${nights} nights, ${breakfast ? "with" : "without"} breakfast: held for you until tomorrow.`,
  points: "Points",
  title: "Let the travel agent use your points?",
  asksFor: ["", " asks for ", ", to plan your weekend."],
  can: "Can",
  seePoints: "See how many points you have",
  cannot: "Cannot",
  seePassword: "See your password",
  bookAlone: "Book anything by itself",
  youAreAt: ["You are at ", "."],
  noPassword: "You do not type a password here.",
  signedInAs: "Signed in as",
  allow: "Allow",
  decline: "Decline",
  didNotAsk: "Did you not ask for this? Decline, or close this window.",
  connected: "Contoso Travel is connected",
  seesPointsOf: ["The travel agent can see the points of ", "."],
  declined: "The travel agent gets nothing",
  youDeclined: "You declined. Demo agent was told so.",
  gone: "Nobody waits for this any more",
  askAgain: "Go back to the chat and ask again.",
  close: "You can close this window.",
};

const de: TravelWords = {
  locale: "de",
  dir: "ltr",
  needsAccount: "Um Ihre Punkte zu sehen, braucht das Reisebüro Ihr Konto.",
  where: "Wo soll das Wochenende sein?",
  city: "Stadt",
  cities: { Lisbon: "Lissabon", Rome: "Rom", Vienna: "Wien" },
  nights: "Nächte",
  breakfast: "Mit Frühstück",
  noAccount: "Kein Wochenende geplant: Das Konto ist nicht verbunden.",
  nobodySaid: "Kein Wochenende geplant: Es wurde kein Ort genannt.",
  held: ({ city, nights, breakfast }) =>
    `${city}, Nächte: ${nights}, ${breakfast ? "mit" : "ohne"} Frühstück. Bis morgen für Sie reserviert.`,
  points: "Punkte",
  title: "Darf das Reisebüro Ihre Punkte nutzen?",
  asksFor: ["", " fragt im Auftrag von ", ", um Ihr Wochenende zu planen."],
  can: "Darf",
  seePoints: "Sehen, wie viele Punkte Sie haben",
  cannot: "Darf nicht",
  seePassword: "Ihr Passwort sehen",
  bookAlone: "Selbst etwas buchen",
  youAreAt: ["Sie sind bei ", "."],
  noPassword: "Hier geben Sie kein Passwort ein.",
  signedInAs: "Angemeldet als",
  allow: "Erlauben",
  decline: "Ablehnen",
  didNotAsk: "Sie haben das nicht angefordert? Lehnen Sie ab oder schließen Sie dieses Fenster.",
  connected: "Contoso Travel ist verbunden",
  seesPointsOf: ["Das Reisebüro sieht die Punkte von ", "."],
  declined: "Das Reisebüro bekommt nichts",
  youDeclined: "Sie haben abgelehnt. Demo agent weiß davon.",
  gone: "Darauf wartet niemand mehr",
  askAgain: "Gehen Sie zurück zum Chat und fragen Sie noch einmal.",
  close: "Sie können dieses Fenster schließen.",
};

const es: TravelWords = {
  locale: "es",
  dir: "ltr",
  needsAccount: "Para ver sus puntos, el agente de viajes necesita su cuenta.",
  where: "¿Dónde será el fin de semana?",
  city: "Ciudad",
  cities: { Lisbon: "Lisboa", Rome: "Roma", Vienna: "Viena" },
  nights: "Noches",
  breakfast: "Con desayuno",
  noAccount: "No se planeó ningún fin de semana: la cuenta no está conectada.",
  nobodySaid: "No se planeó ningún fin de semana: nadie dijo dónde.",
  held: ({ city, nights, breakfast }) =>
    `${city}, noches: ${nights}, ${breakfast ? "con" : "sin"} desayuno. Reservado para usted hasta mañana.`,
  points: "Puntos",
  title: "¿Permitir que el agente de viajes use sus puntos?",
  asksFor: ["", " lo pide para ", ", con el fin de planear su fin de semana."],
  can: "Puede",
  seePoints: "Ver cuántos puntos tiene",
  cannot: "No puede",
  seePassword: "Ver su contraseña",
  bookAlone: "Reservar algo por su cuenta",
  youAreAt: ["Está en ", "."],
  noPassword: "Aquí no escribe ninguna contraseña.",
  signedInAs: "Sesión iniciada como",
  allow: "Permitir",
  decline: "Rechazar",
  didNotAsk: "¿No lo ha pedido usted? Rechace o cierre esta ventana.",
  connected: "Contoso Travel está conectado",
  seesPointsOf: ["El agente de viajes puede ver los puntos de ", "."],
  declined: "El agente de viajes no recibe nada",
  youDeclined: "Ha rechazado. Demo agent ya lo sabe.",
  gone: "Ya nadie espera esto",
  askAgain: "Vuelva al chat y pídalo otra vez.",
  close: "Puede cerrar esta ventana.",
};

const fr: TravelWords = {
  locale: "fr",
  dir: "ltr",
  needsAccount: "Pour voir vos points, l’agent de voyage a besoin de votre compte.",
  where: "Où passer le week-end ?",
  city: "Ville",
  cities: { Lisbon: "Lisbonne", Rome: "Rome", Vienna: "Vienne" },
  nights: "Nuits",
  breakfast: "Avec petit-déjeuner",
  noAccount: "Aucun week-end prévu : le compte n’est pas connecté.",
  nobodySaid: "Aucun week-end prévu : personne n’a dit où.",
  held: ({ city, nights, breakfast }) =>
    `${city}, nuits : ${nights}, ${breakfast ? "avec" : "sans"} petit-déjeuner. Réservé pour vous jusqu’à demain.`,
  points: "Points",
  title: "Autoriser l’agent de voyage à utiliser vos points ?",
  asksFor: ["", " le demande pour ", ", afin d’organiser votre week-end."],
  can: "Peut",
  seePoints: "Voir combien de points vous avez",
  cannot: "Ne peut pas",
  seePassword: "Voir votre mot de passe",
  bookAlone: "Réserver de lui-même",
  youAreAt: ["Vous êtes sur ", "."],
  noPassword: "Vous ne saisissez aucun mot de passe ici.",
  signedInAs: "Connecté en tant que",
  allow: "Autoriser",
  decline: "Refuser",
  didNotAsk: "Vous n’avez rien demandé ? Refusez, ou fermez cette fenêtre.",
  connected: "Contoso Travel est connecté",
  seesPointsOf: ["L’agent de voyage peut voir les points de ", "."],
  declined: "L’agent de voyage n’obtient rien",
  youDeclined: "Vous avez refusé. Demo agent en est informé.",
  gone: "Plus personne n’attend ceci",
  askAgain: "Revenez à la conversation et demandez à nouveau.",
  close: "Vous pouvez fermer cette fenêtre.",
};

const ja: TravelWords = {
  locale: "ja",
  dir: "ltr",
  needsAccount: "ポイントを確認するには、旅行エージェントにあなたのアカウントが必要です。",
  where: "週末はどこで過ごしますか。",
  city: "都市",
  cities: { Lisbon: "リスボン", Rome: "ローマ", Vienna: "ウィーン" },
  nights: "泊数",
  breakfast: "朝食付き",
  noAccount: "アカウントが接続されていないため、週末の計画は立てていません。",
  nobodySaid: "行き先が決まらなかったため、週末の計画は立てていません。",
  held: ({ city, nights, breakfast }) =>
    `${city}、${nights} 泊、朝食${breakfast ? "あり" : "なし"}。明日まで確保しています。`,
  points: "ポイント",
  title: "旅行エージェントにポイントの利用を許可しますか。",
  asksFor: ["", " が ", " のために、週末の計画でポイントの利用を求めています。"],
  can: "できること",
  seePoints: "保有ポイント数を見る",
  cannot: "できないこと",
  seePassword: "パスワードを見る",
  bookAlone: "勝手に予約する",
  youAreAt: ["現在のアドレスは ", " です。"],
  noPassword: "ここではパスワードを入力しません。",
  signedInAs: "ログイン中のアカウント",
  allow: "許可",
  decline: "拒否",
  didNotAsk: "心当たりがない場合は、拒否するか、このウィンドウを閉じてください。",
  connected: "Contoso Travel を接続しました",
  seesPointsOf: ["旅行エージェントは ", " のポイントを確認できます。"],
  declined: "旅行エージェントには何も渡しません",
  youDeclined: "拒否しました。Demo agent に伝えました。",
  gone: "この依頼はもう待たれていません",
  askAgain: "チャットに戻って、もう一度依頼してください。",
  close: "このウィンドウは閉じてかまいません。",
};

const ar: TravelWords = {
  locale: "ar",
  dir: "rtl",
  needsAccount: "لرؤية نقاطك، يحتاج وكيل السفر إلى حسابك.",
  where: "أين ستكون عطلة نهاية الأسبوع؟",
  city: "المدينة",
  cities: { Lisbon: "لشبونة", Rome: "روما", Vienna: "فيينا" },
  nights: "الليالي",
  breakfast: "مع الإفطار",
  noAccount: "لم تُخطط عطلة، لأن الحساب غير مرتبط.",
  nobodySaid: "لم تُخطط عطلة، لأن المكان لم يُحدد.",
  held: ({ city, nights, breakfast }) =>
    `${city}، الليالي: ${nights}، ${breakfast ? "مع" : "بدون"} إفطار. محجوز لك حتى الغد.`,
  points: "النقاط",
  title: "هل تسمح لوكيل السفر باستخدام نقاطك؟",
  asksFor: ["يطلب ", " ذلك لصالح ", "، للتخطيط لعطلة نهاية الأسبوع."],
  can: "يمكنه",
  seePoints: "رؤية عدد نقاطك",
  cannot: "لا يمكنه",
  seePassword: "رؤية كلمة مرورك",
  bookAlone: "حجز أي شيء من تلقاء نفسه",
  youAreAt: ["أنت الآن في ", "."],
  noPassword: "لا تكتب كلمة مرور هنا.",
  signedInAs: "حسابك الحالي",
  allow: "سماح",
  decline: "رفض",
  didNotAsk: "لم تطلب ذلك؟ ارفض أو أغلق هذه النافذة.",
  connected: "تم ربط Contoso Travel",
  seesPointsOf: ["يمكن لوكيل السفر رؤية نقاط ", "."],
  declined: "لن يحصل وكيل السفر على شيء",
  youDeclined: "لقد رفضت، وأُبلغ Demo agent بذلك.",
  gone: "لم يعد أحد ينتظر هذا",
  askAgain: "ارجع إلى المحادثة واطلب ذلك مرة أخرى.",
  close: "يمكنك إغلاق هذه النافذة.",
};

const WORDS: Readonly<Record<string, TravelWords>> = { ar, de, en, es, fr, ja };

/** The texts in the first of these languages that the travel agent speaks. */
export function travelWords(languages: readonly string[]): TravelWords {
  return inLanguageOf(languages, WORDS, en);
}
