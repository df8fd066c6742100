import type { Drafts } from "../form/index.ts";
import { isOpen } from "../client/ended.ts";
import type { Reminder } from "../client/channel.ts";
import type {
  AcceptOptions,
  AccountReport,
  ElicitationClient,
  ElicitationItem,
} from "../client/elicitation.ts";
import type {
  Assignee,
  AssigneeList,
  ElicitationContent,
  ElicitationOutcome,
  ElicitationRequest,
  FormElicitationRequest,
  UrlElicitationRequest,
} from "../contract/contract.ts";

/**
 * One request and its methods. `mode` narrows it: `item.mode === "url"` also narrows `item.request`. The same object
 * until something about the request changes.
 */
export type BoundElicitation = UrlElicitation | FormElicitationItem;

/** A request to do something on a page. */
export type UrlElicitation = BoundTo<UrlElicitationRequest>;

/** A request to fill in a form. */
export type FormElicitationItem = BoundTo<FormElicitationRequest>;

type BoundTo<Request extends ElicitationRequest> = ElicitationItem &
  ElicitationActions & { readonly mode: Request["mode"]; readonly request: Request };

/**
 * Whether the request waits for the user. An answer that is held for its round waits for the other answers of the round.
 */
export function isWaiting(elicitation: BoundElicitation): boolean {
  return isOpen(elicitation) && elicitation.status !== "answered" && !waitsForOther(elicitation);
}

/** Whether the request waits for another user to decide. Its card has no questions for this user. */
export function waitsForOther(elicitation: BoundElicitation): boolean {
  return elicitation.request.assignee !== undefined && isOpen(elicitation);
}

/** The methods and values of one request, for a component. */
export interface ElicitationActions {
  /** Why the request ended, or why the last attempt failed. For display. */
  readonly reason: string | undefined;
  /**
   * Milliseconds until the request expires, on the server's clock. `undefined` if it does not expire. See `useRemaining`.
   */
  readonly remaining: () => number | undefined;
  /**
   * Opens the page of a URL request. Call it synchronously in a click handler, or the browser blocks the window. Resolves
   * with the outcome once the request has ended, or with `undefined` if the server no longer knows it.
   */
  readonly connect: () => Promise<ElicitationOutcome | undefined>;
  /** Call it when the user has followed a link to the page. */
  readonly markOpened: () => void;
  /**
   * Accepts: "I've finished" for a URL request, or the values of a form. Resolves once the answer is delivered or
   * refused.
   */
  readonly accept: (content?: ElicitationContent, options?: AcceptOptions) => Promise<void>;
  /**
   * Forgets the remembered answer, if `canRemember` is set, so that the user is asked next time. Resolves with whether
   * that has worked.
   */
  readonly forget: () => Promise<boolean>;
  /** Reads the link to the page where the user answers the request, if `canCarry` is set, or resolves with `undefined`. */
  readonly link: () => Promise<string | undefined>;
  /**
   * Reads the account that the request has connected, with its rights in `language`, or removes it. Resolves with
   * `undefined` if the server offers no accounts, no longer knows the request, or has failed.
   */
  readonly account: (options?: {
    remove?: boolean | undefined;
    language?: string | undefined;
  }) => Promise<AccountReport | undefined>;
  /**
   * Gives a form that this user decides to another user or group, if `request.giveOn` is set. With `null`: takes a form of
   * this user's agent back from its assignee, if `request.assignee.takeBack` is set. Resolves with whether that has
   * worked.
   */
  readonly assign: (to: Assignee | null) => Promise<boolean>;
  /** Reads the users and groups to which the form can be passed on. Resolves with `undefined` if that fails. */
  readonly assignees: () => Promise<AssigneeList["assignees"] | undefined>;
  /** Sends the assignee another notice, if `request.assignee.remind` is set. */
  readonly remind: () => Promise<Reminder>;
  /**
   * Asks the server for more time, if `request.extendableUntil` is after `request.expiresAt`. Resolves with whether the
   * server has given it.
   */
  readonly extend: () => Promise<boolean>;
  /** Declines the request: an explicit no. */
  readonly decline: () => Promise<void>;
  /**
   * Declines with a note that says what the user wants instead, in at most 500 characters. Offer it if `takesNote` is
   * set.
   */
  readonly declineWith: (note: string) => Promise<void>;
  /** Dismisses the request without a decision. */
  readonly cancel: () => Promise<void>;
  /**
   * Fills in a form from a sentence of the user, if `takesSentence` is set. Resolves with whether any field was filled
   * in.
   */
  readonly propose: (text: string) => Promise<boolean>;
  /** Retries an undelivered answer now. */
  readonly retry: () => Promise<void>;
  /** Reads the status from the server now. */
  readonly check: () => Promise<void>;
  readonly loadDrafts: () => Drafts | undefined;
  /** Keeps user input across a reload. `undefined` removes it. */
  readonly saveDrafts: (drafts: Drafts | undefined) => void;
}

/** Adds the methods to items. Returns the same object for the same item. */
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
    link: () => client.link(id),
    account: (options) => client.account(id, options),
    assign: (to) => client.assign(id, to),
    assignees: () => client.assignees(id),
    remind: () => client.remind(id),
    extend: () => client.extend(id),
    decline: () => client.decline(id),
    declineWith: (note) => client.decline(id, note),
    cancel: () => client.cancel(id),
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
