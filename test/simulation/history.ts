import { originalOf } from "../../src/base/foreign-error.ts";
import { useDeterministicCrypto } from "./deterministic-crypto.ts";
import { Cluster } from "./cluster.ts";
import { planFaults } from "./faults.ts";
import { checkEnd, isOver } from "./history-end.ts";
import type { Pace } from "./process.ts";
import { type Call, type Program, drawProgram, updateProgram } from "./programs.ts";
import { Random } from "./random.ts";
import { Reference, type Violation } from "./reference.ts";
import { Users } from "./users.ts";
import { World } from "./world.ts";

/** A turn that has not ended after this much time without faults never will. */
const PATIENCE_MS = 300_000;
/** Time for late faults after all turns have ended. */
const AFTERMATH_MS = 1000;

export interface History {
  readonly seed: number;
  readonly violations: readonly string[];
  readonly turns: number;
  /** The events as text. Only with `isTold`. */
  readonly story: readonly string[];
}

/** Runs the history of a seed. The same seed gives the same history. */
export async function runHistory(
  seed: number,
  { isTold = false }: { isTold?: boolean } = {},
): Promise<History> {
  const random = new Random(seed);
  const restore = useDeterministicCrypto(random);
  try {
    return await simulate(seed, random, isTold);
  } finally {
    restore();
  }
}

async function simulate(seed: number, random: Random, isTold: boolean): Promise<History> {
  const world = new World(random);
  const begun = world.now;
  const story: string[] = [];
  const tell = (words: string) => {
    if (isTold) story.push(`${((world.now - begun) / 1000).toFixed(3)} s  ${words}`);
  };
  const violations: Violation[] = [];
  const reference = new Reference((violation) => {
    tell(`VIOLATION ${violation.message}`);
    violations.push(violation);
  });
  const programs = new Map<string, readonly [Program, Program]>();
  function programOf(conversationId: string, version: number): Program {
    const known = programs.get(conversationId);
    if (known === undefined) throw new Error(`there is no conversation ${conversationId}`);
    return version === 1 ? known[0] : known[1];
  }
  const cluster = new Cluster({
    world,
    pace: drawPace(random),
    parkAfterMs: random.pick([5, 30, 500, 3000, false]),
    reference,
    programOf,
    onError: (error) => tell(`error: ${String(originalOf(error))}`),
    onStatement: isTold ? tell : undefined,
  });
  cluster.database.onTakeOver = (...taken) => reference.takenOver(...taken);
  cluster.database.onBlamed = (turnId) => {
    const { conversationId = "" } = cluster.database.turns.get(turnId)?.turn ?? {};
    const rounds = (programs.get(conversationId) ?? []).flatMap((program) => program.rounds);
    // Of two things at once, one may have worked, or the user may have answered one of two questions.
    const isOneAtOnce = ({ lanes, isLater }: Call) =>
      isLater !== true && lanes.length === 1 && lanes.flat().every(({ kind }) => kind !== "round");
    if (rounds.every((calls) => calls.length <= 1 && calls.every(isOneAtOnce))) reference.blamed(turnId);
  };
  cluster.database.onOtherVersion = (turnId, peers) => reference.otherVersion(turnId, peers);
  const users = new Users(world, cluster, reference);
  for (let count = random.chance(0.3) ? 3 : 2; count > 0; count -= 1) cluster.start();
  for (let count = random.chance(0.3) ? 2 : 1; count > 0; count -= 1) {
    const conversationId = `conversation ${count}`;
    const program = drawProgram(random);
    programs.set(conversationId, [program, updateProgram(program, random)]);
    tell(`${conversationId}: ${JSON.stringify(program)}`);
    void users.converse(conversationId, random.chance(0.2) ? 2 : 1);
  }
  const faultsMs = planFaults(world, cluster, (fault, { process }) => tell(`${fault} ${process.key}`));
  const isDone = () => violations.length > 0 || (users.haveSent && isOver(cluster.database));
  await world.run(isDone, faultsMs + PATIENCE_MS);
  await world.run(() => violations.length > 0, AFTERMATH_MS);
  for (const [turnId, { turn }] of cluster.database.turns) {
    const [before, after] = programs.get(turn.conversationId) ?? [];
    const versions = new Set(reference.turn(turnId).ranIn.map(({ version }) => version));
    const isUpdated = versions.size > 1 && JSON.stringify(before) !== JSON.stringify(after);
    if (before?.isDeadly === true || isUpdated) reference.turn(turnId).isSpared = true;
  }
  if (violations.length === 0) violations.push(...checkEnd(reference, cluster.database));
  if (isTold) {
    for (const [turnId, { entries }] of cluster.database.turns)
      tell(`log of ${turnId}: ${JSON.stringify(entries.map(({ chunk }) => chunk))}`);
  }
  return {
    seed,
    violations: violations.map(({ message }) => message),
    turns: cluster.database.turns.size,
    story,
  };
}

function drawPace(random: Random): Pace {
  return {
    usualMs: random.pick([0.2, 1, 5, 20]),
    slow: random.pick([0, 0.01, 0.1, 0.3]),
    slowMs: random.pick([20, 200, 2000]),
    twice: random.pick([0, 0.1]),
    late: random.pick([0, 0, 0.003, 0.02]),
  };
}
