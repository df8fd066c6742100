/** Texts that only Slack needs. All others come from the kit's catalogue. `person` is markup for a Slack user. */
export interface SlackWords {
  /** The button that opens the form. */
  readonly answer: string;
  /** The button that opens the hosted page of a question that Slack cannot show. */
  readonly answerOnPage: string;
  /** Shown beside that button. */
  readonly tooMuchForSlack: string;
  /** Names the user that a question is for. */
  for(person: string): string;
  /** `time` is markup that each reader sees in their own time zone. */
  until(time: string): string;
  /** Shown below the buttons: what a message of the user does to the open question. */
  readonly messageWithdraws: string;
  /** The receipt of a declined question. Everybody in the channel reads it, and `by` names the user. */
  declined(service: string | undefined): string;
  /** Says who has answered. */
  by(person: string): string;
  /** Shown to another user who presses a button. */
  notYours(person: string): string;
  /** Shown to a user who presses a button of an ended question. */
  readonly ended: string;
  /** Shown if the form could not be opened within Slack's three seconds. */
  readonly pressAgain: string;
  /** Replaces the form while the check of the answer takes longer than Slack waits. */
  readonly sending: string;
  /** The answer could not be delivered. */
  readonly failed: string;
  /** Shown to a user whom `userOf` does not know. */
  readonly unknownPerson: string;
  /** Shown beside the link of `linkUrl`. */
  readonly linkAccount: string;
  /** The server is busy or shutting down. */
  comeBack(seconds: number): string;
  /** The turn has been stopped. */
  readonly stopped: string;
  /** There was nothing to stop. */
  readonly nothingToStop: string;
  /** The reply to a slash command in a channel that the app is not in. */
  readonly notInvited: string;
  /** The reply to a slash command without text, such as `/assistant`. */
  emptyCommand(command: string): string;
}

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
