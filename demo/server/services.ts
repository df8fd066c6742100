import type { McpServer } from "elicit-kit/agent";
import { COMPANY } from "./accounts.ts";
import { startHost } from "../host/server.ts";
import { type Company, startCompany } from "./company.ts";
import { type OAuthClient, createSigningKey, startOAuthServer } from "./oauth-server.ts";
import { startMail } from "./mail.ts";
import { startPlanner } from "./planner.ts";
import type { wishedPorts } from "./ports.ts";
import { reportError } from "./report-error.ts";
import type { DemoState } from "./state.ts";
import { startTracker } from "./tracker.ts";
import { startTravelProcess } from "./travel-process.ts";
import { startWiki } from "./wiki.ts";

/** The URLs and credentials of the demo's services. Plain data. */
export interface Services {
  /** The OAuth server's issuer. */
  issuer: string;
  /** The agent's client registration at the OAuth server. */
  client: OAuthClient;
  /** MCP endpoint of the issue tracker. */
  tracker: string;
  /** Origin of the mail service, which is not an MCP server. */
  mail: string;
  /** The planner's MCP endpoints, one for each revision. */
  planner: readonly McpServer[];
  plannerOrigin: string;
  /** MCP endpoint of the wiki, which is not configured in the demo. */
  wiki: string;
  /** The identity provider of carol's company. */
  company: Company;
  /** A wiki of that company, for its users only, with the client that redeems the company's grants. */
  handbook: { url: string; client: OAuthClient };
  /** URL of the card of the travel agent, which the demo calls over A2A. */
  travel: string;
  /** A chat of another company with MCP Apps. */
  host: string;
}

/** Starts the servers of other companies: the OAuth server, the MCP servers, the A2A agent, and another chat. */
export async function startServices({
  ports,
  state,
  origins,
}: {
  ports: ReturnType<typeof wishedPorts>;
  state: Pick<DemoState, "signingKey" | "keepSigningKey" | "oauth">;
  /** The origins of the hosted page, to which users return, and of the chat. */
  origins: Readonly<Record<"auth" | "chat", string>>;
}): Promise<Services & { close: () => Promise<void> }> {
  const signingKey = state.signingKey ?? (await createSigningKey());
  await state.keepSigningKey(signingKey);
  const oauth = await startOAuthServer({ port: ports.oauth, signingKey, kept: state.oauth });
  const tracker = await startTracker({ port: ports.tracker, oauth });
  const mail = await startMail({ port: ports.mail, oauth });
  const planner = await startPlanner({ port: ports.planner });
  const wiki = await startWiki({ port: ports.wiki, oauth });
  const handbookClient = await oauth.registerCompanyClient();
  const { close: closeCompany, ...company } = await startCompany({
    port: ports.company,
    clientId: handbookClient.clientId,
  });
  oauth.trustCompany(company.issuer);
  const handbook = await startWiki({
    port: ports.handbook,
    oauth,
    name: "handbook",
    title: `${COMPANY.name} handbook`,
  });
  const travel = await startTravelProcess({ port: ports.travel });
  const host = await startHost({ port: ports.host, chat: origins.chat, onError: reportError });
  const client = await oauth.registerClient({
    name: "Demo agent",
    redirectUri: `${origins.auth}/auth/callback`,
  });
  return {
    issuer: oauth.issuer,
    client,
    tracker: tracker.url,
    mail: mail.origin,
    planner: planner.servers,
    plannerOrigin: planner.origin,
    wiki: wiki.url,
    company,
    handbook: { url: handbook.url, client: handbookClient },
    travel: travel.origin,
    host: host.origin,
    async close() {
      const servers = [oauth, tracker, mail, planner, wiki, handbook, travel, host];
      await Promise.all([...servers.map((server) => server.close()), closeCompany()]);
    },
  };
}
