import { setTimeout as sleep } from "node:timers/promises";
import { Client } from "pg";
import type { Random } from "../simulation/random.ts";
import { type Processes, type ServingProcess, findKeys } from "./processes.ts";

export interface FaultCounts {
  kills: number;
  freezes: number;
  restarts: number;
  resets: number;
  floods: number;
}

/** How many processes were killed while they worked on a turn, by the key of the turn. */
export type Hits = Map<string, number>;

/**
 * Makes one fault after another until `signal` aborts. The seed decides each fault. A process is killed only when earlier
 * killed ones are replaced. Otherwise turns would only move between processes on a slow machine.
 */
export async function makeFaults(options: {
  processes: Processes;
  server: { readonly url: string; restart(): Promise<void> };
  random: Random;
  /** The factor by which the pauses between faults are longer than usual. */
  calm: number;
  counts: FaultCounts;
  hits: Hits;
  signal: AbortSignal;
}): Promise<void> {
  const { processes, server, random, calm, counts, hits, signal } = options;
  while (!signal.aborted) {
    await sleep(calm * random.between(200, 3000), undefined, { signal }).catch(() => {});
    if (signal.aborted || processes.running.length === 0) continue;
    const serving = random.pick(processes.running);
    const { child } = serving;
    const kind = random.below(20);
    if (kind < 12) {
      if (processes.isWhole && (await kill(serving, server.url, hits))) counts.kills += 1;
    } else if (kind < 15) {
      counts.freezes += 1;
      child.kill("SIGSTOP");
      const forMs = random.between(100, 8000);
      void sleep(forMs).then(() => child.kill("SIGCONT"));
    } else if (kind < 16) {
      counts.restarts += 1;
      await server.restart();
    } else if (kind < 19) {
      counts.resets += 1;
      await withClient(server.url, resetConnections).catch(() => {});
    } else {
      counts.floods += 1;
      await flood(server.url, random.between(500, 3000));
    }
  }
}

/** Kills a process, and records the turns that it worked on. Returns `false` if the database is away. */
async function kill(serving: ServingProcess, url: string, hits: Hits): Promise<boolean> {
  const { child, user, keys } = serving;
  child.kill("SIGSTOP");
  // The statements that it has sent are complete by then.
  await sleep(100);
  try {
    await withClient(url, async (client) => {
      for (const key of await findKeys(client, user)) keys.add(key);
      const { rows } = await client.query(
        "select turn_id from elicit_kit.runs where process = any($1::bigint[]) and working and run > 0",
        [[...keys]],
      );
      for (const { turn_id: id } of rows) hits.set(id, (hits.get(id) ?? 0) + 1);
    });
  } catch {
    child.kill("SIGCONT");
    return false;
  }
  child.kill("SIGKILL");
  return true;
}

/** Ends half of the connections, in any state. */
async function resetConnections(client: Client): Promise<void> {
  await client.query(
    "select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid() and pid % 2 = 0",
  );
}

/** Uses up all connections that the server has left. */
async function flood(url: string, forMs: number): Promise<void> {
  const clients: Client[] = [];
  for (;;) {
    const client = new Client(url);
    client.on("error", () => {});
    const isConnected = await client.connect().then(
      () => true,
      () => false,
    );
    if (!isConnected) break;
    clients.push(client);
  }
  await sleep(forMs);
  await Promise.all(clients.map((client) => client.end().catch(() => {})));
}

async function withClient(url: string, work: (client: Client) => Promise<void>): Promise<void> {
  const client = new Client(url);
  client.on("error", () => {});
  await client.connect();
  try {
    await work(client);
  } finally {
    await client.end();
  }
}
