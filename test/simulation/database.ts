import {
  type ElicitationRecord,
  type Settlement,
  type TurnKey,
  TAKEN_OVER,
  discardChunk,
  type StreamChunk,
  type TurnStreamEntry,
  isDiscardable,
  outcomeOf,
} from "../../src/runtime/internal.ts";
import type { RecordedStep } from "../../extras/durable/engine.ts";
import type { BeginningWait } from "../../extras/postgres/database/keys.ts";
import type { SimulatedProcess } from "./process.ts";
import type { World } from "./world.ts";

interface StoredTurn {
  readonly turn: TurnKey & { readonly replaced?: string | undefined };
  fence: number;
  length: number;
  isEnded: boolean;
  readonly entries: TurnStreamEntry[];
  lastMark: LogMark | undefined;
}

/** Identifies a write of a log. The numbers of a writer increase. */
export interface LogMark {
  readonly origin: string;
  readonly count: number;
}

/** The row of a turn that runs, is parked, or is to run again. */
export interface Run {
  readonly name: string;
  readonly input: string;
  /** The key of a process, or one of the marks. */
  process: string;
  /** The version of the application that ran it last, or is to run it. */
  version: number;
  run: number;
  deaths: number;
  /** Whether the death of its process is blamed on it, among others. */
  working: boolean;
  stopReason: string | undefined;
}

/** Stands in place of a process: the turn was stopped before any process ran it. */
const NOBODY = "nobody";
/** Any process may claim the turn. */
const FREE = "free";
/** The turn waits for the user. Ending one of its requests frees it. */
const PARKED = "parked";

const MARKS: ReadonlySet<string> = new Set([NOBODY, FREE, PARKED]);

type First = Pick<Run, "name" | "input" | "process" | "version">;

interface StoredStep {
  readonly run: number;
  readonly place: number;
  readonly step: RecordedStep;
}

/**
 * The tables, and the rules that PostgreSQL enforces. Each method is one statement or one transaction, so it happens
 * atomically.
 */
export class SimulatedDatabase {
  readonly turns = new Map<string, StoredTurn>();
  readonly runs = new Map<string, Run>();
  readonly records = new Map<string, ElicitationRecord>();
  /** Processes whose session lock is held, and the versions whose turns they run. */
  readonly #locks = new Map<string, number>();
  /** Processes that have released their version. */
  readonly #left = new Set<string>();
  /** When a process first lost its lock. */
  readonly #firstLost = new Map<string, number>();
  processes: readonly SimulatedProcess[] = [];
  onRecord: (record: ElicitationRecord) => void = () => {};
  /**
   * Called with each turn that continues in another process although it was not stopped, and with how long the first
   * process looks dead.
   */
  onTakeOver: (turnId: string, goneForMs: number, isConnected: boolean) => void = () => {};
  /** Called with each turn that is blamed for the death of a process which only waited for the answer to its question. */
  onBlamed: (turnId: string) => void = () => {};
  /** The last run of each turn that has asked. */
  readonly #askedIn = new Map<string, number>();
  /**
   * Called with each turn that a process of another version claims, and with the number of processes of its own version.
   */
  onOtherVersion: (turnId: string, peers: number) => void = () => {};
  readonly #world: World;
  readonly #settlements = new Map<string, string>();
  readonly #conversations = new Map<string, string>();
  readonly #starts = new Map<string, string>();
  readonly #steps = new Map<string, readonly StoredStep[]>();

  constructor(world: World) {
    this.#world = world;
  }

  notify(topic: string, id: string): void {
    for (const process of this.processes) process.notify(topic, id);
  }

  isAlive(process: string): boolean {
    return this.#locks.has(process);
  }

  holdLock({ key, version }: SimulatedProcess): void {
    this.#locks.set(key, version);
  }

  /** The process no longer runs turns. */
  leaveVersion(process: string): void {
    this.#left.add(process);
  }

  #peersOf(version: number): number {
    return [...this.#locks].filter(([key, one]) => one === version && !this.#left.has(key)).length;
  }

  /** Turns of another version are left to the processes that have it, as long as there are any. */
  #isOurs(run: Run, { version }: SimulatedProcess): boolean {
    return run.version === version || this.#peersOf(run.version) === 0;
  }

  freeLock(process: string): void {
    this.#locks.delete(process);
    if (!this.#firstLost.has(process)) this.#firstLost.set(process, this.#world.now);
  }

  // Records and settlements.

  createRecord(
    record: ElicitationRecord,
    fence: number | undefined,
    wait?: BeginningWait,
  ): { record: ElicitationRecord; isNoted: boolean } {
    const { turnId, request } = record;
    if (fence !== undefined && this.turns.get(turnId)?.fence !== fence) throw TAKEN_OVER;
    const known = this.records.get(request.elicitationId);
    if (known === undefined) {
      this.records.set(request.elicitationId, copyOf(record));
      this.onRecord(record);
    }
    const run = this.runs.get(turnId);
    if (run !== undefined) this.#askedIn.set(turnId, run.run);
    const isNoted = wait !== undefined && this.note(wait.process, [{ turnId, ...wait }]).length > 0;
    return { record: known ?? record, isNoted };
  }

  readRecord(elicitationId: string): ElicitationRecord | undefined {
    return this.records.get(elicitationId);
  }

  compareAndSet(next: ElicitationRecord, settlement: Settlement | undefined): boolean {
    const { elicitationId } = next.request;
    if (this.records.get(elicitationId)?.revision !== next.revision - 1) return false;
    this.records.set(elicitationId, copyOf(next));
    if (settlement !== undefined) this.settle(elicitationId, settlement);
    const run = this.runs.get(next.turnId);
    if (outcomeOf(next) !== undefined && run?.process === PARKED) run.process = FREE;
    return true;
  }

  openRecords(conversationId: string, userId: string): readonly ElicitationRecord[] {
    return [...this.records.values()].filter(
      (record) =>
        outcomeOf(record) === undefined &&
        record.conversationId === conversationId &&
        record.user.id === userId,
    );
  }

  settle(elicitationId: string, settlement: Settlement): void {
    if (this.#settlements.has(elicitationId)) return;
    this.#settlements.set(elicitationId, JSON.stringify(settlement));
    this.notify("settled", elicitationId);
  }

  settlementOf(elicitationId: string): Settlement | undefined {
    const text = this.#settlements.get(elicitationId);
    return text === undefined ? undefined : JSON.parse(text);
  }

  // Turns and their logs.

  /** `first`: the row of its first run, in the same transaction. */
  open(turn: TurnKey, replace: boolean, first: First | undefined) {
    const start = turn.startId === undefined ? undefined : `${turn.userId} ${turn.surface} ${turn.startId}`;
    const started = start === undefined ? undefined : this.turns.get(this.#starts.get(start) ?? "");
    if (started !== undefined) return { status: "started", turn: started.turn } as const;
    const conversation = `${turn.userId} ${turn.conversationId}`;
    const before = this.turns.get(this.#conversations.get(conversation) ?? "");
    const isOpen = before !== undefined && !before.isEnded;
    if (isOpen && !replace) return { status: "busy", turn: before.turn } as const;
    const stored = isOpen ? { ...turn, replaced: before.turn.turnId } : turn;
    this.turns.set(turn.turnId, {
      turn: copyOf(stored),
      fence: 0,
      length: 0,
      isEnded: false,
      entries: [],
      lastMark: undefined,
    });
    this.#conversations.set(conversation, turn.turnId);
    if (start !== undefined) this.#starts.set(start, turn.turnId);
    if (first !== undefined)
      this.runs.set(turn.turnId, { ...first, run: 0, deaths: 0, working: true, stopReason: undefined });
    return { status: "opened", before: isOpen ? before.turn : undefined } as const;
  }

  lastTurn(conversationId: string, userId: string): string | undefined {
    return this.#conversations.get(`${userId} ${conversationId}`);
  }

  /** `undefined`: a later run of the turn has begun. */
  lease(turnId: string, run: number | undefined): { fence: number; ended: boolean } | undefined {
    const turn = this.turns.get(turnId);
    if (turn === undefined) return { fence: 0, ended: true };
    if ((this.runs.get(turnId)?.run ?? 0) > (run ?? Infinity)) return undefined;
    turn.fence += 1;
    this.notify("lease", turnId);
    return { fence: turn.fence, ended: turn.isEnded };
  }

  /** Returns `false` if the lease is lost. Does nothing if the turn has ended. */
  append(turnId: string, chunk: StreamChunk, fence: number, mark: LogMark): boolean {
    const turn = this.turns.get(turnId);
    if (turn === undefined || turn.isEnded) return true;
    if (turn.fence !== fence) return false;
    if (isKnown(turn, mark)) return true;
    turn.lastMark = mark;
    turn.entries.push({ seq: turn.length, at: this.#world.now, chunk: copyOf(chunk) });
    turn.length += 1;
    this.notify("log", turnId);
    return true;
  }

  discard(turnId: string, from: number, fence: number, mark: LogMark): boolean {
    const turn = this.turns.get(turnId);
    if (turn === undefined || turn.isEnded) return true;
    if (turn.fence !== fence) return false;
    if (isKnown(turn, mark)) return true;
    const left = turn.entries.filter(({ seq, chunk }) => seq < from || !isDiscardable(chunk));
    turn.entries.splice(0, turn.entries.length, ...left);
    return this.append(turnId, discardChunk(from), fence, mark);
  }

  page(turnId: string, after: number): { entries: readonly TurnStreamEntry[]; isEnded: boolean } | undefined {
    const turn = this.turns.get(turnId);
    return turn && { entries: turn.entries.filter(({ seq }) => seq > after), isEnded: turn.isEnded };
  }

  /** Returns `false` if the lease is lost. */
  close(turnId: string, fence: number): boolean {
    const turn = this.turns.get(turnId);
    if (turn === undefined || turn.isEnded) return true;
    if (turn.fence !== fence) return false;
    turn.isEnded = true;
    this.notify("log", turnId);
    return true;
  }

  // Claims.

  /** The first run of a turn. `undefined`: another process runs it. */
  begin(turnId: string, { name, input, process, version }: First): Run | undefined {
    const known = this.runs.get(turnId);
    const isMine = known?.process === process && known.run <= 1;
    if (known !== undefined && known.process !== NOBODY && !isMine) return undefined;
    const { deaths = 0, stopReason } = known ?? {};
    const run = { name, input, process, version, run: 1, deaths, working: true, stopReason };
    this.runs.set(turnId, run);
    return { ...run };
  }

  /** A stopped turn is also taken from a process that looks dead. */
  claim(turnId: string, process: SimulatedProcess, stopReason: string | undefined): Run | undefined {
    const run = this.runs.get(turnId);
    if (run === undefined) return undefined;
    const isFree =
      (run.process === FREE || run.process === PARKED) && run.deaths === 0 && this.#isOurs(run, process);
    const isLost = run.process !== NOBODY && run.process !== process.key && !this.isAlive(run.process);
    if (!(stopReason === undefined ? isFree : isLost)) return undefined;
    return this.#take(turnId, run, process, stopReason);
  }

  /** Claims turns that may be claimed, or that belong to one of `dead`. Suspect turns are left out. */
  claimLost(process: SimulatedProcess, dead: ReadonlySet<string>): readonly { turnId: string; run: Run }[] {
    const isOpen = (turnId: string) => this.#openOf(turnId) > 0;
    return [...this.runs]
      .filter(([, run]) => (run.process === FREE || dead.has(run.process)) && this.#deathsOf(run) === 0)
      .filter(([, run]) => this.#isOurs(run, process))
      .toSorted(([one], [other]) => Number(isOpen(one)) - Number(isOpen(other)))
      .map(([turnId, run]) => ({ turnId, run: this.#take(turnId, run, process) }));
  }

  claimSuspect(
    process: SimulatedProcess,
    dead: ReadonlySet<string>,
  ): { turnId: string; run: Run } | undefined {
    const [suspect] = [...this.runs]
      .filter(([, run]) => (run.process === FREE || dead.has(run.process)) && this.#deathsOf(run) > 0)
      .filter(([, run]) => this.#isOurs(run, process))
      .toSorted(([, one], [, other]) => this.#deathsOf(one) - this.#deathsOf(other));
    return suspect && { turnId: suspect[0], run: this.#take(suspect[0], suspect[1], process) };
  }

  /** Claims a turn of a process that has looked dead before, unless it is suspect or the process still has connections. */
  claimOfDead(turnId: string, process: SimulatedProcess, dead: string): Run | undefined {
    const run = this.runs.get(turnId);
    if (run?.process !== dead || this.isAlive(dead) || !this.isAlive(process.key)) return undefined;
    if (this.#isConnected(dead)) return undefined;
    if (this.#deathsOf(run) > 0 || !this.#isOurs(run, process)) return undefined;
    return this.#take(turnId, run, process);
  }

  /** Whether the server has connections of the process, with or without its lock. */
  #isConnected(key: string): boolean {
    return this.processes.some((one) => one.key === key && !one.isCut);
  }

  /** The process of the turn, if it looks dead. */
  deadProcessOf(turnId: string, here: string): string | undefined {
    const process = this.runs.get(turnId)?.process;
    if (process === undefined || MARKS.has(process) || process === here) return undefined;
    return this.isAlive(process) ? undefined : process;
  }

  /** Notes that a turn which has waited works again, unless it has asked again before that arrives. */
  work(
    turnId: string,
    { process, run, waits }: { process: string; run: number; waits: number },
  ): Run | undefined {
    const row = this.runs.get(turnId);
    if (row?.process === process && row.run === run && this.#openOf(turnId) <= waits) row.working = true;
    return row && { ...row };
  }

  /** Notes that a turn has recorded something. */
  clear(turnId: string, { process, run }: { process: string; run: number }): void {
    const row = this.runs.get(turnId);
    if (row?.process === process && row.run === run) row.deaths = 0;
  }

  /** Notes that turns wait. */
  note(process: string, turns: readonly { turnId: string; run: number; waits: number }[]): readonly string[] {
    const noted = turns.filter(({ turnId, run, waits }) => {
      const row = this.runs.get(turnId);
      return row?.process === process && row.run === run && this.#openOf(turnId) >= waits;
    });
    for (const { turnId } of noted) {
      const row = this.runs.get(turnId);
      if (row !== undefined) Object.assign(row, { deaths: 0, working: false });
    }
    return noted.map(({ turnId }) => turnId);
  }

  #deathsOf({ process, run, working, deaths }: Run): number {
    return deaths + (!MARKS.has(process) && run > 0 && working ? 1 : 0);
  }

  #take(turnId: string, run: Run, process: SimulatedProcess, stopReason?: string): Run {
    const firstLost = this.#firstLost.get(run.process) ?? this.#world.now;
    if (!MARKS.has(run.process) && stopReason === undefined)
      this.onTakeOver(turnId, this.#world.now - firstLost, this.#isConnected(run.process));
    const isBlamed = this.#deathsOf(run) > run.deaths && stopReason === undefined;
    if (isBlamed && this.#askedIn.get(turnId) === run.run && this.#openOf(turnId) > 0) this.onBlamed(turnId);
    if (run.version !== process.version && stopReason === undefined)
      this.onOtherVersion(turnId, this.#peersOf(run.version));
    run.deaths = this.#deathsOf(run);
    run.working = true;
    run.process = process.key;
    run.version = process.version;
    run.run += 1;
    run.stopReason = stopReason ?? run.stopReason;
    return { ...run };
  }

  /** Other processes that have turns and look dead. */
  suspects(process: string): readonly string[] {
    const others = new Set([...this.runs.values()].map((run) => run.process));
    return [...others].filter((one) => !MARKS.has(one) && one !== process && !this.isAlive(one));
  }

  freeDue(): void {
    for (const [turnId, run] of this.runs) {
      const due = [...this.records.values()].some(
        (record) => record.turnId === turnId && this.#isDue(record),
      );
      if (run.process === PARKED && due) run.process = FREE;
    }
  }

  /** Parks a turn, if these requests are open. */
  park(
    turnId: string,
    { process, run, waits }: { process: string; run: number; waits: readonly string[] },
  ): boolean {
    const row = this.runs.get(turnId);
    if (row?.process !== process || row.run !== run || row.stopReason !== undefined) return false;
    if (!this.#areOpen(waits)) return false;
    row.process = PARKED;
    row.deaths = 0;
    return true;
  }

  /** Frees a turn that was parked although one of its requests had ended. */
  freeParked(turnId: string, { run, waits }: { run: number; waits: readonly string[] }): boolean {
    const row = this.runs.get(turnId);
    if (row === undefined || row.run !== run || this.#areOpen(waits)) return false;
    if (row.process !== PARKED && row.process !== FREE) return false;
    row.process = FREE;
    return true;
  }

  /** Frees the turns of a process, or one run of one turn. */
  free(process: string, only?: { turnId: string; run?: number }): void {
    for (const [turnId, row] of this.runs) {
      const isMeant = only === undefined || (only.turnId === turnId && (only.run ?? row.run) === row.run);
      if (row.process === process && isMeant) row.process = FREE;
    }
  }

  end(turnId: string, { process, run }: { process: string; run: number }): void {
    const row = this.runs.get(turnId);
    if (row?.process !== process || row.run !== run) return;
    this.runs.delete(turnId);
    this.#steps.delete(turnId);
  }

  readRun(turnId: string): Run | undefined {
    const row = this.runs.get(turnId);
    return row && { ...row };
  }

  /** Marks a turn of this process as stopped. Returns `false` if another process has it. */
  stopMine(
    turnId: string,
    { process, run, reason }: { process: string; run: number; reason: string },
  ): boolean {
    const row = this.runs.get(turnId);
    if (row === undefined) return true;
    if (row.process !== process || row.run !== run) return false;
    row.stopReason = reason;
    return true;
  }

  /** Stops a turn that a living process runs. The calling process lives, although it may have lost its lock. */
  stopOther(turnId: string, process: string, reason: string): boolean {
    const row = this.runs.get(turnId);
    if (row === undefined || MARKS.has(row.process)) return false;
    if (row.process !== process && !this.isAlive(row.process)) return false;
    row.stopReason = reason;
    this.notify("stop", turnId);
    return true;
  }

  /** Marks a turn without a process as stopped, so that none runs it. */
  stopNobodys(turnId: string, process: string, reason: string): boolean {
    const row = this.runs.get(turnId);
    if (row !== undefined && (row.process === process || this.isAlive(row.process))) return false;
    this.runs.set(turnId, {
      ...(row ?? { name: "", input: "", version: 0, run: 1, deaths: 0, working: true }),
      process: NOBODY,
      stopReason: reason,
    });
    return true;
  }

  #openOf(turnId: string): number {
    return [...this.records.values()].filter(
      (record) => record.turnId === turnId && outcomeOf(record) === undefined && !this.#isDue(record),
    ).length;
  }

  #areOpen(ids: readonly string[]): boolean {
    return ids.every((id) => {
      const record = this.records.get(id);
      return record !== undefined && outcomeOf(record) === undefined && !this.#isDue(record);
    });
  }

  #isDue(record: ElicitationRecord): boolean {
    return outcomeOf(record) === undefined && record.expiresAt <= this.#world.now;
  }

  // Recorded steps of turns.

  /** Returns `false` if the turn no longer belongs to this run. Calls `onRecorded` if the step is new. */
  recordStep(
    turnId: string,
    { process, run, place }: { process: string; run: number; place: number },
    step: RecordedStep,
    onRecorded: () => void,
  ): boolean {
    const row = this.runs.get(turnId);
    if (row?.process !== process || row.run !== run) return false;
    const steps = this.#steps.get(turnId) ?? [];
    if (steps.some((one) => one.run === run && one.place === place)) return true;
    this.#steps.set(turnId, [...steps, { run, place, step }]);
    onRecorded();
    return true;
  }

  /** The steps of the runs before this one. */
  stepsOf(turnId: string, before: number): readonly StoredStep[] {
    return (this.#steps.get(turnId) ?? [])
      .filter(({ run }) => run < before)
      .toSorted((one, other) => one.run - other.run || one.place - other.place);
  }
}

/** Whether a write arrives again, or late. */
function isKnown({ lastMark }: StoredTurn, { origin, count }: LogMark): boolean {
  return lastMark?.origin === origin && count <= lastMark.count;
}

/** The copy of a value in a table: plain data that is not changed afterwards. */
function copyOf<Value>(value: Value): Value {
  return JSON.parse(JSON.stringify(value));
}
