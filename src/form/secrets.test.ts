import fc from "fast-check";
import { describe, expect, it, vi } from "vitest";
import { findSecretFields, parseRequestedSchema } from "./index.ts";
import { asksForNamedSecret } from "./secrets.ts";

function asksForSecret(name: string, property: object = { type: "string" }): boolean {
  const parsed = parseRequestedSchema({ type: "object", properties: { [name]: property } });
  if (!parsed.ok) throw new Error(`cannot be shown: ${JSON.stringify(parsed.reasons)}`);
  return findSecretFields(parsed.fields).length === 1;
}

describe("a field that asks for a secret", () => {
  it("is detected by its name", () => {
    const names = [
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
    ];
    expect(names.filter((name) => !asksForSecret(name))).toEqual([]);
  });

  it("is detected by its title and its description", () => {
    expect(asksForSecret("value", { type: "string", title: "Your API key" })).toBe(true);
    expect(asksForSecret("value", { type: "string", description: "The card number on the front" })).toBe(
      true,
    );
  });

  it("is detected by its schema alone", () => {
    expect(asksForSecret("value", { type: "string", format: "password" })).toBe(true);
    expect(asksForSecret("value", { type: "string", writeOnly: true })).toBe(true);
  });

  it("may be a number", () => {
    expect(asksForSecret("pin", { type: "integer" })).toBe(true);
  });
});

describe("a field that does not ask for a secret", () => {
  it("may have a name that only contains such a word, or only describes a secret", () => {
    const names = [
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
    ];
    expect(names.filter((name) => asksForSecret(name))).toEqual([]);
  });

  it("is a field without text input", () => {
    expect(asksForSecret("password", { type: "boolean" })).toBe(false);
    expect(asksForSecret("password", { enum: ["a"] })).toBe(false);
  });

  it("is not found in an empty form", () => {
    expect(findSecretFields([])).toEqual([]);
  });
});

/** Descriptions of a field called "note", in the languages of the built-in catalogues. */
const ASKING: Readonly<Record<string, readonly string[]>> = {
  en: [
    "Type the 6 digits we texted you",
    "Enter the code that we have just sent you",
    "The code sent to your phone",
    "The 6-digit code from the text message",
    "The code from your authenticator app",
    "Your backup codes",
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
    "Escriba los 6 dígitos que le enviamos",
    "El código que recibió por SMS",
    "Código de verificación",
    "Número de la tarjeta",
    "Su clave",
    "Clave de API",
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
    "Saisissez les 6 chiffres reçus par SMS",
    "Le code que vous avez reçu",
    "Numéro de votre carte",
    "Votre carte bancaire",
    "Clé d'accès",
    "Code de vérification",
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
    "Die 6 Ziffern aus der SMS",
    "Den Code, den wir Ihnen geschickt haben",
    "Ihr 6-stelliger Code",
    "Ihre Kreditkartennummer",
    "API-Schlüssel",
    "Sicherheitscode",
    "SMS-TAN",
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
    "SMSで届いた6桁の数字",
    "認証コード",
    "カード番号",
    "APIキー",
    "ワンタイムパスワード",
    "パスワードを入力してください。",
    "暗証番号（4桁）",
    "新しいパスワード",
    "パスワードを忘れないでください",
    "PINコードを入力",
    "不要な心配はありません。パスワードを入力してください。",
    "ﾊﾟｽﾜｰﾄﾞ",
  ],
  ar: [
    "اكتب رمز التحقق",
    "الأرقام الستة التي أرسلناها إليك",
    "رقم بطاقة الائتمان",
    "مفتاح API",
    "الرمز السري",
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
  zh: [
    "请输入密码",
    "您的密碼",
    "短信验证码",
    "输入我们发送给您的6位数字",
    "银行卡号",
    "请不要忘记密码",
    "私钥",
    "API密钥",
    "PIN码",
    "没有账号？请输入密码",
  ],
  ru: [
    "Введите пароль",
    "Ваш пароль от почты",
    "Пин-код карты",
    "Номер карты",
    "Код из СМС",
    "6 цифр, которые мы отправили",
    "Одноразовый код",
    "Секретный ключ",
    "Не забудьте пароль",
    "Нельзя продолжить без пароля",
  ],
};
const DENYING: Readonly<Record<string, readonly string[]>> = {
  en: [
    "The discount code we sent you",
    "The code of the country",
    "Your order number, which we sent you",
    "The last 4 digits of the year",
    "A 6-digit postal code",
    "Paste the code that the compiler printed",
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
    "El código postal",
    "Palabra clave de la búsqueda",
    "Los 2 dígitos del mes",
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
    "Code postal à 5 chiffres",
    "La carte du restaurant",
    "Mot clé",
    "Ne donnez pas votre mot de passe",
    "Aucun mot de passe n'est demandé",
    "Sans mot de passe",
    "Nous ne vous demanderons jamais votre code PIN",
    "Le mot de passe n'est pas nécessaire",
    "Mot de passe non requis",
    "N'entrez pas de mot de passe ni de code secret",
  ],
  de: [
    "Postleitzahl, 5 Ziffern",
    "Die Farbe ist tan",
    "Schlüsselwort für die Suche",
    "Der Code der Währung",
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
    "7桁の郵便番号",
    "パスワードのヒント",
    "コートの色",
    "予約番号",
    "パスワードは不要です",
    "パスワードを入力しないでください。",
    "PINは必要ありません",
    "暗証番号は絶対に書かないでください",
    "パスワードなしで使えます",
  ],
  ar: [
    "رقم الطلب",
    "رمز البلد",
    "رقم الصفحة",
    "لا تدخل كلمة المرور",
    "كلمة المرور غير مطلوبة",
    "بدون كلمة مرور",
    "لن نطلب منك كلمة السر",
    "لا حاجة إلى الرقم السري",
    "ليست كلمة المرور مطلوبة",
  ],
  zh: ["不需要密码", "无需密码", "请勿输入密码", "密码提示", "邮政编码", "6位数字的邮编", "订单号"],
  ru: [
    "Пароль не нужен",
    "Не вводите пароль",
    "Без пароля",
    "Мы никогда не спросим ваш пароль",
    "Почтовый индекс, 6 цифр",
    "Код города",
    "Ключевое слово",
    "Пинг сервера",
  ],
};
const rows = (texts: Readonly<Record<string, readonly string[]>>) =>
  Object.entries(texts).map(([language, all]) => [language, all.join(" / "), all] as const);
const asksInNote = (description: string) => asksForSecret("note", { type: "string", description });

// One test a language: a description differs from the others of its language only in its words.
it.each(rows(ASKING))(
  "a field asks for a secret with this description (%s): %s",
  (_language, _texts, descriptions) => {
    expect(descriptions.filter((description) => !asksInNote(description))).toEqual([]);
  },
);

it.each(rows(DENYING))(
  "a field does not ask for a secret with this description (%s): %s",
  (_language, _texts, descriptions) => {
    expect(descriptions.filter(asksInNote)).toEqual([]);
  },
);

it("a field whose name or title asks for a secret does so whatever its description says", () => {
  expect(asksForSecret("pin", { type: "string", description: "No PIN needed" })).toBe(true);
  expect(asksForSecret("note", { type: "string", title: "PIN", description: "No PIN needed" })).toBe(true);
});

/** Whether the message asks for a secret. By default the form has one field, without title and description. */
function messageAsks(message: string, properties: object = { answer: { type: "string" } }): boolean {
  const parsed = parseRequestedSchema({ type: "object", properties });
  if (!parsed.ok) throw new Error(`cannot be shown: ${JSON.stringify(parsed.reasons)}`);
  const found = findSecretFields(parsed.fields, message).length > 0;
  expect(asksForNamedSecret(parsed.fields, message)).toBe(found);
  return found;
}

describe("a form whose message asks for a secret", () => {
  it.each([
    "Type the 6 digits we texted you",
    "We have locked your account. Please enter your password.",
    "To continue, enter the code that we have just sent you.",
    "Can you give me your API key?",
    "Hi! Tell us your PIN, then press Send.",
    "What is your password?",
    "What are the 6 digits we texted you?",
    "We need your card number.",
    "Enter your user name and password",
    "Password",
    "Your password, please",
    "Reply with the one-time code",
    "Enter your p\u0430ssword",
    "Escriba los 6 dígitos que le enviamos",
    "Su cuenta está bloqueada. Introduzca su contraseña.",
    "¿Cuál es su PIN?",
    "Saisissez les 6 chiffres reçus par SMS",
    "Quel est votre mot de passe ?",
    "Geben Sie die 6 Ziffern aus der SMS ein",
    "Wie lautet Ihr Passwort?",
    "Bitte nennen Sie uns Ihre PIN.",
    "SMSで届いた6桁の数字を入力してください",
    "パスワードを教えてください。",
    "أدخل كلمة المرور",
    "ما هو الرقم السري؟",
    "请输入密码",
    "您的密码是什么？",
    "Введите 6 цифр, которые мы отправили",
    "Сообщите нам пароль",
  ])("is detected: %s", (message) => {
    expect(messageAsks(message)).toBe(true);
  });

  it.each([
    "Your API key has expired. What shall I do?",
    "Which token should I rotate?",
    "Should I create an API key for this project?",
    "Which should I reset: the password, the token, or both?",
    "To reset your password, enter your email address.",
    "Enter your email address to reset your password.",
    "Enter the name for the new API key.",
    "Enter the email of the account whose password you lost.",
    "Enter a title for the PIN on the map.",
    "Which service do you need an API key for?",
    "Do I need to enter the token in the config file?",
    "The code was sent to your phone. What is your city?",
    "Choose the API key to rotate.",
    "Type yes to revoke the token.",
    "What is the token for?",
    "What is the token limit?",
    "Tell me where the token is stored.",
    "Do not enter your password here. What is your city?",
    "Never tell us your PIN. How old are you?",
    "Enter the discount code.",
    "Where to?",
    "¿Qué clave de API desea cambiar?",
    "Escriba el nombre de la clave secreta.",
    "Quel mot de passe dois-je réinitialiser ?",
    "Ne donnez pas votre mot de passe. Quelle est votre ville ?",
    "Welches Passwort soll ich zurücksetzen?",
    "Geben Sie den Namen der PIN an",
    "Geben Sie uns nicht Ihre PIN. Wo wohnen Sie?",
    "どのパスワードを変更しますか？",
    "パスワードを入力しないでください。都市はどこですか？",
    "أي كلمة مرور تريد تغييرها؟",
    "要重置哪个密码？",
    "请勿输入密码。您住在哪里？",
    "Какой пароль сбросить?",
    "Не вводите пароль. Где вы живёте?",
    "Ваш usеr-файл готов. Продолжить?",
  ])("is not detected: %s", (message) => {
    expect(messageAsks(message)).toBe(false);
  });

  const ASKS = "Enter your user name and password";

  it("adds no other fields if a field itself asks for a secret", () => {
    const parsed = parseRequestedSchema({
      type: "object",
      properties: { user: { type: "string" }, password: { type: "string" } },
    });
    if (!parsed.ok) throw new Error("cannot be shown");
    expect(findSecretFields(parsed.fields, ASKS).map(({ name }) => name)).toEqual(["password"]);
  });

  it("asks for nothing secret if the form has no field to type into", () => {
    expect(messageAsks(ASKS, { sure: { type: "boolean" }, one: { enum: ["a"] } })).toBe(false);
    expect(messageAsks(ASKS, { amount: { type: "integer" } })).toBe(true);
    expect(messageAsks(ASKS, {})).toBe(false);
  });

  it.each([
    "enter ",
    "enter pin hint ",
    "enter the ",
    "please enter x",
    "输入",
    "pin ",
    "PIN to ",
    "what is the code ",
    "a",
  ])("is searched in linear time: %s", (unit) => {
    const asks = messageAsks(unit.repeat(30_000 / unit.length));
    expect(asks).toBe(false);
  });

  it("counts as asking for a secret if it is longer than the limit of text", () => {
    const work = "no ".repeat(5000);
    expect(messageAsks(work)).toBe(false);
    expect(messageAsks("\ufdfa".repeat(40_000))).toBe(true);
  });
});

describe("a disguised word for a secret", () => {
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
  ])("with %s is still recognised", (_how, text) => {
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
  ])("is not recognised in ordinary text: %s", (description) => {
    expect(asksForSecret("note", { type: "string", description })).toBe(false);
  });
});

it("a long description is searched for secrets in linear time", () => {
  const long = 16_000;
  for (const text of ["no ", "pin ", "a", "not a ", "no pin ", "пa", "パ", "لا كلمة ", "pass ", "| ", "is "]) {
    const description = text.repeat(long / text.length);
    expect(asksForSecret("note", { type: "string", description })).toBe(/^(?:pin |пa)/.test(text));
  }
});

describe("a form with more text than the limit", () => {
  it("counts as asking for a secret in the fields beyond the limit", () => {
    const description = "a".repeat(4000);
    const names = Array.from({ length: 10 }, (_, index) => `field ${index}`);
    const properties = Object.fromEntries(names.map((name) => [name, { type: "string", description }]));
    const form = parseRequestedSchema({ type: "object", properties });
    if (!form.ok) throw new Error(`cannot be shown: ${JSON.stringify(form.reasons)}`);
    expect(findSecretFields(form.fields).map(({ name }) => name)).toEqual(["field 8", "field 9"]);
  });

  /** The amount of text that a search reads and decomposes. It does not depend on the machine. */
  function workOf(schema: object, message = ""): { read: number; sorted: number } {
    const form = parseRequestedSchema(schema);
    if (!form.ok) throw new Error(`cannot be shown: ${JSON.stringify(form.reasons)}`);
    const work = { read: 0, sorted: 0 };
    const { normalize, replace, toLowerCase } = String.prototype;
    const { test } = RegExp.prototype;
    const spies = [
      vi.spyOn(String.prototype, "normalize").mockImplementation(function count(this: string, kind) {
        const result = normalize.call(this, kind);
        work.read += result.length;
        // Sorting the marks of a text takes quadratic time.
        work.sorted += result.length ** 2;
        return result;
      }),
      vi.spyOn(String.prototype, "replace").mockImplementation(function count(
        this: string,
        ...args: unknown[]
      ) {
        work.read += this.length;
        return Reflect.apply(replace, this, args) as string;
      }),
      vi.spyOn(String.prototype, "toLowerCase").mockImplementation(function count(this: string) {
        work.read += this.length;
        return toLowerCase.call(this);
      }),
      vi.spyOn(RegExp.prototype, "test").mockImplementation(function count(this: RegExp, text) {
        work.read += text.length;
        return test.call(this, text);
      }),
    ];
    try {
      findSecretFields(form.fields, message);
    } finally {
      for (const spy of spies) spy.mockRestore();
    }
    return work;
  }

  /** The Unicode characters with the longest decompositions, and marks that must be sorted. */
  const COSTLY = Array.from({ length: 0x110000 }, (_, code) => code)
    .filter(
      (code) => (code < 0xd800 || code > 0xdfff) && String.fromCodePoint(code).normalize("NFKD").length > 4,
    )
    .map((code) => String.fromCodePoint(code));

  it("costs a bounded amount of work, with any characters of Unicode", () => {
    expect(COSTLY).toContain("\ufdfa");
    const character = fc.oneof(
      fc.string({ unit: "binary", minLength: 1, maxLength: 1 }),
      fc.constantFrom(...COSTLY),
      fc.constantFrom("\u0301\u0323", "\ufdfa", "\u3316", "пa", "no pin ", "aA", "Aa", "\u00ad", "가"),
    );
    const unit = fc.array(character, { minLength: 1, maxLength: 4 }).map((all) => all.join(""));
    const shape = fc.tuple(unit, fc.integer({ min: 1, max: 40 }));
    fc.assert(
      fc.property(shape, ([text, count]) => {
        const long = text.repeat(Math.ceil(40_000 / text.length / count));
        const names = Array.from({ length: count }, (_, index) => [
          `f${index}`,
          { type: "string", title: long },
        ]);
        const { read, sorted } = workOf({ type: "object", properties: Object.fromEntries(names) });
        expect(read).toBeLessThan(24 * 32 * 1024);
        expect(sorted).toBeLessThan(32 * 1024 * 2048);
        expect(workOf({ type: "object", properties: { a: { type: "string" } } }, long).read).toBeLessThan(
          24 * 32 * 1024,
        );
      }),
      { numRuns: Number(process.env["FC_RUNS"] ?? 60) },
    );
  });
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

  it("is not misled by an earlier field that denies a secret", () => {
    const properties = { note: { type: "string", description: "There is no PIN" }, PIN: { type: "string" } };
    const form = parseRequestedSchema({ type: "object", properties });
    if (!form.ok) throw new Error(`cannot be shown: ${JSON.stringify(form.reasons)}`);
    expect(findSecretFields(form.fields).map(({ name }) => name)).toEqual(["PIN"]);
  });

  it("finds the same fields in a whole form as field by field", () => {
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
