import type { AddingFault } from "../session.ts";
import type { Phase } from "../turn.ts";
import type { ToolState } from "../steps.ts";

/** What a suggestion shows. */
export type SuggestionId =
  | "connect"
  | "form"
  | "both"
  | "mcp"
  | "mcpNovember"
  | "mcpJune"
  | "mail"
  | "otherMail"
  | "a2a"
  | "ownServer"
  | "moreRights";

/** Tools that the page has words for, by their own names. */
export const TOOLS = [
  "create_issue",
  "list_issues",
  "book_flight",
  "plan_day",
  "send_mail",
  "travel_agent",
  "find_page",
  "publish_page",
] as const;
export type ToolName = (typeof TOOLS)[number];

/** The words of the demo's page. Those of the cards are the kit's own catalogues. */
export interface Words {
  readonly demo: string;
  readonly title: string;
  readonly lead: string;
  /** The turn that plays on the first screen. */
  readonly first: {
    readonly wish: string;
    readonly willBook: string;
    readonly oneQuestion: string;
    readonly which: string;
    /** Label of the field. */
    readonly hotel: string;
    booked(hotel: string): string;
    readonly again: string;
  };
  /** Opens the other suggestions. */
  readonly more: string;
  readonly copy: string;
  readonly copied: string;
  readonly suggestions: Readonly<Record<SuggestionId, string>>;
  /** The link to the page with a card in a chat of somebody else. */
  readonly otherHost: { readonly name: string; readonly about: string };

  readonly conversation: string;
  readonly you: string;
  readonly agent: string;
  readonly tools: Readonly<Record<ToolName, string>>;
  /** Between a tool and its state. */
  readonly colon: string;
  readonly toolStates: Readonly<Record<ToolState, string>>;
  createdBy(user: string): string;

  /** Name of the strip. */
  readonly turn: string;
  readonly phases: Readonly<Record<Phase, string>>;
  readonly waitingForYou: string;
  readonly sameTurn: string;
  /** In place of `phases.done`, for a turn that has waited. */
  readonly doneInOneTurn: string;
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
  /** The questions of all conversations. The two chats are headings of theirs. */
  readonly inbox: { readonly title: string; readonly thisChat: string; readonly otherChat: string };
  readonly signedInAs: string;
  readonly theme: string;
  readonly themes: Readonly<Record<"system" | "light" | "dark", string>>;
  readonly language: string;
  disconnect(service: string): string;
  /** A link to the page that lists them. */
  readonly accounts: string;
  readonly operatorPage: string;
  readonly nothingConnected: string;
  /** The MCP servers that people add themselves. */
  readonly servers: {
    readonly title: string;
    readonly lead: string;
    /** Label of the field. */
    readonly url: string;
    readonly add: string;
    /** Before the URL of a server to try. */
    readonly tryThis: string;
    readonly faults: Readonly<Record<AddingFault, string>>;
    /** What the server says of itself may be untrue. */
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
  couldNotStart(reason: string): string;
  wentWrong(reason: string): string;
  readonly tryAgain: string;
}
