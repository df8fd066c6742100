import type { ClaimedTurn, RunClaims } from "../../extras/durable/engine.ts";
import { sleep } from "../../src/base/deadlines.ts";
import type { BeginningWait } from "../../extras/postgres/database/keys.ts";
import type { Run, SimulatedDatabase } from "./database.ts";
import { GRACE_MS, type SimulatedProcess } from "./process.ts";

/** When this process has just connected anew, others may not have done so yet. */
const YOUNG_MS = 10_000;

interface Running {
  readonly run: number;
  deaths: number;
  waits: number;
  isNoted: boolean;
  mayBeNoted: boolean;
  readonly stop: AbortController;
  readonly letGo: AbortController;
}

/** Claims of turns on the simulated database, with the same statements as on PostgreSQL. */
export function simulatedClaims(
  database: SimulatedDatabase,
  process: SimulatedProcess,
  onError: (error: unknown) => void,
): RunClaims & { asks: (turnId: string) => BeginningWait | undefined } {
  const here = process.key;
  const bodies = new Map<string, (input: string, turn: Omit<ClaimedTurn, "input">) => Promise<void>>();
  const running = new Map<string, Running>();
  const parking = new Map<string, Promise<void>>();
  let isReleased = false;
  let suspects: ReadonlySet<string> = new Set();
  let dead: ReadonlySet<string> = new Set();
  let isClaiming = false;
  let noting: Promise<unknown> = Promise.resolve();
  let reconnectedAt = Number.NEGATIVE_INFINITY;
  let orphans: ReadonlySet<string> = new Set();

  function letGo(turnId: string, mine: Running): void {
    if (running.get(turnId) === mine) running.delete(turnId);
    mine.letGo.abort();
  }

  async function runOne(turnId: string, row: Run): Promise<void> {
    const { run, deaths, stopReason } = row;
    const mine: Running = {
      run,
      deaths,
      waits: 0,
      isNoted: false,
      mayBeNoted: false,
      stop: new AbortController(),
      letGo: new AbortController(),
    };
    if (stopReason !== undefined) mine.stop.abort(new DOMException(stopReason, "AbortError"));
    running.get(turnId)?.letGo.abort();
    running.set(turnId, mine);
    const unwatch = process.on("stop", turnId, () => void look([turnId]).catch(onError));
    try {
      const signals = { stop: mine.stop.signal, letGo: mine.letGo.signal };
      await bodies.get(row.name)?.(row.input, { turnId, run, deaths, signals });
      if (mine.letGo.signal.aborted) return;
      await process.call(() => database.end(turnId, { process: here, run })).catch(onError);
    } catch (error) {
      if (await isMine(turnId, mine)) throw error;
    } finally {
      unwatch();
      if (running.get(turnId) === mine) running.delete(turnId);
      clear(mine);
    }
  }

  function runAgain(turnId: string, row: Run): Promise<void> {
    return runOne(turnId, row).catch(async (error: unknown) => {
      onError(error);
      await process.call(() => database.free(here, { turnId, run: row.run })).catch(onError);
    });
  }

  /** Finds out which turns of this process were stopped, or claimed by others. */
  async function look(
    turnIds: readonly string[],
    read: () => Promise<readonly (Run | undefined)[]> = () =>
      process.call(() => turnIds.map((turnId) => database.readRun(turnId))),
  ): Promise<void> {
    await Promise.allSettled(turnIds.map(async (turnId) => parking.get(turnId)));
    const before = turnIds.map((turnId) => [turnId, running.get(turnId)] as const);
    const rows = await read();
    for (const [index, [turnId, mine]] of before.entries()) {
      if (mine === undefined || running.get(turnId) !== mine) continue;
      const row = rows[index];
      if (row?.process !== here || row.run !== mine.run) letGo(turnId, mine);
      else if (row.stopReason !== undefined) mine.stop.abort(new DOMException(row.stopReason, "AbortError"));
    }
  }

  async function isMine(turnId: string, mine: Running): Promise<boolean> {
    if (running.get(turnId) !== mine) return false;
    await look([turnId], mine.mayBeNoted ? () => works(turnId, mine) : undefined);
    return running.get(turnId) === mine;
  }

  async function claimAndRun(turnId: string, stopReason?: string): Promise<boolean> {
    const { claimed, of } = await process.call(() => ({
      claimed: database.claim(turnId, process, stopReason),
      of: stopReason === undefined ? database.deadProcessOf(turnId, here) : undefined,
    }));
    if (of !== undefined) void claimOfDead(turnId, of).catch(onError);
    if (claimed === undefined) return false;
    void runAgain(turnId, claimed);
    return true;
  }

  async function claimOfDead(turnId: string, of: string): Promise<void> {
    await sleep(process.clock, GRACE_MS);
    if (isReleased || process.clock.now() - reconnectedAt < YOUNG_MS) return;
    const claimed = await process.call(() => database.claimOfDead(turnId, process, of));
    if (claimed !== undefined) void runAgain(turnId, claimed);
  }

  /** Writes the stop before the turn withdraws its requests. */
  async function stopMine(turnId: string, mine: Running, reason: string): Promise<boolean> {
    const stopped = { process: here, run: mine.run, reason };
    let hasTurn = true;
    try {
      hasTurn = await process.call(() => database.stopMine(turnId, stopped));
      return hasTurn;
    } finally {
      if (hasTurn) mine.stop.abort(new DOMException(reason, "AbortError"));
    }
  }

  async function parkOne(
    { turnId, run }: Pick<ClaimedTurn, "turnId" | "run">,
    waits: readonly string[],
  ): Promise<void> {
    const mine = running.get(turnId);
    if (mine?.run !== run || mine.stop.signal.aborted) return;
    if (!(await process.call(() => database.park(turnId, { process: here, run, waits })))) return;
    letGo(turnId, mine);
    const isFree = await process.call(() => database.freeParked(turnId, { run, waits }));
    if (isFree && !isReleased) await claimAndRun(turnId);
  }

  /** Claims turns that no process runs. A process that looks dead is checked twice. */
  async function claimLost(): Promise<void> {
    if (bodies.size === 0 || isReleased) return;
    const found = await process.call(() => database.suspects(here));
    dead = new Set(found.filter((one) => suspects.has(one)));
    suspects = new Set(found);
    const claimed = await process.call(() => {
      database.freeDue();
      return database.claimLost(process, dead);
    });
    for (const { turnId, run } of claimed) void runAgain(turnId, run);
    await claimSuspect();
  }

  /** Claims the next suspect turn, unless one already works here. */
  async function claimSuspect(): Promise<void> {
    const isBusy = isClaiming || [...running.values()].some((one) => one.deaths > 0 && one.waits === 0);
    if (isBusy || isReleased) return;
    isClaiming = true;
    const claimed = await process
      .call(() => database.claimSuspect(process, dead))
      .finally(() => {
        isClaiming = false;
      });
    if (claimed !== undefined) void runAgain(claimed.turnId, claimed.run);
  }

  function clear(mine: Running): void {
    const wasSuspect = mine.deaths > 0;
    mine.deaths = 0;
    if (wasSuspect) void claimSuspect().catch(onError);
  }

  /** Notes that a turn works again, before it continues with an answer. */
  async function works(turnId: string, mine: Running): Promise<readonly (Run | undefined)[]> {
    await noting.catch(() => {});
    mine.isNoted = false;
    const { run, waits } = mine;
    const row = await process.call(() => database.work(turnId, { process: here, run, waits }));
    mine.mayBeNoted = mine.isNoted;
    return [row];
  }

  async function noteWaits(): Promise<void> {
    const waiting = [...running].filter(([, one]) => one.waits > 0 && !one.isNoted);
    if (waiting.length === 0) return;
    const turns = waiting.map(([turnId, { run, waits }]) => ({ turnId, run, waits }));
    for (const [, mine] of waiting) Object.assign(mine, { isNoted: true, mayBeNoted: true });
    const sent = process.call(() => database.note(here, turns));
    noting = sent;
    const noted = await sent.catch((error: unknown) => {
      for (const [, mine] of waiting) mine.isNoted = false;
      throw error;
    });
    for (const [turnId, mine] of waiting) {
      if (noted.includes(turnId)) clear(mine);
      else mine.isNoted = false;
    }
  }

  /** Frees turns that this process has claimed without knowing it, because the reply to the claim was lost. */
  async function freeOrphans(): Promise<void> {
    const mine = await process.call(() =>
      [...database.runs].filter(([, row]) => row.process === here).map(([turnId]) => turnId),
    );
    const found = mine.filter((turnId) => !running.has(turnId) && !process.planned.has(turnId));
    const known = found.filter((turnId) => orphans.has(turnId));
    orphans = new Set(found);
    if (known.length === 0) return;
    await process.call(() => {
      for (const turnId of known) database.free(here, { turnId });
    });
  }

  process.onReconnect(() => {
    reconnectedAt = process.clock.now();
    suspects = new Set();
    dead = new Set();
  });
  process.onSweep(() => look([...running.keys()]));
  process.onSweep(claimLost);
  process.onSweep(freeOrphans);
  process.onSweep(noteWaits);

  return {
    register(name, run) {
      bodies.set(name, (input, turn) => run({ ...turn, input: JSON.parse(input) }));
      return async (turnId, input) => {
        const first = { name, input: JSON.stringify(input), process: here, version: process.version };
        const isPlanned = process.planned.has(turnId);
        try {
          const row = await process.call(() => database.begin(turnId, first));
          if (row === undefined && process.planned.has(turnId)) return;
          if (row === undefined) throw new Error("another process already runs this turn");
          const end = runAgain(turnId, row);
          process.planned.delete(turnId);
          await end;
        } catch (error) {
          if (!isPlanned) throw error;
          onError(error);
        } finally {
          process.planned.delete(turnId);
        }
      };
    },
    asks(turnId) {
      const mine = running.get(turnId);
      if (mine === undefined || mine.waits === 0) return undefined;
      mine.mayBeNoted = true;
      return {
        process: here,
        run: mine.run,
        waits: mine.waits,
        noted() {
          mine.isNoted = true;
          clear(mine);
        },
      };
    },
    async stop(turnId, reason) {
      await parking.get(turnId);
      const mine = running.get(turnId);
      if (mine !== undefined) {
        if (await stopMine(turnId, mine, reason)) return true;
        letGo(turnId, mine);
      }
      for (;;) {
        if (await process.call(() => database.stopOther(turnId, here, reason))) return true;
        if (await claimAndRun(turnId, reason)) return true;
        if (await process.call(() => database.stopNobodys(turnId, here, reason))) return false;
      }
    },
    async wake(turnId) {
      if (running.has(turnId)) return true;
      return isReleased ? false : claimAndRun(turnId);
    },
    async check({ turnId, run }) {
      const mine = running.get(turnId);
      return mine?.run === run && (await isMine(turnId, mine));
    },
    async park(turn, waits) {
      const parked = parkOne(turn, waits);
      parking.set(turn.turnId, parked);
      await parked.finally(() => parking.delete(turn.turnId));
    },
    note({ turnId, run }, what) {
      const mine = running.get(turnId);
      if (mine?.run !== run) return;
      if (what === "recorded") {
        if (mine.deaths === 0) return;
        clear(mine);
        process.call(() => database.clear(turnId, { process: here, run })).catch(onError);
        return;
      }
      mine.waits = what.waits;
    },
    leave({ turnId, run }) {
      const mine = running.get(turnId);
      if (mine?.run !== run) return;
      letGo(turnId, mine);
      process.call(() => database.free(here, { turnId, run })).catch(() => {});
    },
    async release() {
      isReleased = true;
      const mine = [...running];
      await process.call(() => database.free(here));
      for (const [turnId, one] of mine) letGo(turnId, one);
      await process.call(() => database.leaveVersion(here));
    },
  };
}
