import { tool } from "ai";
import type { AgentTool } from "elicit-kit/agent";
import { z } from "zod";

const repositories = z.array(z.object({ full_name: z.string() }));

export const listRepositories: AgentTool = ({ account }) =>
  tool({
    description: "Lists the user's repositories on GitHub. Asks to connect GitHub by itself.",
    inputSchema: z.object({}),
    async execute(_, { toolCallId }) {
      // Asks the user first, if they have not connected the account.
      const found = await account("github", toolCallId).fetch("/user/repos?per_page=20");
      if (!found.ok) return found.text; // tells the model what happened
      if (!found.value.ok) return `GitHub answered with status ${found.value.status}.`;
      const list = repositories.parse(await found.value.json());
      return list.map(({ full_name }) => full_name).join(", ");
    },
  });
