import { tool } from "ai";
import type { AgentTool } from "elicit-kit/agent";
import { z } from "zod";

export function createRefund(pay: (order: string, cents: number) => Promise<void>): AgentTool {
  return ({ elicitor, turn }) =>
    tool({
      description: "Refunds an order. Asks the user for permission by itself.",
      inputSchema: z.object({ order: z.string(), cents: z.int().positive() }),
      async execute({ order, cents }, { toolCallId }) {
        const amount = `${(cents / 100).toFixed(2)} €`;
        const sure = await elicitor(toolCallId).confirm(`Refund ${amount} for order ${order}?`);
        if (sure.outcome !== "accepted") return sure.text;
        if (!sure.value) return "The user does not want this refund. Do not try again.";
        await turn.runner.step(`refund ${toolCallId}`, () => pay(order, cents)); // once, also in a durable turn
        return `Refunded ${amount}.`;
      },
    });
}
