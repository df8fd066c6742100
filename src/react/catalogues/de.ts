import type { Catalogue } from "./catalogue.ts";

/** Deutsch. */
export const de: Catalogue = {
  locale: "de",
  dir: "ltr",
  title: (mode, trigger) =>
    mode === "form"
      ? "Einige Angaben werden benötigt"
      : trigger === "credential_required"
        ? "Konto verbinden"
        : "Auf einer anderen Seite fortfahren",
  requester: (name) => `Angefragt von ${name}.`,
  claimedName: (name) => `Nennt sich selbst „${name}“. Diesen Namen hat niemand geprüft.`,
  connect: "Verbinden",
  openAgain: "Erneut öffnen",
  finished: "Ich bin fertig",
  decline: "Ablehnen",
  dismiss: "Schließen",
  cancel: "Abbrechen",
  close: "Schließen",
  retry: "Erneut senden",
  submit: "Absenden",
  confirm: "Bestätigen",
  changeAnswer: "Antwort ändern",
  copyLink: "Link kopieren",
  linkCopied: "Link kopiert",
  link: (host) => `Link zu ${host}`,
  decodedHost: (host) => `Liest sich als ${host}`,
  urlReasons: {
    "white-space": "Der Link enthält Leerzeichen.",
    control: "Der Link enthält Steuerzeichen.",
    bidi: "Der Link enthält Zeichen, die die Leserichtung umkehren.",
    invisible: "Der Link enthält unsichtbare Zeichen.",
    backslash: "Der Link enthält einen Rückstrich, der das Ziel verschleiert.",
    unparsable: "Der Link ist keine gültige Webadresse.",
    scheme: "Der Link führt nicht zu einer Webseite.",
    insecure: "Die Verbindung zu dieser Adresse wäre nicht verschlüsselt.",
    userinfo: "Der Link enthält einen Namen vor der Adresse, der das Ziel verschleiert.",
    "invalid-host": "Der Link nennt keine gültige Adresse.",
    punycode: "Die Adresse hat einen internationalen Namen. Vergleichen Sie sie Buchstabe für Buchstabe.",
    "mixed-script":
      "Die Adresse mischt Buchstaben verschiedener Alphabete. Sie ahmt vielleicht eine andere nach.",
    lookalike:
      "Die Adresse ist mit Buchstaben geschrieben, die wie andere aussehen. Sie ahmt vielleicht eine andere nach.",
    "loopback-http": "Der Link führt ohne Verschlüsselung zu diesem Computer.",
    "ip-host": "Die Adresse ist eine Zahl statt eines Namens.",
    "unusual-port": "Die Adresse hat einen ungewöhnlichen Port.",
    "trailing-dot": "Die Adresse endet mit einem Punkt.",
    "host-differs": "Der Link ist anders geschrieben als die Adresse, zu der er führt.",
  },
  blockedUrl: "Dieser Link ist nicht sicher und kann deshalb nicht geöffnet werden.",
  blockedForm: "Dieses Formular kann nicht angezeigt werden.",
  schemaReasons: {
    "not-an-object-schema": "Das ist keine Liste von Fragen.",
    "too-large": "Das Formular ist zu groß.",
    "too-many-properties": "Es sind zu viele Fragen.",
    "too-many-options": "Es sind zu viele Möglichkeiten.",
    "unsupported-property": "Diese Art von Frage wird nicht unterstützt.",
    "invalid-keyword": "Die Frage widerspricht sich selbst.",
  },
  aboutQuestion: (name, reason) => `„${name}“: ${reason}`,
  waiting: {
    open: "Wartet, bis Sie im anderen Fenster fertig sind.",
    closed: "Fenster geschlossen? Sie können es erneut öffnen.",
    blocked: "Ihr Browser hat das Fenster blockiert. Öffnen Sie die Seite über den Link.",
    elsewhere: "Wartet, bis Sie auf der Seite fertig sind.",
  },
  checking: "Wird geprüft …",
  openInNewTab: "In neuem Tab öffnen",
  continueInThisTab: "In diesem Tab fortfahren",
  submitting: "Wird gesendet …",
  held: "Ihre Antwort wird aufbewahrt, bis die anderen dieser Gruppe beantwortet sind. Sie können sie noch ändern.",
  notices: {
    "not-completed":
      "Noch nicht abgeschlossen. Schließen Sie die Schritte auf der Seite ab und versuchen Sie es dann erneut.",
    "provider-error": "Die Seite hat ein Problem gemeldet. Sie können es erneut versuchen.",
    offline: "Sie sind anscheinend offline. Ihre Antwort wird aufbewahrt und erneut gesendet.",
    "server-error": "Die Antwort konnte nicht zugestellt werden.",
    refused: "Die Antwort wurde nicht angenommen.",
    "answered-elsewhere": "An anderer Stelle beantwortet.",
  },
  receipt: (mode, outcome) =>
    ({
      accepted: mode === "url" ? "Verbunden." : "Gesendet.",
      declined: "Sie haben abgelehnt.",
      cancelled: "Geschlossen.",
      expired: "Abgelaufen, bevor eine Antwort kam.",
      withdrawn: "Nicht mehr nötig.",
      failed: "Es hat nicht geklappt.",
      gone: "Diese Anfrage ist nicht mehr offen.",
    })[outcome],
  discardTyped: "Eingaben verwerfen?",
  keepEditing: "Weiter bearbeiten",
  discard: "Verwerfen",
  typed: "Ihre Eingaben",
  timeLeft: (time) => `Noch ${time}`,
  underTwoMinutes: "Noch weniger als zwei Minuten.",
  roundProgress: (answered, size) => `${answered} von ${size} beantwortet`,
  optional: "optional",
  range: (minimum, maximum) =>
    maximum === undefined
      ? `Ab ${minimum}`
      : minimum === undefined
        ? `Bis ${maximum}`
        : `${minimum} bis ${maximum}`,
  count: (minimum, maximum) =>
    maximum === undefined
      ? `Mindestens ${minimum} wählen`
      : minimum === undefined
        ? `Höchstens ${maximum} wählen`
        : minimum === maximum
          ? `${minimum} wählen`
          : `${minimum} bis ${maximum} wählen`,
  errors: {
    required: () => "Bitte ausfüllen.",
    "too-short": (limit) => `Bitte mindestens ${limit} Zeichen.`,
    "too-long": (limit) => `Bitte höchstens ${limit} Zeichen.`,
    email: () => "Bitte eine E-Mail-Adresse eingeben, zum Beispiel name@example.com.",
    uri: () => "Bitte eine vollständige Webadresse eingeben, zum Beispiel https://example.com.",
    date: () => "Bitte ein Datum eingeben.",
    "date-time": () => "Bitte Datum und Uhrzeit eingeben.",
    pattern: () => "Bitte das verlangte Format verwenden.",
    number: () => "Bitte eine Zahl eingeben.",
    integer: () => "Bitte eine ganze Zahl eingeben.",
    "too-small": (limit) => `Bitte ${limit} oder mehr.`,
    "too-large": (limit) => `Bitte ${limit} oder weniger.`,
    "not-an-option": () => "Bitte eine der Möglichkeiten wählen.",
    "too-few": (limit) => `Bitte mindestens ${limit} wählen.`,
    "too-many": (limit) => `Bitte höchstens ${limit} wählen.`,
    duplicate: () => "Bitte jede Möglichkeit nur einmal wählen.",
    type: () => "Bitte diese Antwort prüfen.",
    "unknown-field": () => "Danach wurde nicht gefragt.",
  },
  yes: "Ja",
  no: "Nein",
  choose: "Auswählen …",
  clear: "Auswahl aufheben",
  notSet: "Nicht festgelegt",
  search: "Suchen",
  moreOptions: (hidden) => `${hidden} weitere. Tippen, um die Liste einzugrenzen.`,
  noMatch: "Nichts gefunden.",
  timeZone: "Zeitzone",
  localTime: (zone) => `Ihre Zeit (${zone})`,
  secretsWarning: (fields) =>
    `Dieses Formular fragt nach etwas Geheimem (${fields}). Wer fragt, kann es lesen und behalten.`,
  secretsConfirm: "Ich möchte das weitergeben",
  secretsRefused: "Dieses Formular fragt nach Geheimnissen. Das ist hier nicht erlaubt.",
};
