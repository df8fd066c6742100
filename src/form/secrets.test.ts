import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { findSecretFields, parseRequestedSchema } from "./index.ts";

function asksForSecret(name: string, property: object = { type: "string" }): boolean {
  const parsed = parseRequestedSchema({ type: "object", properties: { [name]: property } });
  if (!parsed.ok) throw new Error(`cannot be shown: ${JSON.stringify(parsed.reasons)}`);
  return findSecretFields(parsed.fields).length === 1;
}

describe("a field that asks for a secret", () => {
  it.each([
    "password",
    "passwd",
    "Passphrase",
    "pass_code",
    "pwd",
    "clientSecret",
    "apiKey",
    "API_KEY",
    "userAPIKey",
    "openai-api-key-2",
    "access token",
    "githubToken",
    "credentials",
    "PIN",
    "cvv",
    "CVC2",
    "SSN",
    "social security number",
    "otp",
    "2fa code",
    "mfaCode",
    "one-time code",
    "recovery phrase",
    "seedPhrase",
    "mnemonic",
    "creditCard",
    "card number",
    "cardNo",
    "private key",
    "sshKey",
    "contraseña",
    "Passwort",
    "Kennwort",
    "mot de passe",
    "パスワード",
    "新しい暗証番号",
    "كلمة المرور",
    "ｐａｓｓｗｏｒｄ",
  ])("is found by the name %s", (name) => {
    expect(asksForSecret(name)).toBe(true);
  });

  it("is found by its title and its description", () => {
    expect(asksForSecret("value", { type: "string", title: "Your API key" })).toBe(true);
    expect(asksForSecret("value", { type: "string", description: "The card number on the front" })).toBe(
      true,
    );
  });

  it("is found by its schema, without any words", () => {
    expect(asksForSecret("value", { type: "string", format: "password" })).toBe(true);
    expect(asksForSecret("value", { type: "string", writeOnly: true })).toBe(true);
  });

  it("may be a number", () => {
    expect(asksForSecret("pin", { type: "integer" })).toBe(true);
  });
});

describe("a field that does not ask for a secret", () => {
  it.each([
    "city",
    "tokenize",
    "maxTokens",
    "tokenLimit",
    "passwordHint",
    "secret name",
    "keyboard",
    "key",
    "passenger",
    "pinned",
    "postcode",
    "card",
    "access",
    "secretary",
    "mot",
  ])("may have the name %s", (name) => {
    expect(asksForSecret(name)).toBe(false);
  });

  it("has no text to type", () => {
    expect(asksForSecret("password", { type: "boolean" })).toBe(false);
    expect(asksForSecret("password", { enum: ["a"] })).toBe(false);
  });

  it("is not found in an empty form", () => {
    expect(findSecretFields([])).toEqual([]);
  });
});

/** What a field called "note" is described as, in the languages of the built-in catalogues. */
const ASKING: Readonly<Record<string, readonly string[]>> = {
  en: [
    "Enter your password.",
    "Please enter the PIN of your card",
    "Your API key, from the settings page",
    "We need your card number and CVV.",
    "Not a member yet? Choose a password.",
    "Do not worry, enter your password.",
    "Do not forget your password",
    "Don't hesitate to enter your PIN",
    "You cannot go on without your PIN.",
    "Nothing is lost, but we need your token.",
    "We do not continue until you enter your password.",
    "No account needed. Your recovery phrase is enough.",
    "Note: your SSN",
    "All your PINs",
    "Password (no spaces)",
    "Your PIN, not your phone number",
    "The one-time code that we sent you",
    "Username: none; password: required",
  ],
  es: [
    "Introduzca su contraseña.",
    "Escriba el PIN de su tarjeta",
    "Su contraseña, por favor",
    "No olvide su contraseña",
    "No se preocupe: escriba su PIN.",
    "No puede seguir sin su contraseña",
    "Token de acceso",
    "No siga hasta escribir su contraseña.",
  ],
  fr: [
    "Saisissez votre mot de passe.",
    "Votre code secret à quatre chiffres",
    "Entrez le code PIN de la carte",
    "N'oubliez pas votre mot de passe",
    "Vous ne pouvez pas continuer sans mot de passe.",
    "Vos mots de passe",
    "Ce n'est pas long : votre mot de passe, puis le code.",
    "Jeton ou token d'accès",
  ],
  de: [
    "Geben Sie Ihr Passwort ein.",
    "Ihre PIN",
    "Das Kennwort Ihres Kontos",
    "Ihr Benutzerpasswort",
    "Alle Passwörter",
    "Vergessen Sie nicht Ihr Passwort",
    "Ohne Konto? Dann Ihre Geheimzahl.",
    "Es geht nicht ohne Passwort.",
    "Nicht warten, sondern das Passwort eingeben",
    "API-Key des Servers",
  ],
  ja: [
    "パスワードを入力してください。",
    "暗証番号（4桁）",
    "新しいパスワード",
    "パスワードを忘れないでください",
    "PINコードを入力",
    "不要な心配はありません。パスワードを入力してください。",
    "ﾊﾟｽﾜｰﾄﾞ",
  ],
  ar: [
    "أدخل كلمة المرور",
    "اكتب كلمة السر هنا",
    "الرقم السري للبطاقة",
    "كَلِمَة المُرُور",
    "نحتاج إلى كلمة مرور حسابك",
    "تابع بكلمة المرور",
    "لا تنس كلمة المرور",
    "لا تقلق، أدخل كلمة المرور",
    "PIN من فضلك",
  ],
};
const DENYING: Readonly<Record<string, readonly string[]>> = {
  en: [
    "do *not* give us your pin",
    "No PIN needed",
    "Do not enter your password here.",
    "Don't type your password",
    "Don’t type your password",
    "Never share your password with anybody.",
    "We will never ask you for your password.",
    "You do not need to give us your password",
    "No need for a password, PIN or token",
    "Works without a password",
    "A PIN is not needed.",
    "Your password isn't required",
    "A password will never be asked for",
    "No passwords, no API keys.",
    "Not your PIN",
    "This cannot be your password",
  ],
  es: [
    "No introduzca su contraseña",
    "No nos dé su PIN.",
    "Nunca le pediremos la contraseña",
    "Sin contraseña",
    "No se necesita ninguna contraseña",
    "La contraseña no es necesaria",
    "Contraseña no requerida",
    "Ningún PIN, por favor",
    "Jamás comparta su contraseña ni su PIN",
  ],
  fr: [
    "Ne donnez pas votre mot de passe",
    "Aucun mot de passe n'est demandé",
    "Sans mot de passe",
    "Nous ne vous demanderons jamais votre code PIN",
    "Le mot de passe n'est pas nécessaire",
    "Mot de passe non requis",
    "N'entrez pas de mot de passe ni de code secret",
  ],
  de: [
    "Geben Sie uns nicht Ihre PIN",
    "Kein Passwort nötig",
    "Ohne Passwort",
    "Wir fragen nie nach Ihrem Passwort.",
    "Das Passwort wird nicht benötigt",
    "Bitte keine Passwörter, PINs oder Token",
    "PIN bitte nicht eingeben",
    "Niemals das Kennwort eintragen",
  ],
  ja: [
    "パスワードは不要です",
    "パスワードを入力しないでください。",
    "PINは必要ありません",
    "暗証番号は絶対に書かないでください",
    "パスワードなしで使えます",
  ],
  ar: [
    "لا تدخل كلمة المرور",
    "كلمة المرور غير مطلوبة",
    "بدون كلمة مرور",
    "لن نطلب منك كلمة السر",
    "لا حاجة إلى الرقم السري",
    "ليست كلمة المرور مطلوبة",
  ],
};
const rows = (texts: Readonly<Record<string, readonly string[]>>) =>
  Object.entries(texts).flatMap(([language, all]) => all.map((text) => [language, text] as const));

it.each(rows(ASKING))("in %s, is asked for by: %s", (_language, description) => {
  expect(asksForSecret("note", { type: "string", description })).toBe(true);
});

it.each(rows(DENYING))("in %s, is not asked for by: %s", (_language, description) => {
  expect(asksForSecret("note", { type: "string", description })).toBe(false);
});

it("is asked for by a name, whatever the description denies", () => {
  expect(asksForSecret("pin", { type: "string", description: "No PIN needed" })).toBe(true);
  expect(asksForSecret("note", { type: "string", title: "PIN", description: "No PIN needed" })).toBe(true);
});

describe("a word in disguise", () => {
  it.each([
    ["a zero-width space", "pass\u200bword"],
    ["a zero-width joiner", "pass\u200dword"],
    ["a byte order mark", "\ufeffpass\ufeffword"],
    ["a soft hyphen", "pass\u00adword"],
    ["a word joiner", "PI\u2060N"],
    ["a turn of the reading direction", "pass\u202eword"],
    ["a filler that takes no room", "pass\u3164word"],
    ["a variation selector", "pass\ufe0fword"],
    ["a tag", "pass\u{e0061}word"],
    ["a combining mark", "pa\u0323sswo\u0301rd"],
    ["accents", "pässwörd"],
    ["Cyrillic letters", "\u0440\u0430sswor\u0501"],
    ["one Cyrillic letter", "passw\u043erd"],
    ["a Cyrillic capital", "\u0420IN"],
    ["Greek letters", "passw\u03bfrd"],
    ["a Greek capital", "\u03a1IN"],
    ["full-width letters", "ｐａｓｓｗｏｒｄ"],
    ["mathematical letters", "𝐩𝐚𝐬𝐬𝐰𝐨𝐫𝐝"],
    ["letters in circles", "ⓟⓐⓢⓢⓦⓞⓡⓓ"],
    ["half-width kana", "ﾊﾟｽﾜｰﾄﾞ"],
    ["Arabic vowels and a kashida", "كـلِمة المرور"],
  ])("by %s is told all the same", (_how, text) => {
    expect(asksForSecret("note", { type: "string", description: `Your ${text}` })).toBe(true);
    expect(asksForSecret(text)).toBe(true);
  });

  it.each([
    "Dose in μg",
    "Widerstand (kΩ)",
    "Пароходная улица",
    "αβ",
    "Größe",
    "naïve résumé",
    "Ζαχαρίας",
    "50 µm",
  ])("is none: %s", (description) => {
    expect(asksForSecret("note", { type: "string", description })).toBe(false);
  });
});

it("is looked for in long texts in one reading", () => {
  const long = 200_000;
  for (const text of ["no ", "pin ", "a", "not a ", "no pin ", "пa", "パ", "لا كلمة ", "pass ", "| ", "is "]) {
    const description = text.repeat(long / text.length);
    expect(asksForSecret("note", { type: "string", description })).toBe(/^(?:pin |пa)/.test(text));
  }
});

describe("a search for secrets", () => {
  const pieces = fc.constantFrom(
    "api",
    "API",
    "Key",
    "key",
    "pass",
    "Word",
    "PIN",
    "to",
    "id",
    "2",
    "_",
    "-",
    " ",
    ".",
  );
  const text = fc
    .array(fc.oneof(pieces, fc.string({ maxLength: 3 })), { maxLength: 6 })
    .map((all) => all.join(""));
  const runs = { numRuns: Number(process.env["FC_RUNS"] ?? 300) };

  it("treats ASCII text the same as text with one character that is not ASCII", () => {
    fc.assert(
      fc.property(text, (name) => {
        expect(asksForSecret(`${name} ×`)).toBe(asksForSecret(name));
      }),
      runs,
    );
  });

  it("is not misled by a field before that denies a secret", () => {
    const properties = { note: { type: "string", description: "There is no PIN" }, PIN: { type: "string" } };
    const form = parseRequestedSchema({ type: "object", properties });
    if (!form.ok) throw new Error(`cannot be shown: ${JSON.stringify(form.reasons)}`);
    expect(findSecretFields(form.fields).map(({ name }) => name)).toEqual(["PIN"]);
  });

  it("finds the same fields in a form as one by one", () => {
    const fields = fc.dictionary(
      text,
      fc.record({ type: fc.constant("string"), title: text, description: text }),
    );
    fc.assert(
      fc.property(fields, (properties) => {
        const form = parseRequestedSchema({ type: "object", properties });
        if (!form.ok) throw new Error(`cannot be shown: ${JSON.stringify(form.reasons)}`);
        const alone = Object.keys(properties).filter((name) => asksForSecret(name, properties[name]));
        expect(findSecretFields(form.fields).map(({ name }) => name)).toEqual(alone);
      }),
      runs,
    );
  });
});
