import type { LanguageModel } from "ai";
import { createAgentTurn } from "elicit-kit/agent";
import { createHostedPage, isConnected, withConnectors } from "elicit-kit/connect";
import { serve } from "elicit-kit/node";
import { createPostgresPorts } from "elicit-kit/postgres";
import { type User, createRuntime } from "elicit-kit/runtime";
import { createOperatorPage } from "elicit-kit/runtime/operator";
import { listRepositories } from "./github-repos.ts";
import { telemetry } from "./telemetry.ts";

const hosts = { chat: "chat.example.com", auth: "auth.example.com", ops: "ops.example.com" };
const onError = console.error;

export interface WholeServerOptions {
  model: LanguageModel;
  /** Your users' session: see "Your auth". */
  authenticate: (request: Request) => Promise<User | undefined>;
  /** Your staff's session: who may see the operator page. */
  operatorOf: (request: Request) => Promise<{ id: string } | null>;
  env: Readonly<Record<string, string | undefined>>;
}

/** One pod: runtime, hosted page and operator page on one port, told apart by the host name. */
export async function startWholeServer({ model, authenticate, operatorOf, env }: WholeServerOptions) {
  const chatOrigin = `https://${hosts.chat}`;
  const pageOrigin = `https://${hosts.auth}`;
  const ports = await createPostgresPorts({
    connectionString: env["DATABASE_URL"],
    key: env["SECRETS_KEY"], // encrypts accounts
    durable: { telemetry },
    decisionLog: { keepDays: 365 },
    onError,
  });
  const providers = {
    github: {
      service: "GitHub",
      issuer: "https://github.com/login/oauth",
      clientId: env["GITHUB_CLIENT_ID"] ?? "",
      clientSecret: env["GITHUB_CLIENT_SECRET"] ?? "",
      scopes: ["repo"],
    },
  };
  const credentials = withConnectors(ports.credentials, { providers });
  const runtime = createRuntime({
    ports,
    runTurn: createAgentTurn({
      model,
      tools: { list_repositories: listRepositories },
      accounts: { github: { service: "GitHub", api: "https://api.github.com" } },
      credentials,
      connectUrl: `${pageOrigin}/auth/connect`,
      requester: { name: "Your assistant" },
      version: env["VERSION"],
      telemetry,
      onError,
    }),
    authenticate,
    answerKey: env["ANSWER_KEY"], // the same in all pods
    allowedOrigins: [chatOrigin],
    hostedPage: { origin: pageOrigin },
    isCompleted: isConnected(credentials),
    accounts: credentials,
    telemetry,
    onError,
  });
  const page = createHostedPage({
    origin: pageOrigin,
    vouch: { url: `${chatOrigin}/run` },
    chatHome: chatOrigin,
    elicitations: runtime.elicitations,
    credentials,
    transactions: ports.transactions,
    providers,
    onError,
  });
  const operatorPage = createOperatorPage({
    ports,
    origin: `https://${hosts.ops}`,
    authenticate: operatorOf,
    elicitations: runtime.elicitations,
    onError,
  });
  let isClosing = false;
  const server = await serve({
    hostname: "0.0.0.0", // a proxy in another pod reaches it
    port: Number(env["PORT"] ?? 8080),
    allowedHosts: Object.values(hosts),
    onError,
    fetch(request) {
      const { hostname, pathname } = new URL(request.url);
      if (pathname === "/healthz") return new Response("alive");
      if (pathname === "/readyz") return new Response(null, { status: isClosing ? 503 : 200 });
      if (hostname === hosts.auth) return page.fetch(request);
      if (hostname === hosts.ops) return operatorPage.fetch(request);
      return runtime.fetch(request);
    },
  });
  return {
    url: server.url,
    /** On SIGTERM. Turns do not end: another pod continues them. */
    async close() {
      isClosing = true;
      await runtime.close();
      await server.close();
      await ports.close();
    },
  };
}
