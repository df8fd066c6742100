import { createMemoryDecisionLog } from "elicit-kit/audit";
import {
  createMemoryRecords,
  createMemoryRemembered,
  createMemoryTurnRunner,
  createMemoryTurnStream,
} from "elicit-kit/runtime";
import { startSlack } from "../slack/server.ts";
import { createAccounts } from "./accounts.ts";
import { type AgentServer, createAgentServer } from "./agent-server.ts";
import { createHistory } from "./history.ts";
import { serve, wishedPorts } from "./ports.ts";
import { type DemoEnvironment, showAddresses } from "./addresses.ts";
import { createTelemetry } from "./metrics.ts";
import { reportError } from "./report-error.ts";
import { startServices } from "./services.ts";
import { loadState, stateFolder } from "./state.ts";

/** Starts the demo in this process, which keeps conversations in memory. Returns a function that stops it. */
export async function startAlone(env: DemoEnvironment): Promise<() => Promise<void>> {
  const ports = wishedPorts(env);
  const state = await loadState(stateFolder(env, ports));
  const accounts = createAccounts(Buffer.from(state.keys.session, "base64"));

  // Each server needs the URLs of the others, which exist once all of them listen.
  let agent: AgentServer | undefined;
  const handle = (which: "chat" | "auth" | "runtime") => () => (request: Request) =>
    agent?.[which](request) ?? new Response(null, { status: 503 });
  const chat = await serve({ name: "chat", host: "localhost", port: ports.chat, handle: handle("chat") });
  const auth = await serve({ name: "auth", host: "127.0.0.1", port: ports.auth, handle: handle("auth") });
  const runtime = await serve({
    name: "runtime",
    host: "localhost",
    port: ports.runtime,
    handle: handle("runtime"),
  });
  const origins = { chat: chat.origin, auth: auth.origin, runtime: runtime.origin };
  const services = await startServices({ ports, state, origins });
  const decisionLog = createMemoryDecisionLog();
  agent = createAgentServer({
    env,
    origins,
    services,
    accounts,
    history: createHistory(),
    keptServers: state.servers,
    credentials: state.credentials,
    ports: {
      stream: createMemoryTurnStream(),
      records: decisionLog.watch(createMemoryRecords()),
      runner: createMemoryTurnRunner(),
      remembered: createMemoryRemembered(),
      decisionLog,
    },
    telemetry: createTelemetry(env),
    onError: reportError,
  });
  const { core } = agent;
  const slack =
    env["SLACK"] === undefined
      ? undefined
      : await startSlack({ runtime: core, accounts, env, port: ports.slack, onError: reportError });
  const where = slack === undefined ? "not here; npm start -- --slack" : `${slack.origin}  (${slack.what})`;
  showAddresses({ env, origins, services, more: [`slack    ${where}`] });

  const servers = [chat, auth, runtime, services, ...(slack === undefined ? [] : [slack])];
  return async () => {
    await core.close();
    await Promise.all(servers.map((server) => server.close()));
  };
}
