import type {
  ElicitationAction,
  ElicitationAnswer,
  ElicitationContent,
  ElicitationOutcome,
  ElicitationRequest,
} from "../contract/contract.ts";
import type { Channel } from "./channel.ts";
import type { Field } from "../form/index.ts";
import type { SchemaReason } from "../form/field.ts";
import type { UrlReason } from "../contract/inspect-url.ts";
import type { MessageLike } from "./read-messages.ts";

/**
 * - `pending`: waits for the user.
 * - `opened`: the page of a URL request is (or was) open somewhere; see `window`.
 * - `answered`: the answer is held until the rest of its round is answered, or, with `undoUntil`, until then; it can still be
 *   changed or taken back.
 * - `submitting`: the answer is on its way.
 * - `undelivered`: the answer did not arrive. The client sends it again, and `retry` sends it at once.
 * - `blocked`: it is not safe or not possible to show the request; it can only be declined or dismissed.
 * - `gone`: the server no longer knows the request; nothing can be done.
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

/** What comes with the content of a form. */
export interface AcceptOptions {
  /** The user has ticked that this answer may be used again. Ignored unless the request offers it. @default false */
  remember?: boolean | undefined;
}

interface ItemBase {
  readonly id: string;
  readonly conversationId: string;
  readonly request: ElicitationRequest;
  /** The fields of a form that can be shown, read from its `requestedSchema`. */
  readonly fields?: readonly Field[] | undefined;
  /** A decline may say what the user wants instead: the chat's own agent reads it. Never where a third party asks. */
  readonly takesNote?: boolean | undefined;
  /** The user may fill in the form by a sentence: see `propose` of the client. */
  readonly takesSentence?: boolean | undefined;
  /** The answer may be used again, if the user ticks it: see `request.remember`, and `forget` of the client. */
  readonly canRemember?: boolean | undefined;
  /**
   * Only for a URL request to the trusted origin, whose page keeps its `window.opener`. `needed`: the page has no other way
   * to know the user, so offer no link without an opener, such as one to copy. `kept`: the page works from any link (the
   * server says so in `context.worksByLink`, or it is a page of the chat's own origin).
   */
  readonly opener?: "kept" | "needed" | undefined;
  /** What went wrong last, for display. */
  readonly notice?: ElicitationNotice | undefined;
}

interface OpenItem extends ItemBase {
  /** The client is reading the status from the server. */
  readonly checking?: boolean | undefined;
  /** Field errors that the server found; the request is open again. */
  readonly fieldErrors?: Readonly<Record<string, { code: string; message: string }>> | undefined;
  readonly action?: undefined;
  /** What the last sentence of the user gave for the form, until it is answered. */
  readonly proposal?: Proposal | undefined;
}

/** `filled` has values for some of the fields, which the form shows; nothing was sent. */
export type Proposal =
  | { readonly state: "asking" | "nothing" | "failed"; readonly content?: undefined }
  | { readonly state: "filled"; readonly content: ElicitationContent };

interface UnansweredItem extends OpenItem {
  readonly answer?: undefined;
  readonly undoUntil?: undefined;
}

interface EndedItem extends ItemBase {
  readonly blocked?: BlockedReason | undefined;
  readonly window?: undefined;
  readonly checking?: undefined;
  readonly answer?: undefined;
  readonly undoUntil?: undefined;
  readonly fieldErrors?: undefined;
  readonly proposal?: undefined;
  /** The action this client answered with; `undefined` when it ended otherwise. */
  readonly action?: ElicitationAction | undefined;
}

/**
 * One request as the user sees it. Compare `status` to know what else it has. Immutable; the object is the same as long
 * as nothing about it changes.
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
      /** The answer that is held, on its way, or was not delivered. */
      readonly answer: ElicitationAnswer;
      /**
       * Of a no that was given with `hold`: until when it waits to be taken back, in milliseconds since 1970 by the clock of this
       * machine. While it is `answered`, `undo` takes it back; one of a round also later, until its round is sent.
       */
      readonly undoUntil?: number | undefined;
      readonly window?: WindowState | undefined;
      readonly blocked?: BlockedReason | undefined;
    })
  | (EndedItem & { readonly status: "gone" | ElicitationOutcome });

/** Why the last attempt did not end the request. `detail` is text for the user. */
export interface ElicitationNotice {
  code: "not-completed" | "provider-error" | "offline" | "server-error" | "refused" | "answered-elsewhere";
  detail?: string | undefined;
  /** When an undelivered answer is sent again, in milliseconds since 1970 by the clock of this machine. */
  retryAt?: number | undefined;
}

/** What a view shows. The same object until something changes, as `useSyncExternalStore` needs it. */
export interface ElicitationSnapshot {
  /** All known requests in the order they were asked, including those that have ended. */
  readonly items: readonly ElicitationItem[];
}

/** What can be done with requests. Made by `createElicitationClient`; shared by every view of a chat. */
export interface ElicitationClient {
  /** Where its requests come from and its answers go. */
  readonly channel: Channel;
  /** Calls `listener` after each change. Returns a function that ends it. The client polls only while there are listeners. */
  subscribe(listener: () => void): () => void;
  /** The current snapshot: the same object until something changes. */
  getSnapshot(): ElicitationSnapshot;
  /** Adds a request, for example one from history. A known request is merged: an end is kept, a missing one ends nothing. */
  receive(conversationId: string, request: ElicitationRequest): void;
  /**
   * Adds the requests in a chat's messages, as `receive` does, in the order of the messages. Call it whenever the messages
   * change. A request that has not changed since the last call costs a look-up.
   */
  readMessages(conversationId: string, messages: readonly MessageLike[]): void;
  /**
   * Reads from the server which requests of a conversation are open, and the status of those that only look open here.
   * Resolves after the first try. While there are listeners, a failed one is made again, at once when the browser is online.
   */
  refresh(conversationId: string): Promise<void>;
  /**
   * Opens the page of a URL request. Call it synchronously in the handler of a click, or the browser blocks the window;
   * `window` is then `blocked`, and the view offers a link. Resolves with the outcome once the request has ended, in whichever
   * way; with `undefined` when the server no longer knows it, or the client is disposed of.
   */
  connect(id: string): Promise<ElicitationOutcome | undefined>;
  /** The user followed a link to the page. The client watches for its completion, as after `connect`. */
  markOpened(id: string): void;
  /** Accepts: "I've finished" of a URL request, or the content of a form. Resolves when that is delivered or refused. */
  accept(id: string, content?: ElicitationContent, options?: AcceptOptions): Promise<void>;
  /**
   * Asks anew next time, where an item `canRemember`: forgets the answer that was remembered for its question. Resolves with
   * whether the server has done it, and never rejects.
   */
  forget(id: string): Promise<boolean>;
  /**
   * Lets the user decide a form themself that waits for somebody else (`request.assignee`), where `takeBack` of it is set.
   * Resolves with whether the server has done it, and never rejects.
   */
  takeBack(id: string): Promise<boolean>;
  /** Answers with an explicit no; `note` (at most 500 characters) says what the user wants instead. Resolves as `accept` does. */
  decline(id: string, note?: string): Promise<void>;
  /** Dismisses the request (Escape, ×): neither yes nor no. Resolves as `accept` does. */
  cancel(id: string): Promise<void>;
  /**
   * Declines or dismisses after a while (`undoMs` of the client): until then `undo` takes it back, and nothing is sent. It is
   * sent at once when the page is left, when nothing shows the requests any more, and by `dispose`. If the page crashes before,
   * the request stays open.
   */
  hold(id: string, action: "decline" | "cancel", note?: string): void;
  /** Takes back what `hold` has not sent yet: the request is open again. */
  undo(id: string): void;
  /**
   * Has the server read answers to a form from a sentence of the user, where the item `takesSentence`. The item then has
   * them as its `proposal`; nothing is sent. Resolves with whether there are any, and never rejects;
   * `false` also when a later sentence or an answer came first.
   */
  propose(id: string, text: string): Promise<boolean>;
  /** Sends an undelivered answer again at once. */
  retry(id: string): Promise<void>;
  /** Reads the status of a request from the server. */
  check(id: string): Promise<void>;
  /**
   * Says which requests another stream than that of their conversation brings the end of, such as the inbox: the client does
   * not poll them. Replaces those of the call before.
   */
  follow(ids: ReadonlySet<string>): void;
  /** Milliseconds until the request expires, by the server's clock. `undefined`: it does not expire. */
  remaining(id: string): number | undefined;
  /** What the user typed, kept until the request has ended. */
  drafts: DraftStore;
  /** Ends everything that the client does: watching, polling, calls. */
  dispose(): void;
}

/** Keeps what the user typed, by `elicitationId`. Never throws: what cannot be kept is lost. */
export interface DraftStore {
  /** What was typed, by field name. `undefined`: nothing was kept. */
  load(id: string): Readonly<Record<string, string | boolean | readonly string[]>> | undefined;
  /** Keeps these drafts in place of the last ones. `undefined` deletes them. */
  save(id: string, drafts: Readonly<Record<string, string | boolean | readonly string[]>> | undefined): void;
}
