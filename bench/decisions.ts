/**
 * Measures the cost of the decision log on PostgreSQL with `fsync` on: `node bench/decisions.ts`. It measures a request
 * and its answer without the log, with the log, and with content in the log; the disk space per request; and the duration
 * of a verification. `REQUESTS` sets the number of requests.
 */
import { Client } from "pg";
import { verifyDecisions } from "../extras/audit/verify.ts";
import { createPostgresPorts } from "../extras/postgres/index.ts";
import { SECRETS_KEY } from "../test/stages/secrets-key.ts";
import { testRecord } from "../test/stages/test-ports.ts";
import { startPostgres } from "../tools/postgres.mjs";
import { median } from "./figures.ts";

const REQUESTS = Number(process.env["REQUESTS"] ?? 2000);
/** The three kinds alternate, so that other load on the machine affects all of them. */
const ROUND = 20;
const requestedSchema = {
  type: "object",
  properties: { city: { type: "string", title: "City" }, nights: { type: "integer", title: "Nights" } },
  required: ["city"],
} as const;

const server = await startPostgres({ settings: ["fsync=on", "full_page_writes=on"] });
const admin = new Client(server.url);
await admin.connect();

async function start(schema: string, decisionLog?: { content?: boolean }) {
  const options = { connectionString: server.url, schema, key: SECRETS_KEY, onError: console.error };
  const ports = await createPostgresPorts({ ...options, decisionLog });
  return { schema, ports, ms: { asked: new Array<number>(), answered: new Array<number>() } };
}
const kinds = [await start("without"), await start("rows", {}), await start("content", { content: true })];

async function live({ ports: { records }, ms }: (typeof kinds)[number]): Promise<void> {
  const tool = { id: "book_hotel", name: "book_hotel" };
  const base = testRecord({ tool });
  const request = { ...base.request, mode: "form", requestedSchema, url: undefined } as const;
  const before = performance.now();
  const record = await records.create({ ...base, request });
  const asked = performance.now();
  const at = Date.now();
  const changedBy = { userId: "ada", through: "chat", at };
  const content = { city: "Rome", nights: 3 };
  await records.compareAndSet(
    { ...record, revision: 1, status: "accepted", endedAt: at, changedBy },
    { outcome: "accepted", content },
  );
  ms.asked.push(asked - before);
  ms.answered.push(performance.now() - asked);
}

for (let done = 0; done < REQUESTS; done += ROUND) {
  for (const kind of kinds) for (let count = 0; count < ROUND; count += 1) await live(kind);
}
for (const { schema, ports, ms } of kinds) {
  await ports.cleanUp();
  await admin.query(`vacuum full "${schema}".decisions`);
  const { rows } = await admin.query(
    `select pg_total_relation_size('"${schema}".decisions')::integer as bytes`,
  );
  const begun = performance.now();
  const verified = await verifyDecisions(ports.decisionLog);
  const seconds = (performance.now() - begun) / 1000;
  console.log(
    `${schema}: asked in ${median(ms.asked).toFixed(2)} ms, answered in ${median(ms.answered).toFixed(2)} ms, ${Math.round(rows[0].bytes / REQUESTS)} bytes a request, ${verified.ok ? verified.rows : 0} rows verified in ${seconds.toFixed(2)} s`,
  );
  await ports.close();
}
await admin.end();
await server.stop();
