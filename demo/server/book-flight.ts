import { tool } from "ai";
import type { AgentTool } from "elicit-kit/runtime/agent";
import { z } from "zod";

/** What only the traveller knows. */
const requestedSchema = {
  type: "object",
  properties: {
    destination: { type: "string", title: "Destination", minLength: 2, examples: ["Lisbon"] },
    date: { type: "string", format: "date", title: "Departure date" },
    cabin: {
      type: "string",
      title: "Cabin",
      oneOf: [
        { const: "economy", title: "Economy" },
        { const: "premium", title: "Premium economy" },
        { const: "business", title: "Business" },
      ],
      default: "economy",
    },
    travellers: { type: "integer", title: "Travellers", minimum: 1, maximum: 9, default: 1 },
    flexible: { type: "boolean", title: "My dates are flexible", default: false },
  },
  required: ["destination", "date"],
} as const;

/** A local tool that never guesses: it asks for what it was not told, and books nothing for real. */
export const bookFlight: AgentTool = ({ elicit }) =>
  tool({
    description: "Books a flight. Asks the person for everything it needs.",
    inputSchema: z.object({}),
    async execute(_, { toolCallId }) {
      const answer = await elicit({
        mode: "form",
        message: "I need a few details to book your flight.",
        requestedSchema,
        toolCallId,
      });
      if (answer.outcome !== "accepted") return answer.text;
      const { destination, date, cabin, travellers } = answer.content;
      return `Flight to ${String(destination)} on ${String(date)}, ${String(cabin)}, ${String(travellers)} travelling. Booking EK-${crypto.randomUUID().slice(0, 4).toUpperCase()}.`;
    },
  });
