import type { ElicitationNotice, Proposal, WindowState } from "../../client/elicitation.ts";
import type { UrlReason } from "../../contract/inspect-url.ts";
import type { FieldError, SchemaReason } from "../../form/field.ts";
import type { ElicitationOutcome, PagePurpose } from "../../contract/contract.ts";
import type { CardKind } from "./form-heading.ts";

type Words<Key extends string> = Readonly<Record<Key, string>>;

/**
 * All texts of the kit. To change some, spread a built-in catalogue: `{ ...en, connect: "Link account" }`. Keep the
 * object outside of the component, so that cards re-render only when their own request changes.
 */
export interface Catalogue {
  /** The BCP 47 tag of the language. It also decides how numbers are formatted. */
  readonly locale: string;
  readonly dir: "ltr" | "rtl";

  /**
   * The heading of a card: for a form without a title, or for a page by its purpose. `service`: the connected service, or
   * the owner of the page.
   */
  title(kind: CardKind, service?: string): string;
  /** A third party's own name. The text must present it as a claim. */
  claimedName(name: string): string;

  /** The button that opens the page for connecting an account. */
  readonly connect: string;
  /** The button that opens any other page. */
  readonly open: string;
  /** The button that opens a payment page. */
  readonly pay: string;
  /** The button that opens a page for signing. */
  readonly sign: string;
  /** Replaces `connect` if the address imitates another one. */
  readonly connectAnyway: string;
  /** Replaces `open`, `pay` and `sign` if the address imitates another one. */
  readonly openAnyway: string;
  /** Replaces the button that opens the page after the page has reported a problem. */
  readonly tryAgain: string;
  /** The button that brings the window of the page to the front. */
  readonly showWindow: string;
  readonly openAgain: string;
  readonly finished: string;
  readonly decline: string;
  /** The button that opens a text field for what the user wants instead. */
  readonly noAnd: string;
  /** The label in front of that text field. */
  readonly noAndLine: string;
  /** The button that leaves the decision to the agent. */
  readonly youDecide: string;
  /** The receipt of a question whose decision the user left to the agent. */
  readonly leftToAgent: string;
  /** Closes that text field. In a form that asks one question at a time: goes back to the previous question. */
  readonly back: string;
  /** Says who reads that text. `used` is the used part of its length limit. Without a name: the assistant. */
  onlyReads(name: string | undefined, used: string): string;
  /** The accessible name of the × on a card, which is neither yes nor no. */
  readonly dismiss: string;
  /** The label of the button that dismisses a card while its page is open. */
  readonly cancel: string;
  /** The button that closes a dialog whose request has ended. */
  readonly close: string;
  readonly retry: string;
  readonly submit: string;
  /** Replaces `submit` in a form without fields. */
  readonly confirm: string;
  /** The button to the next question, in a form that asks one question at a time. */
  readonly next: string;
  /** The button after the last question, which shows all answers before they are sent. */
  readonly review: string;
  /** The button that skips an optional question. */
  readonly skip: string;
  /** Shown instead of a skipped answer. */
  readonly skipped: string;
  /** The heading above the answers before they are sent. */
  readonly readyToSend: string;
  /** The position of the current question. Both numbers are formatted. */
  questionOf(current: string, count: string): string;
  /** The button that changes an answer which is held for its round. */
  readonly changeAnswer: string;

  readonly copyLink: string;
  readonly linkCopied: string;
  /** The accessible name of the row with the link. */
  link(host: string): string;
  /** The decoded form of an international host. */
  decodedHost(host: string): string;
  readonly urlReasons: Words<UrlReason>;
  /** Shown for an address that imitates `host`. */
  imitates(host: string): string;
  readonly blockedUrl: string;
  readonly blockedForm: string;
  readonly schemaReasons: Words<SchemaReason["code"]>;
  /** Says that `reason` is about one question of a form. */
  aboutQuestion(name: string, reason: string): string;

  /** What the user should do while a page is open, or why it is not open. */
  readonly waiting: Words<WindowState>;
  /** What the card is waiting for. */
  waitingFor(host: string, purpose: PagePurpose): string;
  /** Replaces `waitingFor` when the window looks closed. */
  readonly windowClosed: string;
  /** Replaces `waitingFor` if the user pressed "I've finished" too early. */
  readonly notFinished: string;
  readonly checking: string;
  readonly openInNewTab: string;
  readonly continueInThisTab: string;

  readonly submitting: string;
  /** Shown instead of the questions while their code is loading. */
  readonly formLoading: string;
  /** Shown instead of a card or its questions if their code cannot be loaded, with `tryAgain` beside it. */
  readonly notLoaded: string;
  /** Shown while the answer is held until the other requests of its round are answered. */
  readonly held: string;
  readonly notices: Words<ElicitationNotice["code"]>;
  /**
   * The outcome of a request, as one line of history. `service`: the service to connect, or the owner of the page.
   * `account`: the provider's name for the connected account.
   */
  receipt(kind: CardKind, outcome: ElicitationOutcome | "gone", service?: string, account?: string): string;
  /** Asked before the user dismisses a form with typed input. */
  readonly discardTyped: string;
  /** The answer "no" to `discardTyped`. */
  readonly keepEditing: string;
  /** The answer "yes" to `discardTyped`. */
  readonly discard: string;
  /** The button that shows typed input of a form which ended without sending it. */
  readonly typed: string;
  /** The label in front of the answer in a receipt. */
  about(label: string): string;
  /** Shown below the answers of an expanded receipt. */
  readonly sentNote: string;
  /** Shown instead of a secret among sent answers. */
  readonly notShown: string;
  /** Shown after the buttons of a form with errors. */
  errorCount(count: number): string;
  /** The remaining time. Minutes and seconds are already formatted: `1:45`. */
  timeLeft(time: string): string;
  readonly underTwoMinutes: string;
  /** The button that asks the server for more time. */
  readonly moreTime: string;
  /** Announced after that. `when`: "in 12 minutes". */
  moreTimeGiven(when: string): string;
  /** Shown beside the remaining time where the server gives little more. `when`: "in 12 minutes". */
  endsAtLatest(when: string): string;
  /** The time until an undelivered answer is retried. */
  nextTry(seconds: string): string;
  /** The button on the receipt of a request that ended without a yes. */
  readonly askAgain: string;
  /**
   * The message that the button sends to the agent, as the user would write it. `about`: the service, or the heading of
   * the form. `undefined` if the heading is the text of a third party.
   */
  askAgainMessage(kind: CardKind, about?: string): string;
  roundProgress(answered: number, size: number): string;

  /** Shown in the conversation, before the heading of a card that is docked at the composer. */
  readonly waitsForYou: string;
  /** The button that shows the composer again, below the card that replaces it. */
  readonly writeMessage: string;
  /** Shown beside `writeMessage`: what a message does to the open requests. `count` is their number. */
  messageWithdraws(count: number): string;
  /** Replaces `messageWithdraws` if a message fills in the form. */
  readonly messageFills: string;
  /** The placeholder and name of the text field below a form that the user can fill in with a sentence. */
  readonly saySentence: string;
  /** The name of the button of that text field. */
  readonly fillIn: string;
  /** The result for the sentence. `nothing`: no part of it fits the form. */
  readonly proposals: Words<Exclude<Proposal["state"], "filled">> & {
    /** `labels`: the filled in questions, joined. */
    filled(labels: string): string;
    /** The form already contains what the sentence says. */
    readonly same: string;
    /** Beside an answer from which the sentence differs, before the buttons `use` and `keep`. */
    says(value: string): string;
    readonly use: string;
    readonly keep: string;
  };
  /** The button that sends the sentence as a message if it did not fit the form. */
  readonly sendAsMessage: string;

  /** The list of the requests of all conversations. */
  readonly inbox: {
    readonly title: string;
    readonly empty: string;
    /** Shown below `empty`. */
    readonly emptyHint: string;
    readonly loading: string;
    /** Shown instead of the list if it cannot be read, with `tryAgain` beside it. */
    readonly unavailable: string;
    /** Shown above the list if it cannot be refreshed. */
    readonly outdated: string;
    /** The heading above the requests of a conversation without a name. The number is formatted. */
    conversation(number: string): string;
    /** The surface of a question in the app's own chat. */
    readonly chat: string;
  };

  /** Shown after a button whose action failed. */
  readonly didNotWork: string;
  /** Texts in the receipt of a connected account. */
  readonly consent: {
    /** Label of the date and time. */
    readonly connectedOn: string;
    /** The link to the page of the user's accounts. */
    readonly manage: string;
    /** Label of the rights. */
    readonly can: string;
    readonly remove: string;
    /** Asks before the account is removed. */
    askRemove(service: string): string;
    /** The answer "no" to `askRemove`. */
    readonly keep: string;
    removed(service: string): string;
    /** The account is removed, but its provider does not know. */
    notRevoked(service: string): string;
  };
  /** Texts for answering on another device. */
  readonly carry: {
    readonly label: string;
    readonly text: string;
    /** The name of the QR code, for assistive technology. */
    readonly code: string;
  };
  /** Texts for a question that another user decides. */
  readonly others: {
    /** Shown instead of the question to the user whose agent asks. `name`: the user or group that decides. */
    waitsFor(name: string): string;
    /** The button with which the user whose agent asks decides the question after all. */
    readonly takeBack: string;
    /** The button that sends another notice to the user or group that decides. */
    readonly remind: string;
    readonly reminded: string;
    /** `wait`: when a reminder can be sent, such as “in 8 minutes”. */
    tooSoon(wait: string): string;
    /** The button for the user who decides: opens the list of users and groups to pass the question on to. */
    readonly giveOn: string;
    /** Label of that list. */
    readonly giveTo: string;
    /** The button that passes the question on to the selected user or group. */
    readonly give: string;
    /** The receipt of a question that the user has passed on. */
    givenTo(name: string): string;
    /** Shown to the user who decides. `name`: the user whose agent asks. */
    from(name: string): string;
    /** The heading above questions from other users' agents, in the list of all conversations. */
    readonly title: string;
    /** Says which user has decided. */
    answeredBy(name: string): string;
  };

  readonly optional: string;
  /** The limits of a number, formatted. At least one of them is present. */
  range(minimum: string | undefined, maximum: string | undefined): string;
  /** A limit of a number that is not allowed itself, formatted. */
  moreThan(limit: string): string;
  lessThan(limit: string): string;
  /** How many options may be selected. At least one limit is present. */
  count(minimum: number | undefined, maximum: number | undefined): string;
  /** The used part of a limit, or a rating: `4 of 5`. Both numbers are formatted. */
  outOf(value: string, most: string): string;
  /** How many options are selected. `outOf` is already a text. */
  chosen(outOf: string): string;
  readonly errors: Readonly<Record<FieldError["code"], (limit: string) => string>>;
  readonly yes: string;
  readonly no: string;
  /** The first entry of a list without a selection. */
  readonly choose: string;
  /** The placeholder and name of the free text field below the options of a choice. */
  readonly ownWords: string;
  /** Shown beside the option that the requester recommends without its own word for it. */
  readonly recommended: string;
  /** Shown after a free text answer to a choice. */
  readonly yourWords: string;
  readonly clear: string;
  /** Shown instead of a missing value. */
  readonly notSet: string;
  /** The accessible names of the − and + buttons of a number. */
  readonly decrease: string;
  readonly increase: string;
  readonly search: string;
  /** The number of options that are hidden because there are too many. */
  moreOptions(hidden: number): string;
  readonly noMatch: string;
  readonly timeZone: string;
  localTime(zone: string): string;

  /** `fields` are the joined labels. */
  secretsWarning(fields: string): string;
  readonly secretsConfirm: string;
  /** Texts for remembered answers, which are used again for the same question of the same tool. */
  readonly remember: {
    /** The label of the checkbox. */
    offered(days: number): string;
    /** The scope of the checkbox: exactly the same question. */
    readonly same: string;
    /** The scope of the checkbox: all questions of that kind. */
    ofKind(kind: string): string;
    /** The receipt of a question that a remembered answer has answered. */
    readonly used: string;
    readonly askNextTime: string;
    /** Replaces the button `askNextTime` after it was pressed. */
    readonly willAsk: string;
  };
  /** Texts of a card on which the user approves a tool call or a draft. */
  readonly approval: {
    readonly approve: string;
    /** Shown after the name of the requester. */
    readonly asks: string;
    /** Beside a value that the user has changed. */
    was(value: string): string;
    /** After a value of which only the beginning is shown. The number is formatted. */
    more(count: string): string;
    /** The label of the checkbox that allows all calls of the tool in this conversation, and what follows from it. */
    readonly allow: string;
    readonly allowHint: string;
  };
  /** Shown if the app does not allow forms that ask for secrets. */
  readonly secretsRefused: string;
}
