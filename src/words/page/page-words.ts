import type { ElicitationOutcome } from "../../contract/contract.ts";

/** The text before and after a name, which the page sets in bold. */
export type AroundName = readonly [before: string, after: string];

interface Message {
  readonly title: string;
  readonly text: string;
}

/** All texts of the hosted page in one language. Plain text: the page escapes it. */
export interface PageWords {
  /** BCP 47 tag. */
  readonly locale: string;
  readonly dir: "ltr" | "rtl";

  readonly backToChat: string;
  readonly closeWindow: string;
  readonly closesSoon: string;
  readonly tryAgain: string;
  /** `site` is the name of the brand. */
  signIn(site: string | undefined): string;
  readonly switchAccount: string;

  /** Shown while the chat is asked to identify the user. */
  readonly checking: Message;
  readonly continue: string;

  connect(service: string): string;
  /** The text before and after the name of the agent that asks. */
  asksToUse(service: string): AroundName;
  /** Replaces the agent's name if it has none. */
  readonly assistant: string;
  /** The label above what the agent can do once the account is connected: the operator's texts, or plain scopes. */
  readonly can: string;
  readonly cannot: string;
  /** What no agent can do after a sign-in: see the password. */
  readonly seePassword: string;
  /** What the scope `offline_access` allows. */
  readonly stayConnected: string;
  /** What a scope allows if only an unconfigured server describes it. */
  usesNamedRight(right: string): string;
  /** The label above scopes that the connected account lacks. */
  readonly moreAccess: string;
  /** The label for the tool that waits for the connection. */
  readonly neededFor: string;
  readonly signedInAs: string;
  readonly chat: string;
  /** The text before and after the host that handles the sign-in. */
  readonly passwordOnlyAt: AroundName;
  /** Tells the user what to compare on the next page. */
  readonly nextPageShows: string;
  /** The button that shows details which few users need. */
  readonly details: string;
  /** The label for the requested scopes, as they are sent to the service. */
  readonly rights: string;
  /** The label for the time that is left: "in 8 minutes". */
  readonly expires: string;
  /** The label for the page where the user removes the account again. */
  readonly takeBack: string;
  readonly notYou: string;
  /** Asks the user who has pressed `notYou`, before the page forgets them. */
  readonly sure: {
    title(account: string): string;
    readonly text: string;
    readonly itIsMe: string;
    readonly notMe: string;
  };
  sharedUse(service: string): string;
  continueTo(service: string): string;
  readonly decline: string;
  /** Replaces `passwordOnlyAt` if the host is not known in advance. */
  passwordStays(service: string): string;
  /** Shown if an unconfigured server sends users to another address to sign in. */
  readonly otherAddress: { readonly title: string; text(server: string, host: string): string };
  /** Shown for an unconfigured server whose sign-in address is not known in advance. */
  readonly checkNextAddress: string;
  /** Shown if the address or the rights differ from what the user has read. */
  signInChanged(service: string): string;
  /** Replaces `didNotAsk` for an unconfigured server. */
  readonly unknownServer: string;
  readonly didNotAsk: string;
  /** Shown after the reason why the last attempt failed. */
  readonly nothingConnected: string;

  /** The label for the name of the connected account. */
  accountAt(service: string): string;
  /** Replaces the name if it is not known. */
  readonly connected: string;
  readonly remove: string;
  /** Shown after Remove. */
  removed(service: string): Message;

  /** Texts for the page of all accounts of a user. */
  readonly accounts: Message & {
    /** Replaces `text` if there is no account. */
    readonly none: string;
    /** Replaces an account's name if nothing is known about it. */
    readonly notChecked: string;
    /** Since when an account is connected. The date is formatted. */
    since(date: string): string;
    /** Shown after "Not you?". */
    readonly forgotten: string;
    /** Shown after Remove if the provider could not be reached to revoke the token. */
    notRevoked(service: string): string;
    /** Shown after Remove if the account is still there. */
    notRemoved(service: string): string;
  };

  /** Texts on the same page for the answers that tools use without asking. */
  readonly remembered: Message & {
    /** How long the answer is remembered. The date is formatted. */
    until(date: string): string;
  };

  /** Says how a request has ended. */
  ended(outcome: ElicitationOutcome, service: string): Message;

  /** The text before and after the name of the agent that asks with a form. Its question follows. */
  readonly asksYou: AroundName;
  /** Shown above links to invalid answers of a form. */
  readonly checkAnswers: string;
  /** Shown after the answer to a form was sent. */
  readonly chatGoesOn: string;
  /** Replaces `chatGoesOn` if the user was not asked in the chat of this server. */
  readonly goBackThere: string;
  /** The progress of a round. Unlike the cards of a chat, the page cannot hold answers back. */
  roundProgress(answered: number, size: number): string;
  /** Shown after a form has ended in any other way. */
  readonly nothingShared: string;

  /** Why an attempt to connect failed. Also shown on the card in the chat. */
  readonly failures: {
    denied(service: string): string;
    /** `code` is the provider's error code, unchanged. */
    code(service: string, code: string): string;
    unreachable(service: string): string;
    /** The operator must set something up first. */
    notSetUp(service: string): string;
    /** An administrator at the service must approve first. */
    notApproved(service: string): string;
    notConnected(service: string): string;
    notConnectedCode(service: string, code: string): string;
  };

  /** Texts for services that users connect with their own API key. */
  readonly apiKey: {
    /** Title. */
    add(service: string): string;
    /** The format of keys. */
    format(prefix: string, length: number | undefined): string;
    wrongFormat(service: string, prefix: string): string;
    /** The buttons that show and hide the typed key. */
    readonly show: string;
    readonly hide: string;
    /** What the agent can and cannot do with a key. */
    canUse(service: string): string;
    readonly seeKey: string;
    /** The text before and after the name of the agent that asks. */
    asksForKey(service: string): AroundName;
    /** The label of the field. */
    label(service: string): string;
    /** The label of the field while a key is stored. */
    newKey(service: string): string;
    /** A link. */
    whereToFind(service: string): string;
    readonly save: string;
    readonly replace: string;
    /** The service refuses the key. */
    refused(service: string): string;
    unchecked(service: string): string;
  };

  /** Texts while a connection is made in a window of Nango. */
  readonly nango: {
    readonly starting: string;
    readonly waiting: string;
    readonly blocked: string;
    readonly offline: string;
    readonly needsScript: string;
  };

  readonly unknownPerson: {
    readonly title: string;
    readonly signedOut: string;
    readonly noReferrer: string;
    readonly notOpenedByChat: string;
    readonly stillUnknown: string;
    readonly notForYou: string;
  };
  /** The same page for an id that is unknown, has ended or belongs to another user. */
  readonly unavailable: Message;
  /** The text before and after the account that is signed in on that page. */
  readonly youAre: AroundName;
  /**
   * Shown after "Not you?": `forgotten` on a page that connects an account, `forgottenAnswer` on one that asks a
   * question.
   */
  readonly forgotten: Message;
  readonly forgottenAnswer: Message;
  readonly later: Message;
  readonly tooMany: Message;
  readonly broken: Message;
}
