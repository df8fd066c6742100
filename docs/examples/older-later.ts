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

/** The agent of own-later.ts, with AI SDK 6 and 5. */
export function createHotelAgent(model: LanguageModel): RunTurn {
  return async function* run(turn) {
    const history = await validateUIMessages({ messages: historyForModel(turn.messages) });
    const messages = convertToModelMessages(history);
    const said = [...(await messages)];
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
      const result = streamText({
        model,
        messages: [...said],
        tools: { bookHotel },
        stopWhen: stepCountIs(5),
        abortSignal: turn.signal,
      });
      const chunks = result.toUIMessageStream({
        generateMessageId: () => turn.id,
        // One message, whatever number of answers it waits for. The runtime writes its end.
        sendStart: isFirst,
        sendFinish: false,
      });
      for await (const chunk of chunks) yield chunk;
      const ended = await turn.background.next();
      if (ended.length === 0) return;
      said.push(...(await result.response).messages);
      for (const { text } of ended) said.push({ role: "user", content: text });
    }
  };
}
