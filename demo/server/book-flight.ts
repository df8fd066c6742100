import { tool } from "ai";
import type { AgentTool } from "elicit-kit/agent";
import { z } from "zod";
import { inWords } from "./day.ts";
import { type ScriptWords, scriptWords } from "./script-words.ts";

/** The questions that only the traveller can answer. */
function questionsIn({ flight }: ScriptWords) {
  const day = z.object({ date: z.iso.date().meta({ title: flight.date }) });
  const questions = z.object({
    destination: z
      .string()
      .min(2)
      .meta({ title: flight.destination, examples: ["Lisbon"] }),
    ...day.shape,
    cabin: z
      .union([
        z.literal("economy").meta({ title: flight.cabins.economy }),
        z.literal("premium").meta({ title: flight.cabins.premium }),
        z.literal("business").meta({ title: flight.cabins.business }),
      ])
      .default("economy")
      .meta({ title: flight.cabin }),
    travellers: z.int().min(1).max(9).default(1).meta({ title: flight.travellers }),
    flexible: z.boolean().default(false).meta({ title: flight.flexible }),
  });
  // The card and its receipt show this title.
  return { day, trip: questions.meta({ title: flight.title }) };
}

/** A local tool that asks for each argument that the model did not pass. It does not book a real flight. */
export const bookFlight: AgentTool = ({ elicitor, turn }) => {
  return tool({
    description: "Books a flight. Asks the person for everything it needs.",
    inputSchema: z.object({
      background: z.boolean().optional().describe("Asks while you do work that does not need the flight"),
    }),
    async execute({ background = false }, { toolCallId }) {
      return background ? elicitor(toolCallId).later(() => book(toolCallId)) : book(toolCallId);
    },
  });

  async function book(toolCallId: string): Promise<string> {
    const words = scriptWords(turn.languages);
    const { day, trip } = questionsIn(words);
    const asked = await elicitor(toolCallId).form(words.flight.message, trip, { layout: "form" });
    if (asked.outcome !== "accepted") return asked.text;
    const { destination: to, cabin, travellers } = asked.value;
    let { date } = asked.value;
    while (date < new Date().toISOString().slice(0, 10)) {
      const past = words.flight.isOver(inWords(date, words.locale));
      const later = await elicitor(toolCallId).form(past, day);
      if (later.outcome !== "accepted") return later.text;
      ({ date } = later.value);
    }
    const code = `EK-${crypto.randomUUID().slice(0, 4).toUpperCase()}`;
    // In English, the texts use the airline's own name of the class.
    const shown = words === scriptWords() ? cabin : words.flight.cabins[cabin];
    const on = inWords(date, words.locale);
    return words.flight.booked({ to, date: on, cabin: shown, travellers, code });
  }
};
