import { threadId } from "node:worker_threads";
import {
  type RunnerTask,
  type RunnerTestCase,
  type RunnerTestFile,
  type RunnerTestSuite,
  TestRunner,
  type TestTryOptions,
} from "vitest";
import { LONGEST_TRY_MS, isInSample, killedIn, type LogLine, note as noteIn, triedIn, tryOf } from "./log.ts";

/** What the instrumented sources read and write (the instrumenter of StrykerJS). */
interface Switches {
  activeMutant?: string | undefined;
  currentTestId?: string | undefined;
  hitCount?: number | undefined;
  /** A mutant that runs more often than this throws, which ends a loop without an end. */
  hitLimit?: number | undefined;
  mutantCoverage?: { static: Record<string, number>; perTest: Record<string, Record<string, number>> };
}

/** A test that takes longer tries no mutants: there are hundreds, and what it tells is seldom told by it alone. */
const MOST_MS = 5_000;

const { setTimeout: later, clearTimeout: never } = globalThis;
const { MUTATION_DIR: DIR = "", MUTATION_ONE_IN: ONE_IN = "1" } = process.env;
/** Also those that other workers detected before this test file. */
const killed = new Set<string>();
/** When a worker hangs, all begin again, without these tries. */
const tried = triedIn(DIR);
const NAME = "__stryker__";
const holder: typeof globalThis & { [NAME]?: Switches } = globalThis;
const switches = (holder[NAME] ??= {});

/**
 * Runs each test once as it is, then once with each mutant that it reaches and that no test has detected yet. All in one
 * process, since a start of Vitest takes longer than most tests.
 */
export default class MutationRunner extends TestRunner {
  #queue: string[] = [];
  /** The mutant of this try. `undefined`: the test runs on the code as it is. */
  #mutant: string | undefined;
  #startedAt = 0;
  #hits: Record<string, number> = {};
  #limitMs = 0;

  override onCollectStart(file: RunnerTestFile): void {
    super.onCollectStart(file);
    for (const id of killedIn(DIR)) killed.add(id);
    note({ file: file.filepath });
  }

  onCollected(files: readonly RunnerTestFile[]): void {
    for (const { name, result } of files) if (result?.state === "fail") note({ unusable: name });
    note({ atLoad: Object.keys(switches.mutantCoverage?.static ?? {}) });
  }

  override async onAfterRunSuite(suite: RunnerTestSuite): Promise<void> {
    await super.onAfterRunSuite(suite);
    if ("filepath" in suite) note({ done: suite.file.filepath });
  }

  override async onBeforeRunTask(test: RunnerTask): Promise<void> {
    await super.onBeforeRunTask(test);
    // The tries end with `skip`.
    if (test.type === "test") test.repeats = Number.MAX_SAFE_INTEGER;
  }

  override onBeforeTryTask(test: RunnerTask, options: TestTryOptions): void {
    super.onBeforeTryTask(test, options);
    if (options.repeats === 0) {
      this.#queue = [];
      this.#mutant = undefined;
      switches.currentTestId = test.id;
    }
    // Vitest would wait for what the last try has left.
    if (test.type === "test") test.promises = [];
    this.#startedAt = performance.now();
    switches.activeMutant = this.#mutant;
    switches.hitCount = 0;
    switches.hitLimit = 100 * (this.#hits[this.#mutant ?? ""] ?? 0) + 1_000;
    if (this.#mutant !== undefined) note({ tried: this.#mutant, test: test.id, limitMs: this.#limitMs });
  }

  async runTask(test: RunnerTestCase): Promise<void> {
    const run = TestRunner.getTestFn(test);
    if (this.#limitMs === 0) return run();
    let timer: NodeJS.Timeout | undefined;
    const isOver = new Promise<never>((_, reject) => {
      timer = later(() => reject(new Error("no end")), this.#limitMs);
    });
    await Promise.race([run(), isOver]).finally(() => never(timer));
  }

  override async onAfterRetryTask(test: RunnerTestCase, options: TestTryOptions): Promise<void> {
    await super.onAfterRetryTask(test, options).catch(() => undefined);
    switches.activeMutant = undefined;
    switches.currentTestId = undefined;
    const hasFailed = (test.result?.state === "fail") !== (test.fails === true);
    if (test.result !== undefined) Object.assign(test.result, { errors: undefined, attempts: [] });
    const mutant = this.#mutant;
    if (mutant === undefined && hasFailed) {
      note({ unusable: `${test.file.name} > ${test.name}` });
      return this.#end(test);
    }
    if (options.repeats === 0) {
      const tookMs = performance.now() - this.#startedAt;
      this.#hits = switches.mutantCoverage?.perTest[test.id] ?? {};
      const reached = Object.keys(this.#hits).filter((id) => isInSample(id, ONE_IN));
      note({ reached });
      this.#queue = tookMs > MOST_MS ? [] : reached.filter((id) => !tried.has(tryOf(test.id, id)));
      this.#limitMs = Math.min(2_000 + 20 * tookMs, LONGEST_TRY_MS);
    }
    if (mutant !== undefined && hasFailed) {
      killed.add(mutant);
      note({ killed: mutant });
      // Whether the test still passes: what a mutant leaves behind must not be taken for the next one.
      this.#mutant = undefined;
      return;
    }
    const next = this.#queue.find((id) => !killed.has(id));
    if (next === undefined) return this.#end(test);
    this.#queue = this.#queue.slice(this.#queue.indexOf(next) + 1);
    this.#mutant = next;
  }

  #end(test: RunnerTestCase): void {
    this.#limitMs = 0;
    if (test.result !== undefined) test.result.state = "skip";
  }
}

function note(line: LogLine): void {
  noteIn(DIR, `${process.pid}-${threadId}`, line);
}
