import { fileURLToPath } from "node:url";
import { createMcpSurface } from "elicit-kit/mcp/server";
import {
  type Runtime,
  type RuntimeOptions,
  type Telemetry,
  type Turn,
  createRuntime,
} from "elicit-kit/runtime";
import type { ElicitationRecords, TurnStream } from "elicit-kit/runtime/ports";
import {
  type CredentialStore,
  type ClientRegistrations,
  type Transactions,
  createHostedPage,
  createMcpSignIn,
  isConnected,
  withConnectors,
} from "elicit-kit/connect";
import { openAiFormat } from "elicit-kit/openai";
import type { OperatorPageOptions } from "elicit-kit/runtime/operator";
import { type McpServer, createAgentTurn, createAnswerProposer, elicitationRules } from "elicit-kit/agent";
import { createGuardedFetch } from "elicit-kit/node";
import { type Accounts, COMPANY, betweenColleagues } from "./accounts.ts";
import { bookFlight } from "./book-flight.ts";
import { signInAtCompany } from "./company.ts";
import { createChatPage } from "./chat-page.ts";
import type { History } from "./history.ts";
import { createModel } from "./model.ts";
import { printNotices } from "./notices.ts";
import { modelName } from "./options.ts";
import { MAIL_ICON } from "./mail.ts";
import { OPERATOR_PATH, createDemoOperatorPage } from "./operator.ts";
import { createOwnServerRoutes } from "./own-server-routes.ts";
import { createOwnServers, type OwnServer } from "./own-servers.ts";
import { createProviders } from "./providers.ts";
import type { Services } from "./services.ts";
import type { Shelf } from "./shelf.ts";
import { createTimelines } from "./timelines.ts";
import { refundOrder, smallRefunds } from "./refund-order.ts";
import { sendMail } from "./send-mail.ts";
import { TRACKER_ICON } from "./tracker.ts";
import { checkWeather } from "./check-weather.ts";
import { writeNotes } from "./write-notes.ts";

const SYSTEM = `You help with an issue tracker, with mail, with flights, with team days and with weekends away.

${elicitationRules}`;

/** The sign of the chat, also on its other pages. */
const LOGO = `data:image/svg+xml,${encodeURIComponent(
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24"><rect width="24" height="24" fill="#18181b"/><path d="M8 7.5v9" stroke="#fff" stroke-width="2.4" stroke-linecap="round"/><path d="M12.5 7.9l5 4.1-5 4.1z" fill="#fff" stroke="#fff" stroke-width="1.6" stroke-linejoin="round"/></svg>',
)}`;

/** The path of the agent for MCP clients, on the runtime's origin. */
export const MCP_PATH = "/run/v1/mcp";

export interface AgentServerOptions {
  env: Readonly<Record<string, string | undefined>>;
  /** The origins that browsers use. */
  origins: Readonly<Record<"chat" | "auth" | "runtime", string>>;
  services: Services;
  accounts: Accounts;
  history: History;
  /** The MCP servers that users have added. */
  keptServers: Shelf<readonly OwnServer[]>;
  credentials: CredentialStore;
  transactions?: Transactions | undefined;
  registrations?: ClientRegistrations | undefined;
  /** Where the runtime stores its state. */
  ports: NonNullable<RuntimeOptions["ports"]> & OperatorPageOptions["ports"] & { stream: TurnStream };
  /** The same in all processes. */
  answerKey?: string | undefined;
  /** The same as of the runner, which counts the turns that are parked. */
  telemetry: Telemetry;
  /** Called when a turn starts to run in this process, also one that another process has started. */
  onTurn?: ((turn: Turn) => void) | undefined;
  onError: (error: unknown) => void;
}

type Fetch = (request: Request) => Response | Promise<Response>;

export interface AgentServer {
  /** Handlers of the three origins. */
  chat: Fetch;
  auth: Fetch;
  runtime: Fetch;
  /** The runtime's core, for other surfaces. */
  core: Runtime;
}

/** The demo's own servers: the chat page, the hosted page, and the runtime with the agent. */
export function createAgentServer(options: AgentServerOptions): AgentServer {
  const { env, origins, services, accounts, history, telemetry, onTurn, onError } = options;
  const ttl = env["ELICITATION_TTL_MS"];
  const providers = createProviders(services);
  // The fetch for URLs that users and servers choose. It allows loopback, because the whole demo runs on this machine.
  const guard = { allowLoopback: true };
  const mcpSignIn = createMcpSignIn({
    origin: origins.auth,
    fetch: createGuardedFetch(guard),
    client: { name: "Demo agent" },
    registrations: options.registrations,
    clients: [{ server: services.handbook.url, issuer: services.issuer, ...services.handbook.client }],
    enterprise: {
      ...services.company,
      identityAssertion: (userId) => signInAtCompany(services.company, userId),
      administrator: `the IT service of ${COMPANY.name}`,
    },
  });
  const credentials = withConnectors(options.credentials, { providers, mcpSignIn });
  const ownServers = createOwnServers({
    kept: options.keptServers,
    inspectionFetch: createGuardedFetch(guard),
    // A call may wait for the user.
    callFetch: createGuardedFetch({ ...guard, timeoutMs: 60 * 60_000, maxBytes: 8 * 1024 * 1024 }),
    onError,
  });

  /** The MCP servers of this user: of their company, and those that they have added. */
  async function serversOf(userId: string) {
    const own = await ownServers.entriesOf(userId);
    return COMPANY.users.includes(userId) ? [handbook, ...own] : own;
  }
  const handbook: McpServer = {
    name: "handbook",
    url: services.handbook.url,
    service: `${COMPANY.name} handbook`,
    credentialScope: "user",
    signIn: "on-demand",
  };

  const runAgent = createAgentTurn({
    model: ({ languages }) => createModel(env, languages),
    system: SYSTEM,
    tools: {
      book_flight: bookFlight,
      check_weather: checkWeather,
      refund_order: refundOrder,
      send_mail: sendMail,
      write_notes: writeNotes,
    },
    accounts: { mail: { service: "Mail", api: services.mail, iconDataUrl: MAIL_ICON, several: true } },
    mcpServers: async (user) => [
      {
        name: "tracker",
        url: services.tracker,
        service: "Tracker",
        iconDataUrl: TRACKER_ICON,
        credentialScope: "user",
      },
      // The same asking server, once for each MCP revision with elicitation.
      ...services.planner,
      ...(user === undefined ? [] : await serversOf(user.id)),
    ],
    a2aAgents: [
      {
        name: "travel_agent",
        service: "Contoso Travel",
        url: services.travel,
        description: "Plans weekends in Lisbon, Rome and Vienna. It asks the user for what it needs.",
        headers: (user) => (user === undefined ? {} : { authorization: `Bearer demo-travel:${user.id}` }),
      },
    ],
    credentials,
    connectUrl: `${origins.auth}/auth/connect`,
    requester: { name: "Demo agent" },
    telemetry,
    onError,
  });
  const runtime = createRuntime({
    telemetry,
    ports: options.ports,
    answerKey: options.answerKey,
    async runTurn(turn) {
      onTurn?.(turn);
      await history.begin(turn);
      return runAgent(turn);
    },
    async authenticate(request) {
      const identity = await accounts.authenticate(request);
      return identity && { id: identity.userId, account: identity.userId };
    },
    allowedOrigins: [origins.chat],
    formats: [openAiFormat],
    hostedPage: { origin: origins.auth },
    // The user may have connected the account in another chat in the meantime.
    isCompleted: isConnected(credentials),
    accounts: credentials,
    proposeAnswer: createAnswerProposer({ model: createModel(env) }),
    onTurnEnd: (turn, chunks, entries) => history.end(turn, chunks, entries),
    notices: printNotices(env),
    assign: betweenColleagues,
    beforeAsk: smallRefunds,
    onError,
    ...(ttl !== undefined && { timeToAnswer: { expiresInMs: Number(ttl) } }),
  });
  // The same agent for MCP clients. Their users authenticate with a bearer token.
  const mcp = createMcpSurface({
    runtime,
    url: `${origins.runtime}${MCP_PATH}`,
    name: "demo-agent",
    title: "Demo agent",
    async authenticate(request) {
      const identity = await accounts.authenticate(request);
      if (identity?.via !== "bearer") return undefined;
      return { user: { id: identity.userId, account: identity.userId } };
    },
    onError,
  });
  const hostedPage = createHostedPage({
    origin: origins.auth,
    elicitations: runtime.elicitations,
    credentials,
    transactions: options.transactions,
    brand: { name: "elicit-kit demo", logoDataUrl: LOGO },
    providers,
    mcpSignIn,
    mcpServers: ({ id }) => serversOf(id),
    trustedProviderOrigins: [services.issuer],
    vouch: { url: `${origins.runtime}/run` },
    chatHome: origins.chat,
    allowedReturnOrigins: [origins.chat],
    onError,
  });
  const chatPage = createChatPage({
    accounts,
    history,
    readTimeline: createTimelines(options.ports.stream, history),
    credentials,
    stopAsking: (userId) => stopAsking(runtime, options.ports.records, userId),
    services: { tracker: providers.tracker.service },
    ownServers: createOwnServerRoutes({
      accounts,
      ownServers,
      credentials,
      revoke: mcpSignIn.revoke,
      onError,
    }),
    exampleServer: services.wiki,
    otherHost: services.host,
    model: modelName(env),
    root: fileURLToPath(new URL("../../dist-demo", import.meta.url)),
    runtimeOrigin: origins.runtime,
    authOrigin: origins.auth,
  });
  const operatorPage = createDemoOperatorPage({
    origin: origins.runtime,
    ports: options.ports,
    runtime,
    onError,
  });
  return {
    chat: (request) => chatPage.fetch(request),
    auth: (request) => hostedPage.fetch(request),
    runtime(request) {
      const { pathname } = new URL(request.url);
      if (pathname === MCP_PATH) return mcp.fetch(request);
      return pathname.startsWith(OPERATOR_PATH) ? operatorPage.fetch(request) : runtime.fetch(request);
    },
    core: runtime,
  };
}

/** Stops the turns of the chat that ask the user something, which withdraws their requests. */
async function stopAsking(
  runtime: Runtime,
  { inbox }: Pick<ElicitationRecords, "inbox">,
  userId: string,
): Promise<void> {
  const open = (await inbox?.listOpen(userId, { limit: 100 })) ?? [];
  const chat = runtime.surface("chat");
  for (const { request } of open) {
    const turn = await chat.find({ id: userId }, { elicitationId: request.elicitationId });
    await turn?.stop("The user started over.");
  }
}
