import { Client, Pool } from "pg";
import { expect, onTestFinished, test } from "vitest";
import { createTestDatabase, startPorts } from "../../../test/stages/postgres-database.ts";
import { testTurn } from "../../../test/stages/test-ports.ts";
import type { Database } from "../database/database.ts";
import { createLogMarks, createLogWriter } from "./log-writer.ts";

interface Statement {
  readonly text: string;
  readonly values: unknown[];
}

/** A pool that notes the statements which write a log. */
function noting(connectionString: string): { pool: Pool; writes: Statement[] } {
  const writes: Statement[] = [];
  class NotingClient extends Client {
    constructor(config?: ConstructorParameters<typeof Client>[0]) {
      super(config);
      const query = this.query.bind(this);
      this.query = (...values: unknown[]) => {
        const [sent] = values;
        if (isStatement(sent) && sent.text.includes("insert into") && sent.text.includes(".log "))
          writes.push({ text: sent.text, values: [...sent.values] });
        return Reflect.apply(query, this, values);
      };
    }
  }
  const pool = new Pool({ connectionString, Client: NotingClient });
  onTestFinished(() => pool.end());
  return { pool, writes };
}

const isStatement = (sent: unknown): sent is Statement =>
  typeof sent === "object" && sent !== null && "text" in sent && "values" in sent;

test("statements of a log that PostgreSQL gets late, or twice, in any order, change nothing", async () => {
  const { url, query } = await createTestDatabase();
  const { pool, writes } = noting(url);
  const { stream, errors } = await startPorts(url, { connectionString: undefined, pool });
  const turn = testTurn();
  await stream.open(turn, { replace: true });
  const lease = await stream.lease(turn.turnId);
  const append = (...types: string[]) =>
    Promise.all(types.map((type) => stream.append(turn.turnId, { type }, lease)));
  await append("start", "start-step", "text-delta");
  await stream.discard(turn.turnId, 1, lease);
  await append("start-step");
  await append("text-delta", "text-delta");
  await append("data-note");
  expect(writes).toHaveLength(5);
  async function stored(): Promise<string> {
    const { rows } = await query(
      "select seq, chunk, t.length from elicit_kit.log join elicit_kit.turns t on t.id = turn_id order by seq",
    );
    return JSON.stringify(rows);
  }
  const before = await stored();
  for (const again of [writes, writes.toReversed(), [...writes, ...writes]])
    for (const { text, values } of again) await query(text, values);
  expect(await stored()).toBe(before);
  await append("finish");
  expect(JSON.parse(await stored())).toHaveLength(JSON.parse(before).length + 1);
  expect(errors).toEqual([]);
});

test("a log has no gap if only the first of two statements for one group fails", async () => {
  const written: string[] = [];
  let tries = 0;
  const database: Pick<Database, "schema" | "query"> = {
    schema: "elicit_kit",
    async query(_text, values = []) {
      tries += 1;
      if (tries === 1) throw new Error("away");
      written.push(JSON.stringify(values));
      return [];
    },
  };
  const writer = createLogWriter(database, createLogMarks());
  const long = { type: "data-file", data: "x".repeat(3_000_000) };
  const group = [long, long, { type: "finish" }];
  const results = await Promise.allSettled(
    group.map((chunk) => writer.append({ turnId: "t1", chunk, fence: 1 })),
  );
  expect(results.map(({ status }) => status)).toEqual(["rejected", "rejected", "rejected"]);
  expect(written).toEqual([]);
});
