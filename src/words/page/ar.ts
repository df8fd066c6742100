import type { PageWords } from "./en.ts";

export const ar: PageWords = {
  locale: "ar",
  dir: "rtl",
  backToChat: "العودة إلى الدردشة",
  closeWindow: "يمكنك إغلاق هذه النافذة.",
  closesSoon: "ستُغلق هذه النافذة بعد لحظات.",
  tryAgain: "إعادة المحاولة",
  signIn: (site) => (site === undefined ? "تسجيل الدخول" : `تسجيل الدخول إلى ${site}`),
  switchAccount: "تبديل الحساب",
  checking: { title: "لحظة من فضلك", text: "نتحقق عبر الدردشة من أنك صاحب الطلب." },
  continue: "متابعة",
  connect: (service) => `ربط ${service}`,
  asksToUse: (service) => ["يطلب ", ` استخدام حسابك في ${service} نيابةً عنك.`],
  assistant: "المساعد",
  can: "يمكنه",
  cannot: "لا يمكنه",
  seePassword: "رؤية كلمة مرورك",
  stayConnected: "البقاء متصلًا إلى أن تزيل الاتصال",
  usesNamedRight: (right) => `استخدام «${right}»، وهي صلاحية سمّاها هذا الخادم بنفسه`,
  moreAccess: "صلاحيات إضافية",
  neededFor: "مطلوب من أجل",
  signedInAs: "حسابك الحالي",
  chat: "الدردشة",
  passwordOnlyAt: ["اكتب كلمة مرورك فقط في ", "."],
  nextPageShows: "يجب أن تعرض الصفحة التالية هذا العنوان.",
  details: "التفاصيل",
  rights: "الصلاحيات",
  expires: "تنتهي",
  takeBack: "سحب الإذن",
  notYou: "لست أنت؟",
  sure: {
    title: (account) => `لست ${account}؟`,
    text: "إذن لا تتابع. استخدم حسابك أنت في المحادثة.",
    itIsMe: "هذا أنا",
    notMe: "لست أنا",
  },
  sharedUse: (service) => `كل من يستخدم حساب الدردشة هذا يمكنه استخدام حساب ${service} الذي تربطه.`,
  continueTo: (service) => `المتابعة إلى ${service}`,
  decline: "رفض",
  passwordStays: (service) => `تبقى كلمة مرورك لدى ${service}.`,
  otherAddress: {
    title: "يتم تسجيل الدخول في عنوان آخر",
    text: (server, host) =>
      `من أجل ${server}، تكتب كلمة مرورك في ${host}. تابع فقط إذا كنت تعرف هذا العنوان.`,
  },
  checkNextAddress: "تطلب منك الصفحة التالية تسجيل الدخول. اكتب كلمة مرورك فقط إذا كنت تعرف عنوانها.",
  signInChanged: (service) =>
    `تغيّر تسجيل الدخول إلى ${service} منذ أن رأيت هذه الصفحة. اقرأها مرة أخرى قبل أن تتابع.`,
  unknownServer: "لا تعرف هذه الصفحة الخادم إلا من عنوانه.",
  didNotAsk: "لم تطلب ذلك؟ ارفض أو أغلق هذه النافذة.",
  nothingConnected: "لم يُربط أي شيء. يمكنك المحاولة مرة أخرى.",
  accountAt: (service) => `حساب ${service}`,
  connected: "مرتبط",
  remove: "إزالة",
  removed: (service) => ({
    title: `لم يعد ${service} مرتبطًا`,
    text: "لم يعد بإمكان الدردشة استخدام هذا الحساب. يمكنك ربطه من جديد من الدردشة.",
  }),
  accounts: {
    title: "الحسابات المرتبطة",
    text: "يمكن للدردشة استخدام هذه الحسابات نيابةً عنك.",
    none: "لا يوجد حساب مرتبط.",
    notChecked: "يتعذر التحقق منه الآن",
    since: (date) => `مرتبط منذ ${date}`,
    forgotten: "نسيت هذه الصفحة هويتك. سجّل الدخول إلى دردشتك بحسابك أنت، ثم افتح هذه الصفحة مرة أخرى.",
    notRevoked: (service) => `تعذر إبلاغ ${service}. أزل الوصول من حسابك هناك أيضًا.`,
    notRemoved: (service) => `تعذر الوصول إلى ${service}، لذا لا يزال الحساب مرتبطًا. حاول مرة أخرى.`,
  },
  remembered: {
    title: "الإجابات المحفوظة",
    text: "تستخدم أدوات محادثتك هذه الإجابات دون أن تسألك.",
    until: (date) => `حتى ${date}`,
  },
  ended(outcome, service) {
    const notConnected = `لم يُربط ${service}`;
    switch (outcome) {
      case "accepted":
        return { title: `تم ربط ${service}`, text: "تتابع الدردشة من تلقاء نفسها." };
      case "declined":
        return { title: notConnected, text: "لقد رفضت. لم تتم مشاركة أي شيء، وتتابع الدردشة من دونه." };
      case "cancelled":
        return { title: notConnected, text: "أُغلق الطلب. لم تتم مشاركة أي شيء." };
      case "expired":
        return { title: "انتهت صلاحية هذا الطلب", text: "لم تتم مشاركة أي شيء. اطلبه من جديد في الدردشة." };
      case "withdrawn":
        return { title: "سُحب هذا الطلب", text: "لم تعد الدردشة بحاجة إليه. لم تتم مشاركة أي شيء." };
      case "failed":
        return { title: `تعذّر ربط ${service}`, text: "اطلبه من جديد في الدردشة." };
    }
  },
  asksYou: ["يسألك ", ":"],
  checkAnswers: "يُرجى مراجعة هذه الإجابات.",
  chatGoesOn: "تتابع الدردشة من تلقاء نفسها.",
  goBackThere: "يمكنك العودة إلى حيث سُئلت.",
  roundProgress: (answered, size) =>
    `تمت الإجابة عن ${answered} من ${size}. تُرسل كل إجابة على حدة. تتابع الدردشة بعد الإجابة الأخيرة.`,
  nothingShared: "لم تتم مشاركة أي شيء.",
  failures: {
    denied: (service) => `لقد ألغيت في ${service}. لم يُربط أي شيء.`,
    code: (service, code) => `أجاب ${service} بخطأ (${code}).`,
    unreachable: (service) => `تعذّر الوصول إلى ${service} أو لم تُفهم إجابته.`,
    notSetUp: (service) => `لا يمكن ربط ${service} بعد. على مشغّل هذه المحادثة إعداده أولًا.`,
    notApproved: (service) => `يجب أن يوافق مسؤول في ${service} أولًا. اطلب منه ذلك، ثم حاول مرة أخرى.`,
    notConnected: (service) => `لم يُربط ${service}.`,
    notConnectedCode: (service, code) => `لم يُربط ${service} (${code}).`,
  },
  apiKey: {
    add: (service) => `أضف مفتاح API الخاص بك في ${service}`,
    format: (prefix, length) => `يبدأ بـ «${prefix}»${length === undefined ? "." : `، ${length} حرفًا.`}`,
    wrongFormat: (service, prefix) => `هذا ليس مفتاح ${service}. تبدأ مفاتيحه بـ «${prefix}».`,
    show: "إظهار",
    hide: "إخفاء",
    canUse: (service) => `استخدام ${service} بكل صلاحيات هذا المفتاح`,
    seeKey: "رؤية المفتاح. لا يصل إلى الدردشة أبدًا",
    asksForKey: (service) => ["يحتاج ", ` إلى مفتاح API لاستخدام ${service} نيابةً عنك.`],
    label: (service) => `مفتاح API الخاص بك في ${service}`,
    newKey: (service) => `مفتاح API جديد لـ ${service}`,
    whereToFind: (service) => `أين تجد مفتاح ${service}`,
    save: "حفظ المفتاح",
    replace: "استبدال المفتاح",
    refused: (service) => `لم يقبل ${service} هذا المفتاح.`,
    unchecked: (service) => `تعذّر على ${service} التحقق من المفتاح. حاول مرة أخرى.`,
  },
  nango: {
    starting: "لحظة من فضلك…",
    waiting: "تابع في النافذة التي فُتحت. إن كانت مغلقة فاضغط الزر مرة أخرى.",
    blocked: "لم يفتح متصفحك النافذة. اضغط الزر مرة أخرى.",
    offline: "لا يوجد اتصال حاليًا. اضغط الزر لإعادة المحاولة.",
    needsScript: "تحتاج هذه الصفحة إلى JavaScript لربط حسابك.",
  },
  unknownPerson: {
    title: "لا يمكن لهذه الصفحة معرفة من أنت",
    signedOut: "لم تسجّل الدخول إلى الدردشة في هذا المتصفح. سجّل الدخول هناك ثم حاول مرة أخرى.",
    noReferrer: "لا يخبر متصفحك هذه الصفحة من أين أتيت، لذلك يجب أن تفتحها الدردشة. اضغط «ربط» هناك.",
    notOpenedByChat: "لم تفتحها الدردشة. اضغط «ربط» هناك لفتحها.",
    stillUnknown:
      "يحظر متصفحك ملفات تعريف الارتباط لهذه الصفحة، أو مرّت أكثر من بضع دقائق، أو لم تسجّل الدخول إلى الدردشة.",
    notForYou: "إن لم تكن تنوي ربط حساب فأغلق هذه الصفحة. ربما أرسل إليك أحدهم رابطًا ليس موجّهًا إليك.",
  },
  unavailable: {
    title: "لا يمكن استخدام هذا الرابط",
    text: "ربما يخص حسابًا آخر، أو استُخدم من قبل، أو انتهت صلاحيته. ابدأ من جديد من الدردشة.",
  },
  youAre: ["سجّلت الدخول باسم ", "."],
  forgotten: {
    title: "استخدم حساب الدردشة الخاص بك",
    text: "نسيت هذه الصفحة من أنت، ولم يُربط أي شيء. سجّل الدخول إلى الدردشة بحسابك ثم اضغط «ربط» هناك.",
  },
  forgottenAnswer: {
    title: "استخدم حساب الدردشة الخاص بك",
    text: "نسيت هذه الصفحة من أنت، ولم يُرسل أي شيء. سجّل الدخول إلى الدردشة بحسابك ثم افتح السؤال هناك.",
  },
  later: { title: "لا يمكن سؤال الدردشة الآن", text: "انتظر دقيقة ثم حاول مرة أخرى." },
  tooMany: { title: "محاولات كثيرة جدًا", text: "انتظر دقيقة ثم أعد تحميل هذه الصفحة." },
  broken: { title: "حدث خطأ ما", text: "انتظر لحظة ثم حاول مرة أخرى من الدردشة." },
};
