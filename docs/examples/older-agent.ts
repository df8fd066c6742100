import {
  type LanguageModel,
  convertToModelMessages,
  stepCountIs,
  streamText,
  tool,
  validateUIMessages,
} from "ai";
import { type RunTurn, createElicitor, historyForModel } from "elicit-kit/runtime";
import { z } from "zod";

const stay = z.object({
  city: z.string().min(2).meta({ title: "City" }),
  nights: z.int().min(1).max(14).meta({ title: "Nights" }),
});

export function createHotelAgent(model: LanguageModel): RunTurn {
  return async (turn) => {
    const messages = await validateUIMessages({ messages: historyForModel(turn.messages) });
    const bookHotel = tool({
      description: "Books a hotel. Asks the user for city and nights by itself.",
      inputSchema: z.object({}),
      async execute(_, { toolCallId }) {
        const requester = { name: "Travel assistant" };
        const elicitor = createElicitor({ turn, tool: "bookHotel", toolCallId, requester });
        const hotel = await elicitor.form("Which hotel shall I book?", stay);
        if (hotel.outcome !== "accepted") return hotel.text;
        return `Booked ${hotel.value.nights} nights in ${hotel.value.city}.`;
      },
    });
    const result = streamText({
      model,
      messages: await convertToModelMessages(messages),
      abortSignal: turn.signal,
      stopWhen: stepCountIs(5),
      tools: { bookHotel },
    });
    // The turn's id, so that a reloaded chat continues the same message.
    return result.toUIMessageStream({ originalMessages: messages, generateMessageId: () => turn.id });
  };
}
