import { fileURLToPath } from "node:url";
import { createMcpSurface } from "elicit-kit/mcp/server";
import { createMemoryTurnStream, createRuntime } from "elicit-kit/runtime";
import { createAgentTurn, elicitationRules } from "elicit-kit/runtime/agent";
import { createHostedPage, createMcpSignIn, isConnected, withRefresh } from "elicit-kit/runtime/hosted-page";
import { createGuardedFetch } from "elicit-kit/runtime/node";
import { createAccounts } from "./accounts.ts";
import { bookFlight } from "./book-flight.ts";
import { createChatPage } from "./chat-page.ts";
import { createHistory } from "./history.ts";
import { createModel } from "./model.ts";
import { createSigningKey, startOAuthServer } from "./oauth-server.ts";
import { modelName, withOptions } from "./options.ts";
import { createOwnServerRoutes } from "./own-server-routes.ts";
import { createOwnServers } from "./own-servers.ts";
import { startSlack } from "../slack/server.ts";
import { startPlanner } from "./planner.ts";
import { serve, wishedPorts } from "./ports.ts";
import { loadState } from "./state.ts";
import { createTimelines } from "./timelines.ts";
import { startTracker, TRACKER_ICON, TRACKER_SCOPE } from "./tracker.ts";
import { startWiki } from "./wiki.ts";

const SYSTEM = `You help with an issue tracker, with flights and with team days.

${elicitationRules}`;

const SCRIPT_HINT = `a script, for the suggestions of the page
           a real one, from Ollama:  npm start -- --model <name>
           from any OpenAI-compatible server, with its key in MODEL_API_KEY:
                                     npm start -- --model <name> --model-url <url>`;

const MCP_PATH = "/run/v1/mcp";

const env = withOptions(process.argv.slice(2), process.env);
const ports = wishedPorts(env);
const accounts = createAccounts();
const history = createHistory();
// With random ports the stored connections would not match the next run, so nothing is stored.
const state = await loadState(env["DEMO_STATE"] ?? (ports.chat === 0 ? "" : ".demo"));
const ttl = env["ELICITATION_TTL_MS"];

const report = (error: unknown): void => console.error("elicit-kit demo:", error);

const signingKey = state.signingKey ?? (await createSigningKey());
await state.keepSigningKey(signingKey);
const oauth = await startOAuthServer({ port: ports.oauth, signingKey });
const tracker = await startTracker({ port: ports.tracker, oauth });
const planner = await startPlanner({ port: ports.planner });
const wiki = await startWiki({ port: ports.wiki, oauth });

// The servers need each other's addresses, which are known once all of them listen.
const chat = await serve({
  name: "chat",
  host: "localhost",
  port: ports.chat,
  handle: () => (request) => chatPage.fetch(request),
});
const auth = await serve({
  name: "auth",
  host: "127.0.0.1",
  port: ports.auth,
  handle: () => (request) => hostedPage.fetch(request),
});
const api = await serve({
  name: "runtime",
  host: "localhost",
  port: ports.runtime,
  handle: () => (request) =>
    new URL(request.url).pathname === MCP_PATH ? mcp.fetch(request) : runtime.fetch(request),
});

const client = await oauth.registerClient({
  name: "Demo agent",
  redirectUri: `${auth.origin}/auth/callback`,
});
const providers = {
  tracker: {
    service: "Tracker",
    issuer: oauth.issuer,
    ...client,
    scopes: [TRACKER_SCOPE],
    scopeWords: {
      [TRACKER_SCOPE]: {
        en: "read your issues and create new ones",
        ar: "قراءة مشكلاتك وإنشاء مشكلات جديدة",
        de: "Ihre Tickets lesen und neue anlegen",
        es: "leer sus incidencias y crear otras",
        fr: "lire vos tickets et en créer",
        ja: "課題の閲覧と作成",
      },
    },
    iconDataUrl: TRACKER_ICON,
    resource: tracker.url,
  },
};
const turns = createMemoryTurnStream();
// For addresses that people and servers choose. Loopback is allowed because the whole demo runs on this machine.
const guard = { allowLoopback: true };
const mcpSignIn = createMcpSignIn({
  origin: auth.origin,
  fetch: createGuardedFetch(guard),
  client: { name: "Demo agent" },
});
const credentials = withRefresh(state.credentials, { providers, mcpSignIn });
const ownServers = createOwnServers({
  known: state.servers,
  keep: state.keepServers,
  inspectionFetch: createGuardedFetch(guard),
  // A call may wait for the person.
  callFetch: createGuardedFetch({ ...guard, timeoutMs: 60 * 60_000, maxBytes: 8 * 1024 * 1024 }),
  onError: report,
});

const runAgent = createAgentTurn({
  model: createModel(env),
  system: SYSTEM,
  tools: { book_flight: bookFlight },
  mcpServers: (user) => [
    {
      name: "tracker",
      url: tracker.url,
      service: "Tracker",
      iconDataUrl: TRACKER_ICON,
      credentialScope: "user",
      signIn: "first",
    },
    // One server that asks, in each MCP revision that has elicitation.
    ...planner.servers,
    // The servers that the person has added.
    ...(user === undefined ? [] : ownServers.entriesOf(user.id)),
  ],
  credentials,
  connectUrl: `${auth.origin}/auth/connect`,
  requester: { name: "Demo agent" },
  onError: report,
});
const runtime = createRuntime({
  runTurn(turn) {
    history.begin(turn);
    return runAgent(turn);
  },
  async authenticate(request) {
    const identity = await accounts.authenticate(request);
    return identity && { id: identity.userId, account: identity.userId };
  },
  stream: turns,
  allowedOrigins: [chat.origin],
  hostedPage: { origin: auth.origin },
  // The account may have been connected in another chat meanwhile.
  isCompleted: isConnected(credentials),
  onTurnEnd: (turn, chunks, entries) => history.end(turn, chunks, entries),
  onError: report,
  ...(ttl !== undefined && { expiresInMs: Number(ttl) }),
});
const slack =
  env["SLACK"] === undefined
    ? undefined
    : await startSlack({ runtime, accounts, env, port: ports.slack, onError: report });
// The same agent for MCP clients. Their users say who they are with a bearer token.
const mcp = createMcpSurface({
  runtime,
  path: MCP_PATH,
  name: "demo-agent",
  title: "Demo agent",
  async authenticate(request) {
    const identity = await accounts.authenticate(request);
    if (identity?.via !== "bearer") return undefined;
    return { user: { id: identity.userId, account: identity.userId } };
  },
  onError: report,
});
const hostedPage = createHostedPage({
  origin: auth.origin,
  elicitations: runtime.elicitations,
  credentials,
  providers,
  mcpSignIn,
  trustedProviderOrigins: [oauth.issuer],
  vouch: { url: `${api.origin}/run` },
  chatHome: chat.origin,
  allowedReturnOrigins: [chat.origin],
  onError: report,
});
const chatPage = createChatPage({
  accounts,
  history,
  readTimeline: createTimelines(turns, history),
  credentials,
  services: { tracker: providers.tracker.service },
  ownServers: createOwnServerRoutes({
    accounts,
    ownServers,
    credentials,
    revoke: mcpSignIn.revoke,
    onError: report,
  }),
  exampleServer: wiki.url,
  model: modelName(env),
  root: fileURLToPath(new URL("../../dist-demo", import.meta.url)),
  runtimeOrigin: () => api.origin,
  authOrigin: () => auth.origin,
});

console.log(`
  Open ${chat.origin}

  runtime  ${api.origin}
  auth     ${auth.origin}
  oauth    ${oauth.issuer}
  tracker  ${tracker.url}
  planner  ${planner.origin}
  mcp      ${api.origin}${MCP_PATH}, with Authorization: Bearer demo-alice
  wiki     ${wiki.url}  (nobody has configured it: add it in the page)
  slack    ${slack === undefined ? "not here; npm start -- --slack" : `${slack.origin}  (${slack.what})`}
  model    ${modelName(env) ?? SCRIPT_HINT}

  Ctrl-C ends it.
`);

const servers = [chat, auth, api, oauth, tracker, planner, wiki, ...(slack === undefined ? [] : [slack])];
async function stop(): Promise<void> {
  await runtime.close();
  await Promise.all(servers.map((server) => server.close()));
  process.exit(0);
}
process.once("SIGINT", () => void stop());
process.once("SIGTERM", () => void stop());
