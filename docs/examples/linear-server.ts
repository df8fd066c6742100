import type { McpServer } from "elicit-kit/agent";
import { createMcpSignIn } from "elicit-kit/connect";
import { createGuardedFetch } from "elicit-kit/node";

/** For `mcpServers` of `createAgentTurn`. */
export const linear: McpServer = {
  name: "linear",
  url: "https://mcp.linear.app/mcp",
  service: "Linear",
  credentialScope: "user",
  signIn: "on-demand",
};

/** For `createHostedPage` and `withConnectors`. `pageOrigin` is the origin of your hosted page. */
export const createSignIn = (pageOrigin: string) =>
  createMcpSignIn({
    origin: pageOrigin,
    fetch: createGuardedFetch(),
    client: { name: "Your assistant", uri: pageOrigin },
  });
