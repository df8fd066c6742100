import type {
  ElicitationAction,
  ElicitationAnswer,
  ElicitationContent,
  ElicitationOutcome,
  ElicitationRequest,
} from "../protocol/contract.ts";
import type { Field, SchemaReason } from "../form/index.ts";
import type { UrlReason } from "./inspect-url.ts";
import type { MessageLike } from "./read-messages.ts";

/**
 * - `pending`: the person has not answered.
 * - `opened`: the page of a URL request is (or was) open somewhere; see `window`.
 * - `answered`: held until the other requests of its round are answered; can still be changed.
 * - `submitting`: the answer is on its way.
 * - `undelivered`: the answer did not arrive; it is kept, sent again by itself, and can be sent again by hand.
 * - `blocked`: not safe or not possible to show; it can only be declined or dismissed.
 * - `gone`: the server does not know it any more; nothing can be done.
 * - the six outcomes: it has ended, and the server said so.
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
 * What became of the window: `open`, `closed` (a hint only: some pages look closed while they are open),
 * `blocked` (the browser refused a window: offer a link), `elsewhere` (opened by a link or a host app, out of sight).
 */
export type WindowState = "open" | "closed" | "blocked" | "elsewhere";

/** Why a request cannot be shown. */
export type BlockedReason =
  | { kind: "url"; reasons: readonly UrlReason[] }
  | { kind: "schema"; reasons: readonly SchemaReason[] };

interface ItemBase {
  readonly id: string;
  readonly conversationId: string;
  readonly request: ElicitationRequest;
  /** The fields of a form that can be shown, read from its `requestedSchema`. */
  readonly fields?: readonly Field[] | undefined;
  /**
   * Of a URL request that leads to the trusted origin: its page keeps a handle on this window. `needed`: that is the
   * only way for it to know the person, so offer no link that loses the handle, such as one to copy. `kept`: the page
   * works from any link, as the server has said by `context.worksByLink`.
   */
  readonly opener?: "kept" | "needed" | undefined;
  /** What went wrong last, for display: a failed delivery, a refusal, the provider's error, "not seen yet". */
  readonly notice?: ElicitationNotice | undefined;
}

interface OpenItem extends ItemBase {
  /** The client is reading the status from the server. */
  readonly checking?: boolean | undefined;
  /** Field errors that the server found; the request is open again. */
  readonly fieldErrors?: Readonly<Record<string, { code: string; message: string }>> | undefined;
  readonly action?: undefined;
}

interface UnansweredItem extends OpenItem {
  readonly answer?: undefined;
}

interface EndedItem extends ItemBase {
  readonly blocked?: BlockedReason | undefined;
  readonly window?: undefined;
  readonly checking?: undefined;
  readonly answer?: undefined;
  readonly fieldErrors?: undefined;
  /** The action this client answered with; `undefined` when it ended otherwise. */
  readonly action?: ElicitationAction | undefined;
}

/**
 * One request as the person sees it. Compare `status` to know what else it has. Immutable; the object is the same as long
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
      readonly window?: WindowState | undefined;
      readonly blocked?: BlockedReason | undefined;
    })
  | (EndedItem & { readonly status: "gone" | ElicitationOutcome });

/** Why the last attempt did not end the request. `detail` is for people and may be absent. */
export interface ElicitationNotice {
  code: "not-completed" | "provider-error" | "offline" | "server-error" | "refused" | "answered-elsewhere";
  detail?: string | undefined;
}

/**
 * All that a view needs to know. The same object until something changes, as `useSyncExternalStore` needs it.
 */
export interface ElicitationSnapshot {
  /** All known requests in the order they were asked, ended ones too. */
  readonly items: readonly ElicitationItem[];
}

/** What can be done with requests. Made by `createElicitationClient`; shared by every view of a chat. */
export interface ElicitationClient {
  /** Calls `listener` after each change. Returns the function that ends it. Status is polled only while one listens. */
  subscribe(listener: () => void): () => void;
  /** The same object until something changes. */
  getSnapshot(): ElicitationSnapshot;
  /** Takes in a request found in history or elsewhere. Known ones are merged: an end wins, absence ends nothing. */
  receive(conversationId: string, request: ElicitationRequest): void;
  /**
   * Takes in the requests in a chat's messages, as `receive` does. Call it whenever the messages change: a request that
   * has not changed since the last call costs a look-up.
   */
  readMessages(conversationId: string, messages: readonly MessageLike[]): void;
  /** Asks the server which requests of a conversation are open (reload), and reads the truth on those that look open. */
  refresh(conversationId: string): Promise<void>;
  /**
   * Opens the page of a URL request. Must be called in the handler of a click, synchronously, or the browser blocks
   * the window (then `window` is `blocked` and a link is the way).
   */
  connect(id: string): void;
  /** The person followed the link instead of a window: watch for completion just the same. */
  markOpened(id: string): void;
  /** "I've finished" of a URL request, or the values of a form. Resolves when the answer is delivered or refused. */
  accept(id: string, content?: ElicitationContent): Promise<void>;
  /** An explicit no. Resolves as `accept` does. */
  decline(id: string): Promise<void>;
  /** A dismissal (Escape, ×): neither yes nor no. Resolves as `accept` does. */
  cancel(id: string): Promise<void>;
  /** Sends an undelivered answer again, now. */
  retry(id: string): Promise<void>;
  /** Reads the server's truth on one request, now. */
  check(id: string): Promise<void>;
  /** Milliseconds until the request expires, by the server's clock; `undefined` when it has no end. */
  remaining(id: string): number | undefined;
  /** Text as typed, kept for a reload (session storage, by id), gone once the request has ended. */
  drafts: DraftStore;
  /** Ends every watch, timer and call. */
  dispose(): void;
}

/** Keeps what was typed, by `elicitationId`. Throws nothing: where nothing can be kept, nothing is. */
export interface DraftStore {
  /** What was typed, by field name; `undefined` when nothing was kept. */
  load(id: string): Readonly<Record<string, string | boolean | readonly string[]>> | undefined;
  /** Keeps these drafts in place of the last ones; `undefined` forgets. */
  save(id: string, drafts: Readonly<Record<string, string | boolean | readonly string[]>> | undefined): void;
}
