import type { Catalogue } from "./catalogue.ts";

/** العربية */
export const ar: Catalogue = {
  locale: "ar",
  dir: "rtl",
  title: (kind, service) =>
    ({
      form: "نحتاج إلى إجابتك",
      connect: service ? `ربط ${service}` : "اربط حسابك",
      open: service ? `المتابعة في ${service}` : "تابع في صفحة أخرى",
      pay: service ? `الدفع في ${service}` : "الدفع",
      sign: service ? `التوقيع في ${service}` : "التوقيع",
    })[kind],
  claimedName: (name) => `يسمّي نفسه «${name}». لم يتحقق أحد من هذا الاسم.`,
  connect: "ربط",
  open: "فتح الصفحة",
  pay: "المتابعة إلى الدفع",
  sign: "المتابعة إلى التوقيع",
  connectAnyway: "الربط على أي حال",
  openAnyway: "الفتح على أي حال",
  tryAgain: "إعادة المحاولة",
  showWindow: "إظهار النافذة",
  openAgain: "فتح مرة أخرى",
  finished: "انتهيت",
  decline: "رفض",
  noAnd: "لا، و…",
  noAndLine: "لا، و",
  back: "رجوع",
  onlyReads: (name = "المساعد", used) => `لا يقرأ هذا إلا ${name} · ${used}`,
  dismiss: "ليس الآن",
  cancel: "إلغاء",
  close: "إغلاق",
  retry: "إعادة الإرسال",
  submit: "إرسال",
  confirm: "تأكيد",
  next: "التالي",
  review: "مراجعة",
  skip: "تخطٍّ",
  skipped: "تم تخطيه",
  readyToSend: "هل كل شيء جاهز للإرسال؟",
  questionOf: (current, count) => `السؤال ${current} من ${count}`,
  changeAnswer: "تغيير الإجابة",
  copyLink: "نسخ",
  linkCopied: "تم النسخ",
  link: (host) => `رابط إلى ${host}`,
  decodedHost: (host) => `يُقرأ ${host}`,
  urlReasons: {
    "white-space": "يحتوي الرابط على مسافات.",
    control: "يحتوي الرابط على محارف تحكم.",
    bidi: "يحتوي الرابط على محارف تقلب اتجاه القراءة.",
    invisible: "يحتوي الرابط على محارف غير مرئية.",
    backslash: "يحتوي الرابط على شرطة مائلة عكسية تخفي وجهته.",
    unparsable: "الرابط ليس عنوان ويب صالحًا.",
    scheme: "لا يؤدي الرابط إلى صفحة ويب.",
    insecure: "لن يكون الاتصال بهذا العنوان مشفّرًا.",
    userinfo: "يحتوي الرابط على اسم قبل العنوان يخفي وجهته.",
    "invalid-host": "لا يذكر الرابط عنوانًا صالحًا.",
    punycode: "اسم دولي. قارنه حرفًا حرفًا.",
    "mixed-script": "يخلط حروفًا من أبجديات مختلفة.",
    lookalike: "حروفه من أبجدية أخرى وتبدو متشابهة فقط.",
    "loopback-http": "عنوان محلي للتطوير",
    "ip-host": "العنوان رقم وليس اسمًا.",
    "unusual-port": "للعنوان منفذ غير معتاد.",
    "trailing-dot": "ينتهي العنوان بنقطة.",
    "host-differs": "الرابط مكتوب بشكل يختلف عن العنوان الذي يؤدي إليه.",
  },
  imitates: (host) => `هذا ليس ${host}`,
  blockedUrl: "هذا الرابط غير آمن، لذلك لا يمكن فتحه.",
  blockedForm: "لا يمكن عرض هذا النموذج.",
  schemaReasons: {
    "not-an-object-schema": "هذه ليست قائمة أسئلة.",
    "too-large": "النموذج كبير جدًا.",
    "too-many-properties": "الأسئلة كثيرة جدًا.",
    "too-many-options": "الخيارات كثيرة جدًا.",
    "unsupported-property": "هذا النوع من الأسئلة غير مدعوم.",
    "invalid-keyword": "السؤال يناقض نفسه.",
  },
  aboutQuestion: (name, reason) => `«${name}»: ${reason}`,
  waiting: {
    open: "أكمل في النافذة التي فُتحت",
    closed: "يبدو أن النافذة مغلقة",
    blocked: "لم يفتح المتصفح النافذة",
    elsewhere: "أكمل في الصفحة في علامة التبويب الأخرى",
  },
  waitingFor: (host, purpose) =>
    ({
      connect: `في انتظار ${host}`,
      open: `في انتظار انتهائك في ${host}`,
      pay: `في انتظار الدفع في ${host}`,
      sign: `في انتظار التوقيع في ${host}`,
    })[purpose],
  windowClosed: "هل أغلقت النافذة؟",
  notFinished: "لم تنتهِ بعد",
  checking: "جارٍ التحقق…",
  openInNewTab: "فتح في علامة تبويب جديدة",
  continueInThisTab: "المتابعة في علامة التبويب هذه",
  submitting: "جارٍ الإرسال…",
  formLoading: "جارٍ تحميل النموذج…",
  notLoaded: "تعذّر تحميل هذا السؤال.",
  held: "ستُحفظ إجابتك حتى تتم الإجابة عن بقية أسئلة هذه المجموعة. لا يزال بإمكانك تغييرها.",
  notices: {
    "not-completed": "لم يكتمل بعد. أكمل الخطوات في الصفحة ثم حاول مرة أخرى.",
    "provider-error": "أبلغت الصفحة عن مشكلة. يمكنك المحاولة مرة أخرى.",
    offline: "يبدو أنك غير متصل. إجابتك محفوظة وسيُعاد إرسالها.",
    unreachable: "الخادم لا يستجيب. إجابتك محفوظة وسيُعاد إرسالها.",
    "server-error": "تعذّر توصيل الإجابة.",
    "signed-out": "سُجّل خروجك. سجّل الدخول ثم أرسل مرة أخرى.",
    refused: "لم تُقبل الإجابة.",
    "answered-elsewhere": "تمت الإجابة في مكان آخر.",
  },
  receipt: (kind, outcome, service, account) =>
    ({
      accepted: {
        form: "تم الإرسال",
        connect: connected(service, account),
        open: service ? `تم الإنجاز في ${service}` : "اكتملت الصفحة",
        pay: service ? `تم الدفع في ${service}` : "تم الدفع",
        sign: service ? `تم التوقيع في ${service}` : "تم التوقيع",
      }[kind],
      declined: {
        form: "لقد رفضت",
        connect: service ? `لقد رفضت ربط ${service}` : "لقد رفضت",
        open: service ? `لقد رفضت المتابعة في ${service}` : "لقد رفضت",
        pay: service ? `لقد رفضت الدفع في ${service}` : "لقد رفضت الدفع",
        sign: service ? `لقد رفضت التوقيع في ${service}` : "لقد رفضت التوقيع",
      }[kind],
      cancelled: "تم الإغلاق",
      expired: service ? `انتهت مهلة طلب ${service}` : "انتهت مهلة الطلب",
      withdrawn: "لم يعد مطلوبًا",
      failed: {
        form: "لم ينجح الأمر",
        connect: service ? `تعذّر ربط ${service}` : "لم ينجح الأمر",
        open: service ? `لم ينجح الأمر في ${service}` : "لم ينجح الأمر",
        pay: service ? `فشل الدفع في ${service}` : "فشل الدفع",
        sign: service ? `فشل التوقيع في ${service}` : "فشل التوقيع",
      }[kind],
      gone: "لم يعد هذا الطلب مفتوحًا",
    })[outcome],
  discardTyped: "هل تريد حذف ما كتبته؟",
  keepEditing: "متابعة التحرير",
  discard: "حذف",
  typed: "ما كتبته",
  about: (label) => `${label}:`,
  sentNote: "يظهر لك في هذه الجلسة فقط.",
  notShown: "أُرسل ولا يُعرض",
  errorCount: (count) => `إجابات تحتاج إلى مراجعة: ${count}`,
  timeLeft: (time) => `الوقت المتبقي ${time}`,
  askAgain: "اسأل مرة أخرى",
  askAgainMessage(kind, about) {
    if (kind === "connect") return `من فضلك اربط ${about ?? "حسابي"} بعد كل شيء.`;
    return about === undefined ? "من فضلك اسألني ذلك مرة أخرى." : `من فضلك اسألني مرة أخرى: ${about}`;
  },
  nextTry: (seconds) => `المحاولة التالية بعد ${seconds} ث`,
  underTwoMinutes: "بقي أقل من دقيقتين.",
  roundProgress: (answered, size) => `تمت الإجابة عن ${answered} من ${size}، وتُرسل معًا`,
  waitsForYou: "في انتظارك",
  writeMessage: "اكتب رسالة",
  messageWithdraws: (count) =>
    count === 1
      ? "إرسال رسالة يسحب السؤال."
      : count === 2
        ? "إرسال رسالة يسحب السؤالين."
        : "إرسال رسالة يسحب جميع الأسئلة.",
  messageFills: "تملأ رسالتك النموذج، وأنت من يرسله.",
  saySentence: "أو قلها في جملة…",
  fillIn: "تعبئة",
  proposals: {
    asking: "تجري قراءة رسالتك…",
    filled: (labels) => `عُبئ من رسالتك: ${labels}.`,
    same: "رسالتك تقول ما هو معبأ بالفعل.",
    says: (value) => `رسالتك تقول «${value}».`,
    use: "استخدمه",
    keep: "أبقِ إجابتي",
    nothing: "لا شيء في رسالتك يناسب هذا النموذج. لم تُرسل.",
    failed: "تعذرت قراءة رسالتك. املأ النموذج أو حاول مرة أخرى.",
  },
  sendAsMessage: "إرسال كرسالة",
  didNotWork: "لم ينجح ذلك. حاول مرة أخرى.",
  others: {
    waitsFor: (name) => `بانتظار ${name}`,
    takeBack: "استرداد",
    remind: "تذكير",
    reminded: "التذكير في الطريق.",
    tooSoon: (wait) => `لم يحن وقت التذكير بعد. يمكنك إرسال تذكير ${wait}.`,
    giveOn: "إسناد إلى شخص آخر",
    giveTo: "إسناد إلى",
    give: "إسناد",
    givenTo: (name) => `أُسند إلى ${name}`,
    from: (name) => `من ${name}`,
    title: "أسئلة من آخرين",
    answeredBy: (name) => `أجاب ${name}`,
  },

  inbox: {
    title: "بانتظار إجابتك",
    empty: "لا شيء بانتظارك",
    emptyHint: "تظهر هنا الأسئلة من جميع محادثاتك.",
    loading: "جارٍ البحث عن أسئلتك…",
    unavailable: "يتعذّر عرض أسئلتك الآن.",
    outdated: "لا يوجد اتصال. قد لا تكون هذه القائمة محدّثة.",
    conversation: (number) => `المحادثة ${number}`,
    chat: "الدردشة",
  },
  optional: "اختياري",
  range: (minimum, maximum) =>
    maximum === undefined
      ? `${minimum} أو أكثر`
      : minimum === undefined
        ? `حتى ${maximum}`
        : `من ${minimum} إلى ${maximum}`,
  moreThan: (limit) => `أكبر من ${limit}`,
  lessThan: (limit) => `أصغر من ${limit}`,
  count: (minimum, maximum) =>
    maximum === undefined
      ? `الحد الأدنى للاختيارات: ${minimum}`
      : minimum === undefined
        ? `الحد الأقصى للاختيارات: ${maximum}`
        : minimum === maximum
          ? `عدد الاختيارات: ${minimum}`
          : `عدد الاختيارات: من ${minimum} إلى ${maximum}`,
  outOf: (value, most) => `${value} من ${most}`,
  chosen: (outOf) => `تم اختيار ${outOf}`,
  errors: {
    required: () => "يرجى ملء هذا الحقل.",
    "choose-or-say": () => "اختر واحدًا، أو قلها بكلماتك.",
    "too-short": (limit) => `الحد الأدنى لعدد المحارف: ${limit}.`,
    "too-long": (limit) => `الحد الأقصى لعدد المحارف: ${limit}.`,
    email: () => "يرجى إدخال عنوان بريد إلكتروني، مثل name@example.com.",
    uri: () => "يرجى إدخال عنوان ويب كامل، مثل https://example.com.",
    date: () => "يرجى إدخال تاريخ.",
    "date-time": () => "يرجى إدخال تاريخ ووقت.",
    pattern: () => "يرجى استخدام الصيغة المطلوبة.",
    number: () => "يرجى إدخال رقم.",
    integer: () => "يرجى إدخال عدد صحيح.",
    "too-small": (limit) => `يرجى إدخال ${limit} أو أكثر.`,
    "too-large": (limit) => `يرجى إدخال ${limit} أو أقل.`,
    "not-above": (limit) => `يرجى إدخال رقم أكبر من ${limit}.`,
    "not-below": (limit) => `يرجى إدخال رقم أصغر من ${limit}.`,
    "not-a-multiple": (limit) => `يرجى إدخال أحد مضاعفات ${limit}.`,
    "not-an-option": () => "يرجى اختيار أحد الخيارات.",
    "too-few": (limit) => `الحد الأدنى للاختيارات: ${limit}.`,
    "too-many": (limit) => `الحد الأقصى للاختيارات: ${limit}.`,
    duplicate: () => "يرجى اختيار كل خيار مرة واحدة فقط.",
    type: () => "يرجى مراجعة هذه الإجابة.",
    "unknown-field": () => "لم يُطلب هذا.",
  },
  yes: "نعم",
  no: "لا",
  choose: "اختر…",
  recommended: "موصى به",
  ownWords: "أو قلها بكلماتك…",
  yourWords: "بكلماتك",
  clear: "مسح",
  notSet: "غير محدد",
  decrease: "أقل بواحد",
  increase: "أكثر بواحد",
  search: "بحث",
  moreOptions: (hidden) => `خيارات أخرى: ${hidden}. اكتب لتضييق القائمة.`,
  noMatch: "لا توجد نتائج.",
  timeZone: "المنطقة الزمنية",
  localTime: (zone) => `توقيتك (${zone})`,
  secretsWarning: (fields) =>
    `يطلب هذا النموذج معلومات سرية (${fields}). سيتمكن من يطلبها من قراءتها والاحتفاظ بها.`,
  secretsConfirm: "أريد مشاركة هذا",
  remember: {
    offered: (days) =>
      days === 1
        ? "استخدام هذه الإجابة مجددًا لمدة يوم واحد"
        : days === 2
          ? "استخدام هذه الإجابة مجددًا لمدة يومين"
          : days <= 10
            ? `استخدام هذه الإجابة مجددًا لمدة ${days} أيام`
            : `استخدام هذه الإجابة مجددًا لمدة ${days} يومًا`,
    same: "فقط عندما تطرح هذه الأداة السؤال نفسه تمامًا.",
    ofKind: (kind) => `لكل أسئلة هذه الأداة عن «${kind}».`,
    used: "تمت الإجابة كما سمحت من قبل",
    askNextTime: "اسألني في المرة القادمة",
    willAsk: "سيُطرح عليك السؤال في المرة القادمة.",
  },
  secretsRefused: "يطلب هذا النموذج معلومات سرية، وهذا غير مسموح به هنا.",
};

function connected(service: string | undefined, account: string | undefined): string {
  if (account) return service ? `تم ربط ${service} باسم ${account}` : `تم الربط باسم ${account}`;
  return service ? `تم ربط ${service}` : "تم الربط";
}
