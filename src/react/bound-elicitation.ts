import type { Drafts } from "../form/index.ts";
import { type ElicitationClient, type ElicitationItem, isOpen } from "../client/index.ts";
import type { AcceptOptions } from "../client/elicitation.ts";
import type {
  ElicitationContent,
  ElicitationOutcome,
  ElicitationRequest,
  FormElicitationRequest,
  UrlElicitationRequest,
} from "../contract/contract.ts";

/**
 * One request and what can be done with it. `mode` narrows it: `item.mode === "url"` also narrows `item.request`. The same
 * object until something about the request changes.
 */
export type BoundElicitation = UrlElicitation | FormElicitationItem;

/** A request to do something on a page. */
export type UrlElicitation = BoundTo<UrlElicitationRequest>;

/** A request to fill in a form. */
export type FormElicitationItem = BoundTo<FormElicitationRequest>;

type BoundTo<Request extends ElicitationRequest> = ElicitationItem &
  ElicitationActions & { readonly mode: Request["mode"]; readonly request: Request };

/** Whether it waits for the user. An answer that is held for its round waits for the others of the round. */
export function isWaiting(elicitation: BoundElicitation): boolean {
  return isOpen(elicitation) && elicitation.status !== "answered" && !waitsForOther(elicitation);
}

/** Whether it waits for somebody else to decide in place of the user. Its card has nothing to ask this user. */
export function waitsForOther(elicitation: BoundElicitation): boolean {
  return elicitation.request.assignee !== undefined && isOpen(elicitation);
}

/** What a component can do with one request, and what it can ask about it. */
export interface ElicitationActions {
  /** Why it ended, or why the last attempt failed; for display. */
  readonly reason: string | undefined;
  /** Milliseconds until it expires, by the server's clock; `undefined` when it has no end. See `useRemaining`. */
  readonly remaining: () => number | undefined;
  /**
   * Opens the page of a URL request. Call it inside the handler of a click, or the browser blocks the window. Resolves with
   * the outcome once the request has ended; with `undefined` when the server no longer knows it.
   */
  readonly connect: () => Promise<ElicitationOutcome | undefined>;
  /** The user followed a link to the page instead. */
  readonly markOpened: () => void;
  /** "I've finished" of a URL request, or the values of a form. Resolves once it is delivered or refused. */
  readonly accept: (content?: ElicitationContent, options?: AcceptOptions) => Promise<void>;
  /** Asks anew next time, where `canRemember` is set: forgets what is remembered. Resolves with whether that has worked. */
  readonly forget: () => Promise<boolean>;
  /** Lets the user decide a form themself that waits for somebody else, where `request.assignee.takeBack` is set. */
  readonly takeBack: () => Promise<boolean>;
  /** An explicit no. */
  readonly decline: () => Promise<void>;
  /** A no that says what the user wants instead, in at most 500 characters. Offer it where `takesNote` is set. */
  readonly declineWith: (note: string) => Promise<void>;
  /** Dismissed without deciding. */
  readonly cancel: () => Promise<void>;
  /** Declines or dismisses after a while, until which `undo` takes it back: see `undoUntil`. */
  readonly hold: (action: "decline" | "cancel", note?: string) => void;
  /** Takes back what `hold` has not sent yet. */
  readonly undo: () => void;
  /** Fills in a form from a sentence of the user, where `takesSentence` is set. Resolves with whether it filled in anything. */
  readonly propose: (text: string) => Promise<boolean>;
  /** Sends an undelivered answer again, now. */
  readonly retry: () => Promise<void>;
  /** Reads the status from the server, now. */
  readonly check: () => Promise<void>;
  readonly loadDrafts: () => Drafts | undefined;
  /** Keeps what was typed for a reload; `undefined` removes it. */
  readonly saveDrafts: (drafts: Drafts | undefined) => void;
}

/** Adds the methods to items. The same item returns the same object. */
export function createBinder(client: ElicitationClient): (item: ElicitationItem) => BoundElicitation {
  const bound = new WeakMap<ElicitationItem, BoundElicitation>();
  return (item) => {
    const known = bound.get(item);
    if (known !== undefined) return known;
    const made = bind(client, item);
    bound.set(item, made);
    return made;
  };
}

function bind(client: ElicitationClient, item: ElicitationItem): BoundElicitation {
  const { id, request } = item;
  const actions: ElicitationActions = {
    reason: request.resolution?.reason ?? item.notice?.detail,
    remaining: () => client.remaining(id),
    connect: () => client.connect(id),
    markOpened: () => client.markOpened(id),
    accept: (content, options) => client.accept(id, content, options),
    forget: () => client.forget(id),
    takeBack: () => client.takeBack(id),
    decline: () => client.decline(id),
    declineWith: (note) => client.decline(id, note),
    cancel: () => client.cancel(id),
    hold: (action, note) => client.hold(id, action, note),
    undo: () => client.undo(id),
    propose: (text) => client.propose(id, text),
    retry: () => client.retry(id),
    check: () => client.check(id),
    loadDrafts: () => client.drafts.load(id),
    saveDrafts: (drafts) => client.drafts.save(id, drafts),
  };
  return request.mode === "url"
    ? { ...item, ...actions, mode: request.mode, request }
    : { ...item, ...actions, mode: request.mode, request };
}
