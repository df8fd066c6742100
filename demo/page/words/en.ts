import type { AddingFault } from "../session.ts";
import type { ToolState } from "../steps.ts";
import type { Phase } from "../turn.ts";

/** English. */
export const words = {
  demo: "demo",
  title: "The agent asks you, then continues",
  lead: "It needs your account or an answer, so it pauses its turn. Nothing restarts.",
  /** The animated turn on the first screen. */
  first: {
    wish: "Book two nights in Lisbon",
    willBook: "I will book it.",
    oneQuestion: "I will book it. One question first.",
    which: "Which hotel shall I book?",
    /** The label of the hotel field. */
    hotel: "Hotel",
    booked: (hotel: string) => `Booked: ${hotel}, 2 nights. The same turn continued.`,
    /** The result: where, how long, and what it costs. */
    stay: "Lisbon · 2 nights · 184 €",
    /** Below the code: which line runs. */
    notes: {
      running: "The page: six lines",
      paused: "Line 7 waits for the user. The turn is not over.",
      resumed: "The same call continues",
      done: "Same call, same turn",
    },
    again: "Play again",
  },
  /** Opens the other suggestions. */
  more: "More",
  copy: "Copy",
  copied: "Copied",
  suggestions: {
    connect: "Connect an account",
    form: "Fill in a form",
    both: "Both at once",
    mcp: "An MCP server asks",
    mcpNovember: "The same server in MCP 2025-11-25",
    mcpJune: "The same server in MCP 2025-06-18",
    approve: "Approve a tool call",
    policy: "A rule approves it",
    previews: "Choose with previews",
    background: "Work while it asks",
    mail: "Use one of several accounts",
    otherMail: "Another account",
    a2a: "Another agent asks",
    ownServer: "An MCP server of your own",
    moreRights: "A call with more rights",
    company: "A company user is not asked",
    companyRefuses: "The company does not allow it",
  },
  /** Three suggestions in one word, for phones. */
  shortly: { connect: "Issue", form: "Flight", both: "Both" },
  /** The link to a chat of another company with a card. */
  otherHost: { name: "Inside another host", about: "A card in a chat such as claude.ai" },
  conversation: "Conversation",
  you: "You",
  agent: "Agent",
  /** By their own names. */
  tools: {
    book_hotel: "Book a hotel",
    create_issue: "Create an issue",
    list_issues: "List the issues",
    book_flight: "Book a flight",
    check_weather: "Check the weather",
    plan_day: "Plan a team day",
    refund_order: "Refund an order",
    write_notes: "Write the release notes",
    send_mail: "Send a mail",
    travel_agent: "Ask the travel agent",
    find_page: "Find a page",
    publish_page: "Publish a page",
  },
  /** Separates a tool from its state. */
  colon: ": ",
  toolStates: {
    running: "running",
    waiting: "waits for you",
    done: "done",
    refused: "not done",
    failed: "failed",
    stopped: "stopped",
  } satisfies Readonly<Record<ToolState, string>>,
  createdBy: (user: string) => `Open · created by ${user} through Demo agent`,
  /** Accessible name of the strip. */
  turn: "Turn",
  phases: {
    running: "Running",
    paused: "Paused",
    resumed: "Resumed",
    done: "Done",
    stopped: "Stopped",
  } satisfies Readonly<Record<Phase, string>>,
  waitingForYou: "waiting for you",
  sameTurn: "same turn",
  /** Replaces `phases.done` for a turn that has waited. */
  doneInOneTurn: "Done in one turn",
  /** The same, for a turn in which a request got no answer. */
  endedInOneTurn: "Ended in one turn",
  seconds: (count: string) => `${count} s`,
  /** `time` is already formatted. */
  waited: (time: string) => `${time} waiting`,
  questionsWaiting: (count: number) => (count === 1 ? "1 question waiting" : `${count} questions waiting`),
  message: "Message",
  send: "Send",
  stop: "Stop",
  askForSomething: "Or ask for something that needs you",
  answerAbove: "Answer above, or write something else",
  writeAMessage: "Write a message",
  scripted: "The model is scripted. The protocol, the window and the accounts are real.",
  answeredBy: (model: string) => `Answered by ${model}. The protocol, the window and the accounts are real.`,
  newChat: "New chat",
  /** The requests of all conversations. The names of the two chats are headings. */
  inbox: { title: "Inbox", thisChat: "This chat", otherChat: "Another chat" },
  signedInAs: "Signed in as",
  theme: "Theme",
  themes: { system: "System", light: "Light", dark: "Dark" },
  language: "Language",
  disconnect: (service: string) => `Disconnect ${service}`,
  /** A link to the page that lists the accounts. */
  accounts: "Connected accounts",
  operatorPage: "Operator page",
  nothingConnected: "No account is connected.",
  /** The MCP servers that users add. */
  servers: {
    title: "MCP servers",
    lead: "Add a server by its URL. The agent gets its tools; you sign in when a tool needs it.",
    /** The label of the URL field. */
    url: "URL of the server",
    add: "Add",
    /** The text before the URL of an example server. */
    tryThis: "This demo runs one that nobody has configured:",
    faults: {
      url: "This is not a URL.",
      unreachable: "No MCP server answers there, or its address is not allowed.",
      known: "This server is in your list.",
      full: "Remove a server first: ten are the most.",
    } satisfies Readonly<Record<AddingFault, string>>,
    /** After a server was added: the text before a message to try, and without such a message. */
    nowAsk: "Added. Close this list, and ask in the chat:",
    nowAskIts: "Added. Close this list, and ask for what the server can do.",
    /** Label of the server's own name, which may be false. */
    callsItself: (name: string) => `Calls itself “${name}”`,
    connected: "Connected",
    notConnected: "Not connected",
    disconnect: "Disconnect",
    remove: "Remove",
    removeOne: (host: string) => `Remove ${host}`,
    close: "Close",
  },
  startOver: "Start over",
  startOverQuestion: "Start over? This disconnects your accounts and forgets your chats.",
  startOverHint: "Disconnects, and forgets your chats.",
  loading: "Loading…",
  couldNotStart: "The demo could not start. Reload the page.",
  signedOut: "You are signed out. Reload the page to sign in again.",
  wentWrong: "Something went wrong.",
  /** The server has reached a limit. */
  busy: "Too much is going on at the moment. Wait a little, or answer what is open.",
  tryAgain: "Try again",
};

/** The texts of the demo's page. The cards use the kit's own catalogues. */
export type Words = Readonly<typeof words>;
export type SuggestionId = keyof Words["suggestions"];
