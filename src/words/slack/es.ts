import type { SlackWords } from "./slack-words.ts";

/** Spanish. */
export const slackEs: SlackWords = {
  answer: "Responder…",
  answerOnPage: "Responder en una página",
  tooMuchForSlack: "Slack no puede mostrar estas preguntas, por eso están en una página.",
  for: (person) => `Para ${person}`,
  until: (time) => `abierta hasta ${time}`,
  messageWithdraws: "El próximo mensaje que me envíes en este hilo retira esta pregunta.",
  declined: (service) => (service === undefined ? "Rechazado" : `Rechazado: ${service}`),
  by: (person) => `por ${person}`,
  notYours: (person) => `Esta pregunta es para ${person}. Nadie más puede responderla.`,
  ended: "Esta pregunta ya no está abierta.",
  pressAgain: "Slack no esperó al formulario. Pulsa el botón otra vez.",
  sending: "Se está comprobando tu respuesta…",
  failed: "No se pudo entregar tu respuesta. Pulsa el botón otra vez.",
  unknownPerson: "Todavía no sé quién eres aquí.",
  linkAccount: "Vincula tu cuenta",
  comeBack: (seconds) => `Hay demasiado trabajo en este momento. Inténtalo de nuevo en ${seconds} segundos.`,
  stopped: "Detenido.",
  nothingToStop: "Aquí no hay nada tuyo que detener.",
  notInvited: "No puedo escribir aquí. Invítame primero al canal.",
  emptyCommand: (command) => `Añade lo que necesitas después del comando: ${command} …`,
};
