import { tool } from "ai";
import type { AgentTool } from "elicit-kit/agent";
import { askFirst } from "elicit-kit/runtime";
import { z } from "zod";

export function createRefund(pay: (order: string, cents: number) => Promise<void>): AgentTool {
  return (context) => {
    const refund = tool({
      title: "Refund an order",
      description: "Refunds an order. The user is asked for approval.",
      inputSchema: z.object({
        order: z.string(),
        cents: z.int().positive().meta({ title: "Amount in cents" }),
      }),
      async execute({ order, cents }, { toolCallId }) {
        await context.turn.runner.step(`refund ${toolCallId}`, () => pay(order, cents)); // once, also in a durable turn
        return `Refunded ${(cents / 100).toFixed(2)} €.`;
      },
    });
    return askFirst(refund, { edit: ["cents"], remember: true })(context);
  };
}
