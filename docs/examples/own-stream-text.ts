import {
  type LanguageModel,
  convertToModelMessages,
  isStepCount,
  streamText,
  tool,
  toUIMessageStream,
  validateUIMessages,
} from "ai";
import { type RunTurn, createElicitor, historyForModel } from "elicit-kit/runtime";
import { z } from "zod";

const stay = z.object({
  city: z.string().min(2).meta({ title: "City" }),
  nights: z.int().min(1).max(14).meta({ title: "Nights" }),
});

export function createTravelAgent(models: { fast: LanguageModel; careful: LanguageModel }): RunTurn {
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
      // Your call, with every option it has.
      model: turn.body["mode"] === "careful" ? models.careful : models.fast,
      messages: await convertToModelMessages(messages),
      tools: { bookHotel },
      stopWhen: isStepCount(5),
      temperature: 0.2,
      providerOptions: { openai: { reasoningEffort: "low" } },
      prepareStep: ({ stepNumber }) => (stepNumber === 4 ? { toolChoice: "none" } : {}),
      abortSignal: turn.signal,
    });
    return toUIMessageStream({
      stream: result.stream,
      originalMessages: messages,
      generateMessageId: () => turn.id,
      sendReasoning: false,
      messageMetadata: ({ part }) =>
        part.type === "finish" ? { tokens: part.totalUsage.totalTokens } : undefined,
    });
  };
}
