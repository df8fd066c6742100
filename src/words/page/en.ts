import type { ElicitationOutcome } from "../../contract/contract.ts";

/** The text before and after a name, which the page sets in bold. */
export type AroundName = readonly [before: string, after: string];

/** English. */
export const en = {
  /** BCP 47 tag. */
  locale: "en",
  dir: "ltr" as "ltr" | "rtl",
  backToChat: "Back to your chat",
  closeWindow: "You can close this window.",
  closesSoon: "This window closes in a moment.",
  tryAgain: "Try again",
  /** `site` is the name of the brand. */
  signIn: (site: string | undefined) => (site === undefined ? "Sign in" : `Sign in to ${site}`),
  switchAccount: "Switch account",
  /** Shown while the chat is asked to identify the user. */
  checking: { title: "One moment", text: "Checking with your chat that this is you." },
  continue: "Continue",
  connect: (service: string) => `Connect ${service}`,
  /** The text before and after the name of the agent that asks. */
  asksToUse: (service: string): AroundName => ["", ` asks to use your ${service} account for you.`],
  /** Replaces the agent's name if it has none. */
  assistant: "The assistant",
  /** The label above what the agent can do once the account is connected: the operator's texts, or plain scopes. */
  can: "Can",
  cannot: "Cannot",
  /** What no agent can do after a sign-in: see the password. */
  seePassword: "See your password",
  /** What the scope `offline_access` allows. */
  stayConnected: "Stay connected until you remove it",
  /** What a scope allows if only an unconfigured server describes it. */
  usesNamedRight: (right: string) => `Use “${right}”, a right that this server named itself`,
  /** The label above scopes that the connected account lacks. */
  moreAccess: "More access",
  /** The label for the tool that waits for the connection. */
  neededFor: "Needed for",
  signedInAs: "Signed in as",
  chat: "Chat",
  /** The text before and after the host that handles the sign-in. */
  passwordOnlyAt: ["You type your password only at ", "."] satisfies AroundName,
  /** Tells the user what to compare on the next page. */
  nextPageShows: "The next page must show this address.",
  /** The button that shows details which few users need. */
  details: "Details",
  /** The label for the requested scopes, as they are sent to the service. */
  rights: "Rights",
  /** The label for the time that is left: "in 8 minutes". */
  expires: "Expires",
  /** The label for the page where the user removes the account again. */
  takeBack: "Take back",
  notYou: "Not you?",
  /** Asks the user who has pressed `notYou`, before the page forgets them. */
  sure: {
    title: (account: string) => `Not ${account}?`,
    text: "Then do not continue. Use your own chat account.",
    itIsMe: "It is me",
    notMe: "It is not me",
  },
  sharedUse: (service: string) =>
    `Whoever uses this chat account can use the ${service} account you connect.`,
  continueTo: (service: string) => `Continue to ${service}`,
  decline: "Decline",
  /** Replaces `passwordOnlyAt` if the host is not known in advance. */
  passwordStays: (service: string) => `Your password stays with ${service}.`,
  /** Shown if an unconfigured server sends users to another address to sign in. */
  otherAddress: {
    title: "Another address handles the sign-in",
    text: (server: string, host: string) =>
      `For ${server}, you type your password at ${host}. Continue only if you know that address.`,
  },
  /** Shown for an unconfigured server whose sign-in address is not known in advance. */
  checkNextAddress: "The next page asks you to sign in. Type your password only if you know its address.",
  /** Shown if the address or the rights differ from what the user has read. */
  signInChanged: (service: string) =>
    `The sign-in to ${service} has changed since you saw this page. Read it again before you continue.`,
  /** Replaces `didNotAsk` for an unconfigured server. */
  unknownServer: "This page knows this server only by its address.",
  didNotAsk: "Did you not ask for this? Decline, or close this window.",
  /** Shown after the reason why the last attempt failed. */
  nothingConnected: "Nothing was connected. You can try again.",
  /** The label for the name of the connected account. */
  accountAt: (service: string) => `${service} account`,
  /** Replaces the name if it is not known. */
  connected: "Connected",
  remove: "Remove",
  /** Shown after Remove. */
  removed: (service: string) => ({
    title: `${service} is no longer connected`,
    text: "Your chat can no longer use this account. You can connect it again from your chat.",
  }),
  /** Texts for the page of all accounts of a user. */
  accounts: {
    title: "Connected accounts",
    text: "Your chat can use these accounts for you.",
    /** Replaces `text` if there is no account. */
    none: "No account is connected.",
    /** Replaces an account's name if nothing is known about it. */
    notChecked: "Cannot be checked at the moment",
    /** Since when an account is connected. The date is formatted. */
    since: (date: string) => `Connected since ${date}`,
    /** Shown after "Not you?". */
    forgotten:
      "This page has forgotten who you are. Sign in to your chat as yourself, then open this page again.",
    /** Shown after Remove if the provider could not be reached to revoke the token. */
    notRevoked: (service: string) =>
      `${service} could not be reached. Remove the access in your account there, too.`,
    /** Shown after Remove if the account is still there. */
    notRemoved: (service: string) =>
      `${service} could not be reached, so the account is still connected. Try again.`,
  },
  /** Texts on the same page for the answers that tools use without asking. */
  remembered: {
    title: "Remembered answers",
    text: "Your chat’s tools use these answers without asking you.",
    /** How long the answer is remembered. The date is formatted. */
    until: (date: string) => `until ${date}`,
  },
  /** Says how a request has ended. */
  ended(outcome: ElicitationOutcome, service: string) {
    const notConnected = `${service} was not connected`;
    switch (outcome) {
      case "accepted":
        return { title: `${service} is connected`, text: "Your chat goes on by itself." };
      case "declined":
        return {
          title: notConnected,
          text: "You declined. Nothing was shared, and your chat goes on without it.",
        };
      case "cancelled":
        return { title: notConnected, text: "The request was dismissed. Nothing was shared." };
      case "expired":
        return {
          title: "This request has expired",
          text: "Nothing was shared. Ask for it again in your chat.",
        };
      case "withdrawn":
        return {
          title: "This request was withdrawn",
          text: "Your chat no longer needs it. Nothing was shared.",
        };
      case "failed":
        return { title: `${service} could not be connected`, text: "Ask for it again in your chat." };
    }
  },
  /** The text before and after the name of the agent that asks with a form. Its question follows. */
  asksYou: ["", " asks you:"] satisfies AroundName,
  /** Shown above links to invalid answers of a form. */
  checkAnswers: "Please check these answers.",
  /** Shown after the answer to a form was sent. */
  chatGoesOn: "Your chat goes on by itself.",
  /** Replaces `chatGoesOn` if the user was not asked in the chat of this server. */
  goBackThere: "You can go back to where you were asked.",
  /** The progress of a round. Unlike the cards of a chat, the page cannot hold answers back. */
  roundProgress: (answered: number, size: number) =>
    `${answered} of ${size} answered. Each answer is sent on its own. Your chat goes on after the last one.`,
  /** Shown after a form has ended in any other way. */
  nothingShared: "Nothing was shared.",
  /** Why an attempt to connect failed. Also shown on the card in the chat. */
  failures: {
    denied: (service: string) => `You cancelled at ${service}. Nothing was connected.`,
    /** `code` is the provider's error code, unchanged. */
    code: (service: string, code: string) => `${service} answered with an error (${code}).`,
    unreachable: (service: string) => `${service} could not be reached, or its answer was not understood.`,
    /** The operator must set something up first. */
    notSetUp: (service: string) =>
      `${service} cannot be connected yet. The operator of this chat has to set it up first.`,
    /** An administrator at the service must approve first. */
    notApproved: (service: string) =>
      `An administrator of ${service} must approve this first. Ask them, and then try again.`,
    notConnected: (service: string) => `${service} was not connected.`,
    notConnectedCode: (service: string, code: string) => `${service} was not connected (${code}).`,
  },
  /** Texts for services that users connect with their own API key. */
  apiKey: {
    /** Title. */
    add: (service: string) => `Add your ${service} API key`,
    /** The format of keys. */
    format: (prefix: string, length: number | undefined) =>
      `Starts with “${prefix}”${length === undefined ? "." : `, ${length} characters.`}`,
    wrongFormat: (service: string, prefix: string) =>
      `This is not a ${service} key. Those start with “${prefix}”.`,
    /** The buttons that show and hide the typed key. */
    show: "Show",
    hide: "Hide",
    /** What the agent can and cannot do with a key. */
    canUse: (service: string) => `Use ${service} with all rights of this key`,
    seeKey: "See the key. It never enters the chat",
    /** The text before and after the name of the agent that asks. */
    asksForKey: (service: string): AroundName => ["", ` needs an API key to use ${service} for you.`],
    /** The label of the field. */
    label: (service: string) => `Your API key for ${service}`,
    /** The label of the field while a key is stored. */
    newKey: (service: string) => `New API key for ${service}`,
    /** A link. */
    whereToFind: (service: string) => `Where to find your ${service} key`,
    save: "Save key",
    replace: "Replace key",
    /** The service refuses the key. */
    refused: (service: string) => `${service} did not accept this key.`,
    unchecked: (service: string) => `${service} could not check the key. Try again.`,
  },
  /** Texts while a connection is made in a window of Nango. */
  nango: {
    starting: "One moment…",
    waiting: "Go on in the window that has opened. If it is closed, press the button again.",
    blocked: "Your browser did not open the window. Press the button once more.",
    offline: "There is no connection at the moment. Press the button to try again.",
    needsScript: "This page needs JavaScript to connect your account.",
  },
  unknownPerson: {
    title: "This page cannot tell who you are",
    signedOut: "You are not signed in to your chat in this browser. Sign in there, then try again.",
    noReferrer:
      "Your browser does not tell this page where you come from, so it must be opened by your chat. Press Connect there.",
    notOpenedByChat: "It was not opened by your chat. Press Connect there to open it.",
    stillUnknown:
      "Your browser blocks the cookies of this page, it took longer than a few minutes, or you are not signed in to your chat.",
    notForYou:
      "If you were not about to connect an account, close this page. Somebody may have sent you a link that is not meant for you.",
  },
  /** The same page for an id that is unknown, has ended or belongs to another user. */
  unavailable: {
    title: "This link cannot be used",
    text: "It may belong to another account, it may have been used already, or it has expired. Start again from your chat.",
  },
  /** The text before and after the account that is signed in on that page. */
  youAre: ["You are signed in as ", "."] satisfies AroundName,
  /**
   * Shown after "Not you?": `forgotten` on a page that connects an account, `forgottenAnswer` on one that asks a
   * question.
   */
  forgotten: {
    title: "Use your own chat account",
    text: "This page has forgotten who you are, and nothing was connected. Sign in to your chat as yourself, then press Connect there.",
  },
  forgottenAnswer: {
    title: "Use your own chat account",
    text: "This page has forgotten who you are, and nothing was sent. Sign in to your chat as yourself, then open the question there.",
  },
  later: { title: "Your chat cannot be asked now", text: "Wait a minute, then try again." },
  tooMany: { title: "Too many attempts", text: "Wait a minute, then reload this page." },
  broken: { title: "Something went wrong", text: "Wait a moment, then try again from your chat." },
};

/** All texts of the hosted page in one language. Plain text: the page escapes it. */
export type PageWords = Readonly<typeof en>;
