import { tool } from "ai";
import type { AgentTool } from "elicit-kit/agent";
import { z } from "zod";

export function createTeamDay(pay: (approvedBy: string | undefined) => Promise<void>): AgentTool {
  return ({ elicitor, turn }) =>
    tool({
      description: "Pays the team day. Asks the finance team for permission by itself.",
      inputSchema: z.object({}),
      async execute(_, { toolCallId }) {
        const may = await elicitor(toolCallId).confirm("Pay 480 € for the team day?", {
          assignee: { group: "finance" }, // or { user: "ada" }
          expiresInMs: 24 * 60 * 60 * 1000,
        });
        if (may.outcome !== "accepted") return may.text;
        if (!may.value) return "The finance team does not want to pay this.";
        await turn.runner.step(`pay ${toolCallId}`, () => pay(may.by));
        return "Paid.";
      },
    });
}
