import type { SlackWords } from "./slack-words.ts";

/** German. */
export const slackDe: SlackWords = {
  answer: "Antworten …",
  answerOnPage: "Auf einer Seite antworten",
  tooMuchForSlack: "Slack kann diese Fragen nicht anzeigen, deshalb stehen sie auf einer Seite.",
  for: (person) => `Für ${person}`,
  until: (time) => `offen bis ${time}`,
  messageWithdraws: "Ihre nächste Nachricht an mich in diesem Thread zieht diese Frage zurück.",
  declined: (service) => (service === undefined ? "Abgelehnt" : `Abgelehnt: ${service}`),
  by: (person) => `von ${person}`,
  notYours: (person) => `Diese Frage ist für ${person}. Niemand sonst kann sie beantworten.`,
  ended: "Diese Frage ist nicht mehr offen.",
  pressAgain: "Slack hat nicht auf das Formular gewartet. Bitte drücken Sie die Taste noch einmal.",
  sending: "Ihre Antwort wird geprüft …",
  failed: "Ihre Antwort konnte nicht übermittelt werden. Bitte drücken Sie die Taste noch einmal.",
  unknownPerson: "Ich weiß noch nicht, wer Sie hier sind.",
  linkAccount: "Konto verknüpfen",
  comeBack: (seconds) =>
    `Im Moment ist zu viel zu tun. Bitte versuchen Sie es in ${seconds} Sekunden noch einmal.`,
  stopped: "Angehalten.",
  nothingToStop: "Hier läuft nichts von Ihnen, das angehalten werden könnte.",
  notInvited: "Hier kann ich nicht schreiben. Bitte laden Sie mich zuerst in den Channel ein.",
  emptyCommand: (command) => `Bitte schreiben Sie hinter den Befehl, was Sie brauchen: ${command} …`,
};
