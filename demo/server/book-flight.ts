import { tool } from "ai";
import type { AgentTool } from "elicit-kit/agent";
import { z } from "zod";

const day = z.object({ date: z.iso.date().meta({ title: "Departure date" }) });

/** The questions that only the traveller can answer. */
const trip = z.object({
  destination: z
    .string()
    .min(2)
    .meta({ title: "Destination", examples: ["Lisbon"] }),
  ...day.shape,
  cabin: z
    .union([
      z.literal("economy").meta({ title: "Economy" }),
      z.literal("premium").meta({ title: "Premium economy" }),
      z.literal("business").meta({ title: "Business" }),
    ])
    .default("economy")
    .meta({ title: "Cabin" }),
  travellers: z.int().min(1).max(9).default(1).meta({ title: "Travellers" }),
  flexible: z.boolean().default(false).meta({ title: "My dates are flexible" }),
});

/** A local tool that asks for whatever the model did not pass. It books nothing for real. */
export const bookFlight: AgentTool = ({ elicitor }) =>
  tool({
    description: "Books a flight. Asks the person for everything it needs.",
    inputSchema: z.object({}),
    async execute(_, { toolCallId }) {
      const asked = await elicitor(toolCallId).form("I need a few details to book your flight.", trip, {
        layout: "form",
      });
      if (asked.outcome !== "accepted") return asked.text;
      const { destination, cabin, travellers } = asked.value;
      let { date } = asked.value;
      while (date < new Date().toISOString().slice(0, 10)) {
        const later = await elicitor(toolCallId).form(`${date} is over. When shall the flight be?`, day);
        if (later.outcome !== "accepted") return later.text;
        ({ date } = later.value);
      }
      return `Flight to ${destination} on ${date}, ${cabin}, ${travellers} travelling. Booking EK-${crypto.randomUUID().slice(0, 4).toUpperCase()}.`;
    },
  });
