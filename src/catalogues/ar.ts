import type { Catalogue } from "./catalogue.ts";

/** العربية */
export const ar: Catalogue = {
  locale: "ar",
  dir: "rtl",
  title: (mode, trigger, service) =>
    service !== undefined
      ? `ربط ${service}`
      : mode === "form"
        ? "نحتاج إلى بعض المعلومات"
        : trigger === "credential_required"
          ? "اربط حسابك"
          : "تابع في صفحة أخرى",
  claimedName: (name) => `يسمّي نفسه «${name}». لم يتحقق أحد من هذا الاسم.`,
  connect: "ربط",
  connectAnyway: "الربط على أي حال",
  tryAgain: "إعادة المحاولة",
  showWindow: "إظهار النافذة",
  openAgain: "فتح مرة أخرى",
  finished: "انتهيت",
  decline: "رفض",
  dismiss: "ليس الآن",
  cancel: "إلغاء",
  close: "إغلاق",
  retry: "إعادة الإرسال",
  submit: "إرسال",
  confirm: "تأكيد",
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
  waitingFor: (host) => `في انتظار ${host}`,
  windowClosed: "هل أغلقت النافذة؟",
  checking: "جارٍ التحقق…",
  openInNewTab: "فتح في علامة تبويب جديدة",
  continueInThisTab: "المتابعة في علامة التبويب هذه",
  submitting: "جارٍ الإرسال…",
  held: "ستُحفظ إجابتك حتى تتم الإجابة عن بقية أسئلة هذه المجموعة. لا يزال بإمكانك تغييرها.",
  notices: {
    "not-completed": "لم يكتمل بعد. أكمل الخطوات في الصفحة ثم حاول مرة أخرى.",
    "provider-error": "أبلغت الصفحة عن مشكلة. يمكنك المحاولة مرة أخرى.",
    offline: "يبدو أنك غير متصل. إجابتك محفوظة وسيُعاد إرسالها.",
    "server-error": "تعذّر توصيل الإجابة.",
    refused: "لم تُقبل الإجابة.",
    "answered-elsewhere": "تمت الإجابة في مكان آخر.",
  },
  receipt: (mode, outcome, service) =>
    ({
      accepted: service ? `تم ربط ${service}` : mode === "url" ? "تم الربط" : "تم الإرسال",
      declined: service ? `لقد رفضت ربط ${service}` : "لقد رفضت",
      cancelled: "تم الإغلاق",
      expired: service ? `انتهت مهلة طلب ${service}` : "انتهت مهلة الطلب",
      withdrawn: "لم يعد مطلوبًا",
      failed: service ? `تعذّر ربط ${service}` : "لم ينجح الأمر",
      gone: "لم يعد هذا الطلب مفتوحًا",
    })[outcome],
  discardTyped: "هل تريد حذف ما كتبته؟",
  keepEditing: "متابعة التحرير",
  discard: "حذف",
  typed: "ما كتبته",
  sentNote: "يظهر لك في هذه الجلسة فقط.",
  notShown: "أُرسل ولا يُعرض",
  errorCount: (count) => `إجابات تحتاج إلى مراجعة: ${count}`,
  timeLeft: (time) => `الوقت المتبقي ${time}`,
  underTwoMinutes: "بقي أقل من دقيقتين.",
  roundProgress: (answered, size) => `تمت الإجابة عن ${answered} من ${size}، وتُرسل معًا`,
  optional: "اختياري",
  range: (minimum, maximum) =>
    maximum === undefined
      ? `${minimum} أو أكثر`
      : minimum === undefined
        ? `حتى ${maximum}`
        : `من ${minimum} إلى ${maximum}`,
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
  secretsRefused: "يطلب هذا النموذج معلومات سرية، وهذا غير مسموح به هنا.",
};
