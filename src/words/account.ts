import { type KitLanguage, kitLanguageOf } from "./language.ts";

/** What an agent needs from the user for a call. */
export interface AccountNeed {
  /** The name of the agent that asks. */
  readonly asker: string;
  readonly service: string;
  readonly credential: "account" | "api-key";
  /** The action of the call: the title of its tool. */
  readonly action?: string | undefined;
  /** The scopes that the user's credential lacks, as a list. Absent if there is no credential yet. */
  readonly moreRights?: string | undefined;
  /** Whether the user connects another account in addition to their connected ones. */
  readonly isAnother: boolean;
}

/** What cards about accounts say, in one language. */
export interface AccountWords {
  /** Why an account is asked for. Without the agent's name: a card and a page show it beside the reason. */
  needs(need: Omit<AccountNeed, "asker">): string;
  /** Asks which of the user's accounts is used. */
  which(asked: Pick<AccountNeed, "asker" | "service">): string;
  /** The label of the accounts to choose from. */
  readonly account: string;
  /** The choice of an account that is not connected yet. */
  readonly another: string;
}

const ar: AccountWords = {
  needs(need) {
    const account = neededAr(need);
    return need.action === undefined
      ? `للمتابعة باستخدام ${account}.`
      : `من أجل «${need.action}»، باستخدام ${account}.`;
  },
  which: ({ asker, service }) => `أي حساب في ${service} يستخدمه ${asker}؟`,
  account: "الحساب",
  another: "حساب آخر",
};

function neededAr({ credential, service, moreRights, isAnother }: Omit<AccountNeed, "asker">): string {
  if (isAnother) return `حساب آخر في ${service}`;
  const account = `حسابك في ${service}`;
  const key = `مفتاح API لـ ${service}`;
  if (moreRights === undefined) return credential === "account" ? account : key;
  return credential === "account"
    ? `وصول أوسع إلى ${account}: ${moreRights}`
    : `${key} بصلاحيات أوسع: ${moreRights}`;
}

const de: AccountWords = {
  needs(need) {
    const account = neededDe(need);
    return need.action === undefined
      ? `Um mit ${account} fortzufahren.`
      : `Für „${need.action}“, mit ${account}.`;
  },
  which: ({ asker, service }) => `Welches Konto bei ${service} soll ${asker} verwenden?`,
  account: "Konto",
  another: "Ein anderes Konto",
};

/** In the dative. */
function neededDe({ credential, service, moreRights, isAnother }: Omit<AccountNeed, "asker">): string {
  if (isAnother) return `einem anderen Konto bei ${service}`;
  const account = `Ihrem Konto bei ${service}`;
  const key = `einem API-Schlüssel für ${service}`;
  if (moreRights === undefined) return credential === "account" ? account : key;
  return credential === "account"
    ? `mehr Zugriff auf Ihr Konto bei ${service}: ${moreRights}`
    : `${key} mit mehr Rechten: ${moreRights}`;
}

const en: AccountWords = {
  needs(need) {
    const account = neededEn(need);
    return need.action === undefined
      ? `To continue with ${account}.`
      : `For “${need.action}”, with ${account}.`;
  },
  which: ({ asker, service }) => `Which ${service} account should ${asker} use?`,
  account: "Account",
  another: "Another account",
};

function neededEn({ credential, service, moreRights, isAnother }: Omit<AccountNeed, "asker">): string {
  if (isAnother) return `another ${service} account`;
  const account = `your ${service} account`;
  const key = `an API key for ${service}`;
  if (moreRights === undefined) return credential === "account" ? account : key;
  return credential === "account"
    ? `more access to ${account}: ${moreRights}`
    : `${key} with more rights: ${moreRights}`;
}

const es: AccountWords = {
  needs(need) {
    const account = neededEs(need);
    return need.action === undefined
      ? `Para continuar con ${account}.`
      : `Para «${need.action}», con ${account}.`;
  },
  which: ({ asker, service }) => `¿Qué cuenta de ${service} debe usar ${asker}?`,
  account: "Cuenta",
  another: "Otra cuenta",
};

function neededEs({ credential, service, moreRights, isAnother }: Omit<AccountNeed, "asker">): string {
  if (isAnother) return `otra cuenta de ${service}`;
  const account = `su cuenta de ${service}`;
  const key = `una clave de API de ${service}`;
  if (moreRights === undefined) return credential === "account" ? account : key;
  return credential === "account"
    ? `más acceso a ${account}: ${moreRights}`
    : `${key} con más permisos: ${moreRights}`;
}

const fr: AccountWords = {
  needs(need) {
    const account = neededFr(need);
    return need.action === undefined
      ? `Pour continuer avec ${account}.`
      : `Pour « ${need.action} », avec ${account}.`;
  },
  which: ({ asker, service }) => `Quel compte ${service} faut-il utiliser pour ${asker} ?`,
  account: "Compte",
  another: "Un autre compte",
};

function neededFr({ credential, service, moreRights, isAnother }: Omit<AccountNeed, "asker">): string {
  if (isAnother) return `un autre compte ${service}`;
  const account = `votre compte ${service}`;
  const key = `une clé d’API pour ${service}`;
  if (moreRights === undefined) return credential === "account" ? account : key;
  return credential === "account"
    ? `un accès plus large à ${account} : ${moreRights}`
    : `${key} avec plus de droits : ${moreRights}`;
}

const ja: AccountWords = {
  needs(need) {
    const account = neededJa(need);
    return need.action === undefined
      ? `続けるために、${account}を使います。`
      : `「${need.action}」のために、${account}を使います。`;
  },
  which: ({ asker, service }) => `${asker} はどの ${service} アカウントを使いますか？`,
  account: "アカウント",
  another: "別のアカウント",
};

function neededJa({ credential, service, moreRights, isAnother }: Omit<AccountNeed, "asker">): string {
  if (isAnother) return `別の ${service} アカウント`;
  const account = `あなたの ${service} アカウント`;
  const key = `${service} の API キー`;
  if (moreRights === undefined) return credential === "account" ? account : key;
  return credential === "account"
    ? `${account}への追加のアクセス権 (${moreRights}) `
    : `追加の権限 (${moreRights}) を持つ ${key}`;
}

const WORDS: Readonly<Record<KitLanguage, AccountWords>> = { ar, de, en, es, fr, ja };

/** What cards about accounts say in the first of these languages that the kit has words in, or in English. */
export const accountWords = (languages: readonly string[]): AccountWords => WORDS[kitLanguageOf(languages)];
