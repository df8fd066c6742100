import type { Clock } from "../../../src/base/clock.ts";
import { createDeferred } from "../../../src/base/deadlines.ts";
import { canonical } from "../../../src/base/canonical.ts";
import { isObject } from "../../../src/contract/json.ts";
import {
  type CallEntry,
  type CallKey,
  type Given,
  type OpenCall,
  type Responses,
  createEntry,
} from "./open-call.ts";

/** The view's information about its call. Each member may be absent. */
export interface ViewOf {
  readonly view: string;
  readonly owner: string;
  readonly call?: string | undefined;
  readonly requestId?: string | number | undefined;
  readonly tool?: string | undefined;
  readonly arguments?: Readonly<Record<string, unknown>> | undefined;
}

/** The calls of this process. */
export interface OpenCalls {
  open(key: CallKey): OpenCall;
  /** Finds the call that its client repeats after it showed the questions itself. The view keeps the same call. */
  resume(key: CallKey): OpenCall | undefined;
  /** Finds the call of a view and claims it, so that no other view gets it. */
  claim(view: ViewOf): OpenCall | undefined;
  /**
   * Ends a request of the view that waits. `waits`: the view keeps its claim for a while, so that it can ask again. `gone`:
   * its connection is lost, and another view may claim the call.
   */
  release(call: OpenCall, view: string, how: "waits" | "gone"): void;
  /** Looks up a call for its owner. */
  get(owner: string, id: string): OpenCall | undefined;
  /** Hands in a view's answers to the newest version of its call. */
  give(view: ViewOf, version: number, responses: Responses): Given;
  /** Resolves when a call is opened, or when a view releases its call. */
  freed(): Promise<void>;
}

/** How long a view that does not poll keeps its call. */
const LEASE_MS = 30_000;
/** The limit of calls for each user. Beyond it, the oldest calls are removed. */
const MAX_OF_OWNER = 50;

export function createOpenCalls(clock: Clock): OpenCalls {
  const entries = new Map<string, CallEntry>();
  let freeing = createDeferred<void>();

  function notify(): void {
    freeing.resolve();
    freeing = createDeferred();
  }

  function forget(owner: string): void {
    const own: CallEntry[] = [];
    for (const entry of entries.values()) {
      if (entry.until <= clock.now()) entries.delete(entry.id);
      else if (entry.key.owner === owner) own.push(entry);
    }
    for (const entry of own.slice(0, Math.max(0, own.length - MAX_OF_OWNER + 1))) {
      entry.end(true);
      entries.delete(entry.id);
    }
  }

  function isFree(entry: CallEntry, view: string): boolean {
    return entry.view === undefined || entry.view === view || entry.leaseUntil <= clock.now();
  }

  function find({ view, owner, call, ...known }: ViewOf): CallEntry | undefined {
    if (call !== undefined) {
      const entry = entries.get(call);
      return entry?.key.owner === owner && isFree(entry, view) ? entry : undefined;
    }
    const fitting = [...entries.values()].filter(
      (entry) =>
        entry.key.owner === owner &&
        entry.state.status !== "ended" &&
        isFree(entry, view) &&
        (known.tool === undefined || known.tool === entry.key.tool) &&
        (known.arguments === undefined || isSubset(entry.key.arguments, known.arguments)),
    );
    return fitting.find(({ key }) => key.requestId === known.requestId) ?? fitting[0];
  }

  return {
    open(key) {
      forget(key.owner);
      const entry = createEntry(key, clock);
      entries.set(entry.id, entry);
      notify();
      return entry;
    },
    resume(key) {
      const paused = [...entries.values()].find((entry) => entry.isPaused && isSameCall(entry.key, key));
      paused?.restart();
      return paused;
    },
    claim(view) {
      const entry = find(view);
      if (entry === undefined) return undefined;
      entry.view = view.view;
      entry.leaseUntil = Number.POSITIVE_INFINITY;
      entry.seen();
      return entry;
    },
    release({ id }, view, how) {
      const entry = entries.get(id);
      if (entry?.view !== view) return;
      entry.leaseUntil = clock.now() + LEASE_MS;
      if (how === "waits") return;
      entry.view = undefined;
      notify();
    },
    get(owner, id) {
      const entry = entries.get(id);
      return entry?.key.owner === owner ? entry : undefined;
    },
    give({ view, owner, call = "" }, version, responses) {
      const entry = entries.get(call);
      return entry?.key.owner === owner && entry.view === view ? entry.give(version, responses) : "gone";
    },
    freed: () => freeing.promise,
  };
}

function isSameCall(one: CallKey, other: CallKey): boolean {
  return (
    one.owner === other.owner &&
    one.tool === other.tool &&
    canonical(one.arguments) === canonical(other.arguments)
  );
}

/** Whether `whole` contains everything in `part`. A view may have the arguments before the host has completed them. */
function isSubset(whole: unknown, part: unknown): boolean {
  if (!isObject(whole) || !isObject(part)) return canonical(whole) === canonical(part);
  return Object.entries(part).every(([name, value]) => isSubset(whole[name], value));
}
