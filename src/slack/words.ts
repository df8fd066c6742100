/** Words that only Slack needs. All others come from the kit's catalogue. `person` is markup for a Slack person. */
export interface SlackWords {
  /** Opens the form. */
  readonly answer: string;
  /** Opens the hosted page of a question that Slack cannot show. */
  readonly answerOnPage: string;
  /** Beside that link. */
  readonly tooMuchForSlack: string;
  /** Says whom a question is for. */
  for(person: string): string;
  /** `time` is markup that each reader sees in their own time zone. */
  until(time: string): string;
  /** Who has answered. */
  by(person: string): string;
  /** Told to somebody else who presses a button. */
  notYours(person: string): string;
  /** Told to somebody who presses a button of a question that has ended. */
  ended: string;
  /** Told when Slack's three seconds were over before the form could be opened. */
  pressAgain: string;
  /** In place of the form while the answer is checked for longer than Slack waits. */
  sending: string;
  /** The answer could not be delivered. */
  failed: string;
  /** Told to a person whom `userOf` does not know. */
  unknownPerson: string;
  /** Beside the link of `linkUrl`. */
  linkAccount: string;
  /** The server is busy or shuts down. */
  comeBack(seconds: number): string;
  /** The turn has been stopped. */
  readonly stopped: string;
  /** There was nothing to stop. */
  readonly nothingToStop: string;
}

/** English. */
export const slackEn: SlackWords = {
  answer: "Answer…",
  answerOnPage: "Answer on a page",
  tooMuchForSlack: "Slack cannot show these questions, so they are on a page.",
  for: (person) => `For ${person}`,
  until: (time) => `open until ${time}`,
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
};
