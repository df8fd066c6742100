import { type Runtime, createRuntime } from "../../src/runtime/index.ts";
import type { Surface } from "../../src/runtime/internal.ts";
import { createRecordedRunner } from "../../extras/durable/recorded-runner.ts";
import { simulatedAgent } from "./agent.ts";
import { simulatedClaims } from "./claims.ts";
import { SimulatedDatabase } from "./database.ts";
import { simulatedRecords, simulatedStream, simulatedWaiter } from "./ports.ts";
import { type Pace, SimulatedProcess } from "./process.ts";
import type { Program } from "./programs.ts";
import type { Reference } from "./reference.ts";
import { simulatedSteps } from "./steps.ts";
import { told } from "./told.ts";
import type { World } from "./world.ts";

/** A process with the real runtime and the real replay of turns. */
export interface Member {
  readonly process: SimulatedProcess;
  readonly runtime: Runtime;
  readonly surface: Surface;
}

export interface ClusterOptions {
  readonly world: World;
  readonly pace: Pace;
  readonly parkAfterMs: number | false;
  readonly reference: Reference;
  /** The program of a conversation, in a version of the application. */
  readonly programOf: (conversationId: string, version: number) => Program;
  readonly onError: (error: unknown) => void;
  /** Called with each statement of the database. */
  readonly onStatement: ((words: string) => void) | undefined;
}

/** The server waits this long for a process that does not reply. */
const SILENT_MS = 5000;

/** The processes of one application on one database. */
export class Cluster {
  readonly database: SimulatedDatabase;
  #members: readonly Member[] = [];
  readonly #options: ClusterOptions;
  #started = 0;
  /** The version of the application that is started next. */
  version = 1;
  /** How many more times a process is killed soon after one of its turns has recorded something. */
  hunts = 0;

  constructor(options: ClusterOptions) {
    this.#options = options;
    const database = new SimulatedDatabase(options.world);
    const { onStatement } = options;
    this.database = onStatement === undefined ? database : told(database, onStatement);
  }

  /** The living processes. Some may be frozen or cut off. */
  get members(): readonly Member[] {
    return this.#members;
  }

  start(): Member {
    const { world, pace, parkAfterMs, reference, onError } = this.#options;
    const { database } = this;
    this.#started += 1;
    const process = new SimulatedProcess(world, {
      key: `process ${this.#started}`,
      version: this.version,
      pace,
    });
    const stream = simulatedStream(database, process);
    const { asks, ...claims } = simulatedClaims(database, process, onError);
    const runner = createRecordedRunner({
      claims,
      stream,
      store: simulatedSteps(database, process, (turnId, text) => {
        reference.recordedIn(turnId, text);
        if (this.hunts === 0) return;
        this.hunts -= 1;
        world.after(world.random.between(1, 2000), () => {
          if (!process.isDead) this.kill(member);
        });
      }),
      parkAfterMs,
      graceMs: 0,
      clock: process.clock,
      onError,
    });
    const runtime = createRuntime({
      ports: {
        records: simulatedRecords(database, process, asks),
        waiter: simulatedWaiter(database, process),
        stream,
        runner,
        clock: process.clock,
      },
      authenticate: () => undefined,
      allowedOrigins: [],
      answerKey: new Uint8Array(32),
      limits: { writesPerMinute: 1e9 },
      runTurn: simulatedAgent({
        process,
        programOf: (conversationId) => this.#options.programOf(conversationId, process.version),
        reference,
        random: world.random,
        die: () => this.kill(member),
      }),
      onTurnEnd: (turn) => void (reference.turn(turn.id).kept += 1),
      onError,
    });
    const member: Member = { process, runtime, surface: runtime.surface("simulated") };
    database.holdLock(process);
    this.#setMembers([...this.#members, member]);
    process.start();
    return member;
  }

  /** Kills a process. The server notices soon. */
  kill(member: Member): void {
    const { world } = this.#options;
    member.process.isDead = true;
    this.#setMembers(this.#members.filter((other) => other !== member));
    world.after(world.random.between(0, 50), () => this.database.freeLock(member.process.key));
    world.after(world.random.between(0, 3000), () => {
      if (this.#members.length < 2) this.start();
    });
  }

  /** Asks a process to end: it releases its turns, and then is gone. */
  retire(member: Member): void {
    const { world } = this.#options;
    this.start();
    const kill = () => this.kill(member);
    member.runtime.close().then(kill, kill);
    world.after(10_000, () => {
      if (!member.process.isDead) kill();
    });
  }

  /** The server loses the connection of a process for a short time. Its code keeps running. */
  cut(member: Member, { forMs, freesAfterMs }: { forMs: number; freesAfterMs: number }): void {
    const { world } = this.#options;
    const { process } = member;
    process.isCut = true;
    world.after(freesAfterMs, () => {
      if (process.isCut) this.database.freeLock(process.key);
    });
    world.after(forMs, () => {
      process.isCut = false;
      world.after(world.random.between(0, 300), () => this.#reconnect(process));
    });
  }

  /** Freezes a process, like a paused virtual machine. The server gives up the connections of one that is silent for long. */
  freeze(member: Member, forMs: number): void {
    const { world } = this.#options;
    member.process.freeze();
    world.after(forMs, () => member.process.thaw());
    if (forMs > SILENT_MS) world.after(SILENT_MS, () => this.loseLock(member, forMs - SILENT_MS));
  }

  /** Only the connection with the lock is lost. */
  loseLock(member: Member, forMs: number): void {
    this.database.freeLock(member.process.key);
    this.#options.world.after(forMs, () => this.#reconnect(member.process));
  }

  #reconnect(process: SimulatedProcess): void {
    if (process.isDead || process.isCut) return;
    this.database.holdLock(process);
    process.reconnected();
  }

  #setMembers(members: readonly Member[]): void {
    this.#members = members;
    this.database.processes = members.map(({ process }) => process);
  }
}
