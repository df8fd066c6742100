import { expect, onTestFinished, test } from "vitest";
import { createTestDatabase, startPorts } from "../../test/stages/postgres-database.ts";
import { testTurn } from "../../test/stages/test-ports.ts";

test(
  "two deployments with two schemas start in one empty database at the same time",
  { tags: ["long"] },
  async () => {
    for (let round = 0; round < 3; round += 1) {
      const { url } = await createTestDatabase({ empty: true });
      const schemas = ["blue", "green", "blue", "green"];
      const all = await Promise.all(schemas.map((schema) => startPorts(url, { schema, durable: true })));
      for (const { stream, errors } of all) {
        expect(await stream.open(testTurn(), { replace: true })).toEqual({ status: "opened" });
        expect(errors).toEqual([]);
      }
    }
  },
);

/** A role that owns nothing, with a limit of connections. */
async function limitedTo(connections: number): Promise<string> {
  const { url, query } = await createTestDatabase();
  const role = `limited_${Math.random().toString(36).slice(2)}`;
  await query(`create role ${role} login connection limit ${connections}`);
  await query(`grant usage on schema elicit_kit to ${role}`);
  await query(`grant all on all tables in schema elicit_kit to ${role}`);
  onTestFinished(async () => {
    await query(`drop owned by ${role}`);
    await query(`drop role ${role}`);
  });
  return Object.assign(new URL(url), { username: role, password: "" }).href;
}

test("with a role that may open three connections, many turns are opened, or are refused with the reason", async () => {
  const ports = await startPorts(await limitedTo(3), { migrate: false });
  const openings = Array.from({ length: 30 }, () => ports.stream.open(testTurn(), { replace: true }));
  const opened = await Promise.allSettled(openings);
  for (const one of opened) {
    if (one.status === "rejected") expect(String(one.reason)).toContain("(53300)");
    else expect(one.value).toEqual({ status: "opened" });
  }
  expect(opened.some(({ status }) => status === "fulfilled")).toBe(true);
});

test("with a role that may open one connection, the ports do not start, and say why", async () => {
  const started = startPorts(await limitedTo(1), { migrate: false, retryForMs: 500 });
  await expect(started).rejects.toThrow(/CONNECTION LIMIT of the role.*\(53300\)/);
});
