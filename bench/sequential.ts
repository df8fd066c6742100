/**
 * Runs a million elicitations one after another in one process: each is asked, answered and deleted. Compares the heap at
 * the end with the heap when the bounded stores are full. `SEQUENTIAL` sets the number.
 */
import { setImmediate as nextTask } from "node:timers/promises";
import { createMemoryRecords, createRuntime } from "../src/runtime/index.ts";
import { type Figure, isMet, report } from "./figures.ts";

const COUNT = Number(process.env["SEQUENTIAL"] ?? 1_000_000);
/** The number of ended records that the store keeps; the first elicitations fill it. */
const KEPT = 1000;
const WARM_UP = 20_000;
const LIMIT = 1.05;

const { gc } = globalThis;
if (gc === undefined) throw new Error("elicit-kit: run this with node --expose-gc bench/sequential.ts");

const runtime = createRuntime({
  authenticate: () => ({ id: "ada" }),
  allowedOrigins: [],
  ports: { records: createMemoryRecords({ limit: KEPT }) },
  onError: (error) => {
    throw error;
  },
});
const { signal } = new AbortController();
const requestedSchema = { type: "object", properties: { n: { type: "integer" } }, required: ["n"] } as const;

async function elicit(n: number): Promise<void> {
  const elicitationId = `elicitation-${n}`;
  const conversationId = `c${n}`;
  const scope = { turnId: `t${n}`, conversationId, user: { id: "ada" }, signal };
  const asked = runtime.ask(scope, { mode: "form", message: "?", requestedSchema, elicitationId });
  const answer = { conversationId, elicitationId, action: "accept", content: { n } } as const;
  // The answer comes in another task, as over HTTP. V8 does not release collected objects within one task.
  await nextTask();
  await runtime.elicitations.answer(answer, "ada");
  const result = await asked;
  if (result.outcome !== "accepted" || result.content["n"] !== n)
    throw new Error(`${n} got ${result.outcome}`);
}

async function heap(collect: () => unknown): Promise<number> {
  for (let round = 0; round < 5; round += 1) {
    collect();
    // Finalizers run in another task, and release more memory.
    await nextTask();
  }
  return process.memoryUsage().heapUsed;
}

for (let n = 0; n < WARM_UP; n += 1) await elicit(n);
const before = await heap(gc);
const start = performance.now();
for (let n = WARM_UP; n < WARM_UP + COUNT; n += 1) await elicit(n);
const us = ((performance.now() - start) / COUNT) * 1000;
const MiB = 1024 ** 2;
const held: Figure = {
  figure: `heap after ${COUNT.toLocaleString("en")} elicitations, one after another`,
  unit: "MiB",
  ours: (await heap(gc)) / MiB,
  peer: { name: "before", value: before / MiB },
  target: LIMIT,
};
report([held, { figure: "one elicitation, asked and answered in one process", unit: "µs", ours: us }]);
// Memory that stays is a fault, not only a figure.
if (!isMet(held)) process.exitCode = 1;
