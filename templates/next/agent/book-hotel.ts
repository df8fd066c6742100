import { tool } from "ai";
import type { AgentTool } from "elicit-kit/agent";
import { z } from "zod";

const stay = z.object({
  city: z.string().min(2).meta({ title: "City" }),
  nights: z.int().min(1).max(14).meta({ title: "Nights" }),
});

export const bookHotel: AgentTool = ({ elicitor }) =>
  tool({
    description: "Books a hotel. Asks the user for city and nights by itself.",
    inputSchema: z.object({}),
    async execute(_, { toolCallId }) {
      const hotel = await elicitor(toolCallId).form("Which hotel shall I book?", stay);
      if (hotel.outcome !== "accepted") return hotel.text; // tells the model what happened
      return `Booked ${hotel.value.nights} nights in ${hotel.value.city}.`;
    },
  });
