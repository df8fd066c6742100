import { tool } from "ai";
import type { AgentTool } from "elicit-kit/agent";
import { z } from "zod";

export function createBookHotel(book: (hotel: string) => Promise<void>): AgentTool {
  return ({ elicitor, turn }) =>
    tool({
      description: "Books a hotel. Asks the user for it while you continue.",
      inputSchema: z.object({ city: z.string() }),
      execute({ city }, { toolCallId }) {
        const ask = elicitor(toolCallId);
        return ask.later(async () => {
          const hotel = await ask.text(`Which hotel in ${city}?`);
          if (hotel.outcome !== "accepted") return hotel.text;
          await turn.runner.step("book", () => book(hotel.value));
          return `Booked: ${hotel.value}.`;
        });
      },
    });
}
