import type { SlackWords } from "./slack-words.ts";

/** Arabic. */
export const slackAr: SlackWords = {
  answer: "الإجابة…",
  answerOnPage: "الإجابة في صفحة",
  tooMuchForSlack: "لا يستطيع Slack عرض هذه الأسئلة، لذلك وُضعت في صفحة.",
  for: (person) => `إلى ${person}`,
  until: (time) => `متاح حتى ${time}`,
  messageWithdraws: "رسالتك التالية إليّ في سلسلة الرسائل هذه تسحب هذا السؤال.",
  declined: (service) => (service === undefined ? "رُفض" : `رُفض: ${service}`),
  by: (person) => `من ${person}`,
  notYours: (person) => `هذا السؤال موجّه إلى ${person}. لا يمكن لغيره الإجابة عنه.`,
  ended: "لم يعد هذا السؤال متاحًا.",
  pressAgain: "لم ينتظر Slack النموذج. اضغط الزر مرة أخرى.",
  sending: "يجري التحقق من إجابتك…",
  failed: "تعذّر إرسال إجابتك. اضغط الزر مرة أخرى.",
  unknownPerson: "لا أعرف بعد من أنت هنا.",
  linkAccount: "ربط حسابك",
  comeBack: (seconds) => `العمل كثير في هذه اللحظة. حاول مرة أخرى بعد ${seconds} ثانية.`,
  stopped: "تم الإيقاف.",
  nothingToStop: "لا يوجد هنا شيء لك لإيقافه.",
  notInvited: "لا أستطيع الكتابة هنا. يُرجى دعوتي إلى القناة أولًا.",
  emptyCommand: (command) => `يُرجى كتابة ما تحتاج إليه بعد الأمر: ${command} …`,
};
