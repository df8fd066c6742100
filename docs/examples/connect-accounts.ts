import type { LanguageModel } from "ai";
import { type Runtime, type User, createRuntime } from "elicit-kit/runtime";
import type { CredentialStore } from "elicit-kit/connect";
import { createAgentTurn, elicitationRules } from "elicit-kit/agent";
import { type HostedPage, createHostedPage, isConnected, withConnectors } from "elicit-kit/connect";

const chatOrigin = "https://chat.example.com";
const pageOrigin = "https://auth.example.com";

export interface ConnectAccountsOptions {
  model: LanguageModel;
  /** Your session or token check. The only source of identity. */
  authenticate: (request: Request) => Promise<User | undefined>;
  /** Where users' tokens are stored: `await createFileCredentials({ path, key })` of `elicit-kit/node`. */
  stored: CredentialStore;
  /** The tracker's MCP server, such as `https://tracker.example.com/mcp`. */
  mcp: string;
}

export function createConnectAccounts(options: ConnectAccountsOptions): {
  runtime: Runtime;
  page: HostedPage;
} {
  const { model, authenticate, stored, mcp } = options;
  // By the name of the MCP server. The client is registered with https://auth.example.com/auth/callback.
  const providers = {
    tracker: {
      service: "Tracker",
      issuer: "https://tracker.example.com",
      clientId: "your-client-id",
      scopes: ["issues"],
      resource: mcp,
    },
  };
  const credentials = withConnectors(stored, { providers });
  const runtime = createRuntime({
    runTurn: createAgentTurn({
      model,
      system: elicitationRules,
      mcpServers: [{ name: "tracker", url: mcp, service: "Tracker", credentialScope: "user" }],
      credentials,
      connectUrl: `${pageOrigin}/auth/connect`,
      requester: { name: "Your assistant" },
      onError: console.error,
    }),
    authenticate,
    allowedOrigins: [chatOrigin],
    hostedPage: { origin: pageOrigin },
    // The user may have connected the account in another chat in the meantime.
    isCompleted: isConnected(credentials),
    accounts: credentials,
    onError: console.error,
  });
  const page = createHostedPage({
    origin: pageOrigin,
    vouch: { url: `${chatOrigin}/run` },
    chatHome: chatOrigin,
    elicitations: runtime.elicitations,
    credentials,
    providers,
    onError: console.error,
  });
  return { runtime, page };
}
