/** Tests for a frozen process and the queue of notifications that all processes share. */
import { Client } from "pg";
import { expect, onTestFinished, test } from "vitest";
import { startPostgres } from "../../tools/postgres.mjs";
import { readStream } from "../stages/chat-client.ts";
import { answer, startServer } from "./server-process.ts";

const timeout = 300_000;
/** Nearly the longest payload of a notification. */
const WORDS = "x".repeat(7900);

/** A separate server with a small queue, because the queue is shared by all databases. */
async function setUp() {
  const server = await startPostgres({ settings: ["max_notify_queue_pages=1024"] });
  onTestFinished(() => server.stop(), timeout);
  const client = new Client(server.url);
  client.on("error", () => {});
  await client.connect();
  onTestFinished(() => client.end());
  /** Sends notifications until the queue is this full. */
  async function fill(channel: string, usage: number): Promise<void> {
    for (;;) {
      const { rows } = await client.query("select pg_notification_queue_usage() as usage");
      if (rows[0].usage >= usage) return;
      await client
        .query("select pg_notify($1, n || $2) from generate_series(1, 100) as n", [channel, WORDS])
        .catch(() => {});
    }
  }
  return { url: server.url, client, fill };
}

test(
  "when a frozen process fills up PostgreSQL's notification queue, another process ends its connection and reports it, and turns continue",
  { timeout, tags: ["long"] },
  async () => {
    const { url, client, fill } = await setUp();
    const [first, second] = await Promise.all([startServer(url), startServer(url)]);
    const before = await first.ada.send("c1");
    before.done.catch(() => {});
    await before.request();
    const shown = readStream(await second.ada.fetch("/run/api/chat/c1/stream"));
    shown.done.catch(() => {});
    first.child.kill("SIGSTOP");
    const { rows } = await client.query(
      "select pid from pg_stat_activity where application_name = 'elicit-kit listener'",
    );
    const pids = rows.map(({ pid }) => String(pid));
    await fill("elicit_kit", 0.9);

    const log = () => second.log.join("");
    await expect.poll(log, { timeout }).toMatch(/ % full.* was ended/);
    const [, ended = ""] = /\(pid (\d+) in pg_stat_activity\) was ended/.exec(log()) ?? [];
    expect(pids).toContain(ended);
    // The turns of the frozen process are claimed, as if it had died.
    await shown.done;
    expect(shown.chunks.at(-1)).toMatchObject({ type: "error" });
    const next = await second.ada.send("c2");
    const asked = await next.request();
    expect((await second.ada.answer("c2", { ...asked, ...answer("Ada") })).status).toBe(200);
    await next.done;
    expect(next.chunks.at(-1)).toEqual({ type: "finish" });

    // The frozen process reconnects when it runs again.
    first.child.kill("SIGCONT");
    const later = await first.ada.send("c3");
    expect((await first.ada.answer("c3", { ...(await later.request()), ...answer("Ada") })).status).toBe(200);
    await later.done;
    expect(later.chunks.at(-1)).toEqual({ type: "finish" });
  },
);

test(
  "when another program fills up PostgreSQL's notification queue, its connection is reported but not ended",
  { timeout, tags: ["long"] },
  async () => {
    const { url, fill } = await setUp();
    const other = new Client({ connectionString: url, application_name: "reports" });
    await other.connect();
    onTestFinished(() => other.end());
    await other.query("listen elicit_kit");
    await other.query("begin");
    const { rows } = await other.query("select pg_backend_pid() as pid");
    const server = await startServer(url);
    await fill("elicit_kit", 0.3);
    await expect
      .poll(() => server.log.join(""), { timeout })
      .toMatch(new RegExp(` % full.*Silent .*: ${rows[0].pid} \\(reports\\)\\.`));
    await other.query("commit");
  },
);
