/**
 * One of the demo's processes, which `start.ts` starts: the chat page, the hosted page and the runtime. It keeps no data
 * of its own.
 */
import { once } from "node:events";
import { createPostgresPorts } from "elicit-kit/postgres";
import { Pool } from "pg";
import { createAccounts } from "../server/accounts.ts";
import { type AgentServer, createAgentServer } from "../server/agent-server.ts";
import { type Conversation, createHistory } from "../server/history.ts";
import { createTelemetry } from "../server/metrics.ts";
import type { OwnServer } from "../server/own-servers.ts";
import { type Served, serve } from "../server/ports.ts";
import { reportError } from "../server/report-error.ts";
import type { Message, Settings } from "./messages.ts";
import { FACES, type Face } from "./proxy.ts";
import { createPostgresShelves } from "./postgres-shelf.ts";

const tell = (message: Message): void => void process.send?.(message);

// Ctrl-C in the terminal reaches all processes. This one waits until its parent tells it to end.
process.on("SIGINT", () => {});
// The parent process was killed.
process.on("disconnect", () => process.exit(1));

const [settings] = (await once(process, "message")) as [Settings];
const { databaseUrl, keys } = settings;
const telemetry = createTelemetry(process.env);
const ports = await createPostgresPorts({
  connectionString: databaseUrl,
  key: keys.secrets,
  sweepMs: 500,
  decisionLog: {},
  durable: { parkAfterMs: 20_000, telemetry },
  onError: reportError,
});
const pool = new Pool({ connectionString: databaseUrl, max: 3 });
pool.on("error", reportError);
const shelf = await createPostgresShelves(pool);
const agent: AgentServer = createAgentServer({
  env: process.env,
  origins: settings.origins,
  services: settings.services,
  accounts: createAccounts(Buffer.from(keys.session, "base64")),
  history: createHistory(shelf<Conversation>("conversation")),
  keptServers: shelf<readonly OwnServer[]>("servers"),
  credentials: ports.credentials,
  transactions: ports.transactions,
  registrations: ports.registrations,
  ports,
  answerKey: keys.answers,
  telemetry,
  onTurn: ({ id, user }) => tell({ kind: "turn", turnId: id, user: user?.id ?? "somebody" }),
  onError: reportError,
});

const open = (face: Face): Promise<Served> =>
  serve({ name: face, host: "127.0.0.1", port: 0, handle: () => agent[face] });
const served = { chat: await open("chat"), auth: await open("auth"), runtime: await open("runtime") };
const portOf = (face: Face): number => Number(new URL(served[face].origin).port);
tell({ kind: "ready", ports: { chat: portOf("chat"), auth: portOf("auth"), runtime: portOf("runtime") } });

process.once("SIGTERM", () => {
  void (async () => {
    await agent.core.close();
    await Promise.all(FACES.map((face) => served[face].close()));
    await ports.close();
    await pool.end();
    process.exit(0);
  })();
});
