import { execFileSync } from "node:child_process";
import { mkdtempSync, rmdirSync } from "node:fs";
import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client } from "pg";
import { expect, onTestFinished, test } from "vitest";
import { originalOf } from "../../src/base/foreign-error.ts";
import { createChatClient } from "../stages/chat-client.ts";
import { startPorts } from "../stages/postgres-database.ts";
import { CITY, asking, createTestRuntime } from "../stages/test-runtime.ts";
import { startPostgres } from "../../tools/postgres.mjs";

/** A disk of this size has space for the tables only. */
const DISK = "32m";
const TURNS = 12;
/** The user account of the test server. */
const OPTIONS = `size=${DISK},uid=65534,gid=65534,mode=700`;

const mount = (folder: string) => execFileSync("/bin/mount", ["-t", "tmpfs", "-o", OPTIONS, "tmpfs", folder]);
const unmount = (folder: string) => execFileSync("/bin/umount", [folder]);

/** Mounting a disk requires root, which many containers do not have, and a server on this machine. */
function canMount(): boolean {
  if (process.platform !== "linux" || process.getuid?.() !== 0) return false;
  if (process.env["DATABASE_URL"] !== undefined) return false;
  const folder = mkdtempSync(join(tmpdir(), "elicit-kit-disk-"));
  try {
    mount(folder);
    unmount(folder);
    return true;
  } catch {
    return false;
  } finally {
    rmdirSync(folder);
  }
}

/**
 * A database whose tables are on a separate disk, with its own server: while the disk is full no checkpoint succeeds, and
 * with a shared server other tests could not drop their databases.
 */
async function createSmallDatabase(): Promise<{ url: string; fill(): Promise<void>; free(): Promise<void> }> {
  const folder = mkdtempSync(join(tmpdir(), "elicit-kit-disk-"));
  mount(folder);
  onTestFinished(async () => {
    unmount(folder);
    await rm(folder, { recursive: true });
  });
  const server = await startPostgres();
  onTestFinished(() => server.stop());
  const admin = new Client(server.url);
  await admin.connect();
  await admin.query(`create tablespace small location '${folder}'`);
  await admin.query("create database small tablespace small");
  await admin.end();
  const url = Object.assign(new URL(server.url), { pathname: "/small" }).href;
  async function once(work: (client: Client) => Promise<void>): Promise<void> {
    const client = new Client(url);
    await client.connect();
    try {
      await work(client);
    } finally {
      await client.end();
    }
  }
  return {
    url,
    fill: () =>
      once(async (client) => {
        await client.query("create table filler (text text)");
        await client.query("alter table filler alter text set storage plain");
        // Rows that fill whole pages, until the disk is full.
        const full = client.query("insert into filler select repeat('x', 7000) from generate_series(1, 100)");
        for (let next = full; ; next = client.query("insert into filler values (repeat('x', 7000))")) {
          const error: unknown = await next.then(
            () => undefined,
            (failure: unknown) => failure,
          );
          if (error === undefined) continue;
          expect(error).toMatchObject({ code: "53100" });
          return;
        }
      }),
    free: () => once(async (client) => void (await client.query("drop table filler"))),
  };
}

test.runIf(canMount())(
  "while the disk of the database is full, answers are refused, and their requests stay open and can be answered later",
  { tags: ["long"] },
  async () => {
    const disk = await createSmallDatabase();
    const [first, second] = await Promise.all(
      [1, 2].map(async () => {
        const runtime = createTestRuntime(asking(CITY), { ports: await startPorts(disk.url) });
        return { runtime, ada: createChatClient(runtime.fetch, { user: "ada" }) };
      }),
    );
    const turns = await Promise.all(
      Array.from({ length: TURNS }, async (_, index) => {
        const stream = await first!.ada.send(`c${index}`);
        return { stream, id: `c${index}`, elicitationId: (await stream.request()).elicitationId };
      }),
    );
    // A text that is so long that no page of the table has space for it.
    const city = "R".repeat(6000);
    const answer = async ({ id, elicitationId }: (typeof turns)[number]) =>
      (await second!.ada.answer(id, { elicitationId, action: "accept", content: { city } })).status;

    await disk.fill();
    const refused: typeof turns = [];
    for (const turn of turns) if ((await answer(turn)) === 503) refused.push(turn);
    expect(refused.length).toBeGreaterThan(0);
    expect(second!.runtime.errors.map(originalOf)).toContainEqual(
      expect.objectContaining({
        message: expect.stringMatching(/^elicit-kit: the disk of the database is full/),
      }),
    );
    for (const { elicitationId } of refused) {
      const status = await second!.ada.fetch(`/run/api/elicitations/${elicitationId}`);
      expect(await status.json()).toMatchObject({ status: "pending" });
    }
    await disk.free();
    for (const turn of refused) {
      expect(await answer(turn)).toBe(200);
      await turn.stream.done;
      expect(turn.stream.chunks).toContainEqual(
        expect.objectContaining({ delta: JSON.stringify({ outcome: "accepted", content: { city } }) }),
      );
      expect(turn.stream.chunks.at(-1)).toEqual({ type: "finish" });
    }
  },
);
