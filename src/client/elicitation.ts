import type {
  Assignee,
  AssigneeList,
  ElicitationAction,
  ElicitationAnswer,
  ElicitationContent,
  ElicitationOutcome,
  ElicitationRequest,
} from "../contract/contract.ts";
import type { Channel, Reminder } from "./channel.ts";
import type { Field } from "../form/index.ts";
import type { SchemaReason } from "../form/field.ts";
import type { UrlReason } from "../contract/inspect-url.ts";
import type { MessageLike } from "./read-messages.ts";

/**
 * - `pending`: waits for the user.
 * - `opened`: the page of a URL request is (or was) open; see `window`.
 * - `answered`: the answer is held until the rest of its round is answered. It can still be changed.
 * - `submitting`: the answer is being sent.
 * - `undelivered`: the answer did not arrive. The client sends it again, and `retry` sends it at once.
 * - `blocked`: the request cannot be shown, or its URL is not safe. It can only be declined or dismissed.
 * - `gone`: the server no longer knows the request. It cannot be answered.
 * - the six outcomes: the server has ended the request.
 */
export type ElicitationStatus =
  | "pending"
  | "opened"
  | "answered"
  | "submitting"
  | "undelivered"
  | "blocked"
  | "gone"
  | ElicitationOutcome;

/**
 * - `open`: the window is open.
 * - `closed`: it looks closed. Only a hint: some pages look closed while they are open.
 * - `blocked`: the browser refused to open it. Offer a link.
 * - `elsewhere`: a link or a host app opened the page, and the client cannot see it.
 */
export type WindowState = "open" | "closed" | "blocked" | "elsewhere";

/** Why a request cannot be shown. */
export type BlockedReason =
  | { kind: "url"; reasons: readonly UrlReason[] }
  | { kind: "schema"; reasons: readonly SchemaReason[] };

/** Options for accepting a form. */
export interface AcceptOptions {
  /** The user has ticked that the kit may remember this answer. Ignored unless the request offers it. @default false */
  remember?: boolean | undefined;
  /**
   * In place of content: the user leaves the decision to the agent. The server refuses it unless the request offers it
   * (`request.delegate`).
   */
  delegated?: true | undefined;
}

interface ItemBase {
  readonly id: string;
  readonly conversationId: string;
  readonly request: ElicitationRequest;
  /** The fields of a form that can be shown, read from its `requestedSchema`. */
  readonly fields?: readonly Field[] | undefined;
  /**
   * A decline may contain a note that says what the user wants instead. The chat's own agent reads it. Not available if a
   * third party asks.
   */
  readonly takesNote?: boolean | undefined;
  /** The user can fill in the form with a sentence: see `propose` of the client. */
  readonly takesSentence?: boolean | undefined;
  /** The kit can remember the answer, if the user ticks it: see `request.remember`, and `forget` of the client. */
  readonly canRemember?: boolean | undefined;
  /** This client has left the decision to the agent. Also in `request.resolution`, for all clients. */
  readonly delegated?: true | undefined;
  /** A page where the user answers this request works by link, for example on their phone: see `link` of the client. */
  readonly canCarry?: boolean | undefined;
  /**
   * Only for a URL request to the trusted origin, whose page keeps its `window.opener`. `needed`: the page has no other
   * way to identify the user, so offer no link without an opener, such as one to copy. `kept`: the page works from any
   * link, because the server sets `context.worksByLink` or the page has the chat's own origin.
   */
  readonly opener?: "kept" | "needed" | undefined;
  /** The last problem, for display. */
  readonly notice?: ElicitationNotice | undefined;
}

interface OpenItem extends ItemBase {
  /** The client is reading the status from the server. */
  readonly checking?: boolean | undefined;
  /** Field errors from the server. The request is open again. */
  readonly fieldErrors?: Readonly<Record<string, { code: string; message: string }>> | undefined;
  readonly action?: undefined;
  /** The values from the user's last sentence, until the form is answered. */
  readonly proposal?: Proposal | undefined;
  readonly askedAgain?: undefined;
}

/** `filled` has values for some of the fields. The form shows them. They are not sent yet. */
export type Proposal =
  | { readonly state: "asking" | "nothing" | "failed"; readonly content?: undefined }
  | { readonly state: "filled"; readonly content: ElicitationContent };

interface UnansweredItem extends OpenItem {
  readonly answer?: undefined;
}

interface EndedItem extends ItemBase {
  readonly blocked?: BlockedReason | undefined;
  readonly window?: undefined;
  readonly checking?: undefined;
  readonly answer?: undefined;
  readonly fieldErrors?: undefined;
  readonly proposal?: undefined;
  /** The action with which this client answered. `undefined` if the request ended in another way. */
  readonly action?: ElicitationAction | undefined;
  /** Its conversation has had the same question again. */
  readonly askedAgain?: boolean | undefined;
}

/**
 * One request as the user sees it. Its `status` decides which other members it has. Immutable: the object stays the same
 * until something changes.
 */
export type ElicitationItem =
  | (UnansweredItem & {
      readonly status: "pending";
      readonly window?: undefined;
      readonly blocked?: undefined;
    })
  | (UnansweredItem & {
      readonly status: "opened";
      readonly window: WindowState;
      readonly blocked?: undefined;
    })
  | (UnansweredItem & {
      readonly status: "blocked";
      readonly window?: undefined;
      readonly blocked: BlockedReason;
    })
  | (OpenItem & {
      readonly status: "answered" | "submitting" | "undelivered";
      /** The answer that is held, being sent, or not delivered. */
      readonly answer: ElicitationAnswer;
      readonly window?: WindowState | undefined;
      readonly blocked?: BlockedReason | undefined;
    })
  | (EndedItem & { readonly status: "gone" | ElicitationOutcome });

/**
 * Why the last attempt did not end the request. `detail` is text for the user only with `provider-error`; otherwise it
 * is for developers.
 */
export interface ElicitationNotice {
  code:
    | "not-completed"
    | "provider-error"
    | "offline"
    | "unreachable"
    | "server-error"
    | "signed-out"
    | "refused"
    | "answered-elsewhere";
  detail?: string | undefined;
  /** With `provider-error`: the user has cancelled at the provider, which is no fault. */
  byUser?: boolean | undefined;
  /** When an undelivered answer is retried, in milliseconds since 1970 on the clock of this machine. */
  retryAt?: number | undefined;
}

/** The data for a view. The same object until something changes, as `useSyncExternalStore` requires. */
export interface ElicitationSnapshot {
  /** All known requests in the order in which they were asked, including ended ones. */
  readonly items: readonly ElicitationItem[];
  /** Requests that become items when their code is loaded. Only until then. */
  readonly arriving?:
    | {
        readonly requests: readonly ArrivingRequest[];
        /** The code could not be loaded. `ready` tries again. `decline` works without it. */
        readonly hasFailed: boolean;
      }
    | undefined;
}

/** A request that was received before the code that answers it was loaded. */
export interface ArrivingRequest {
  readonly id: string;
  readonly conversationId: string;
  readonly mode: ElicitationRequest["mode"];
  readonly isOpen: boolean;
}

/**
 * The account that a request has connected. `isRevoked: false`: it was removed, but its provider could not be reached.
 */
export type AccountReport =
  | { connected: true; rights: readonly string[]; since?: string }
  | { connected: false; isRevoked?: boolean };

/** The operations on requests. Created by `createElicitationClient`. All views of a chat share it. */
export interface ElicitationClient {
  /** The channel that delivers its requests and sends its answers. */
  readonly channel: Channel;
  /** When a page loads the code that answers requests: see the option of `createElicitationClient`. */
  readonly preload: "idle" | "never";
  /**
   * Loads the code that answers requests. Resolves when every request that was received is an item. For code outside
   * React, and tests. Throws if the code cannot be loaded.
   */
  ready(): Promise<void>;
  /**
   * Calls `listener` after each change. Returns a function that unsubscribes. The client polls only while there are
   * listeners. In development, the client warns about a request that no listener shows: `shows` says whether this one
   * shows a conversation (by default, all of them).
   */
  subscribe(listener: () => void, shows?: (conversationId: string) => boolean): () => void;
  /** Returns the current snapshot: the same object until something changes. */
  getSnapshot(): ElicitationSnapshot;
  /**
   * Adds a request, for example one from history. A known request is merged: an outcome is kept, and a missing outcome
   * changes nothing.
   */
  receive(conversationId: string, request: ElicitationRequest): void;
  /**
   * Adds the requests in a chat's messages, as `receive` does, in the order of the messages. Call it whenever the
   * messages change. For a request that has not changed since the last call, this is one lookup.
   */
  readMessages(conversationId: string, messages: readonly MessageLike[]): void;
  /**
   * Reads from the server which requests of a conversation are open, and the status of those that only look open here.
   * Resolves after the first try. While there are listeners, a failed try is repeated, at once when the browser is online
   * again.
   */
  refresh(conversationId: string): Promise<void>;
  /**
   * Opens the page of a URL request. Call it synchronously in a click handler. Otherwise the browser blocks the window:
   * `window` is then `blocked`, and the view offers a link. Resolves with the outcome once the request has ended in any
   * way, or with `undefined` if the server no longer knows it or the client is disposed of.
   */
  connect(id: string): Promise<ElicitationOutcome | undefined>;
  /** Call it when the user has followed a link to the page. The client watches for completion, as after `connect`. */
  markOpened(id: string): void;
  /**
   * Accepts: "I've finished" for a URL request, or the content of a form. Resolves when the answer is delivered or
   * refused.
   */
  accept(id: string, content?: ElicitationContent, options?: AcceptOptions): Promise<void>;
  /**
   * Forgets the remembered answer to the question of an item that `canRemember`, so that the user is asked again next
   * time. Resolves with whether the server has done it, and never rejects.
   */
  forget(id: string): Promise<boolean>;
  /**
   * Reads the link to the page where the user answers a request that `canCarry`. The page knows the user by a session of
   * theirs. Resolves with `undefined` if there is none, or if reading fails. Never rejects.
   */
  link(id: string): Promise<string | undefined>;
  /**
   * Reads the account that a request has connected, with its rights in `language`, or removes it. Resolves with
   * `undefined` if the server offers no accounts, no longer knows the request, or has failed. Never rejects.
   */
  account(
    id: string,
    options?: { remove?: boolean | undefined; language?: string | undefined },
  ): Promise<AccountReport | undefined>;
  /**
   * Gives a form that this user decides to another user or group, if `request.giveOn` is set. With `null`: takes a form of
   * this user's agent back from its assignee, if `request.assignee.takeBack` is set. Resolves with whether the server has
   * done it, and never rejects.
   */
  assign(id: string, to: Assignee | null): Promise<boolean>;
  /**
   * Reads the users and groups to which a form can be passed on. Resolves with `undefined` if it cannot be passed on,
   * or if reading fails. Never rejects.
   */
  assignees(id: string): Promise<AssigneeList["assignees"] | undefined>;
  /**
   * Sends the assignee of a form another notice, if `request.assignee.remind` is set. Never rejects. `sent: false`
   * without `retryAfterMs` means that it failed.
   */
  remind(id: string): Promise<Reminder>;
  /**
   * Asks the server for more time, if `request.extendableUntil` is after `request.expiresAt`. The other requests of its
   * round get it, too. Resolves with whether the server has given it, and never rejects.
   */
  extend(id: string): Promise<boolean>;
  /**
   * Declines the request. `note` (at most 500 characters) says what the user wants instead. Resolves as `accept` does.
   */
  decline(id: string, note?: string): Promise<void>;
  /** Dismisses the request (Escape, ×), which is neither yes nor no. Resolves as `accept` does. */
  cancel(id: string): Promise<void>;
  /**
   * Lets the server extract answers to a form from a sentence of the user, if the item `takesSentence`. They appear as
   * `proposal` of the item, and are not sent. Resolves with whether there are any, and never rejects. Also `false` if a
   * later sentence or an answer came first.
   */
  propose(id: string, text: string): Promise<boolean>;
  /** Retries an undelivered answer at once. */
  retry(id: string): Promise<void>;
  /** Reads the status of a request from the server. */
  check(id: string): Promise<void>;
  /**
   * Sets the requests whose outcomes arrive on another stream than that of their conversation, such as the inbox. The
   * client does not poll them. Replaces the ids of the last call.
   */
  follow(ids: ReadonlySet<string>): void;
  /** Milliseconds until the request expires, on the server's clock. `undefined`: it does not expire. */
  remaining(id: string): number | undefined;
  /**
   * User input, kept in the tab until the request is accepted. If its conversation asks the same question again, the new
   * request gets it.
   */
  drafts: DraftStore;
  /** Ends everything that the client does: watching, polling, calls. */
  dispose(): void;
}

/** Keeps user input by `elicitationId`. Never throws: if storage fails, input is lost. */
export interface DraftStore {
  /** Returns the stored input by field name. `undefined` if there is none. */
  load(id: string): Readonly<Record<string, string | boolean | readonly string[]>> | undefined;
  /** Stores these drafts, replacing the last ones. `undefined` deletes them. */
  save(id: string, drafts: Readonly<Record<string, string | boolean | readonly string[]>> | undefined): void;
}
