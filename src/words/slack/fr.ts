import type { SlackWords } from "./slack-words.ts";

/** French. */
export const slackFr: SlackWords = {
  answer: "Répondre…",
  answerOnPage: "Répondre sur une page",
  tooMuchForSlack: "Slack ne peut pas afficher ces questions : elles sont sur une page.",
  for: (person) => `Pour ${person}`,
  until: (time) => `ouverte jusqu’à ${time}`,
  messageWithdraws: "Le prochain message que vous m’enverrez dans ce fil retirera cette question.",
  declined: (service) => (service === undefined ? "Refusé" : `Refusé : ${service}`),
  by: (person) => `par ${person}`,
  notYours: (person) => `Cette question est pour ${person}. Personne d’autre ne peut y répondre.`,
  ended: "Cette question n’est plus ouverte.",
  pressAgain: "Slack n’a pas attendu le formulaire. Appuyez de nouveau sur le bouton.",
  sending: "Votre réponse est en cours de vérification…",
  failed: "Votre réponse n’a pas pu être transmise. Appuyez de nouveau sur le bouton.",
  unknownPerson: "Je ne sais pas encore qui vous êtes ici.",
  linkAccount: "Associer votre compte",
  comeBack: (seconds) => `Il y a trop à faire en ce moment. Réessayez dans ${seconds} secondes.`,
  stopped: "Arrêté.",
  nothingToStop: "Rien à vous n’est en cours ici.",
  notInvited: "Je ne peux pas écrire ici. Invitez-moi d’abord dans le canal.",
  emptyCommand: (command) => `Ajoutez ce dont vous avez besoin après la commande : ${command} …`,
};
