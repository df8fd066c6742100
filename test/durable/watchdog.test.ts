import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { readStream } from "../stages/chat-client.ts";
import { createTestDatabase } from "../stages/postgres-database.ts";
import { createSqlProxy } from "../stages/sql-proxy.ts";
import { answer, startServer } from "./server-process.ts";

const program = fileURLToPath(new URL("durable-server.ts", import.meta.url));

/** Processes start slowly on a busy machine. */
const timeout = 300_000;

test(
  "when only DBOS loses the database, the process ends itself, and another one continues its turn",
  { timeout, tags: ["long"] },
  async () => {
    const { url, query } = await createTestDatabase();
    await query("create table effects (what text not null, process integer not null)");
    const network = await createSqlProxy(url);
    const args = ["", network.url, "3000"];
    const [first, second] = await Promise.all([
      startServer(url, { program, args }),
      startServer(url, { program, args: ["", url] }),
    ]);
    const before = await first.ada.send("two-1");
    before.done.catch(() => {});
    const city = await before.request();
    const after = readStream(await second.ada.fetch("/run/api/chat/two-1/stream"));
    const exited = once(first.child, "exit");
    network.freeze();
    await first.ada.answer("two-1", { ...city, ...answer("Rome") });
    expect(await exited).toEqual([1, null]);
    expect(first.log.join("")).toContain("This process ends, so that others continue its turns.");

    const hotel = await after.request(0, ({ message }) => message === "Which hotel?");
    await second.ada.answer("two-1", { ...hotel, ...answer("Ritz") });
    await after.done;
    expect(after.chunks.at(-1)).toMatchObject({ type: "finish" });
  },
);
