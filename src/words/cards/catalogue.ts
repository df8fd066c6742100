import type { ElicitationNotice, Proposal, WindowState } from "../../client/elicitation.ts";
import type { UrlReason } from "../../contract/inspect-url.ts";
import type { FieldError, SchemaReason } from "../../form/field.ts";
import type { ElicitationOutcome, PagePurpose } from "../../contract/contract.ts";
import type { CardKind } from "./card-kind.ts";

type Words<Key extends string> = Readonly<Record<Key, string>>;

/**
 * All words that the kit shows. To change some, spread a built-in catalogue: `{ ...en, connect: "Link account" }`. Keep
 * the object outside of the component, so that cards re-render only when their own request changes.
 */
export interface Catalogue {
  /** BCP 47 tag of the language; also decides how numbers are written. */
  readonly locale: string;
  readonly dir: "ltr" | "rtl";

  /** Heading of a card: of a form that has none of its own, or by what its page is for. `service`: what is connected, or whose page it is. */
  title(kind: CardKind, service?: string): string;
  /** What a third party calls itself. Must sound like a claim. */
  claimedName(name: string): string;

  /** Opens the page on which an account is connected. */
  readonly connect: string;
  /** Opens any other page. */
  readonly open: string;
  /** Opens the page on which the user pays. */
  readonly pay: string;
  /** Opens the page on which the user signs. */
  readonly sign: string;
  /** In place of `connect` where the address imitates another one. */
  readonly connectAnyway: string;
  /** In place of `open`, `pay` and `sign` there. */
  readonly openAnyway: string;
  /** In place of these after the page has reported a problem. */
  readonly tryAgain: string;
  /** Brings the window of the page to the front. */
  readonly showWindow: string;
  readonly openAgain: string;
  readonly finished: string;
  readonly decline: string;
  /** Opens a line for what the user wants instead. */
  readonly noAnd: string;
  /** Begins that line. */
  readonly noAndLine: string;
  /** Closes that line. Of a form that asks one question at a time: leads to the question before. */
  readonly back: string;
  /** Who reads that line; `used` says how much of its room is used. Without a name: the assistant. */
  onlyReads(name: string | undefined, used: string): string;
  /** Accessible name of the × of a card: neither yes nor no. */
  readonly dismiss: string;
  /** Label of the button that dismisses while a page is open. */
  readonly cancel: string;
  /** Closes a dialog whose request has ended. */
  readonly close: string;
  readonly retry: string;
  readonly submit: string;
  /** In place of `submit` in a form without fields. */
  readonly confirm: string;
  /** Leads to the next question of a form that asks one at a time. */
  readonly next: string;
  /** After the last question: leads to the answers, before they are sent. */
  readonly review: string;
  /** Leaves out a question that need not be answered. */
  readonly skip: string;
  /** In place of an answer that was left out. */
  readonly skipped: string;
  /** Heading above the answers. */
  readonly readyToSend: string;
  /** Which question is asked. Both numbers are formatted. */
  questionOf(current: string, count: string): string;
  /** Replaces an answer that is held for its round. */
  readonly changeAnswer: string;

  readonly copyLink: string;
  readonly linkCopied: string;
  /** Accessible name of the row that shows the link. */
  link(host: string): string;
  /** The decoded form of an international host. */
  decodedHost(host: string): string;
  readonly urlReasons: Words<UrlReason>;
  /** About an address that is written to be mistaken for `host`. */
  imitates(host: string): string;
  readonly blockedUrl: string;
  readonly blockedForm: string;
  readonly schemaReasons: Words<SchemaReason["code"]>;
  /** `reason` about one question of a form. */
  aboutQuestion(name: string, reason: string): string;

  /** What to do while a page is open, or why it is not. */
  readonly waiting: Words<WindowState>;
  /** What the card waits for. */
  waitingFor(host: string, purpose: PagePurpose): string;
  /** In place of that when the window looks closed. */
  readonly windowClosed: string;
  /** In place of that after "I've finished", when it was not. */
  readonly notFinished: string;
  readonly checking: string;
  readonly openInNewTab: string;
  readonly continueInThisTab: string;

  readonly submitting: string;
  /** In place of the questions until their code is here. */
  readonly formLoading: string;
  /** In place of the questions when their code cannot be loaded; `tryAgain` stands beside it. */
  readonly formNotLoaded: string;
  /** The answer is kept until the other requests of its round are answered. */
  readonly held: string;
  readonly notices: Words<ElicitationNotice["code"]>;
  /**
   * How it ended, as one line of history. `service`: what was to be connected, or whose page it was. `account`: as whom it
   * was connected, in the provider's words.
   */
  receipt(kind: CardKind, outcome: ElicitationOutcome | "gone", service?: string, account?: string): string;
  /** Asked before a form that holds typing is dismissed. */
  readonly discardTyped: string;
  /** Answers that question with no. */
  readonly keepEditing: string;
  /** Answers that question with yes. */
  readonly discard: string;
  /** Opens what was typed into a form that has ended without sending it. */
  readonly typed: string;
  /** Before the answer of a receipt: what it is about. */
  about(label: string): string;
  /** Below the answers that a receipt opens to. */
  readonly sentNote: string;
  /** In place of a secret among the answers that were sent. */
  readonly notShown: string;
  /** At the end of the buttons. */
  errorCount(count: number): string;
  /** Minutes and seconds are already formatted: `1:45`. */
  timeLeft(time: string): string;
  readonly underTwoMinutes: string;
  /** Until an answer that did not arrive is sent again. */
  nextTry(seconds: string): string;
  /** Of an account that the user has declined to connect: asks the agent for it anew. */
  readonly connectAfterAll: string;
  /** What the user then says to the agent. */
  askAgain(service?: string): string;
  /** Takes a decline or a dismissal back. */
  readonly undo: string;
  /** How many seconds are left for that. */
  seconds(seconds: string): string;
  roundProgress(answered: number, size: number): string;

  /** In the conversation, before the heading of a card that stands at the composer. */
  readonly waitsForYou: string;
  /** Brings the composer back, below the card that stands in its place. */
  readonly writeMessage: string;
  /** Beside that: what a message does to the open requests. `count`: how many. */
  messageWithdraws(count: number): string;
  /** In place of that, where a message fills in the form. */
  readonly messageFills: string;
  /** Placeholder and name of the line below a form that a sentence fills in. */
  readonly saySentence: string;
  /** Name of the button of that line. */
  readonly fillIn: string;
  /** What has become of the sentence. `nothing`: no part of it fits the form. */
  readonly proposals: Words<Proposal["state"]>;
  /** Sends what did not fit the form as a message. */
  readonly sendAsMessage: string;

  /** The list of the questions of all conversations. */
  readonly inbox: {
    readonly title: string;
    readonly empty: string;
    /** Below `empty`. */
    readonly emptyHint: string;
    readonly loading: string;
    /** In place of the list when it cannot be read; `tryAgain` stands beside it. */
    readonly unavailable: string;
    /** Above the list when it cannot be read again. */
    readonly outdated: string;
    /** Heading above the questions of a conversation that the app does not name. The number is formatted. */
    conversation(number: string): string;
    /** The surface of a question that was asked in the app's own chat. */
    readonly chat: string;
  };

  /** About a question that another user decides. */
  readonly others: {
    /** In place of the question, for the user whose agent asks. */
    waitsFor(name: string): string;
    /** Lets that user decide after all. */
    readonly takeBack: string;
    /** For the user who decides: whose agent asks. */
    from(name: string): string;
    /** Heading above those questions in the list of all conversations. */
    readonly title: string;
    /** Who has decided. */
    answeredBy(name: string): string;
  };

  readonly optional: string;
  /** The limits of a number, formatted; at least one is there. */
  range(minimum: string | undefined, maximum: string | undefined): string;
  /** How many options may be chosen; at least one limit is there. */
  count(minimum: number | undefined, maximum: number | undefined): string;
  /** How much of a limit is used, or a rating: `4 of 5`. Both numbers are formatted. */
  outOf(value: string, most: string): string;
  /** How many options are chosen; `outOf` is already a text. */
  chosen(outOf: string): string;
  readonly errors: Readonly<Record<FieldError["code"], (limit: string) => string>>;
  readonly yes: string;
  readonly no: string;
  /** First entry of a list from which nothing has been chosen. */
  readonly choose: string;
  /** Placeholder and name of the text below the options of a choice, in place of one of them. */
  readonly ownWords: string;
  /** Beside the option that the asker recommends, when the asker has no word for it. */
  readonly recommended: string;
  /** After an answer in the user's own words. */
  readonly yourWords: string;
  readonly clear: string;
  /** In place of a value where there is none. */
  readonly notSet: string;
  /** Accessible names of the − and + of a number. */
  readonly decrease: string;
  readonly increase: string;
  readonly search: string;
  /** Options that are not shown because there are too many. */
  moreOptions(hidden: number): string;
  readonly noMatch: string;
  readonly timeZone: string;
  localTime(zone: string): string;

  /** `fields`: labels, joined. */
  secretsWarning(fields: string): string;
  readonly secretsConfirm: string;
  /** An answer that is used again when the same tool asks the same. */
  readonly remember: {
    /** Beside a checkbox. */
    offered(days: number): string;
    /** What it is for: the very same question. */
    readonly same: string;
    /** What it is for: all questions of that kind. */
    ofKind(kind: string): string;
    /** Receipt of a question that was answered so. */
    readonly used: string;
    readonly askNextTime: string;
    /** In place of that button. */
    readonly willAsk: string;
    readonly notForgotten: string;
  };
  /** Where forms that ask for secrets are not allowed. */
  readonly secretsRefused: string;
}
