import type { ElicitationOutcome } from "../../contract/contract.ts";

/** The text before and after a name, which the page sets in bold. */
export type AroundName = readonly [before: string, after: string];

interface Message {
  readonly title: string;
  readonly text: string;
}

/** All words of the hosted page in one language. Plain text: the page escapes it. */
export interface PageWords {
  /** BCP 47 tag. */
  readonly locale: string;
  readonly dir: "ltr" | "rtl";

  readonly backToChat: string;
  readonly closeWindow: string;
  readonly closesSoon: string;
  readonly tryAgain: string;
  /** `site`: the brand's name. */
  signIn(site: string | undefined): string;
  readonly switchAccount: string;

  /** While the chat is asked who this is. */
  readonly checking: Message;
  readonly continue: string;

  connect(service: string): string;
  /** Around the name of the agent that asks. */
  asksToUse(service: string): AroundName;
  /** In place of the agent's name, when it has none. */
  readonly assistant: string;
  /** Label of what the agent can do once it is connected: the operator's words, or scopes as they are. */
  readonly can: string;
  readonly cannot: string;
  /** What no agent can do after a sign-in. */
  readonly seePassword: string;
  /** What the scope `offline_access` allows. */
  readonly stayConnected: string;
  /** What a scope allows for which nobody has words but a server that the operator does not know. */
  usesNamedRight(right: string): string;
  /** Label of the scopes that the connected account does not have yet. */
  readonly moreAccess: string;
  /** Label of the tool that waits for the connection. */
  readonly neededFor: string;
  readonly signedInAs: string;
  readonly chat: string;
  /** Around the host that handles the sign-in. */
  readonly passwordOnlyAt: AroundName;
  /** Gives the user something to compare. */
  readonly nextPageShows: string;
  /** Opens what few users need. */
  readonly details: string;
  readonly notYou: string;
  sharedUse(service: string): string;
  continueTo(service: string): string;
  readonly decline: string;
  /** In place of `passwordOnlyAt` when the host is not known before. */
  passwordStays(service: string): string;
  /** Where a server that the operator does not know leads users to another address to sign in. */
  readonly otherAddress: { readonly title: string; text(server: string, host: string): string };
  /** For such a server whose sign-in is not known before. */
  readonly checkNextAddress: string;
  /** In place of `didNotAsk` for such a server. */
  readonly unknownServer: string;
  readonly didNotAsk: string;
  /** After the reason why the last attempt failed. */
  readonly nothingConnected: string;

  /** Label of the name of the account that is connected. */
  accountAt(service: string): string;
  /** In place of the name, when it is not known. */
  readonly connected: string;
  readonly remove: string;
  /** After Remove. */
  removed(service: string): Message;

  /** The page of all accounts of a user. */
  readonly accounts: Message & {
    /** In place of `text`, when there is none. */
    readonly none: string;
    /** In place of an account's name, when nothing is known about it. */
    readonly notChecked: string;
    /** After Remove, when the provider could not be reached to revoke the token. */
    notRevoked(service: string): string;
    /** After Remove, when the account is still there. */
    notRemoved(service: string): string;
  };

  /** On the same page: the answers that tools use without asking. */
  readonly remembered: Message & {
    /** How long. The date is formatted. */
    until(date: string): string;
  };

  /** How a request has ended. */
  ended(outcome: ElicitationOutcome, service: string): Message;

  /** Around the name of the agent that asks a form. Its question follows. */
  readonly asksYou: AroundName;
  /** Above links to the answers of a form that do not fit. */
  readonly checkAnswers: string;
  /** After the answer to a form was sent. */
  readonly chatGoesOn: string;
  /** In place of `chatGoesOn` where the user was not asked in the chat of this server. */
  readonly goBackThere: string;
  /** How far a round is. The page cannot hold answers back, as the cards of a chat do. */
  roundProgress(answered: number, size: number): string;
  /** After a form has ended in any other way. */
  readonly nothingShared: string;

  /** Why an attempt to connect failed. Also shown on the card in the chat. */
  readonly failures: {
    denied(service: string): string;
    /** The provider's error code, as it is. */
    code(service: string, code: string): string;
    unreachable(service: string): string;
    /** The operator has to do something first. */
    notSetUp(service: string): string;
    notConnected(service: string): string;
    notConnectedCode(service: string, code: string): string;
  };

  /** For services that people connect with a key of theirs. */
  readonly apiKey: {
    /** Title. */
    add(service: string): string;
    /** How keys look. */
    format(prefix: string, length: number | undefined): string;
    wrongFormat(service: string, prefix: string): string;
    /** Buttons that show the typed key, and hide it again. */
    readonly show: string;
    readonly hide: string;
    /** What the agent can do with a key, and what it cannot. */
    canUse(service: string): string;
    readonly seeKey: string;
    /** Around the name of the agent that asks. */
    asksForKey(service: string): AroundName;
    /** Label of the field. */
    label(service: string): string;
    /** The same while a key is stored. */
    newKey(service: string): string;
    /** A link. */
    whereToFind(service: string): string;
    readonly save: string;
    readonly replace: string;
    /** The service does not take the key. */
    refused(service: string): string;
    unchecked(service: string): string;
  };

  /** While a connection is made in a window of Nango's. */
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
  /** The one page for an id that is unknown, ended or somebody else's. */
  readonly unavailable: Message;
  /** Around the account that is signed in on that page. */
  readonly youAre: AroundName;
  /** After "Not you?": on a page that connects an account, and on one that asks a question. */
  readonly forgotten: Message;
  readonly forgottenAnswer: Message;
  readonly later: Message;
  readonly tooMany: Message;
  readonly broken: Message;
}
