/** A fault that is put into the code, to check whether the simulation finds it. */
export interface Mutant {
  readonly name: string;
  /** The path from the root of the checkout. */
  readonly file: string;
  readonly find: string;
  readonly put: string;
}

export const MUTANTS: readonly Mutant[] = [
  {
    name: "steps and questions are identified by the order in which they begin",
    file: "extras/durable/call-keys.ts",
    find: "JSON.stringify([kind, identity, number])",
    put: "JSON.stringify([kind, (this.begun = (this.begun ?? 0) + 1), number])",
  },
  {
    name: "a record does not reset the count of deaths",
    file: "extras/durable/recorded-runner.ts",
    find: "Math.min(turn.deaths, number - recorded)",
    put: "turn.deaths",
  },
  {
    name: "a turn withdraws its questions before its stop is written",
    file: "test/simulation/claims.ts",
    find: "hasTurn = await process.call(() => database.stopMine(turnId, stopped));",
    put: 'mine.stop.abort(new DOMException(reason, "AbortError"));\n      hasTurn = await process.call(() => database.stopMine(turnId, stopped));',
  },
  {
    name: "the row of the first run is not written with the turn",
    file: "test/simulation/database.ts",
    find: "if (first !== undefined)\n      this.runs.set",
    put: "if (first === null)\n      this.runs.set",
  },
  {
    name: "a process that looks dead once is taken for dead",
    file: "test/simulation/claims.ts",
    find: "found.filter((one) => suspects.has(one))",
    put: "found",
  },
  {
    name: "a process claims turns of another version that is still there",
    file: "test/simulation/database.ts",
    find: "return run.version === version || this.#peersOf(run.version) === 0;",
    put: "return run.version === version || this.#peersOf(run.version) < Infinity;",
  },
  {
    name: "any process may write the log of a turn",
    file: "test/simulation/database.ts",
    find: "if (turn.fence !== fence) return false;\n    if (isKnown(turn, mark)) return true;\n    turn.lastMark",
    put: "if (isKnown(turn, mark)) return true;\n    turn.lastMark",
  },
  {
    name: "a run that was taken over still records",
    file: "test/simulation/database.ts",
    find: "if (row?.process !== process || row.run !== run) return false;\n    const steps",
    put: "const steps",
  },
  {
    name: "the end of a request does not free its parked turn",
    file: "test/simulation/database.ts",
    find: "if (outcomeOf(next) !== undefined && run?.process === PARKED) run.process = FREE;",
    put: "void run;",
  },
  {
    name: "a turn is parked without a look at its requests",
    file: "test/simulation/database.ts",
    find: "if (!this.#areOpen(waits)) return false;\n",
    put: "void waits;\n",
  },
  {
    name: "records change without a compare",
    file: "test/simulation/database.ts",
    find: "if (this.records.get(elicitationId)?.revision !== next.revision - 1) return false;",
    put: "",
  },
  {
    name: "an answer is taken without a look at its time limit",
    file: "src/runtime/request/record-writer.ts",
    find: "clock.now() >= expiresAt",
    put: "clock.now() >= Infinity",
  },
  {
    name: "an answer is taken without a look at its user",
    file: "src/runtime/request/elicitation-service.ts",
    find: "const isAsker = record.user.id === userId;\n      const isFor = await assignments.isFor(record, userId);",
    put: "const isAsker = true;\n      const isFor = true;",
  },
  {
    name: "recorded steps are not looked up",
    file: "extras/durable/call-scope.ts",
    find: "const known = this.run.known(recordKey, name);",
    put: "const known = undefined;",
  },
  {
    name: "equal progress is dropped",
    file: "extras/durable/replay-filter.ts",
    find: "if (isPreliminary(chunk)) return",
    put: 'if (chunk.type === "never") return',
  },
  {
    name: "words of a model call that was cut off stay",
    file: "extras/durable/replay-filter.ts",
    find: "const discardFrom = steps[modelStreams]?.seq;",
    put: "const discardFrom = steps[modelStreams + 1e9]?.seq;",
  },
  {
    name: "an error of a store while a turn asks or writes ends the turn",
    file: "extras/durable/recorded-runner.ts",
    find: "if (!isStoreAway(error)) throw error;",
    put: "if (error !== undefined) throw error;",
  },
  {
    name: "an error of the engine is final",
    file: "extras/durable/turn-run.ts",
    find: "if (!isStoreAway(error)) {\n          this.#options.onFailed",
    put: "if (error !== undefined) {\n          this.#options.onFailed",
  },
  {
    name: "the work of a step is repeated when its record is tried again",
    file: "extras/durable/turn-run.ts",
    find: "(done ??= this.#outcome(work, details.name))",
    put: "(done = this.#outcome(work, details.name))",
  },
  {
    name: "a first run that fails ends the turn",
    file: "test/simulation/claims.ts",
    find: "if (!isPlanned) throw error;",
    put: "throw error;",
  },
  {
    name: "a log that cannot be closed stays open",
    file: "src/runtime/turn/turn-registry.ts",
    find: "await stream.close(id, lease);\n      forget(handle);",
    put: "await stream.close(id, lease).catch(onError);\n      letGo.throwIfAborted();\n      forget(handle);",
  },
  {
    name: "a turn is blamed for the death of a process in which it only waited",
    file: "test/simulation/database.ts",
    find: "wait !== undefined && this.note(",
    put: "wait === null && this.note(",
  },
  {
    name: "an answer takes a turn from a process that has only lost its lock",
    file: "test/simulation/database.ts",
    find: "if (this.#isConnected(dead)) return undefined;",
    put: "",
  },
  {
    name: "an answer takes a turn from a process that looks dead once",
    file: "test/simulation/claims.ts",
    find: "await sleep(process.clock, GRACE_MS);",
    put: "",
  },
  {
    name: "a write of the log that arrives late is made again",
    file: "test/simulation/database.ts",
    find: "lastMark?.origin === origin && count <= lastMark.count",
    put: "lastMark?.origin === origin && count === lastMark.count",
  },
  {
    name: "a message that arrives again starts a second turn",
    file: "test/simulation/database.ts",
    find: 'if (started !== undefined) return { status: "started", turn: started.turn } as const;',
    put: "",
  },
];
