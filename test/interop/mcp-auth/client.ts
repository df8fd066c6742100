/**
 * The client under test of the MCP conformance suite: our agent with its credential gate, the hosted page, and a user who
 * follows every card in a scripted browser. `node client.ts <URL of the server>`; the suite passes the rest in its
 * environment.
 */
import { MockLanguageModelV4 as MockModel } from "ai/test";
import { isObject } from "../../../src/contract/json.ts";
import { createAgentTurn } from "../../../src/agent/index.ts";
import { createRuntime } from "../../../src/runtime/index.ts";
import { createMemoryCredentials } from "../../../src/connect/ports/credentials.ts";
import { createHostedPage, createMcpSignIn, withConnectors } from "../../../src/connect/index.ts";
import type { McpSignInOptions } from "../../../src/connect/oauth/mcp-sign-in.ts";
import type { PresetClient } from "../../../src/connect/oauth/choose-client.ts";
import { createGuardedFetch } from "../../../src/node/index.ts";
import { createBrowser, hiddenFields } from "../../stages/browser.ts";
import { CHAT_ORIGIN, authenticateTestUser, createChatClient } from "../../stages/chat-client.ts";
import { createScriptedModel, toolResultsSeen } from "../../stages/scripted-model.ts";

/** The page runs in this process. On a loopback origin it may sign in at the suite's servers. */
const PAGE = "http://localhost:39999";
/** The document that the suite expects as client id. It represents one that an operator serves elsewhere. */
const DOCUMENT = "https://conformance-test.local/client-metadata.json";
const MOST_CARDS = 6;

const url = process.argv.at(-1) ?? "";
const scenario = process.env["MCP_CONFORMANCE_SCENARIO"] ?? "";
const context: unknown = JSON.parse(process.env["MCP_CONFORMANCE_CONTEXT"] ?? "{}");
const log = (error: unknown) => console.error(error instanceof Error ? error.message : error);

const presets: PresetClient[] = [];
const mcpSignIn = createMcpSignIn({
  origin: PAGE,
  fetch: createGuardedFetch({ allowLoopback: true }),
  client: { name: "elicit-kit" },
  clients: presets,
  ...enterpriseOf(context),
});
/** Registers clients manually, as an operator would, for scenarios that need it. */
async function registerByHand(): Promise<void> {
  const { clientId, clientSecret } = clientOf(context);
  if (clientId === undefined) return;
  const { server } = await mcpSignIn.discover({ url, service: "Survey" });
  presets.push({ server: url, issuer: server.issuer, clientId, clientSecret });
}
function clientOf(given: unknown): { clientId?: string; clientSecret?: string } {
  if (scenario === "auth/basic-cimd") return { clientId: DOCUMENT };
  const { client_id: clientId, client_secret: clientSecret } = isObject(given) ? given : {};
  return {
    ...(typeof clientId === "string" && { clientId }),
    ...(typeof clientSecret === "string" && { clientSecret }),
  };
}
/** The identity provider of a scenario. */
function enterpriseOf(given: unknown): Pick<McpSignInOptions, "enterprise"> {
  const { idp_issuer: issuer, idp_client_id: clientId, idp_id_token: idToken } = isObject(given) ? given : {};
  if (typeof issuer !== "string" || typeof clientId !== "string" || typeof idToken !== "string") return {};
  return { enterprise: { issuer, clientId, identityAssertion: async () => idToken } };
}

const store = createMemoryCredentials();
const credentials = withConnectors(store, { providers: {}, mcpSignIn });
/** Calls the visible tools, each once: first the one that connects the account, then those that appear. */
const called = new Set<string>();
const model = new MockModel({
  doStream: async (options) => {
    const next = (options.tools ?? []).map(({ name }) => name).find((name) => !called.has(name));
    if (next === undefined) return createScriptedModel("Done.").doStream(options);
    called.add(next);
    return createScriptedModel({ [next]: {} }).doStream(options);
  },
});
const runtime = createRuntime({
  runTurn: createAgentTurn({
    model,
    mcpServers: [{ name: "srv", url, service: "Survey", credentialScope: "user", signIn: "on-demand" }],
    credentials,
    connectUrl: `${PAGE}/auth/connect`,
    requester: { name: "Conformance" },
    maxSteps: 6,
    onError: log,
  }),
  authenticate: authenticateTestUser,
  allowedOrigins: [CHAT_ORIGIN],
  onError: log,
});
const page = createHostedPage({
  origin: PAGE,
  elicitations: runtime.elicitations,
  credentials,
  providers: {},
  mcpSignIn,
  session: () => ({ id: "ada" }),
  onError: log,
});

await registerByHand().catch(log);
const browser = createBrowser({ [PAGE]: page.fetch });
const ada = createChatClient(runtime.fetch, { user: "ada" });
const stream = await ada.send("c1");
const seen = new Set<string>();
while (seen.size < MOST_CARDS) {
  // Rejects when the turn ends without another card.
  const request = await stream
    .request(0, ({ elicitationId }) => !seen.has(elicitationId))
    .catch(() => undefined);
  if (request === undefined) break;
  seen.add(request.elicitationId);
  if (request.mode !== "url") throw new Error("only accounts are asked for here");
  console.error(request.message);
  const consent = await browser.visit(request.url);
  const left = await browser.post(`${PAGE}/auth/connect/start`, hiddenFields(consent));
  await browser.follow(left);
  const status = await ada.fetch(`/run/api/elicitations/${request.elicitationId}`);
  const report: unknown = await status.json();
  if (isObject(report) && report["status"] === "pending") {
    await ada.answer("c1", { elicitationId: request.elicitationId, action: "decline" });
  }
}
await stream.done;
console.log(JSON.stringify(toolResultsSeen(model)));
await runtime.close();
process.exit(0);
