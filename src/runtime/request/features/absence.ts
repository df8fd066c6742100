import type { Clock } from "../../../base/clock.ts";
import type { ElicitationRecords } from "../../ports/index.ts";
import type { Assignments } from "./who-decides.ts";
import type { ElicitationService } from "../elicitations.ts";
import type { Observer } from "./telemetry.ts";

/** A feature for users who are away while a request waits for them. The runtime works without one. */
export interface AbsenceFeature {
  /** When the absent user of a request that is created now gets a notice, if no client shows it until then. */
  readonly noticeAt: (now: number) => number;
  /** The shortest time between two reminders of one request. */
  readonly remindEveryMs: number;
  watch(parts: AbsenceParts): { readonly showing: Shown; close(): Promise<void> };
}

/** What the runtime gives to the feature. */
export interface AbsenceParts {
  readonly records: ElicitationRecords;
  readonly elicitations: Pick<ElicitationService, "linkFor">;
  readonly assignments: Pick<Assignments, "toldOf">;
  readonly clock: Clock;
  readonly observer: Pick<Observer, "notice"> | undefined;
  readonly onError: (error: unknown) => void;
}

/** Where the runtime says what clients of this process show: turns, and all requests of users with an open inbox. */
export interface Shown {
  /** Call it when a client shows this turn. Call the returned function when it no longer does. */
  turn(turnId: string): () => void;
  /** Call it when a client shows all open requests of this user. Call the returned function when it no longer does. */
  user(userId: string): () => void;
  /** Call it when a client has just read a request of this turn, which it shows without a stream. */
  seen(turnId: string): void;
  /** Passes the entries through. The turn counts as shown while they are read. */
  reading<Entry>(turnId: string, entries: AsyncIterable<Entry>, signal: AbortSignal): AsyncIterable<Entry>;
}
