import { type PagePurpose, purposeOf } from "../../contract/contract.ts";
import { KitError } from "../../contract/kit-error.ts";
import { atMost, within } from "../../base/deadlines.ts";
import type { User } from "../../base/identity.ts";
import type { ElicitationRecord, NoticeRecords } from "../../runtime/ports/index.ts";
import type { NoticeClaim } from "../../runtime/ports/notices.ts";
import type { AbsenceFeature, AbsenceParts } from "../../runtime/request/features/absence.ts";
import { type Showing, createShowing } from "./showing.ts";

/** The open requests of an absent user. It does not contain the text of a question, because it leaves the chat. */
export interface WaitingNotice {
  /**
   * The same id is used when the notice is repeated, because the last try failed or its process crashed. Send each id
   * only once.
   */
  readonly id: string;
  readonly user: User;
  /** Oldest first, at most 100. There is more than one if several were due, so that one message covers all. */
  readonly requests: readonly WaitingRequest[];
  /** How many more requests wait than those in `requests`. More than 0 only if a group or user has more than 100. */
  readonly more: number;
}

/** A request of a {@link WaitingNotice}. `elicitations.get` of the runtime returns the rest. */
export interface WaitingRequest {
  readonly elicitationId: string;
  /** If `from` is set, this is the id of the request, because the user cannot see the conversation that asks. */
  readonly conversationId: string;
  /** The name of the user for whom this user decides: see `assign` of `createRuntime`. */
  readonly from?: string | undefined;
  /** The kind of the surface through which the turn was started, such as `chat` or `slack`. */
  readonly surface: string;
  /** The kind of the card. `title` of a catalogue has a text for it. */
  readonly kind: "form" | PagePurpose;
  /** The name of the service that the page connects, from the operator. */
  readonly service?: string | undefined;
  /**
   * A link to the hosted page of the request, which only its user can answer (see `linkFor` of `elicitations`).
   * `undefined` without `hostedPage` of `createRuntime`: link to the conversation instead.
   */
  readonly link?: string | undefined;
  /** RFC 3339. */
  readonly askedAt: string;
  readonly expiresAt: string;
}

/** Notifies absent users that a request is waiting. */
export type OnWaiting = (
  notice: WaitingNotice,
  options: { readonly signal: AbortSignal },
) => Promise<void> | void;

/** The options of `createRuntime` for notices. */
export interface NoticeOptions {
  /**
   * Notifies users who are away that a request is waiting.
   * @default undefined: no notices
   */
  notices?: NoticeSettings | undefined;
}

/** When notices are sent, and how. */
interface NoticeSettings {
  /**
   * Notifies an absent user that a request is waiting, for example by e-mail or push. Called at least once for each
   * request that is still open after `afterMs` while no client of the user shows it. Several due requests share one
   * call. Called again with the same `id` if it rejects, takes longer than 30 seconds (`signal` then aborts), or its
   * process dies. Errors go to `onError`.
   */
  onWaiting: OnWaiting;
  /**
   * How long a request waits before `onWaiting` is called, in milliseconds. Counts from the time at which it was last shown.
   * @default 60_000 (1 minute)
   */
  afterMs?: number | undefined;
  /**
   * How many notices `onWaiting` gets for a user within an hour. Further requests wait, and share a later notice.
   * @default 6
   */
  perHour?: number | undefined;
}

/** Notifies absent users. `undefined` without `notices`. */
export function noticesFor({ notices }: NoticeOptions): AbsenceFeature | undefined {
  if (notices === undefined) return undefined;
  const { onWaiting, afterMs = 60_000, perHour = 6 } = notices;
  return {
    noticeAt: (now) => now + afterMs,
    remindEveryMs: HOUR_MS / perHour,
    watch: ({ records, ...parts }) =>
      createNotices({ ...parts, records: records.notices, onWaiting, afterMs, perHour }),
  };
}

/** Notifies absent users, and postpones notices for users who are there. */
export interface Notices {
  readonly showing: Showing;
  /** Claims no more notices, and waits for running callbacks. */
  close(): Promise<void>;
}

const HOUR_MS = 60 * 60 * 1000;
const LONGEST_TICK_MS = 5000;
/** After this time another process may claim the notice. It is longer than the time limit of a callback. */
const CLAIM_MS = 60_000;
const CALLBACK_MS = 30_000;
const LONGEST_PAUSE_MS = HOUR_MS;
const CLOSE_MS = 10_000;
/** The largest number of callbacks at the same time. */
const MAX_CALLBACKS = 20;

interface NoticesNeed extends Omit<AbsenceParts, "records"> {
  records: NoticeRecords | undefined;
  onWaiting: OnWaiting;
  afterMs: number;
  perHour: number;
}

export function createNotices(options: NoticesNeed): Notices {
  const { records, elicitations, assignments, clock, onWaiting, afterMs, perHour, observer, onError } =
    options;
  if (records === undefined) {
    throw new KitError(
      "elicit-kit: notices need records that know which notices users still get, and these have no `notices`. Use createMemoryRecords or createPostgresPorts, or add `notices` to yours.",
    );
  }
  ensurePositive("notices.afterMs", afterMs);
  ensurePositive("notices.perHour", perHour);
  const store = records;
  const showing = createShowing();
  const tickMs = Math.min(LONGEST_TICK_MS, afterMs / 4);
  const running = new Set<Promise<void>>();
  let isClosed = false;
  let cancelTimer = clock.after(tickMs, next);

  function next(): void {
    void tick()
      .catch(onError)
      .finally(() => {
        if (!isClosed) cancelTimer = clock.after(tickMs, next);
      });
  }

  async function tick(): Promise<void> {
    const shown = showing.take();
    if (shown.turnIds.length + shown.userIds.length > 0) {
      // Postpone by more than necessary, so that the record of a visible request is not written at every tick.
      const from = clock.now() + afterMs;
      await store.postpone(shown, { from, until: from + afterMs / 4 });
    }
    await claim();
  }

  async function claim(): Promise<void> {
    const limit = MAX_CALLBACKS - running.size;
    if (isClosed || limit <= 0) return;
    const now = clock.now();
    const claims = await store.claim({ now, until: now + CLAIM_MS, perHour, limit });
    // Another process will claim them again.
    if (isClosed) return;
    for (const claimed of claims) {
      const telling = tell(claimed).catch(onError);
      running.add(telling);
      void telling.finally(() => {
        running.delete(telling);
        // If the claim was full, more notices may be due.
        if (claims.length === limit) void claim().catch(onError);
      });
    }
  }

  async function tell(claimed: NoticeClaim): Promise<void> {
    const [first] = claimed.records;
    if (first === undefined) return;
    const requests = claimed.records.map(waitingOf);
    const more = claimed.count - requests.length;
    try {
      await within(clock, CALLBACK_MS, async (signal) => {
        const late = new Promise<never>((_, reject) => {
          signal.addEventListener("abort", () => reject(signal.reason), { once: true });
        });
        const telling = async () => {
          const users = await assignments.toldOf(first);
          const isGroup = first.assigned?.to.group !== undefined;
          await Promise.all(
            users.map(async (user) => {
              const id = isGroup ? `${claimed.id}:${user.id}` : claimed.id;
              return onWaiting({ id, user, requests, more }, { signal });
            }),
          );
        };
        await Promise.race([telling(), late]);
      });
    } catch (error) {
      observer?.notice("failed");
      const pause = Math.min(CLAIM_MS * 2 ** (claimed.tries - 1), LONGEST_PAUSE_MS);
      onError(
        new KitError(
          `elicit-kit: onWaiting has failed, so a user was not told of what waits for them. It is called again in ${pause / 1000} seconds with the same id.`,
          { cause: error },
        ),
      );
      await store.release(claimed, clock.now() + pause);
      return;
    }
    observer?.notice("sent");
    await store.release(claimed);
  }

  function waitingOf({
    request,
    conversationId,
    surface,
    createdAt,
    expiresAt,
    assigned,
  }: ElicitationRecord): WaitingRequest {
    const { elicitationId } = request;
    return {
      elicitationId,
      // A user who decides for another one cannot see that user's conversation.
      conversationId: assigned === undefined ? conversationId : elicitationId,
      ...(assigned !== undefined && { from: assigned.from }),
      surface,
      kind: request.mode === "form" ? "form" : purposeOf(request),
      service: request.mode === "url" ? request.service?.name : undefined,
      link: elicitations.linkFor(elicitationId),
      askedAt: new Date(createdAt).toISOString(),
      expiresAt: new Date(expiresAt).toISOString(),
    };
  }

  return {
    showing,
    async close() {
      isClosed = true;
      cancelTimer();
      await atMost(
        clock,
        CLOSE_MS,
        Promise.all(running).then(() => undefined),
      );
    },
  };
}

function ensurePositive(option: string, value: number): void {
  if (value > 0) return;
  throw new KitError(`elicit-kit: ${option} must be a positive number, but it is: ${value}.`);
}
