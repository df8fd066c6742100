import { tool } from "ai";
import type { AgentTool } from "elicit-kit/agent";
import { z } from "zod";

const repositories = z.array(z.object({ full_name: z.string() }));

/** Lists repositories that only the user may see, with the user's own account. */
export const listRepositories: AgentTool = ({ account }) =>
  tool({
    description: "Lists the user's repositories on GitHub",
    inputSchema: z.object({ sort: z.enum(["updated", "full_name"]).default("updated") }),
    async execute({ sort }, { toolCallId }) {
      const github = account("github", toolCallId);
      const found = await github.fetch(`/user/repos?sort=${sort}&per_page=20`);
      if (!found.ok) return found.text;
      if (!found.value.ok) return `GitHub answered with status ${found.value.status}.`;
      return repositories.parse(await found.value.json()).map((repository) => repository.full_name);
    },
  });
