import type { Catalogue } from "./catalogue.ts";

/** Deutsch. */
export const de: Catalogue = {
  locale: "de",
  dir: "ltr",
  title: (kind, service) =>
    ({
      form: "Ihre Antwort ist gefragt",
      approve: "Ihre Zustimmung ist gefragt",
      connect: service ? `${service} verbinden` : "Konto verbinden",
      open: service ? `Bei ${service} fortfahren` : "Auf einer anderen Seite fortfahren",
      pay: service ? `Bei ${service} bezahlen` : "Bezahlen",
      sign: service ? `Bei ${service} unterschreiben` : "Unterschreiben",
    })[kind],
  claimedName: (name) => `Nennt sich selbst „${name}“. Diesen Namen hat niemand geprüft.`,
  connect: "Verbinden",
  open: "Seite öffnen",
  pay: "Weiter zur Zahlung",
  sign: "Weiter zur Unterschrift",
  connectAnyway: "Trotzdem verbinden",
  openAnyway: "Trotzdem öffnen",
  tryAgain: "Erneut versuchen",
  showWindow: "Fenster zeigen",
  openAgain: "Erneut öffnen",
  finished: "Ich bin fertig",
  decline: "Ablehnen",
  noAnd: "Nein, und …",
  noAndLine: "Nein, und",
  youDecide: "Dem Assistenten überlassen",
  leftToAgent: "Sie haben das dem Assistenten überlassen",
  back: "Zurück",
  onlyReads: (name = "der Assistent", used) => `Nur ${name} liest das · ${used}`,
  dismiss: "Nicht jetzt",
  cancel: "Abbrechen",
  close: "Schließen",
  retry: "Erneut senden",
  submit: "Absenden",
  confirm: "Bestätigen",
  next: "Weiter",
  review: "Prüfen",
  skip: "Überspringen",
  skipped: "Übersprungen",
  readyToSend: "Alles richtig?",
  questionOf: (current, count) => `Frage ${current} von ${count}`,
  changeAnswer: "Antwort ändern",
  copyLink: "Kopieren",
  linkCopied: "Kopiert",
  link: (host) => `Link zu ${host}`,
  decodedHost: (host) => `liest sich als ${host}`,
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
    punycode: "Internationaler Name. Vergleichen Sie ihn Buchstabe für Buchstabe.",
    "mixed-script": "Sie mischt Buchstaben verschiedener Alphabete.",
    lookalike: "Ihre Buchstaben stammen aus einem anderen Alphabet und sehen nur gleich aus.",
    "loopback-http": "Lokale Adresse zum Entwickeln",
    "ip-host": "Die Adresse ist eine Zahl statt eines Namens.",
    "unusual-port": "Die Adresse hat einen ungewöhnlichen Port.",
    "trailing-dot": "Die Adresse endet mit einem Punkt.",
    "host-differs": "Der Link ist anders geschrieben als die Adresse, zu der er führt.",
  },
  imitates: (host) => `Das ist nicht ${host}`,
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
    open: "Im geöffneten Fenster abschließen",
    closed: "Das Fenster scheint geschlossen zu sein",
    blocked: "Ihr Browser hat das Fenster nicht geöffnet",
    elsewhere: "Auf der Seite im anderen Tab abschließen",
  },
  waitingFor: (host, purpose) =>
    ({
      connect: `Wartet auf ${host}`,
      open: `Wartet, bis Sie bei ${host} fertig sind`,
      pay: `Wartet auf die Zahlung bei ${host}`,
      sign: `Wartet auf die Unterschrift bei ${host}`,
    })[purpose],
  windowClosed: "Fenster geschlossen?",
  notFinished: "Noch nicht fertig",
  checking: "Wird geprüft …",
  openInNewTab: "In neuem Tab öffnen",
  continueInThisTab: "In diesem Tab fortfahren",
  submitting: "Wird gesendet …",
  formLoading: "Formular wird geladen …",
  notLoaded: "Diese Frage konnte nicht geladen werden.",
  held: "Ihre Antwort wird aufbewahrt, bis die anderen dieser Gruppe beantwortet sind. Sie können sie noch ändern.",
  notices: {
    "not-completed":
      "Noch nicht abgeschlossen. Schließen Sie die Schritte auf der Seite ab und versuchen Sie es dann erneut.",
    "provider-error": "Die Seite hat ein Problem gemeldet. Sie können es erneut versuchen.",
    offline: "Sie sind anscheinend offline. Ihre Antwort wird aufbewahrt und erneut gesendet.",
    unreachable: "Der Server antwortet nicht. Ihre Antwort wird aufbewahrt und erneut gesendet.",
    "server-error": "Die Antwort konnte nicht zugestellt werden.",
    "signed-out": "Sie sind abgemeldet. Melden Sie sich an und senden Sie dann erneut.",
    refused: "Die Antwort wurde nicht angenommen.",
    "answered-elsewhere": "An anderer Stelle beantwortet.",
  },
  receipt: (kind, outcome, service, account) =>
    ({
      accepted: {
        form: "Gesendet",
        approve: "Zugestimmt",
        connect: connected(service, account),
        open: service ? `Bei ${service} erledigt` : "Seite abgeschlossen",
        pay: service ? `Bei ${service} bezahlt` : "Bezahlt",
        sign: service ? `Bei ${service} unterschrieben` : "Unterschrieben",
      }[kind],
      declined: {
        form: "Sie haben abgelehnt",
        approve: "Sie haben abgelehnt",
        connect: service ? `Sie haben die Verbindung mit ${service} abgelehnt` : "Sie haben abgelehnt",
        open: service ? `Sie haben die Seite von ${service} abgelehnt` : "Sie haben abgelehnt",
        pay: service ? `Sie haben die Zahlung bei ${service} abgelehnt` : "Sie haben die Zahlung abgelehnt",
        sign: service
          ? `Sie haben die Unterschrift bei ${service} abgelehnt`
          : "Sie haben die Unterschrift abgelehnt",
      }[kind],
      cancelled: "Geschlossen",
      expired: service ? `Die Anfrage für ${service} ist abgelaufen` : "Die Anfrage ist abgelaufen",
      withdrawn: "Nicht mehr nötig",
      failed: {
        form: "Es hat nicht geklappt",
        approve: "Es hat nicht geklappt",
        connect: service ? `${service} konnte nicht verbunden werden` : "Es hat nicht geklappt",
        open: service ? `Es hat bei ${service} nicht geklappt` : "Es hat nicht geklappt",
        pay: service ? `Die Zahlung bei ${service} ist fehlgeschlagen` : "Die Zahlung ist fehlgeschlagen",
        sign: service
          ? `Die Unterschrift bei ${service} ist fehlgeschlagen`
          : "Die Unterschrift ist fehlgeschlagen",
      }[kind],
      gone: "Diese Anfrage ist nicht mehr offen",
    })[outcome],
  discardTyped: "Eingaben verwerfen?",
  keepEditing: "Weiter bearbeiten",
  discard: "Verwerfen",
  typed: "Ihre Eingaben",
  about: (label) => `${label}:`,
  sentNote: "Nur in dieser Sitzung für Sie sichtbar.",
  notShown: "gesendet, nicht angezeigt",
  errorCount: (count) =>
    count === 1 ? "1 Antwort bitte noch einmal prüfen" : `${count} Antworten bitte noch einmal prüfen`,
  timeLeft: (time) => `Noch ${time}`,
  askAgain: "Noch einmal fragen",
  askAgainMessage(kind, about) {
    if (kind === "connect") return `Bitte verbinde ${about ?? "mein Konto"} doch.`;
    return about === undefined ? "Bitte frag mich das noch einmal." : `Bitte frag mich noch einmal: ${about}`;
  },
  nextTry: (seconds) => `nächster Versuch in ${seconds} s`,
  underTwoMinutes: "Noch weniger als zwei Minuten.",
  moreTime: "Mehr Zeit",
  moreTimeGiven: (when) => `Die Frage endet jetzt ${when}.`,
  endsAtLatest: (when) => `spätestens ${when}`,
  roundProgress: (answered, size) => `${answered} von ${size} beantwortet, gemeinsam gesendet`,
  waitsForYou: "Wartet auf Sie",
  writeMessage: "Nachricht schreiben",
  messageWithdraws: (count) =>
    count === 1
      ? "Eine Nachricht zieht die Frage zurück."
      : count === 2
        ? "Eine Nachricht zieht beide Fragen zurück."
        : "Eine Nachricht zieht alle Fragen zurück.",
  messageFills: "Eine Nachricht füllt das Formular aus. Sie senden es ab.",
  saySentence: "Oder in einem Satz sagen …",
  fillIn: "Ausfüllen",
  proposals: {
    asking: "Ihre Nachricht wird gelesen …",
    filled: (labels) => `Aus Ihrer Nachricht ausgefüllt: ${labels}.`,
    same: "Ihre Nachricht sagt, was schon ausgefüllt ist.",
    says: (value) => `In Ihrer Nachricht steht „${value}“.`,
    use: "Übernehmen",
    keep: "Meines behalten",
    nothing: "Nichts in Ihrer Nachricht passt zu diesem Formular. Sie wurde nicht gesendet.",
    failed:
      "Ihre Nachricht konnte nicht gelesen werden. Füllen Sie das Formular aus oder versuchen Sie es noch einmal.",
  },
  sendAsMessage: "Als Nachricht senden",
  didNotWork: "Das hat nicht geklappt. Versuchen Sie es noch einmal.",
  consent: {
    connectedOn: "Verbunden am",
    manage: "Rechte ansehen oder entfernen",
    can: "Darf",
    remove: "Entfernen",
    askRemove: (service) => `${service} entfernen? Ihr Chat kann dieses Konto dann nicht mehr nutzen.`,
    keep: "Behalten",
    removed: (service) => `${service} ist nicht mehr verbunden`,
    notRevoked: (service) =>
      `${service} konnte nicht benachrichtigt werden. Entfernen Sie den Zugriff auch in Ihrem Konto dort.`,
  },
  carry: {
    label: "Auf dem Handy fortfahren",
    text: "Scannen Sie den Code mit dem Handy, und antworten Sie dort. Diese Karte zeigt es dann.",
    code: "QR-Code mit dem Link zu dieser Frage",
  },
  others: {
    waitsFor: (name) => `Wartet auf ${name}`,
    takeBack: "Zurücknehmen",
    remind: "Erinnern",
    reminded: "Eine Erinnerung ist unterwegs.",
    tooSoon: (wait) => `Für eine Erinnerung ist es zu früh. Sie können ${wait} eine senden.`,
    giveOn: "Jemand anderem geben",
    giveTo: "Geben an",
    give: "Geben",
    givenTo: (name) => `An ${name} gegeben`,
    from: (name) => `Von ${name}`,
    title: "Von anderen gefragt",
    answeredBy: (name) => `Beantwortet von ${name}`,
  },

  inbox: {
    title: "Wartet auf Sie",
    empty: "Nichts wartet auf Sie",
    emptyHint: "Fragen aus allen Ihren Unterhaltungen erscheinen hier.",
    loading: "Ihre Fragen werden gesucht …",
    unavailable: "Ihre Fragen können gerade nicht gezeigt werden.",
    outdated: "Keine Verbindung. Diese Liste ist vielleicht nicht aktuell.",
    conversation: (number) => `Unterhaltung ${number}`,
    chat: "Chat",
  },
  optional: "optional",
  range: (minimum, maximum) =>
    maximum === undefined
      ? `Ab ${minimum}`
      : minimum === undefined
        ? `Bis ${maximum}`
        : `${minimum} bis ${maximum}`,
  moreThan: (limit) => `Mehr als ${limit}`,
  lessThan: (limit) => `Weniger als ${limit}`,
  count: (minimum, maximum) =>
    maximum === undefined
      ? `Mindestens ${minimum} wählen`
      : minimum === undefined
        ? `Höchstens ${maximum} wählen`
        : minimum === maximum
          ? `${minimum} wählen`
          : `${minimum} bis ${maximum} wählen`,
  outOf: (value, most) => `${value} von ${most}`,
  chosen: (outOf) => `${outOf} gewählt`,
  errors: {
    required: () => "Bitte ausfüllen.",
    "choose-or-say": () => "Bitte wählen Sie etwas aus, oder sagen Sie es in eigenen Worten.",
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
    "not-above": (limit) => `Bitte mehr als ${limit}.`,
    "not-below": (limit) => `Bitte weniger als ${limit}.`,
    "not-a-multiple": (limit) => `Bitte ein Vielfaches von ${limit}.`,
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
  recommended: "empfohlen",
  ownWords: "oder in eigenen Worten …",
  yourWords: "Ihre Worte",
  clear: "Auswahl aufheben",
  notSet: "Nicht festgelegt",
  decrease: "Eins weniger",
  increase: "Eins mehr",
  search: "Suchen",
  moreOptions: (hidden) => `${hidden} weitere. Tippen, um die Liste einzugrenzen.`,
  noMatch: "Nichts gefunden.",
  timeZone: "Zeitzone",
  localTime: (zone) => `Ihre Zeit (${zone})`,
  secretsWarning: (fields) =>
    `Dieses Formular fragt nach etwas Geheimem (${fields}). Wer fragt, kann es lesen und behalten.`,
  secretsConfirm: "Ich möchte das weitergeben",
  remember: {
    offered: (days) =>
      days === 1
        ? "Diese Antwort 1 Tag lang wieder verwenden"
        : `Diese Antwort ${days} Tage lang wieder verwenden`,
    same: "Nur wenn dieses Werkzeug genau das noch einmal fragt.",
    ofKind: (kind) => `Für alle Fragen dieses Werkzeugs zu „${kind}“.`,
    used: "Beantwortet, wie Sie es vorher erlaubt haben",
    askNextTime: "Nächstes Mal wieder fragen",
    willAsk: "Sie werden nächstes Mal gefragt.",
  },
  approval: {
    approve: "Zustimmen",
    asks: "bittet um Ihre Zustimmung",
    was: (value) => `Vorher: ${value}`,
    more: (count) => `${count} weitere Zeichen werden nicht gezeigt`,
    allow: "Dieses Werkzeug in dieser Unterhaltung erlauben",
    allowHint: "Es läuft hier dann ohne Rückfrage, mit beliebigen Werten.",
  },
  secretsRefused: "Dieses Formular fragt nach Geheimnissen. Das ist hier nicht erlaubt.",
};

function connected(service: string | undefined, account: string | undefined): string {
  if (account) return service ? `${service} als ${account} verbunden` : `Als ${account} verbunden`;
  return service ? `${service} verbunden` : "Verbunden";
}
