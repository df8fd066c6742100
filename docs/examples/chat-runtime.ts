import { type LanguageModel, tool } from "ai";
import { type Runtime, type User, createRuntime } from "elicit-kit/runtime";
import { createAgentTurn, elicitationRules } from "elicit-kit/agent";
import { z } from "zod";

export interface ChatRuntimeOptions {
  model: LanguageModel;
  /** Your session or token check. The only source of identity. */
  authenticate: (request: Request) => Promise<User | undefined>;
  /** Where the chat page lives, such as `https://chat.example.com`. */
  chatOrigin: string;
}

export function createChatRuntime({ model, authenticate, chatOrigin }: ChatRuntimeOptions): Runtime {
  const runTurn = createAgentTurn({
    model,
    system: `You book hotels.\n\n${elicitationRules}`,
    tools: {
      book_hotel: ({ elicitor }) =>
        tool({
          description: "Books a hotel. Asks the user for what it needs.",
          inputSchema: z.object({}),
          async execute(_, { toolCallId }) {
            const trip = await elicitor(toolCallId).form(
              "Where to, and for how long?",
              z.object({
                city: z.string().min(2).meta({ title: "City" }),
                nights: z.int().min(1).max(30).default(1).meta({ title: "Nights" }),
              }),
            );
            // Declined, dismissed, expired …: the text tells the model the outcome and what to do next.
            if (trip.outcome !== "accepted") return trip.text;
            return `Booked ${trip.value.nights} nights in ${trip.value.city}.`;
          },
        }),
    },
    requester: { name: "Hotel assistant" },
    onError: console.error,
  });
  return createRuntime({ runTurn, authenticate, allowedOrigins: [chatOrigin], onError: console.error });
}
