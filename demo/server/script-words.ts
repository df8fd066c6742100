import { inLanguageOf } from "./languages.ts";

const EXAMPLES = '"Create an issue about the login bug", "Book me a flight", "Plan a team day"';

interface Trip {
  to: string;
  date: string;
  cabin: string;
  travellers: number;
  code: string;
}

/** English. */
const en = {
  /** How dates are written. */
  locale: "en-GB",
  care: "Let me take care of that.",
  next: "Now the next part.",
  again: "I will try that again.",
  noTool: "I do not have the tool for that right now.",
  /** A question is open, and the rest is done. */
  waits: "I will book the flight with your answer.",
  /** With messages that the script understands, which are English. */
  help: 'I am a script that plays the demo. Try "Create an issue about the login bug", "Book me a flight", both at once, or "Plan a team day".',
  done: (text: string) => `Done: ${text}`,
  declined: (deed: string) => `I did not ${deed}. Tell me when you want to do it after all.`,
  /** The user has declined with a note. */
  declinedWith: (deed: string, note: string) =>
    `I did not ${deed}. You wrote: “${note}”. A language model would go by that; I am a script.`,
  dismissed: (deed: string) => `I did not ${deed}. I can ask you again later.`,
  /** The request expired or was withdrawn. */
  missed: (deed: string) => `I did not ${deed}. Ask me again when you want to do it.`,
  connectFirst: (deed: string) => `I cannot ${deed}: connect your account first.`,
  /** `administrator` can change it. */
  companyRefuses: (deed: string, administrator: string) =>
    `I cannot ${deed}, because your company does not allow it. Ask ${administrator}.`,
  failed: (deed: string, why?: string) =>
    why === undefined ? `I could not ${deed}.` : `I could not ${deed}: ${why}`,
  created: (number: string, title: string) => `created issue #${number}, “${title}”.`,
  mailed: (subject: string, from: string) => `sent “${subject}” from ${from}.`,
  deeds: {
    day: "plan the team day",
    weekend: "plan the weekend",
    find: "look into the wiki",
    publish: "publish the page",
    notes: "write the release notes",
    refund: "refund the order",
    weather: "look up the weather",
    flight: "book the flight",
    issue: "create the issue",
    mail: "send the mail",
  },
  flight: {
    title: "Flight",
    message: "I need a few details to book your flight.",
    destination: "Destination",
    date: "Departure date",
    cabin: "Cabin",
    cabins: { economy: "Economy", premium: "Premium economy", business: "Business" },
    travellers: "Travellers",
    flexible: "My dates are flexible",
    isOver: (date: string) => `${date} is over. When shall the flight be?`,
    booked: ({ to, date, cabin, travellers, code }: Trip) =>
      `Flight to ${to} on ${date}, ${cabin}, ${travellers} travelling. Booking ${code}.`,
  },
};

/** The texts of the script and of the flight tool, in the languages of the page. */
export type ScriptWords = Readonly<typeof en>;
export type Deed = keyof ScriptWords["deeds"];

const de: ScriptWords = {
  locale: "de",
  care: "Ich kümmere mich darum.",
  next: "Nun der nächste Teil.",
  again: "Ich versuche es noch einmal.",
  noTool: "Dafür fehlt mir gerade das Werkzeug.",
  waits: "Den Flug buche ich mit Ihrer Antwort.",
  help: `Ich bin ein Skript, das die Demo spielt. Ich verstehe Englisch: ${EXAMPLES}.`,
  done: (text) => `Erledigt: ${text}`,
  declined: (deed) => `${deed}: nicht erledigt. Sagen Sie Bescheid, wenn Sie es doch möchten.`,
  declinedWith: (deed, note) =>
    `${deed}: nicht erledigt. Sie schrieben: „${note}“. Ein Sprachmodell würde sich danach richten; ich bin ein Skript.`,
  dismissed: (deed) => `${deed}: nicht erledigt. Ich kann später noch einmal fragen.`,
  missed: (deed) => `${deed}: nicht erledigt. Sagen Sie Bescheid, wenn Sie es möchten.`,
  connectFirst: (deed) => `${deed}: Verbinden Sie zuerst Ihr Konto.`,
  companyRefuses: (deed, administrator) =>
    `${deed}: Ihre Firma erlaubt es nicht. Fragen Sie: ${administrator}.`,
  failed: (deed, why) => `${deed}: Es hat nicht geklappt.${why === undefined ? "" : ` ${why}`}`,
  created: (number, title) => `Ticket #${number} angelegt, „${title}“.`,
  mailed: (subject, from) => `„${subject}“ von ${from} gesendet.`,
  deeds: {
    day: "Teamtag planen",
    weekend: "Wochenende planen",
    find: "Im Wiki nachsehen",
    publish: "Seite veröffentlichen",
    notes: "Versionshinweise schreiben",
    refund: "Bestellung erstatten",
    weather: "Wetter nachsehen",
    flight: "Flug buchen",
    issue: "Ticket anlegen",
    mail: "E-Mail senden",
  },
  flight: {
    title: "Flug",
    message: "Für Ihren Flug brauche ich ein paar Angaben.",
    destination: "Ziel",
    date: "Abflug",
    cabin: "Klasse",
    cabins: { economy: "Economy", premium: "Premium Economy", business: "Business" },
    travellers: "Reisende",
    flexible: "Ich bin zeitlich flexibel",
    isOver: (date) => `Der ${date} ist vorbei. Wann soll der Flug sein?`,
    booked: ({ to, date, cabin, travellers, code }) =>
      `Flug nach ${to} am ${date}, ${cabin}, Reisende: ${travellers}. Buchung ${code}.`,
  },
};

const es: ScriptWords = {
  locale: "es",
  care: "Yo me encargo.",
  next: "Ahora la siguiente parte.",
  again: "Lo intentaré de nuevo.",
  noTool: "Ahora mismo no tengo la herramienta para eso.",
  waits: "Reservaré el vuelo con tu respuesta.",
  help: `Soy un guion que representa la demo. Entiendo inglés: ${EXAMPLES}.`,
  done: (text) => `Hecho: ${text}`,
  declined: (deed) => `${deed}: no lo he hecho. Dime cuándo quieres hacerlo.`,
  declinedWith: (deed, note) =>
    `${deed}: no lo he hecho. Escribiste: «${note}». Un modelo de lenguaje lo tendría en cuenta; yo soy un guion.`,
  dismissed: (deed) => `${deed}: no lo he hecho. Puedo preguntarte más tarde.`,
  missed: (deed) => `${deed}: no lo he hecho. Pídemelo otra vez cuando quieras.`,
  connectFirst: (deed) => `${deed}: conecta primero tu cuenta.`,
  companyRefuses: (deed, administrator) => `${deed}: tu empresa no lo permite. Pregunta a: ${administrator}.`,
  failed: (deed, why) => `${deed}: no ha sido posible.${why === undefined ? "" : ` ${why}`}`,
  created: (number, title) => `incidencia n.º ${number} creada, «${title}».`,
  mailed: (subject, from) => `correo «${subject}» enviado desde ${from}.`,
  deeds: {
    day: "Planear el día de equipo",
    weekend: "Planear el fin de semana",
    find: "Buscar en el wiki",
    publish: "Publicar la página",
    notes: "Escribir las notas de la versión",
    refund: "Reembolsar el pedido",
    weather: "Consultar el tiempo",
    flight: "Reservar el vuelo",
    issue: "Crear la incidencia",
    mail: "enviar el correo",
  },
  flight: {
    title: "Vuelo",
    message: "Necesito algunos datos para reservar tu vuelo.",
    destination: "Destino",
    date: "Fecha de salida",
    cabin: "Clase",
    cabins: { economy: "Turista", premium: "Turista superior", business: "Business" },
    travellers: "Viajeros",
    flexible: "Mis fechas son flexibles",
    isOver: (date) => `El ${date} ya ha pasado. ¿Cuándo será el vuelo?`,
    booked: ({ to, date, cabin, travellers, code }) =>
      `vuelo a ${to} el ${date}, ${cabin}, viajeros: ${travellers}. Reserva ${code}.`,
  },
};

const fr: ScriptWords = {
  locale: "fr",
  care: "Je m’en occupe.",
  next: "Passons à la suite.",
  again: "Je réessaie.",
  noTool: "Je n’ai pas l’outil pour cela en ce moment.",
  waits: "Je réserverai le vol avec votre réponse.",
  help: `Je suis un script qui joue la démo. Je comprends l’anglais : ${EXAMPLES}.`,
  done: (text) => `C’est fait : ${text}`,
  declined: (deed) => `${deed} : je ne l’ai pas fait. Dites-le-moi si vous changez d’avis.`,
  declinedWith: (deed, note) =>
    `${deed} : je ne l’ai pas fait. Vous avez écrit : « ${note} ». Un modèle de langage en tiendrait compte ; je suis un script.`,
  dismissed: (deed) => `${deed} : je ne l’ai pas fait. Je peux vous le redemander plus tard.`,
  missed: (deed) => `${deed} : je ne l’ai pas fait. Redemandez-le-moi quand vous voulez.`,
  connectFirst: (deed) => `${deed} : connectez d’abord votre compte.`,
  companyRefuses: (deed, administrator) =>
    `${deed} : votre entreprise ne le permet pas. Adressez-vous à : ${administrator}.`,
  failed: (deed, why) => `${deed} : cela n’a pas marché.${why === undefined ? "" : ` ${why}`}`,
  created: (number, title) => `ticket nº ${number} créé, « ${title} ».`,
  mailed: (subject, from) => `e-mail « ${subject} » envoyé depuis ${from}.`,
  deeds: {
    day: "Organiser la journée d’équipe",
    weekend: "Organiser le week-end",
    find: "Chercher dans le wiki",
    publish: "Publier la page",
    notes: "Écrire les notes de version",
    refund: "Rembourser la commande",
    weather: "Consulter la météo",
    flight: "Réserver le vol",
    issue: "Créer le ticket",
    mail: "envoyer l’e-mail",
  },
  flight: {
    title: "Vol",
    message: "Il me faut quelques informations pour réserver votre vol.",
    destination: "Destination",
    date: "Date de départ",
    cabin: "Classe",
    cabins: { economy: "Économique", premium: "Premium", business: "Affaires" },
    travellers: "Voyageurs",
    flexible: "Mes dates sont flexibles",
    isOver: (date) => `Le ${date} est passé. Quand doit être le vol ?`,
    booked: ({ to, date, cabin, travellers, code }) =>
      `vol pour ${to} le ${date}, ${cabin}, voyageurs : ${travellers}. Réservation ${code}.`,
  },
};

const ja: ScriptWords = {
  locale: "ja",
  care: "お任せください。",
  next: "次に進みます。",
  again: "もう一度試します。",
  noTool: "今はそのためのツールがありません。",
  waits: "フライトは、ご回答をいただいてから予約します。",
  help: `デモを演じるスクリプトです。英語を理解します: ${EXAMPLES}。`,
  done: (text) => `完了しました: ${text}`,
  declined: (deed) => `${deed}: 行っていません。やはり必要なときはお知らせください。`,
  declinedWith: (deed, note) =>
    `${deed}: 行っていません。「${note}」とのことですね。言語モデルならそれに従いますが、これはスクリプトです。`,
  dismissed: (deed) => `${deed}: 行っていません。あとでもう一度お尋ねできます。`,
  missed: (deed) => `${deed}: 行っていません。必要なときにもう一度お申し付けください。`,
  connectFirst: (deed) => `${deed}: 先にアカウントを接続してください。`,
  companyRefuses: (deed, administrator) =>
    `${deed}: 会社が許可していません。お問い合わせ先: ${administrator}`,
  failed: (deed, why) => `${deed}: できませんでした。${why ?? ""}`,
  created: (number, title) => `課題 #${number}「${title}」を作成しました。`,
  mailed: (subject, from) => `${from} から「${subject}」を送信しました。`,
  deeds: {
    day: "チームデーの計画",
    weekend: "週末の計画",
    find: "Wiki の検索",
    publish: "ページの公開",
    notes: "リリースノートの作成",
    refund: "注文の返金",
    weather: "天気の確認",
    flight: "フライトの予約",
    issue: "課題の作成",
    mail: "メールの送信",
  },
  flight: {
    title: "フライト",
    message: "フライトの予約に必要な情報を教えてください。",
    destination: "目的地",
    date: "出発日",
    cabin: "クラス",
    cabins: { economy: "エコノミー", premium: "プレミアム", business: "ビジネス" },
    travellers: "人数",
    flexible: "日程は変更できます",
    isOver: (date) => `${date} は過ぎています。いつのフライトにしますか。`,
    booked: ({ to, date, cabin, travellers, code }) =>
      `${to} 行き、${date}、${cabin}、${travellers} 名。予約番号 ${code}。`,
  },
};

const ar: ScriptWords = {
  locale: "ar",
  care: "سأتولى ذلك.",
  next: "والآن الجزء التالي.",
  again: "سأحاول مرة أخرى.",
  noTool: "لا أملك الأداة اللازمة لذلك الآن.",
  waits: "سأحجز الرحلة بعد إجابتك.",
  help: `أنا برنامج نصي يعرض هذا المثال. أفهم الإنجليزية: ${EXAMPLES}.`,
  done: (text) => `تم: ${text}`,
  declined: (deed) => `${deed}: لم أفعل ذلك. أخبرني إذا أردته لاحقًا.`,
  declinedWith: (deed, note) =>
    `${deed}: لم أفعل ذلك. كتبتَ: «${note}». النموذج اللغوي سيأخذ ذلك في الحسبان، أما أنا فبرنامج نصي.`,
  dismissed: (deed) => `${deed}: لم أفعل ذلك. يمكنني أن أسألك لاحقًا.`,
  missed: (deed) => `${deed}: لم أفعل ذلك. اطلبه مني مرة أخرى متى شئت.`,
  connectFirst: (deed) => `${deed}: اربط حسابك أولًا.`,
  companyRefuses: (deed, administrator) => `${deed}: شركتك لا تسمح بذلك. اسأل: ${administrator}.`,
  failed: (deed, why) => `${deed}: لم ينجح ذلك.${why === undefined ? "" : ` ${why}`}`,
  created: (number, title) => `أُنشئت المشكلة رقم ${number}، «${title}».`,
  mailed: (subject, from) => `أُرسل «${subject}» من ${from}.`,
  deeds: {
    day: "التخطيط ليوم الفريق",
    weekend: "التخطيط لعطلة نهاية الأسبوع",
    find: "البحث في الويكي",
    publish: "نشر الصفحة",
    notes: "كتابة ملاحظات الإصدار",
    refund: "رد ثمن الطلب",
    weather: "التحقق من الطقس",
    flight: "حجز الرحلة",
    issue: "إنشاء المشكلة",
    mail: "إرسال البريد",
  },
  flight: {
    title: "رحلة جوية",
    message: "أحتاج إلى بعض التفاصيل لحجز رحلتك.",
    destination: "الوجهة",
    date: "تاريخ المغادرة",
    cabin: "الدرجة",
    cabins: { economy: "السياحية", premium: "السياحية الممتازة", business: "رجال الأعمال" },
    travellers: "المسافرون",
    flexible: "مواعيدي مرنة",
    isOver: (date) => `لقد مضى ${date}. متى تكون الرحلة؟`,
    booked: ({ to, date, cabin, travellers, code }) =>
      `رحلة إلى ${to} في ${date}، ${cabin}، المسافرون: ${travellers}. الحجز ${code}.`,
  },
};

const WORDS: Readonly<Record<string, ScriptWords>> = { ar, de, en, es, fr, ja };

/** The texts in the first of these languages that the demo supports. */
export function scriptWords(languages: readonly string[] = []): ScriptWords {
  return inLanguageOf(languages, WORDS, en);
}
