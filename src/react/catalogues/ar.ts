import type { Catalogue } from "./catalogue.ts";

/** العربية */
export const ar: Catalogue = {
  locale: "ar",
  dir: "rtl",
  title: (mode, trigger) =>
    mode === "form"
      ? "نحتاج إلى بعض المعلومات"
      : trigger === "credential_required"
        ? "اربط حسابك"
        : "تابع في صفحة أخرى",
  requester: (name) => `الطلب من ${name}.`,
  claimedName: (name) => `يسمّي نفسه «${name}». لم يتحقق أحد من هذا الاسم.`,
  connect: "ربط",
  openAgain: "فتح مرة أخرى",
  finished: "انتهيت",
  decline: "رفض",
  dismiss: "إغلاق",
  cancel: "إلغاء",
  close: "إغلاق",
  retry: "إعادة الإرسال",
  submit: "إرسال",
  confirm: "تأكيد",
  changeAnswer: "تغيير الإجابة",
  copyLink: "نسخ الرابط",
  linkCopied: "تم نسخ الرابط",
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
    punycode: "للعنوان اسم دولي. قارنه حرفًا حرفًا.",
    "mixed-script": "يخلط العنوان حروفًا من أبجديات مختلفة. قد يقلّد عنوانًا آخر.",
    lookalike: "العنوان مكتوب بحروف تشبه غيرها. قد يقلّد عنوانًا آخر.",
    "loopback-http": "يؤدي الرابط إلى هذا الجهاز دون تشفير.",
    "ip-host": "العنوان رقم وليس اسمًا.",
    "unusual-port": "للعنوان منفذ غير معتاد.",
    "trailing-dot": "ينتهي العنوان بنقطة.",
    "host-differs": "الرابط مكتوب بشكل يختلف عن العنوان الذي يؤدي إليه.",
  },
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
    open: "في انتظار أن تنتهي في النافذة الأخرى.",
    closed: "هل أغلقت النافذة؟ يمكنك فتحها مرة أخرى.",
    blocked: "حظر المتصفح النافذة. افتح الصفحة بالرابط.",
    elsewhere: "في انتظار أن تنتهي في الصفحة.",
  },
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
  receipt: (mode, outcome) =>
    ({
      accepted: mode === "url" ? "تم الربط." : "تم الإرسال.",
      declined: "لقد رفضت.",
      cancelled: "تم الإغلاق.",
      expired: "انتهت المهلة قبل الإجابة.",
      withdrawn: "لم يعد مطلوبًا.",
      failed: "لم ينجح الأمر.",
      gone: "لم يعد هذا الطلب مفتوحًا.",
    })[outcome],
  discardTyped: "هل تريد حذف ما كتبته؟",
  keepEditing: "متابعة التحرير",
  discard: "حذف",
  typed: "ما كتبته",
  timeLeft: (time) => `الوقت المتبقي ${time}`,
  underTwoMinutes: "بقي أقل من دقيقتين.",
  roundProgress: (answered, size) => `تمت الإجابة عن ${answered} من ${size}`,
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
