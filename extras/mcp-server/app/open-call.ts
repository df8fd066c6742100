import type { CallToolResult } from "@modelcontextprotocol/server";
import type { Clock } from "../../../src/base/clock.ts";
import { createDeferred } from "../../../src/base/deadlines.ts";
import { newId } from "../../../src/base/ids.ts";
import { canonical } from "../../../src/base/canonical.ts";
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
export type Given = "taken" | "gone";

/** A call, with the view that has claimed it. */
export interface CallEntry extends OpenCall {
  view: string | undefined;
  leaseUntil: number;
  until: number;
  seen(): void;
  give(version: number, responses: Responses): Given;
}

/** How long a call is known after its end, for views that are opened again and models that ask late. */
const KEEP_MS = 15 * 60_000;
/** How long the result waits for the host of a view to accept it. */
const OFFER_MS = 10_000;

export function createEntry(key: CallKey, clock: Clock): CallEntry {
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

  const entry: CallEntry = {
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
