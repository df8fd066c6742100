import type { SlackWords } from "./slack-words.ts";

/** English. */
export const slackEn: SlackWords = {
  answer: "Answer…",
  answerOnPage: "Answer on a page",
  tooMuchForSlack: "Slack cannot show these questions, so they are on a page.",
  for: (person) => `For ${person}`,
  until: (time) => `open until ${time}`,
  messageWithdraws: "Your next message to me in this thread withdraws this question.",
  declined: (service) => (service === undefined ? "Declined" : `Declined: ${service}`),
  by: (person) => `by ${person}`,
  notYours: (person) => `This question is for ${person}. Only they can answer it.`,
  ended: "This question is no longer open.",
  pressAgain: "Slack did not wait for the form. Please press the button again.",
  sending: "Your answer is being checked…",
  failed: "Your answer could not be delivered. Please press the button again.",
  unknownPerson: "I do not know yet who you are here.",
  linkAccount: "Link your account",
  comeBack: (seconds) => `There is too much to do at the moment. Please try again in ${seconds} seconds.`,
  stopped: "Stopped.",
  nothingToStop: "There is nothing of yours to stop here.",
  notInvited: "I cannot write here. Please invite me into the channel first.",
  emptyCommand: (command) => `Please add what you need after the command: ${command} …`,
};
