import type { PageWords } from "./page-words.ts";

export const en: PageWords = {
  locale: "en",
  dir: "ltr",
  backToChat: "Back to your chat",
  closeWindow: "You can close this window.",
  closesSoon: "This window closes in a moment.",
  tryAgain: "Try again",
  signIn: (site) => (site === undefined ? "Sign in" : `Sign in to ${site}`),
  switchAccount: "Switch account",
  checking: { title: "One moment", text: "Checking with your chat that this is you." },
  continue: "Continue",
  connect: (service) => `Connect ${service}`,
  asksToUse: (service) => ["", ` asks to use your ${service} account for you.`],
  assistant: "The assistant",
  can: "Can",
  cannot: "Cannot",
  seePassword: "See your password",
  stayConnected: "Stay connected until you remove it",
  usesNamedRight: (right) => `Use “${right}”, a right that this server named itself`,
  moreAccess: "More access",
  neededFor: "Needed for",
  signedInAs: "Signed in as",
  chat: "Chat",
  passwordOnlyAt: ["You type your password only at ", "."],
  nextPageShows: "The next page must show this address.",
  details: "Details",
  rights: "Rights",
  expires: "Expires",
  takeBack: "Take back",
  notYou: "Not you?",
  sure: {
    title: (account) => `Not ${account}?`,
    text: "Then do not continue. Use your own chat account.",
    itIsMe: "It is me",
    notMe: "It is not me",
  },
  sharedUse: (service) => `Whoever uses this chat account can use the ${service} account you connect.`,
  continueTo: (service) => `Continue to ${service}`,
  decline: "Decline",
  passwordStays: (service) => `Your password stays with ${service}.`,
  otherAddress: {
    title: "Another address handles the sign-in",
    text: (server, host) =>
      `For ${server}, you type your password at ${host}. Continue only if you know that address.`,
  },
  checkNextAddress: "The next page asks you to sign in. Type your password only if you know its address.",
  signInChanged: (service) =>
    `The sign-in to ${service} has changed since you saw this page. Read it again before you continue.`,
  unknownServer: "This page knows this server only by its address.",
  didNotAsk: "Did you not ask for this? Decline, or close this window.",
  nothingConnected: "Nothing was connected. You can try again.",
  accountAt: (service) => `${service} account`,
  connected: "Connected",
  remove: "Remove",
  removed: (service) => ({
    title: `${service} is no longer connected`,
    text: "Your chat can no longer use this account. You can connect it again from your chat.",
  }),
  accounts: {
    title: "Connected accounts",
    text: "Your chat can use these accounts for you.",
    none: "No account is connected.",
    notChecked: "Cannot be checked at the moment",
    since: (date) => `Connected since ${date}`,
    forgotten:
      "This page has forgotten who you are. Sign in to your chat as yourself, then open this page again.",
    notRevoked: (service) => `${service} could not be reached. Remove the access in your account there, too.`,
    notRemoved: (service) => `${service} could not be reached, so the account is still connected. Try again.`,
  },
  remembered: {
    title: "Remembered answers",
    text: "Your chat’s tools use these answers without asking you.",
    until: (date) => `until ${date}`,
  },
  ended(outcome, service) {
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
  asksYou: ["", " asks you:"],
  checkAnswers: "Please check these answers.",
  chatGoesOn: "Your chat goes on by itself.",
  goBackThere: "You can go back to where you were asked.",
  roundProgress: (answered, size) =>
    `${answered} of ${size} answered. Each answer is sent on its own. Your chat goes on after the last one.`,
  nothingShared: "Nothing was shared.",
  failures: {
    denied: (service) => `You cancelled at ${service}. Nothing was connected.`,
    code: (service, code) => `${service} answered with an error (${code}).`,
    unreachable: (service) => `${service} could not be reached, or its answer was not understood.`,
    notSetUp: (service) =>
      `${service} cannot be connected yet. The operator of this chat has to set it up first.`,
    notApproved: (service) =>
      `An administrator of ${service} must approve this first. Ask them, and then try again.`,
    notConnected: (service) => `${service} was not connected.`,
    notConnectedCode: (service, code) => `${service} was not connected (${code}).`,
  },
  apiKey: {
    add: (service) => `Add your ${service} API key`,
    format: (prefix, length) =>
      `Starts with “${prefix}”${length === undefined ? "." : `, ${length} characters.`}`,
    wrongFormat: (service, prefix) => `This is not a ${service} key. Those start with “${prefix}”.`,
    show: "Show",
    hide: "Hide",
    canUse: (service) => `Use ${service} with all rights of this key`,
    seeKey: "See the key. It never enters the chat",
    asksForKey: (service) => ["", ` needs an API key to use ${service} for you.`],
    label: (service) => `Your API key for ${service}`,
    newKey: (service) => `New API key for ${service}`,
    whereToFind: (service) => `Where to find your ${service} key`,
    save: "Save key",
    replace: "Replace key",
    refused: (service) => `${service} did not accept this key.`,
    unchecked: (service) => `${service} could not check the key. Try again.`,
  },
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
  unavailable: {
    title: "This link cannot be used",
    text: "It may belong to another account, it may have been used already, or it has expired. Start again from your chat.",
  },
  youAre: ["You are signed in as ", "."],
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
