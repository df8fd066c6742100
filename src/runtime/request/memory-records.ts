import type { ElicitationRecord, ElicitationRecords } from "../ports/index.ts";
import { type Clock, systemClock } from "../../base/clock.ts";
import { createEventBus } from "../../base/event-bus.ts";
import { deskKey, deskOf, desksFor } from "./assignment.ts";
import { createMemoryNotices } from "./memory-notices.ts";
import { isEnded } from "./record.ts";
import { KitError } from "../../contract/kit-error.ts";

const KEEP_ENDED_MS = 24 * 60 * 60 * 1000;
const SWEEP_EVERY_MS = 2 * 60 * 1000;

/** The ids of one user's records, oldest first. */
interface Owned {
  readonly open: Set<string>;
  readonly ended: Set<string>;
}

/**
 * Keeps records in memory, ended ones for 24 hours. When a user has `perPerson` records, a new one replaces their oldest
 * ended record. When there are `limit` records, a new one replaces the oldest ended record of the user with the most
 * ended records, so that heavy use does not evict the records of others. `create` throws if no record has ended. Old
 * records are deleted on use, at most every two minutes. There is no timer and nothing to close.
 */
export function createMemoryRecords(
  options: {
    clock?: Clock | undefined;
    /** @default 10_000 */
    limit?: number | undefined;
    /** @default a tenth of `limit` */
    perPerson?: number | undefined;
  } = {},
): ElicitationRecords {
  const { clock = systemClock, limit = 10_000 } = options;
  const perPerson = options.perPerson ?? Math.ceil(limit / 10);
  const records = new Map<string, ElicitationRecord>();
  const people = new Map<string, Owned>();
  /** The order in which the records were created, including ended ones. */
  const places = new Map<string, number>();
  /** The ids of open records by their assignee, if that is not their user. */
  const assigned = new Map<string, Set<string>>();
  const notices = createMemoryNotices();
  let created = 0;
  const changes = createEventBus<undefined>();
  let sweptAt = clock.now();

  function unassign(record: ElicitationRecord | undefined): void {
    if (record?.assigned === undefined) return;
    const desk = deskKey(deskOf(record));
    const ids = assigned.get(desk);
    ids?.delete(record.request.elicitationId);
    if (ids?.size === 0) assigned.delete(desk);
  }

  function assign(record: ElicitationRecord): void {
    if (record.assigned === undefined || isEnded(record)) return;
    const desk = deskKey(deskOf(record));
    assigned.set(desk, (assigned.get(desk) ?? new Set()).add(record.request.elicitationId));
  }

  function put(record: ElicitationRecord): void {
    const { elicitationId } = record.request;
    const before = records.get(elicitationId);
    unassign(before);
    assign(record);
    const owned = people.get(record.user.id) ?? { open: new Set(), ended: new Set() };
    people.set(record.user.id, owned);
    records.set(elicitationId, record);
    notices.put(record);
    if (!isEnded(record)) owned.open.add(elicitationId);
    else if (owned.open.delete(elicitationId) || !owned.ended.has(elicitationId)) {
      owned.ended.add(elicitationId);
    }
    const desks = [record, ...(before === undefined ? [] : [before])].map((one) => deskKey(deskOf(one)));
    for (const desk of new Set(desks)) changes.publish(desk, undefined);
  }

  /** The open records of a user, oldest first. */
  function openOf(userId: string): ElicitationRecord[] {
    return [...(people.get(userId)?.open ?? [])].flatMap((id) => records.get(id) ?? []);
  }

  /** The open records that wait for one of these users or groups, oldest first. */
  function waitingFor(userId: string, groups: readonly string[]): ElicitationRecord[] {
    const own = openOf(userId).filter((record) => record.assigned === undefined);
    const others = desksFor(userId, groups).flatMap((desk) => [...(assigned.get(deskKey(desk)) ?? [])]);
    if (others.length === 0) return own;
    const all = [...own, ...others.flatMap((id) => records.get(id) ?? [])];
    return all.toSorted((a, b) => placeOf(a) - placeOf(b));
  }

  function placeOf({ request }: ElicitationRecord): number {
    return places.get(request.elicitationId) ?? 0;
  }

  function remove(id: string): void {
    unassign(records.get(id));
    const userId = records.get(id)?.user.id;
    const owned = userId === undefined ? undefined : people.get(userId);
    records.delete(id);
    notices.remove(id);
    places.delete(id);
    if (userId === undefined || owned === undefined) return;
    owned.open.delete(id);
    owned.ended.delete(id);
    if (owned.open.size + owned.ended.size === 0) people.delete(userId);
  }

  function sweep(now: number) {
    if (now - sweptAt < SWEEP_EVERY_MS) return;
    sweptAt = now;
    for (const [id, record] of records) {
      // A record without an outcome counts as ended at its expiry.
      if ((record.endedAt ?? record.expiresAt) + KEEP_ENDED_MS <= now) remove(id);
    }
  }

  /** Removes the oldest ended record of `owned`. `false` if there is none. */
  function forgetOldest(owned: Owned | undefined): boolean {
    for (const id of owned?.ended ?? []) {
      remove(id);
      return true;
    }
    return false;
  }

  function makeRoom(userId: string) {
    const person = people.get(userId);
    if (person !== undefined && person.open.size + person.ended.size >= perPerson && !forgetOldest(person)) {
      throw new KitError(
        `elicit-kit: one user has ${perPerson} open elicitations and cannot be asked again. Raise perPerson of the records.`,
      );
    }
    if (records.size < limit) return;
    let most: Owned | undefined;
    for (const owned of people.values()) {
      if (owned.ended.size > (most?.ended.size ?? 0)) most = owned;
    }
    if (forgetOldest(most)) return;
    throw new KitError(
      `elicit-kit: ${limit} elicitations are open and no more can be created. Raise the limit of the records.`,
    );
  }

  return {
    async create(record) {
      sweep(clock.now());
      const known = records.get(record.request.elicitationId);
      if (known !== undefined) return known;
      makeRoom(record.user.id);
      places.set(record.request.elicitationId, (created += 1));
      put(record);
      return record;
    },
    async get(elicitationId) {
      sweep(clock.now());
      return records.get(elicitationId);
    },
    async compareAndSet(next) {
      if (records.get(next.request.elicitationId)?.revision !== next.revision - 1) return false;
      put(next);
      return true;
    },
    async listOpen(conversationId, userId) {
      return openOf(userId).filter((record) => record.conversationId === conversationId);
    },
    inbox: {
      async listOpen(userId, { limit: most, after, groups = [] }) {
        const place = after === undefined ? 0 : (places.get(after) ?? Number.POSITIVE_INFINITY);
        const now = clock.now();
        const later = waitingFor(userId, groups).filter(
          (record) => now < record.expiresAt && placeOf(record) > place,
        );
        return later.slice(0, most);
      },
      onChange(userId, listener, groups = []) {
        const stops = desksFor(userId, groups).map((desk) => changes.subscribe(deskKey(desk), listener));
        return () => {
          for (const stop of stops) stop();
        };
      },
    },
    notices,
    overview: {
      async list({ isOpen, limit: most, after }) {
        const sorted = isOpen
          ? openNow().toSorted((a, b) => a.expiresAt - b.expiresAt)
          : [...records.values()].filter(isEnded).toSorted((a, b) => (b.endedAt ?? 0) - (a.endedAt ?? 0));
        const from =
          after === undefined ? 0 : sorted.findIndex((one) => one.request.elicitationId === after) + 1;
        return after !== undefined && from === 0 ? [] : sorted.slice(from, from + most);
      },
      countOpen: async (most) => Math.min(most, openNow().length),
    },
  };

  function openNow(): ElicitationRecord[] {
    const now = clock.now();
    return [...records.values()].filter((record) => !isEnded(record) && now < record.expiresAt);
  }
}
