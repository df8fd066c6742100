/** Words that only Slack needs. All others come from the kit's catalogue. `person` is markup for a Slack user. */
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
  /** Below the buttons: what a message of the user does to the open question. */
  readonly messageWithdraws: string;
  /** Who has answered. */
  by(person: string): string;
  /** Told to somebody else who presses a button. */
  notYours(person: string): string;
  /** Told to somebody who presses a button of a question that has ended. */
  readonly ended: string;
  /** Told when Slack's three seconds were over before the form could be opened. */
  readonly pressAgain: string;
  /** In place of the form while the answer is checked for longer than Slack waits. */
  readonly sending: string;
  /** The answer could not be delivered. */
  readonly failed: string;
  /** Told to a user whom `userOf` does not know. */
  readonly unknownPerson: string;
  /** Beside the link of `linkUrl`. */
  readonly linkAccount: string;
  /** The server is busy or shuts down. */
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
