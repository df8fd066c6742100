import { setTimeout as sleep } from "node:timers/promises";
import { Client } from "pg";
import type { Random } from "../simulation/random.ts";
import type { Processes } from "./processes.ts";

export interface FaultCounts {
  kills: number;
  freezes: number;
  restarts: number;
  resets: number;
  floods: number;
}

/** Makes one fault after another until `signal` aborts. Each is drawn from the seed. */
export async function makeFaults(options: {
  processes: Processes;
  server: { readonly url: string; restart(): Promise<void> };
  random: Random;
  /** How many times longer than usual the pauses between faults are. */
  calm: number;
  counts: FaultCounts;
  signal: AbortSignal;
}): Promise<void> {
  const { processes, server, random, calm, counts, signal } = options;
  while (!signal.aborted) {
    await sleep(calm * random.between(200, 3000), undefined, { signal }).catch(() => {});
    if (signal.aborted || processes.running.length === 0) continue;
    const { child } = random.pick(processes.running);
    const kind = random.below(20);
    if (kind < 12) {
      counts.kills += 1;
      child.kill("SIGKILL");
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

/** Ends half of the connections, whatever they do. */
async function resetConnections(client: Client): Promise<void> {
  await client.query(
    "select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid() and pid % 2 = 0",
  );
}

/** Takes all connections that the server has left. */
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
