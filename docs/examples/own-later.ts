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

export function createHotelAgent(model: LanguageModel): RunTurn {
  return async function* run(turn) {
    const history = await validateUIMessages({ messages: historyForModel(turn.messages) });
    const messages = await convertToModelMessages(history);
    const bookHotel = tool({
      description: "Books a hotel. Asks the user for it while you continue.",
      inputSchema: z.object({ city: z.string() }),
      execute({ city }, { toolCallId }) {
        const ask = createElicitor({ turn, tool: "bookHotel", toolCallId });
        return ask.later(async () => {
          const hotel = await ask.text(`Which hotel in ${city}?`);
          return hotel.outcome === "accepted" ? `Booked: ${hotel.value}.` : hotel.text;
        });
      },
    });
    for (let isFirst = true; ; isFirst = false) {
      const { stream, responseMessages } = streamText({
        model,
        messages: [...messages],
        tools: { bookHotel },
        stopWhen: isStepCount(5),
        abortSignal: turn.signal,
      });
      const chunks = toUIMessageStream({
        stream,
        generateMessageId: () => turn.id,
        // One message, whatever number of answers it waits for. The runtime writes its end.
        sendStart: isFirst,
        sendFinish: false,
      });
      for await (const chunk of chunks) yield chunk;
      const ended = await turn.background.next();
      if (ended.length === 0) return;
      // With AI SDK 6 and 5: see older-later.ts.
      messages.push(...(await responseMessages));
      for (const { text } of ended) messages.push({ role: "user", content: text });
    }
  };
}
