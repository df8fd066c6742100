import type { CallToolResult } from "@modelcontextprotocol/server";
import type { Clock } from "../../../src/base/clock.ts";
import { createDeferred } from "../../../src/base/deadlines.ts";
import { newId } from "../../../src/base/ids.ts";
import { canonical } from "../../../src/base/canonical.ts";
import { isObject } from "../../../src/contract/json.ts";
import type { CardRound, HandedRound, NextReply } from "../../../src/mcp/wire/app.ts";

/** The user's answers in a round, by key. Untrusted. */
export type Responses = Readonly<Record<string, unknown>>;

/** Identifies a call for its view. Hosts open a session for each HTTP request, so a session identifies nothing. */
export interface CallKey {
  /** The user. A view cannot see calls of other users. */
  readonly owner: string;
  readonly tool: string;
  /** The arguments that the client sent. */
  readonly arguments: Readonly<Record<string, unknown>>;
  /** The id of its JSON-RPC request. */
  readonly requestId: string | number;
}

/** The view's information about its call. Each member may be absent. */
export interface ViewOf {
  readonly view: string;
  readonly owner: string;
  readonly call?: string | undefined;
  readonly requestId?: string | number | undefined;
  readonly tool?: string | undefined;
  readonly arguments?: Readonly<Record<string, unknown>> | undefined;
}

/** A call that may be asking through a card. */
export interface OpenCall {
  readonly id: string;
  readonly key: CallKey;
  /** When the call began to wait for the card. */
  readonly startedAt: number;
  /** The version of the data for the view. */
  readonly version: number;
  readonly state: NextReply;
  /** Whether its client shows the questions itself, and will make the call again. */
  readonly isPaused: boolean;
  /** A view has polled it at least once. */
  readonly isSeen: boolean;
  /** The result after a handover, for a waiting model. */
  readonly result: CallToolResult | undefined;
  /** Resolves at the next change. */
  changed(): Promise<void>;
  ask(round: Omit<CardRound, "call" | "version">): void;
  hand(round: Omit<HandedRound, "call" | "version">): HandedRound;
  /** Returns the answers to the newest version, once they are there. */
  takeResponses(): Responses | undefined;
  end(withdrawn: boolean, result?: CallToolResult): void;
  pause(): void;
  /** Restarts the time limit of the call. */
  restart(): void;
  /** Call it when a model waits for the result. Returns a function that ends the wait. */
  await(): () => void;
  /** Whether a view is passing the result to its host. */
  readonly isOffered: boolean;
  /**
   * Offers the result to the view, which then calls `endOffer`. `false`: a model waits for the result, or has it. An offer
   * that is not ended in time counts as failed.
   */
  offerResult(): boolean;
  /** Ends the offer. `accepted`: the host of the view has the result. Otherwise it stays for the model. */
  endOffer(accepted: boolean): void;
  /** Whether the model gets the result. `false`: it has been taken. */
  takeResult(): boolean;
}

/** The result of handing in answers. */
type Given = "taken" | "gone";

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
/** How long a call is known after its end, for views that are opened again and models that ask late. */
const KEEP_MS = 15 * 60_000;
/** How long the result waits for the host of a view to accept it. */
const OFFER_MS = 10_000;
/** The limit of calls for each user. Beyond it, the oldest calls are removed. */
const MAX_OF_OWNER = 50;

interface Entry extends OpenCall {
  view: string | undefined;
  leaseUntil: number;
  until: number;
  seen(): void;
  give(version: number, responses: Responses): Given;
}

export function createOpenCalls(clock: Clock): OpenCalls {
  const entries = new Map<string, Entry>();
  let freeing = createDeferred<void>();

  function notify(): void {
    freeing.resolve();
    freeing = createDeferred();
  }

  function forget(owner: string): void {
    const own: Entry[] = [];
    for (const entry of entries.values()) {
      if (entry.until <= clock.now()) entries.delete(entry.id);
      else if (entry.key.owner === owner) own.push(entry);
    }
    for (const entry of own.slice(0, Math.max(0, own.length - MAX_OF_OWNER + 1))) {
      entry.end(true);
      entries.delete(entry.id);
    }
  }

  function isFree(entry: Entry, view: string): boolean {
    return entry.view === undefined || entry.view === view || entry.leaseUntil <= clock.now();
  }

  function find({ view, owner, call, ...known }: ViewOf): Entry | undefined {
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

function createEntry(key: CallKey, clock: Clock): Entry {
  const id = newId();
  let version = 0;
  let state: NextReply = { status: "waiting" };
  let given: { version: number; responses: Responses; isRead: boolean } | undefined;
  let change = createDeferred<void>();
  let startedAt = clock.now();
  let isPaused = false;
  let isSeen = false;
  let isResultTaken = false;
  let awaiting = 0;
  let stopOffer: (() => void) | undefined;
  let result: CallToolResult | undefined;

  function become(next: NextReply): void {
    state = next;
    notify();
  }
  function notify(): void {
    change.resolve();
    change = createDeferred();
  }

  const entry: Entry = {
    id,
    key,
    get startedAt() {
      return startedAt;
    },
    get isPaused() {
      return isPaused;
    },
    view: undefined,
    leaseUntil: 0,
    until: Number.POSITIVE_INFINITY,
    get version() {
      return version;
    },
    get state() {
      return state;
    },
    get isSeen() {
      return isSeen;
    },
    get result() {
      return result;
    },
    changed: () => change.promise,
    seen() {
      if (isSeen) return;
      isSeen = true;
      notify();
    },
    ask(round) {
      version += 1;
      become({ status: "asked", round: { ...round, call: id, version } });
    },
    hand(round) {
      version += 1;
      const handed = { ...round, call: id, version };
      // From now on the view keeps the round, because this process may lose its state at any time.
      entry.until = clock.now() + KEEP_MS;
      become({ status: "handed", round: handed });
      return handed;
    },
    give(of, responses) {
      // The same answer was sent again, because its reply was lost.
      if (given?.version === of)
        return canonical(given.responses) === canonical(responses) ? "taken" : "gone";
      if (state.status !== "asked" || of !== version) return "gone";
      given = { version: of, responses, isRead: false };
      notify();
      return "taken";
    },
    takeResponses() {
      if (given === undefined || given.isRead) return undefined;
      given.isRead = true;
      return given.responses;
    },
    end(withdrawn, ended) {
      if (state.status === "ended") return;
      version += 1;
      result = ended;
      entry.until = clock.now() + KEEP_MS;
      become({ status: "ended", withdrawn });
    },
    pause() {
      isPaused = true;
      entry.until = clock.now() + KEEP_MS;
    },
    restart() {
      startedAt = clock.now();
      isPaused = false;
      entry.until = Number.POSITIVE_INFINITY;
    },
    await() {
      awaiting += 1;
      return () => void (awaiting -= 1);
    },
    get isOffered() {
      return stopOffer !== undefined;
    },
    offerResult() {
      if (isResultTaken || awaiting > 0 || stopOffer !== undefined) return false;
      stopOffer = clock.after(OFFER_MS, () => entry.endOffer(false));
      return true;
    },
    endOffer(accepted) {
      if (stopOffer === undefined) return;
      stopOffer();
      stopOffer = undefined;
      isResultTaken = accepted;
      notify();
    },
    takeResult() {
      if (isResultTaken) return false;
      isResultTaken = true;
      return true;
    },
  };
  return entry;
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
