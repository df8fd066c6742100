import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { createTestDatabase } from "../stages/postgres-database.ts";
import { createSqlProxy } from "../stages/sql-proxy.ts";
import { answer, startServer } from "./server-process.ts";

const program = fileURLToPath(new URL("durable-server.ts", import.meta.url));

test("a process whose new connection to the engine breaks during its first statement stays alive, and its turn continues", async () => {
  const { url, query } = await createTestDatabase();
  await query("create table effects (what text not null, process integer not null)");
  const network = await createSqlProxy(url);
  const server = await startServer(url, { program, args: ["", network.url] });
  const stream = await server.ada.send("two-1");
  const city = await stream.request();
  network.cut();
  network.loseReplyTo(/set idle_in_transaction_session_timeout/);
  network.open();
  expect((await server.ada.answer("two-1", { ...city, ...answer("Rome") })).status).toBe(200);
  const hotel = await stream.request(0, ({ message }) => message === "Which hotel?");
  await server.ada.answer("two-1", { ...hotel, ...answer("Ritz") });
  await stream.done;
  expect(stream.chunks.at(-1)).toMatchObject({ type: "finish" });
  expect(server.child.exitCode).toBeNull();
});
