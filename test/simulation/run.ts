/**
 * `node test/simulation/run.ts --count 100000`: runs random histories on all cores, and prints how many a second.
 * `--first 1`: the seed of the first one; the others follow. Without it, new seeds. `--seed 17`: runs one history again,
 * and prints its events. `--until-failed`: ends at the first history with a violation.
 */
import { availableParallelism } from "node:os";
import { parseArgs } from "node:util";
import { Worker, isMainThread, parentPort, workerData as given } from "node:worker_threads";
import { runHistory } from "./history.ts";

/** A worker reports after this many histories. */
const BATCH = 50;
/**
 * A worker is replaced after this many histories, because Node.js never frees the abort signals of simulated processes that
 * were killed: about 90 KB for each history.
 */
const SHARE = 5000;
const EVERY_MS = 30_000;
/** Enough failures to see what they have in common. */
const SHOWN = 20;

interface Work {
  readonly first: number;
  readonly count: number;
}

interface Done {
  readonly histories: number;
  readonly turns: number;
  readonly failures: readonly { readonly seed: number; readonly violation: string }[];
}

if (isMainThread) await main();
else await work(given);

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      count: { type: "string", default: "10000" },
      first: { type: "string", default: `${Date.now()}` },
      seed: { type: "string" },
      "until-failed": { type: "boolean", default: false },
    },
  });
  if (values.seed !== undefined) {
    const { story, violations } = await runHistory(Number(values.seed), { isTold: true });
    for (const line of story) console.log(line);
    console.log(violations.length === 0 ? "nothing is broken" : violations.join("\n"));
    process.exitCode = violations.length === 0 ? 0 : 1;
    return;
  }
  const [first, count] = [Number(values.first), Number(values.count)];
  console.log(`${count} histories from seed ${first}`);
  const failed = await runAll({ first, count, isOverAtFailure: values["until-failed"] });
  process.exitCode = failed === 0 ? 0 : 1;
}

/** Returns the number of failures. */
async function runAll(options: { first: number; count: number; isOverAtFailure: boolean }): Promise<number> {
  const { first, count, isOverAtFailure } = options;
  const begun = performance.now();
  let [histories, turns, failed] = [0, 0, 0];
  const report = () => {
    const rate = histories / ((performance.now() - begun) / 1000);
    console.log(
      `${histories} histories, ${turns} turns, ${failed} failed, ${rate.toFixed(0)} histories a second`,
    );
  };
  const timer = setInterval(report, EVERY_MS);
  let next = first;
  const end = first + count;
  /** Runs one worker after another, until every seed is used. */
  async function runThread(): Promise<void> {
    while (next < end) {
      const workerData: Work = { first: next, count: Math.min(share, end - next) };
      next += workerData.count;
      const worker = new Worker(new URL(import.meta.url), { workerData });
      worker.on("message", (done: Done) => {
        histories += done.histories;
        turns += done.turns;
        for (const { seed, violation } of done.failures) {
          failed += 1;
          if (failed <= SHOWN)
            console.log(`seed ${seed}: ${violation}\n  node test/simulation/run.ts --seed ${seed}`);
        }
        if (failed === 0 || !isOverAtFailure) return;
        next = end;
        void worker.terminate();
      });
      await new Promise((resolve, reject) => {
        worker.on("exit", resolve);
        worker.on("error", reject);
      });
    }
  }
  const threads = availableParallelism();
  const share = Math.min(SHARE, Math.ceil(count / threads));
  await Promise.all(Array.from({ length: threads }, runThread));
  clearInterval(timer);
  report();
  return failed;
}

async function work({ first, count }: Work): Promise<void> {
  for (let begins = first; begins < first + count; begins += BATCH) {
    const failures: { seed: number; violation: string }[] = [];
    let [histories, turns] = [0, 0];
    for (let seed = begins; seed < Math.min(begins + BATCH, first + count); seed += 1) {
      const history = await runHistory(seed);
      histories += 1;
      turns += history.turns;
      const [violation] = history.violations;
      if (violation !== undefined) failures.push({ seed, violation });
    }
    const done: Done = { histories, turns, failures };
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
    parentPort?.postMessage(done);
  }
}
