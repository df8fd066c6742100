import type { McpServer } from "elicit-kit/agent";
import type { Provider } from "elicit-kit/connect";
import type { Nango } from "@nangohq/node";

/** For `mcpServers` of `createAgentTurn`. */
export const slack: McpServer = {
  name: "slack",
  url: "https://mcp.slack.com/mcp",
  service: "Slack",
  credentialScope: "user",
};

/** For the hosted page and `withConnectors`: Nango keeps the tokens. */
export const createProviders = (nango: Nango) =>
  ({
    slack: { service: "Slack", integration: "slack-mcp", nango },
  }) satisfies Record<string, Provider>;
