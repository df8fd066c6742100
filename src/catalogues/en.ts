import type { Catalogue } from "./catalogue.ts";

/** English. */
export const en: Catalogue = {
  locale: "en",
  dir: "ltr",
  title: (mode, trigger, service) =>
    service !== undefined
      ? `Connect ${service}`
      : mode === "form"
        ? "A few details are needed"
        : trigger === "credential_required"
          ? "Connect your account"
          : "Continue on another page",
  claimedName: (name) => `It calls itself “${name}”. Nobody has verified this name.`,
  connect: "Connect",
  connectAnyway: "Connect anyway",
  tryAgain: "Try again",
  showWindow: "Show window",
  openAgain: "Open again",
  finished: "I’ve finished",
  decline: "Decline",
  dismiss: "Not now",
  cancel: "Cancel",
  close: "Close",
  retry: "Send again",
  submit: "Send",
  confirm: "Confirm",
  changeAnswer: "Change answer",
  copyLink: "Copy",
  linkCopied: "Copied",
  link: (host) => `Link to ${host}`,
  decodedHost: (host) => `reads as ${host}`,
  urlReasons: {
    "white-space": "The link contains white space.",
    control: "The link contains control characters.",
    bidi: "The link contains characters that turn the reading direction.",
    invisible: "The link contains invisible characters.",
    backslash: "The link contains a backslash, which hides where it leads.",
    unparsable: "The link is not a valid web address.",
    scheme: "The link does not lead to a web page.",
    insecure: "The connection to this address would not be encrypted.",
    userinfo: "The link contains a name before the address, which hides where it leads.",
    "invalid-host": "The link does not name a valid address.",
    punycode: "International name. Compare it letter by letter.",
    "mixed-script": "It mixes letters of different alphabets.",
    lookalike: "Its letters are from another alphabet and only look the same.",
    "loopback-http": "Local development address",
    "ip-host": "The address is a number instead of a name.",
    "unusual-port": "The address has an unusual port.",
    "trailing-dot": "The address ends with a dot.",
    "host-differs": "The link is written differently from the address it leads to.",
  },
  imitates: (host) => `This is not ${host}`,
  blockedUrl: "This link is not safe, so it cannot be opened.",
  blockedForm: "This form cannot be shown.",
  schemaReasons: {
    "not-an-object-schema": "This is not a list of questions.",
    "too-large": "The form is too large.",
    "too-many-properties": "There are too many questions.",
    "too-many-options": "There are too many options.",
    "unsupported-property": "This kind of question is not supported.",
    "invalid-keyword": "The question contradicts itself.",
  },
  aboutQuestion: (name, reason) => `“${name}”: ${reason}`,
  waiting: {
    open: "Finish in the window that opened",
    closed: "The window looks closed",
    blocked: "Your browser did not open the window",
    elsewhere: "Finish on the page in the other tab",
  },
  waitingFor: (host) => `Waiting for ${host}`,
  windowClosed: "Closed the window?",
  checking: "Checking…",
  openInNewTab: "Open in a new tab",
  continueInThisTab: "Continue in this tab",
  submitting: "Sending…",
  held: "Your answer is kept until the others of this group are answered. You can still change it.",
  notices: {
    "not-completed": "Not finished yet. Complete the steps on the page, then try again.",
    "provider-error": "The page reported a problem. You can try again.",
    offline: "You seem to be offline. Your answer is kept and will be sent again.",
    "server-error": "The answer could not be delivered.",
    refused: "The answer was not accepted.",
    "answered-elsewhere": "Answered in another place.",
  },
  receipt: (mode, outcome, service) =>
    ({
      accepted: service ? `${service} connected` : mode === "url" ? "Connected" : "Sent",
      declined: service ? `You declined to connect ${service}` : "You declined",
      cancelled: "Dismissed",
      expired: service ? `The request for ${service} expired` : "The request expired",
      withdrawn: "No longer needed",
      failed: service ? `${service} could not be connected` : "It did not work",
      gone: "This request is no longer open",
    })[outcome],
  discardTyped: "Discard what you typed?",
  keepEditing: "Keep editing",
  discard: "Discard",
  typed: "What you typed",
  sentNote: "Shown to you in this session only.",
  notShown: "sent, not shown",
  errorCount: (count) => (count === 1 ? "1 answer needs another look" : `${count} answers need another look`),
  timeLeft: (time) => `${time} left`,
  underTwoMinutes: "Less than two minutes left.",
  roundProgress: (answered, size) => `${answered} of ${size} answered, sent together`,
  optional: "optional",
  range: (minimum, maximum) =>
    maximum === undefined
      ? `${minimum} or more`
      : minimum === undefined
        ? `Up to ${maximum}`
        : `${minimum} to ${maximum}`,
  count: (minimum, maximum) =>
    maximum === undefined
      ? `Choose at least ${minimum}`
      : minimum === undefined
        ? `Choose up to ${maximum}`
        : minimum === maximum
          ? `Choose ${minimum}`
          : `Choose ${minimum} to ${maximum}`,
  outOf: (value, most) => `${value} of ${most}`,
  chosen: (outOf) => `${outOf} chosen`,
  errors: {
    required: () => "Please fill this in.",
    "too-short": (limit) => `At least ${limit} characters, please.`,
    "too-long": (limit) => `At most ${limit} characters, please.`,
    email: () => "Please enter an email address, such as name@example.com.",
    uri: () => "Please enter a full web address, such as https://example.com.",
    date: () => "Please enter a date.",
    "date-time": () => "Please enter a date and a time.",
    pattern: () => "Please use the requested format.",
    number: () => "Please enter a number.",
    integer: () => "Please enter a whole number.",
    "too-small": (limit) => `${limit} or more, please.`,
    "too-large": (limit) => `${limit} or less, please.`,
    "not-an-option": () => "Please choose one of the options.",
    "too-few": (limit) => `Please choose at least ${limit}.`,
    "too-many": (limit) => `Please choose at most ${limit}.`,
    duplicate: () => "Please choose each option once only.",
    type: () => "Please check this answer.",
    "unknown-field": () => "This was not asked for.",
  },
  yes: "Yes",
  no: "No",
  choose: "Choose…",
  clear: "Clear",
  notSet: "Not set",
  decrease: "One less",
  increase: "One more",
  search: "Search",
  moreOptions: (hidden) => `${hidden} more. Type to narrow the list.`,
  noMatch: "Nothing matches.",
  timeZone: "Time zone",
  localTime: (zone) => `Your time (${zone})`,
  secretsWarning: (fields) =>
    `This form asks for something secret (${fields}). Whoever asks will be able to read and keep it.`,
  secretsConfirm: "I want to share this",
  secretsRefused: "This form asks for secrets, which is not allowed here.",
};
