import { fileURLToPath } from "node:url";
import { createRuntime } from "elicit-kit/runtime";
import { createAgentTurn, elicitationRules } from "elicit-kit/runtime/agent";
import { createHostedPage, withRefresh } from "elicit-kit/runtime/hosted-page";
import { createAccounts } from "./accounts.ts";
import { bookFlight } from "./book-flight.ts";
import { createChatPage } from "./chat-page.ts";
import { createHistory } from "./history.ts";
import { createModel } from "./model.ts";
import { createSigningKey, startOAuthServer } from "./oauth-server.ts";
import { serve, wishedPorts } from "./ports.ts";
import { loadState } from "./state.ts";
import { startTracker, TRACKER_SCOPE } from "./tracker.ts";

const SYSTEM = `You help with an issue tracker and with flights.

${elicitationRules}`;

const ports = wishedPorts(process.env);
const accounts = createAccounts();
const history = createHistory();
// On ports that are free today nothing of yesterday would be found again, so nothing is kept.
const state = await loadState(process.env["DEMO_STATE"] ?? (ports.chat === 0 ? "" : ".demo"));
const ttl = process.env["ELICITATION_TTL_MS"];

const report = (error: unknown): void => console.error("elicit-kit demo:", error);

const signingKey = state.signingKey ?? (await createSigningKey());
await state.keepSigningKey(signingKey);
const oauth = await startOAuthServer({ port: ports.oauth, signingKey });
const tracker = await startTracker({ port: ports.tracker, oauth });

// Each server needs the address of another one; addresses are known once all of them listen, before the first request.
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
  handle: () => (request) => runtime.fetch(request),
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
    resource: tracker.url,
  },
};
const credentials = withRefresh(state.credentials, { providers });

const runAgent = createAgentTurn({
  model: createModel(process.env),
  system: SYSTEM,
  tools: { book_flight: bookFlight },
  mcpServers: [{ name: "tracker", url: tracker.url, service: "Tracker", credentialScope: "user" }],
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
  allowedOrigins: [chat.origin],
  hostedPage: { origin: auth.origin },
  // The account may have been connected in another chat meanwhile.
  isCompleted: async ({ tool, user }) =>
    tool !== undefined && (await credentials.get(tool.id, user.id)) !== undefined,
  onTurnEnd: (turn, chunks, entries) => history.end(turn, chunks, entries),
  onError: report,
  ...(ttl !== undefined && { expiresInMs: Number(ttl) }),
});
const hostedPage = createHostedPage({
  origin: auth.origin,
  elicitations: runtime.elicitations,
  credentials,
  providers,
  trustedProviderOrigins: [oauth.issuer],
  vouch: { url: `${api.origin}/run` },
  chatHome: chat.origin,
  allowedReturnOrigins: [chat.origin],
  onError: report,
});
const chatPage = createChatPage({
  accounts,
  history,
  root: fileURLToPath(new URL("../../dist-demo", import.meta.url)),
  runtimeOrigin: () => api.origin,
  authOrigin: () => auth.origin,
});

console.log(`chat ${chat.origin}`);
console.log(`runtime ${api.origin}`);
console.log(`auth ${auth.origin}`);
console.log(`oauth ${oauth.issuer}`);
console.log(`tracker ${tracker.url}`);

async function stop(): Promise<void> {
  await runtime.close();
  await Promise.all([chat, auth, api, oauth, tracker].map((server) => server.close()));
  process.exit(0);
}
process.once("SIGINT", () => void stop());
process.once("SIGTERM", () => void stop());
