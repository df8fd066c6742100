import { tool } from "ai";
import { type RuntimeOptions, askFirst } from "elicit-kit/runtime";
import { z } from "zod";

const refund = tool({
  title: "Refund an order",
  description: "Pays the money for an order back. The user is asked for approval.",
  inputSchema: z.object({
    order: z.string().max(40),
    euros: z.number().positive().max(10_000).meta({ title: "Amount in euros" }),
    reason: z.string().max(500),
  }),
  // A demo has no money.
  execute: async ({ order, euros }) => `Refunded ${euros.toFixed(2)} € for order ${order}.`,
});

/** Asks before it runs. The user may change the amount, and allow further refunds in this conversation. */
export const refundOrder = askFirst(refund, { edit: ["euros"], remember: true });

const MOST_EUROS = 10;

/** A small refund needs no approval: the rule answers the question, and the card names the rule. */
export const smallRefunds: RuntimeOptions["beforeAsk"] = ({ tool: asking, requestedSchema }) => {
  if (asking?.name !== "refund_order") return undefined;
  const { default: euros }: { default?: unknown } = requestedSchema?.properties["euros"] ?? {};
  if (typeof euros !== "number" || euros > MOST_EUROS) return undefined;
  return { rule: `Refunds up to ${MOST_EUROS} € need no approval`, answer: { euros } };
};
