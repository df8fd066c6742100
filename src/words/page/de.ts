import type { PageWords } from "./en.ts";

export const de: PageWords = {
  locale: "de",
  dir: "ltr",
  backToChat: "Zurück zum Chat",
  closeWindow: "Sie können dieses Fenster schließen.",
  closesSoon: "Dieses Fenster schließt sich gleich.",
  tryAgain: "Erneut versuchen",
  signIn: (site) => (site === undefined ? "Anmelden" : `Bei ${site} anmelden`),
  switchAccount: "Konto wechseln",
  checking: { title: "Einen Moment", text: "Ihr Chat wird gefragt, ob Sie es sind." },
  continue: "Weiter",
  connect: (service) => `${service} verbinden`,
  asksToUse: (service) => ["", ` möchte Ihr Konto bei ${service} für Sie nutzen.`],
  assistant: "Der Assistent",
  can: "Darf",
  cannot: "Darf nicht",
  seePassword: "Ihr Passwort sehen",
  stayConnected: "Verbunden bleiben, bis Sie die Verbindung entfernen",
  usesNamedRight: (right) => `„${right}“ nutzen, ein Recht, das dieser Server selbst so nennt`,
  moreAccess: "Weiterer Zugriff",
  neededFor: "Gebraucht für",
  signedInAs: "Angemeldet als",
  chat: "Chat",
  passwordOnlyAt: ["Ihr Passwort geben Sie nur bei ", " ein."],
  nextPageShows: "Die nächste Seite muss diese Adresse zeigen.",
  details: "Details",
  rights: "Rechte",
  expires: "Läuft ab",
  takeBack: "Zurücknehmen",
  notYou: "Nicht Sie?",
  sure: {
    title: (account) => `Nicht ${account}?`,
    text: "Dann machen Sie nicht weiter. Verwenden Sie Ihr eigenes Chat-Konto.",
    itIsMe: "Das bin ich",
    notMe: "Das bin ich nicht",
  },
  sharedUse: (service) =>
    `Wer dieses Chat-Konto nutzt, kann auch das Konto bei ${service} nutzen, das Sie verbinden.`,
  continueTo: (service) => `Weiter zu ${service}`,
  decline: "Ablehnen",
  passwordStays: (service) => `Ihr Passwort bleibt bei ${service}.`,
  otherAddress: {
    title: "Die Anmeldung läuft über eine andere Adresse",
    text: (server, host) =>
      `Für ${server} geben Sie Ihr Passwort bei ${host} ein. Fahren Sie nur fort, wenn Sie diese Adresse kennen.`,
  },
  checkNextAddress:
    "Auf der nächsten Seite melden Sie sich an. Geben Sie Ihr Passwort nur ein, wenn Sie deren Adresse kennen.",
  signInChanged: (service) =>
    `Die Anmeldung bei ${service} hat sich geändert, seit Sie diese Seite gesehen haben. Lesen Sie sie noch einmal, bevor Sie fortfahren.`,
  unknownServer: "Diese Seite kennt den Server nur über seine Adresse.",
  didNotAsk: "Sie haben das nicht angefordert? Lehnen Sie ab oder schließen Sie dieses Fenster.",
  nothingConnected: "Es wurde nichts verbunden. Sie können es erneut versuchen.",
  accountAt: (service) => `Konto bei ${service}`,
  connected: "Verbunden",
  remove: "Entfernen",
  removed: (service) => ({
    title: `${service} ist nicht mehr verbunden`,
    text: "Ihr Chat kann dieses Konto nicht mehr nutzen. Sie können es vom Chat aus wieder verbinden.",
  }),
  accounts: {
    title: "Verbundene Konten",
    text: "Ihr Chat kann diese Konten für Sie nutzen.",
    none: "Es ist kein Konto verbunden.",
    notChecked: "Kann im Moment nicht geprüft werden",
    since: (date) => `Verbunden seit dem ${date}`,
    forgotten:
      "Diese Seite hat vergessen, wer Sie sind. Melden Sie sich in Ihrem Chat als Sie selbst an, und öffnen Sie diese Seite dann noch einmal.",
    notRevoked: (service) =>
      `${service} konnte nicht benachrichtigt werden. Entfernen Sie den Zugriff auch in Ihrem Konto dort.`,
    notRemoved: (service) =>
      `${service} ist nicht erreichbar, daher ist das Konto noch verbunden. Versuchen Sie es erneut.`,
  },
  remembered: {
    title: "Gemerkte Antworten",
    text: "Die Werkzeuge Ihres Chats verwenden diese Antworten, ohne Sie zu fragen.",
    until: (date) => `bis ${date}`,
  },
  ended(outcome, service) {
    const notConnected = `${service} wurde nicht verbunden`;
    switch (outcome) {
      case "accepted":
        return { title: `${service} ist verbunden`, text: "Ihr Chat geht von selbst weiter." };
      case "declined":
        return {
          title: notConnected,
          text: "Sie haben abgelehnt. Es wurde nichts weitergegeben, und Ihr Chat geht ohne weiter.",
        };
      case "cancelled":
        return { title: notConnected, text: "Die Anfrage wurde geschlossen. Es wurde nichts weitergegeben." };
      case "expired":
        return {
          title: "Diese Anfrage ist abgelaufen",
          text: "Es wurde nichts weitergegeben. Fordern Sie sie im Chat erneut an.",
        };
      case "withdrawn":
        return {
          title: "Diese Anfrage wurde zurückgezogen",
          text: "Ihr Chat braucht sie nicht mehr. Es wurde nichts weitergegeben.",
        };
      case "failed":
        return {
          title: `${service} konnte nicht verbunden werden`,
          text: "Fordern Sie es im Chat erneut an.",
        };
    }
  },
  asksYou: ["", " fragt Sie:"],
  checkAnswers: "Bitte prüfen Sie diese Antworten.",
  chatGoesOn: "Ihr Chat geht von selbst weiter.",
  goBackThere: "Sie können dorthin zurückgehen, wo Sie gefragt wurden.",
  roundProgress: (answered, size) =>
    `${answered} von ${size} beantwortet. Jede Antwort wird einzeln gesendet. Ihr Chat geht nach der letzten weiter.`,
  nothingShared: "Es wurde nichts weitergegeben.",
  failures: {
    denied: (service) => `Sie haben bei ${service} abgebrochen. Es wurde nichts verbunden.`,
    code: (service, code) => `${service} hat mit einem Fehler geantwortet (${code}).`,
    unreachable: (service) => `${service} war nicht erreichbar, oder die Antwort war unverständlich.`,
    notSetUp: (service) =>
      `${service} kann noch nicht verbunden werden. Der Betreiber dieses Chats muss es erst einrichten.`,
    notApproved: (service) =>
      `Zuerst muss ein Administrator von ${service} zustimmen. Fragen Sie dort nach, und versuchen Sie es dann noch einmal.`,
    notConnected: (service) => `${service} wurde nicht verbunden.`,
    notConnectedCode: (service, code) => `${service} wurde nicht verbunden (${code}).`,
  },
  apiKey: {
    add: (service) => `Ihren API-Schlüssel für ${service} hinzufügen`,
    format: (prefix, length) =>
      `Beginnt mit „${prefix}“${length === undefined ? "." : `, ${length} Zeichen.`}`,
    wrongFormat: (service, prefix) =>
      `Das ist kein Schlüssel für ${service}. Solche beginnen mit „${prefix}“.`,
    show: "Zeigen",
    hide: "Verbergen",
    canUse: (service) => `${service} mit allen Rechten dieses Schlüssels nutzen`,
    seeKey: "Den Schlüssel sehen. Er gelangt nie in den Chat",
    asksForKey: (service) => ["", ` braucht einen API-Schlüssel, um ${service} für Sie zu nutzen.`],
    label: (service) => `Ihr API-Schlüssel für ${service}`,
    newKey: (service) => `Neuer API-Schlüssel für ${service}`,
    whereToFind: (service) => `Wo Sie Ihren Schlüssel für ${service} finden`,
    save: "Schlüssel speichern",
    replace: "Schlüssel ersetzen",
    refused: (service) => `${service} hat diesen Schlüssel nicht angenommen.`,
    unchecked: (service) => `${service} konnte den Schlüssel nicht prüfen. Versuchen Sie es noch einmal.`,
  },
  nango: {
    starting: "Einen Moment …",
    waiting:
      "Machen Sie in dem Fenster weiter, das sich geöffnet hat. Ist es geschlossen, drücken Sie die Taste noch einmal.",
    blocked: "Ihr Browser hat das Fenster nicht geöffnet. Drücken Sie die Taste noch einmal.",
    offline: "Es besteht gerade keine Verbindung. Drücken Sie die Taste, um es erneut zu versuchen.",
    needsScript: "Um Ihr Konto zu verbinden, braucht diese Seite JavaScript.",
  },
  unknownPerson: {
    title: "Diese Seite weiß nicht, wer Sie sind",
    signedOut:
      "Sie sind in diesem Browser nicht bei Ihrem Chat angemeldet. Melden Sie sich dort an und versuchen Sie es erneut.",
    noReferrer:
      "Ihr Browser teilt dieser Seite nicht mit, woher Sie kommen. Deshalb muss der Chat sie öffnen: Drücken Sie dort auf „Verbinden“.",
    notOpenedByChat: "Sie wurde nicht vom Chat geöffnet. Drücken Sie dort auf „Verbinden“, um sie zu öffnen.",
    stillUnknown:
      "Ihr Browser blockiert die Cookies dieser Seite, es hat länger als ein paar Minuten gedauert, oder Sie sind nicht bei Ihrem Chat angemeldet.",
    notForYou:
      "Wenn Sie kein Konto verbinden wollten, schließen Sie diese Seite. Vielleicht hat Ihnen jemand einen Link geschickt, der nicht für Sie bestimmt ist.",
  },
  unavailable: {
    title: "Dieser Link kann nicht verwendet werden",
    text: "Vielleicht gehört er zu einem anderen Konto, wurde schon verwendet oder ist abgelaufen. Beginnen Sie im Chat von vorn.",
  },
  youAre: ["Sie sind angemeldet als ", "."],
  forgotten: {
    title: "Verwenden Sie Ihr eigenes Chat-Konto",
    text: "Diese Seite hat vergessen, wer Sie sind, und es wurde nichts verbunden. Melden Sie sich beim Chat mit Ihrem Konto an und drücken Sie dort auf „Verbinden“.",
  },
  forgottenAnswer: {
    title: "Verwenden Sie Ihr eigenes Chat-Konto",
    text: "Diese Seite hat vergessen, wer Sie sind, und es wurde nichts gesendet. Melden Sie sich beim Chat mit Ihrem Konto an und öffnen Sie die Frage dort.",
  },
  later: {
    title: "Ihr Chat kann gerade nicht gefragt werden",
    text: "Warten Sie eine Minute und versuchen Sie es dann erneut.",
  },
  tooMany: { title: "Zu viele Versuche", text: "Warten Sie eine Minute und laden Sie diese Seite dann neu." },
  broken: {
    title: "Etwas ist schiefgegangen",
    text: "Warten Sie einen Moment und versuchen Sie es dann vom Chat aus erneut.",
  },
};
