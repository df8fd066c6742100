import { existsSync, readFileSync, renameSync, rmSync, statSync, truncateSync, writeFileSync } from "node:fs";
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { chmod, chown, mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client } from "pg";
import { expect, onTestFinished, test } from "vitest";
import { startKeptPostgres } from "./kept-postgres.mjs";

const MODULE = new URL("kept-postgres.mjs", import.meta.url).href;

/** A folder that only its user may enter, and in it the one for the data. */
async function newFolder(): Promise<string> {
  const closed = await mkdtemp(join(tmpdir(), "elicit-kit-demo-"));
  await chmod(closed, 0o700);
  onTestFinished(() => rm(closed, { recursive: true }));
  return join(closed, "postgres");
}

async function query(url: string, text: string): Promise<readonly unknown[]> {
  const client = new Client(url);
  // The server may be killed in the meantime.
  client.on("error", () => {});
  await client.connect();
  const { rows } = await client.query<{ word: unknown }>(text);
  await client.end();
  return rows.map(({ word }) => word);
}

/** Starts a server in a separate process, which the test can kill. */
async function startElsewhere(folder: string): Promise<{ starter: ChildProcess; url: string }> {
  const code = `const { startKeptPostgres } = await import(${JSON.stringify(MODULE)});
    console.log((await startKeptPostgres(${JSON.stringify(folder)})).url);
    setInterval(() => {}, 1000);`;
  const starter = spawn(process.execPath, ["--input-type=module", "-e", code], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  onTestFinished(() => void starter.kill("SIGKILL"));
  const [line] = (await once(starter.stdout, "data")) as [Buffer];
  return { starter, url: line.toString().trim() };
}

const serverOf = (folder: string): number =>
  Number(readFileSync(join(folder, "data", "postmaster.pid"), "utf8").split("\n")[0]);

async function kill(child: ChildProcess): Promise<void> {
  const ended = once(child, "exit");
  child.kill("SIGKILL");
  await ended;
}

async function refusal(folder: string): Promise<string> {
  const started = await startKeptPostgres(folder).catch((error: unknown) => error);
  return started instanceof Error ? started.message : "";
}

test("the data of a demo is still there after a stop, and is written safely", async () => {
  const folder = await newFolder();
  const first = await startKeptPostgres(folder);
  await query(first.url, "create table kept as select 'typed' as word");
  expect(await query(first.url, "select current_setting('fsync') as word")).toEqual(["on"]);
  await first.stop();
  const second = await startKeptPostgres(folder);
  expect(await query(second.url, "select word from kept")).toEqual(["typed"]);
  await second.stop();
  expect(statSync(join(folder, "data")).mode & 0o077).toBe(0);
});

test("a new start of the demo ends a database server whose parent was killed, and uses its data", async () => {
  const folder = await newFolder();
  const { starter, url } = await startElsewhere(folder);
  await query(url, "create table kept as select 'typed' as word");
  const before = serverOf(folder);

  await expect(startKeptPostgres(folder)).rejects.toThrow(
    `elicit-kit: the demo already runs with the data in ${folder}, in process ${starter.pid}. Stop that one first`,
  );

  await kill(starter);
  const after = await startKeptPostgres(folder);
  expect(serverOf(folder)).not.toBe(before);
  await expect(query(url, "select word from kept")).rejects.toThrow("ECONNREFUSED");
  expect(await query(after.url, "select word from kept")).toEqual(["typed"]);
  await after.stop();
});

test("a new start of the demo uses the data when parent and server were killed at once, even if another program has the server's process id", async () => {
  const folder = await newFolder();
  const { starter, url } = await startElsewhere(folder);
  await query(url, "create table kept as select 'typed' as word");
  process.kill(serverOf(folder), "SIGKILL");
  await kill(starter);
  const path = join(folder, "data", "postmaster.pid");
  const [, ...others] = readFileSync(path, "utf8").split("\n");
  writeFileSync(path, [process.pid, ...others].join("\n"));

  const after = await startKeptPostgres(folder);
  expect(await query(after.url, "select word from kept")).toEqual(["typed"]);
  await after.stop();
});

test(
  "when the first start of the demo was killed, the next one creates the data again",
  { tags: ["long"] },
  async () => {
    const folder = await newFolder();
    await (await startKeptPostgres(folder)).stop();
    renameSync(join(folder, "data"), join(folder, "unfinished"));
    const server = await startKeptPostgres(folder);
    await server.stop();
    expect(existsSync(join(folder, "unfinished"))).toBe(false);
  },
);

test("unusable data is refused, and the error says how to start again", async () => {
  const folder = await newFolder();
  await (await startKeptPostgres(folder)).stop();
  const version = join(folder, "data", "PG_VERSION");
  const fresh = `To start fresh, delete ${folder}: `;

  writeFileSync(version, "15\n");
  const ofAnotherVersion = await refusal(folder);
  expect(ofAnotherVersion).toMatch(/^elicit-kit: .* were written by PostgreSQL 15, and this one is \d+\. /);
  expect(ofAnotherVersion).toContain(fresh);

  rmSync(version);
  expect(await refusal(folder)).toContain(`are damaged. ${fresh}`);

  writeFileSync(version, `${/is (\d+)/.exec(ofAnotherVersion)?.[1]}\n`);
  truncateSync(join(folder, "data", "global", "pg_control"), 10);
  const damaged = await refusal(folder);
  expect(damaged).toContain(`elicit-kit: the demo's data in ${folder} cannot be used. ${fresh}`);
  expect(damaged).toContain("pg_control");
});

test.runIf(process.getuid?.() === 0)("root can use the data of %s, which keeps its owner", async () => {
  const folder = await newFolder();
  await (await startKeptPostgres(folder)).stop();
  const data = join(folder, "data");
  const ordinary = 54_321;
  for (const name of ["", ...(await readdir(data, { recursive: true }))]) {
    await chown(join(data, name), ordinary, ordinary);
  }
  const server = await startKeptPostgres(folder);
  expect(await query(server.url, "select 'there' as word")).toEqual(["there"]);
  await server.stop();
  expect(statSync(data).uid).toBe(ordinary);
});
