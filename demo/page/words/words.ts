import type { AddingFault } from "../session.ts";
import type { Phase } from "../turn.ts";
import type { ToolState } from "../steps.ts";

export type SuggestionId =
  | "connect"
  | "form"
  | "both"
  | "mcp"
  | "mcpNovember"
  | "mcpJune"
  | "approve"
  | "policy"
  | "previews"
  | "background"
  | "mail"
  | "otherMail"
  | "a2a"
  | "ownServer"
  | "moreRights"
  | "company"
  | "companyRefuses";

/** Tools for which the page has texts, by their own names. */
export const TOOLS = [
  "book_hotel",
  "create_issue",
  "list_issues",
  "book_flight",
  "check_weather",
  "plan_day",
  "send_mail",
  "travel_agent",
  "find_page",
  "publish_page",
  "refund_order",
  "write_notes",
] as const;
export type ToolName = (typeof TOOLS)[number];

/** The texts of the demo's page. The cards use the kit's own catalogues. */
export interface Words {
  readonly demo: string;
  readonly title: string;
  readonly lead: string;
  /** The animated turn on the first screen. */
  readonly first: {
    readonly wish: string;
    readonly willBook: string;
    readonly oneQuestion: string;
    readonly which: string;
    /** The label of the hotel field. */
    readonly hotel: string;
    booked(hotel: string): string;
    /** The result: where, how long, and what it costs. */
    readonly stay: string;
    /** Below the code: which line runs. */
    readonly notes: Readonly<Record<"running" | "paused" | "resumed" | "done", string>>;
    readonly again: string;
  };
  /** Opens the other suggestions. */
  readonly more: string;
  readonly copy: string;
  readonly copied: string;
  readonly suggestions: Readonly<Record<SuggestionId, string>>;
  /** Three suggestions in one word, for phones. */
  readonly shortly: Readonly<Record<"connect" | "form" | "both", string>>;
  /** The link to a chat of another company with a card. */
  readonly otherHost: { readonly name: string; readonly about: string };

  readonly conversation: string;
  readonly you: string;
  readonly agent: string;
  readonly tools: Readonly<Record<ToolName, string>>;
  /** Separates a tool from its state. */
  readonly colon: string;
  readonly toolStates: Readonly<Record<ToolState, string>>;
  createdBy(user: string): string;

  /** Accessible name of the strip. */
  readonly turn: string;
  readonly phases: Readonly<Record<Phase, string>>;
  readonly waitingForYou: string;
  readonly sameTurn: string;
  /** Replaces `phases.done` for a turn that has waited. */
  readonly doneInOneTurn: string;
  /** The same, for a turn in which a request got no answer. */
  readonly endedInOneTurn: string;
  seconds(count: string): string;
  /** `time` is already formatted. */
  waited(time: string): string;
  questionsWaiting(count: number): string;

  readonly message: string;
  readonly send: string;
  readonly stop: string;
  readonly askForSomething: string;
  readonly answerAbove: string;
  readonly writeAMessage: string;
  readonly scripted: string;
  answeredBy(model: string): string;

  readonly newChat: string;
  /** The requests of all conversations. The names of the two chats are headings. */
  readonly inbox: { readonly title: string; readonly thisChat: string; readonly otherChat: string };
  readonly signedInAs: string;
  readonly theme: string;
  readonly themes: Readonly<Record<"system" | "light" | "dark", string>>;
  readonly language: string;
  disconnect(service: string): string;
  /** A link to the page that lists the accounts. */
  readonly accounts: string;
  readonly operatorPage: string;
  readonly nothingConnected: string;
  /** The MCP servers that users add. */
  readonly servers: {
    readonly title: string;
    readonly lead: string;
    /** The label of the URL field. */
    readonly url: string;
    readonly add: string;
    /** The text before the URL of an example server. */
    readonly tryThis: string;
    readonly faults: Readonly<Record<AddingFault, string>>;
    /** After a server was added: the text before a message to try, and without such a message. */
    readonly nowAsk: string;
    readonly nowAskIts: string;
    /** Label of the server's own name, which may be false. */
    callsItself(name: string): string;
    readonly connected: string;
    readonly notConnected: string;
    readonly disconnect: string;
    readonly remove: string;
    removeOne(host: string): string;
    readonly close: string;
  };
  readonly startOver: string;
  readonly startOverQuestion: string;
  readonly startOverHint: string;

  readonly loading: string;
  readonly couldNotStart: string;
  readonly signedOut: string;
  readonly wentWrong: string;
  /** The server has reached a limit. */
  readonly busy: string;
  readonly tryAgain: string;
}
