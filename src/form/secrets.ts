import type { Field } from "./field.ts";
import { wordsOf } from "./words.ts";

/**
 * Finds the fields that ask for a secret. MCP and ACP forbid servers to ask for secrets in a form, so clients warn. A
 * field counts when its schema says so (`format: "password"`, `writeOnly`), or when its name, title or description uses
 * words such as "password", in the languages of the built-in catalogues, in Chinese or in Russian. Look-alike letters and
 * invisible characters do not hide a word.
 *
 * If no field counts, the `message` of the form is searched: if it asks the user to type a secret ("Type the 6 digits we
 * texted you"), every field that takes text or a number counts. A message that only mentions a secret ("Which token
 * should I rotate?") asks for none.
 *
 * A word does not count if it is part of another word (`tokenize`), only describes a secret (`token limit`, `password
 * hint`), or is negated ("Do not give us your PIN", "No password needed"). This is a heuristic: it can miss a field, and
 * it can report a harmless one. It searches at most 32,768 characters of a form. Fields after that limit count. Never
 * throws.
 */
export function findSecretFields(fields: readonly Field[], message = ""): readonly Field[] {
  const typed = fields.filter((field) => field.kind === "text" || field.kind === "number");
  const words = wordsOf([...typed.map(textOf), message]);
  // Most forms ask for no secret, so one search through all their texts excludes them. A negation may extend into the
  // next clause, but not past an empty one into the next field.
  const suspect = asksForSecret(words.join("| |"));
  const found = typed.filter((field, index) => {
    const text = words[index];
    return (field.kind === "text" && field.secret) || text === undefined || (suspect && asksForSecret(text));
  });
  if (found.length > 0) return found;
  const order = words.at(-1);
  return order === undefined || (suspect && ordersSecret(order)) ? typed : found;
}

/**
 * Whether a form asks for a secret, by its names, titles and schema, and by its message. A description does not count
 * here, because it may mention a secret that the form does not ask for. Used for forms of other programs, which are
 * refused without asking the user.
 */
export function asksForNamedSecret(fields: readonly Field[], message: string): boolean {
  const named = fields.map((field) => ({ ...field, description: undefined }));
  return findSecretFields(named, message).length > 0;
}

function textOf({ name, label, description = "" }: Field): string {
  return `${name}|${label}|${description}`;
}

/*
 * The expressions below match the result of `wordsOf`: lower case without accents, a space before and after each word,
 * and `|` between clauses. `plain` removes the accents here as well.
 */
const plain = (words: string) =>
  words.normalize("NFKD").replace(/[\u0300-\u036f\u0653-\u0655\u3099\u309a]/g, "");
const WORD = "(?: [^ |]+)";
/** A code that was sent: "the 6 digits we texted you", "the code from your authenticator". */
const CODE = plain(
  "(?:(?:the|that|your|enter|type|digit|el|su|tu|le|votre|den|der|ihr|ihren) (?:code|codigo)|код[а-я]*" +
    "|(?:\\d+|four|six|eight|seis|sechs) (?:digits|digitos|chiffres|ziffern|цифр[а-я]?))",
);
const BY_SMS =
  "sms|mms|text message|authenticator|whatsapp|смс|сообщени[а-я]*|texted you|(?:we|i)(?: have| just){0,2} (?:sent|texted|emailed|messaged)" +
  "|sent to (?:your|you|the) ?(?:phone|mobile|email|number)?|enviamos|por mensaje|recus?|envoyes?|geschickt|gesendet|отправили|прислали";
const SENT_CODE = `${CODE}(?: \\|)?${WORD}{0,4} (?:${plain(BY_SMS)})`;
const SPACED = plain(
  [
    "(?:[^ |]*pass ?word|passwd|pass ?(?:phrase|code)|secret|credential|contraseña)s?|pins?|pwd|token|jwt|cv[vc]2?|csc|ssn",
    "social security|otp|[^ |]*(?:passw|kennw)(?:o|oe)rt(?:er)?|geheimzahl|mots? de passe|code (?:secret|confidentiel)",
    "(?:api|access|private|secret|signing|encryption|ssh|master) ?keys?|mnemonic",
    "(?:2 ?fa|mfa|one time|verification|recovery|security|seed|backup|authentication|authenticator|sms|log ?in) ?(?:code|phrase)s?",
    "(?:\\d+|four|six|eight) digits? (?:code|pin)|(?:credit|debit) ?card|card ?(?:number|num|no)",
    "código de (?:verificación|seguridad|acceso|un solo uso)|frase (?:semilla|de recuperación)|(?:su|tu) clave",
    "clave (?:secreta|privada|de acceso|(?:de )?api)|número de (?:la |su |tu )?tarjeta|tarjeta de (?:crédito|débito)",
    "code (?:de )?(?:vérification|sécurité)|code à usage unique|phrase de récupération|clé (?:api|privée|secrète|d accès)",
    "(?:numéro de (?:la |votre )?)?carte (?:bancaire|de crédit)|numéro de (?:la |votre )?carte|cryptogramme",
    "(?:einmal|bestätigungs|sicherheits|verifizierungs|wiederherstellungs|freischalt)code|(?:sms|m|push) ?tan|kreditkarten?(?:nummer)?",
    "kartennummer|kartenprüfnummer|\\d+ stellige[a-z]* (?:code|pin)|(?:api|privat[a-z]*|geheim[a-z]*|zugangs) ?schlüssel",
    "парол[а-я]*|пин(?: ?код[а-я]*)?|токен[а-я]*|(?:секретн|закрыт|приватн)[а-я]* ключ[а-я]*|ключ[а-я]* (?:api|доступа)",
    "код[а-я]* (?:подтверждения|безопасности|доступа|проверки)|одноразов[а-я]* код[а-я]*|кодов[а-я]* слов[а-я]*|номер[а-я]* (?:вашей )?карты",
    SENT_CODE,
  ].join("|"),
);
const NOT_ABOUT_IT =
  "(?! (?:name|type|kind|hint|policy|length|limit|count|budget|id|expiry|manager|reset|to|it|this|location) )";
/** Words of languages that write words together, or attach prefixes and suffixes to them. */
const UNSPACED = plain(
  [
    "كلمة (?:ال)?(?:مرور|سر)|(?:الرقم|الرمز|رمز|رقم) (?:ال)?سري|رمز (?:ال)?(?:تحقق|مرور|امان)|(?:ال)?مفتاح (?:api|(?:ال)?(?:خاص|سري|وصول))",
    "رقم (?:ال)?بطاقة (?:ال)?(?:ائتمان|بنك|دفع)|بطاقت?[ةهك]{0,2} (?:ال)?ائتمان|(?:ال)?ارقام[^|]{0,20} (?:ارسلنا|وصلت)",
    "パスワード|パスコード|パスフレーズ|暗証番号|(?:認証|確認|セキュリティ)コード|認証番号|クレジットカード|カード番号|秘密鍵|api キー|アクセスキー|トークン",
    "sms[^|]{0,12}\\d ?桁|\\d ?桁の(?:コード|確認番号)",
    "密[码碼]|口令|[验驗][证證][码碼]|校[验驗][码碼]|[动動][态態][码碼]|私[钥鑰]|密[钥鑰]|助[记記][词詞]|信用卡|[银銀]行卡[号號]|卡[号號]",
    "(?:短信|簡訊|[发發]送|[发發][给給])[^|]{0,10}(?:[数數]字|[码碼])",
  ].join("|"),
);
const NOT_ABOUT_IT_UNSPACED = plain("(?!の?(?:提示|长度|長度|長さ|强度|強度|策略|ヒント|规则|規則|类型))");
/** A Latin letter beside a Cyrillic or Greek one that looks Latin. Honest text does not need this disguise. */
const MIXED = "[a-z][ικνορτυЀ-ԯ]|[ικνορτυЀ-ԯ][a-z]";
const SPACED_SECRET = ` (?:${SPACED})${NOT_ABOUT_IT}(?= )`;
const UNSPACED_SECRET = `(?:${UNSPACED})${NOT_ABOUT_IT_UNSPACED}`;
const SECRET = `(?:${SPACED_SECRET}|${UNSPACED_SECRET}|${MIXED})`;

/**
 * Phrases that ask the user to type the words after them. Some English words need a "your": "Should I share the token
 * with Bob?" asks for no secret.
 */
const ORDER = plain(
  [
    "(?:^|\\|| (?:please|kindly|now|then|just|and|continue|(?:can|could|would) you|you (?:must|should|need to|have to)|you to))" +
      " (?:(?:re ?)?enter|type|provide|supply|(?:give|tell|send) (?:me|us)|paste|fill in|input|(?:reply|respond) with" +
      "|(?:send|share|write|confirm|choose|submit|insert|what is|what s|(?:we|i) need)(?= your ))",
    " (?:escrib[ae]|introdu(?:zca|ce)|ingres[ae]|indi(?:que|ca)|tecle[ae]|peg(?:ue|a)|(?:dig|de|da|envie)(?:nos|me)|cual es|necesitamos)",
    " (?:saisi(?:ssez|s)|entrez|indiquez|tapez|(?:donnez|envoyez|dites)(?: nous| moi)|collez|renseignez|quel est|besoin de)",
    " (?:(?:geben|nennen|schreiben|tippen|schicken|senden|tragen) sie|gib|nenne?|wie lautet|wir (?:brauchen|benötigen))",
    " (?:введите|введи|укажите|напишите|отправьте|сообщите|пришлите|вставьте|назовите|наберите|какой у вас|нам нуж[а-я]+)",
    " (?:أدخل|اكتب|أرسل|أعطنا|زودنا|الصق|أخبرنا|ما هي|ما هو)",
    "(?:输入|輸入|填写|填寫|提供|告诉我们?|告訴我們?|粘贴|貼上)[^ |]{0,8}?",
  ].join("|"),
);
/** Words after which a message is about something else: "Enter a name for the API key". */
const ELSEWHERE =
  "to|for|of|if|when|where|how|why|whether|which|what|that|whose|about|with|from|para|del?|si|donde|como|que|pour|du|des" +
  "|fur|um|von|zu|wenn|ob|der|для|чтобы|если|от|где|как|название|имя";
const ORDERED = new RegExp(
  `(?:${ORDER})(?: (?!(?:${ELSEWHERE}) )[^ |]+){0,4}?(?:${SPACED_SECRET}| ?${UNSPACED_SECRET}| [^ |]{0,20}?(?:${MIXED}))` +
    `| what (?:is|are)(?: the)? ${SENT_CODE}` +
    `|${SECRET}[^|]{0,6}?${plain("(?:を ?ご?(?:入力|教え|記入|送|貼|お?知らせ)|は何|是什[么麼]|是多少)")}` +
    // Or the message is only the name of the secret.
    `|^(?: (?:your|the|my|please|su|tu|votre|ton|ihre?|deine?|ваш|ваша|твой))*${SECRET}[ |]*(?:please |por favor |bitte )?[ |]*$`,
);

const NO =
  "no|not|never|cannot|dont|t|without|kein[a-z]*|nicht|nie|niemals|ohne|nunca|jamas|ningun[a-z]*|sin|pas|jamais|aucun" +
  "|aucune|sans|لا|لن|ليس|ليست|دون|بدون|не|нет|нельзя|никогда|без";
const NOT_NEEDED =
  "no (?:es|se|hace|necesari|requerid)[a-z]*|nunca|pas|jamais|non|nicht|nie|غير|لا|لن|ليست|(?:not|never|t)(?: be)? (?:needed|required|necessary|asked)" +
  "|не (?:нуж|треб|обязат|понадоб|запраш)[а-я]*";
/** A negation, a few words, then secrets ("do not enter your PIN"), or the other way round ("PIN is not needed"). */
const DENIED = new RegExp(
  `(${WORD}{0,2}?) (?:${NO})(?= )(${WORD}{0,5}? ?[^ |]{0,2}?)${SECRET}(?:(?: \\|)?${WORD}{0,2}?${SECRET})*` +
    `|()[不无無勿没沒]([一-鿿]{0,8}?) ?${SECRET}` +
    `|${SECRET}([^ |]{0,2}${WORD}{0,3} (?:${NOT_NEEDED})(?= )${WORD}{0,2}| ?[ぁ-鿿]{0,12}?(?:不要|不需|不必|ない|ません|なし))`,
  "g",
);
/** Words that cancel a negation: "do not forget your PIN", "not without your PIN". */
const TAKEN_BACK =
  / (?:forget|hesit|vergess|olvid|oubli|تنس|забы|забуд|(?:only|but|until|unless|without|bis|ohne|hasta|sin|mais|sans|بدون|без|но|только|пока) )|忘/;
const ASKED = new RegExp(SECRET);

function asksForSecret(words: string): boolean {
  return ASKED.test(words) && ASKED.test(words.replace(DENIED, leaveOut));
}

/** Whether a message asks the user to type a secret, rather than only mentioning one. */
function ordersSecret(words: string): boolean {
  return ORDERED.test(words.replace(DENIED, leaveOut));
}

/** Removes a negated secret from the text, unless the negation is cancelled. */
function leaveOut(all: string, ...groups: readonly unknown[]): string {
  // The arguments before the position and the text, which `replace` passes last.
  const around = groups.slice(0, -2).join("");
  return TAKEN_BACK.test(`${around} `) ? all : " |";
}
