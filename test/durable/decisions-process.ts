/** Asks and answers as fast as it can until it is killed, with the decision log. */
import { createPostgresPorts } from "../../extras/postgres/index.ts";
import { testRecord } from "../stages/test-ports.ts";

const ports = await createPostgresPorts({
  connectionString: process.env["DATABASE_URL"] ?? "",
  decisionLog: {},
  sweepMs: 20,
  onError: console.error,
});

async function live(): Promise<void> {
  for (;;) {
    const record = await ports.records.create(testRecord());
    const at = Date.now();
    const changedBy = { userId: "ada", through: "chat", at };
    await ports.records.compareAndSet({ ...record, revision: 1, status: "consented", changedBy });
    await ports.records.compareAndSet({ ...record, revision: 2, status: "declined", endedAt: at, changedBy });
  }
}

console.log("started");
await Promise.all(Array.from({ length: 8 }, live));
