import { accountOf } from "./access-tokens.ts";
import { MAIL_ICON, MAIL_SCOPE } from "./mail.ts";
import type { Services } from "./services.ts";
import { TRACKER_ICON, TRACKER_SCOPE } from "./tracker.ts";

/** The providers at which users of the demo connect their accounts. */
export function createProviders({ issuer, client, tracker, mail }: Services) {
  const accountName = async ({ accessToken }: { accessToken: string }) => accountOf(accessToken);
  return {
    tracker: {
      service: "Tracker",
      issuer,
      ...client,
      scopes: [TRACKER_SCOPE],
      scopeWords: {
        [TRACKER_SCOPE]: {
          en: "Read your issues and create new ones",
          ar: "قراءة مشكلاتك وإنشاء مشكلات جديدة",
          de: "Ihre Tickets lesen und neue anlegen",
          es: "Leer sus incidencias y crear otras",
          fr: "Lire vos tickets et en créer",
          ja: "課題の閲覧と作成",
        },
      },
      iconDataUrl: TRACKER_ICON,
      resource: tracker,
      accountName,
    },
    mail: {
      service: "Mail",
      issuer,
      ...client,
      scopes: [MAIL_SCOPE],
      scopeWords: {
        [MAIL_SCOPE]: {
          en: "Send mail from your address",
          ar: "إرسال بريد من عنوانك",
          de: "E-Mails von Ihrer Adresse senden",
          es: "Enviar correo desde su dirección",
          fr: "Envoyer des e-mails depuis votre adresse",
          ja: "あなたのアドレスからのメール送信",
        },
      },
      iconDataUrl: MAIL_ICON,
      resource: new URL(mail).href,
      accountName,
    },
  };
}
