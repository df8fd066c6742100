import { tool } from "ai";
import { z } from "zod";
import type { ElicitationRequest } from "../../src/contract/contract.ts";
import { type AgentTool, createAgentTurn } from "../../src/agent/index.ts";
import { createScriptedModel } from "./scripted-model.ts";

export const WHERE = ({ message }: ElicitationRequest) => message === "Where to?";
export const SURE = ({ message }: ElicitationRequest) => message === "Shall I book it?";

/** An agent that reads the weather, asks two questions in one tool, and books. For one turn. */
export function createBookingAgent() {
  const done: string[] = [];
  const model = createScriptedModel({ weather: {} }, { book_flight: {} }, "Have a nice trip.");
  const weather = tool({
    inputSchema: z.object({}),
    execute: async () => void done.push("looked at the weather"),
  });
  const bookFlight: AgentTool = ({ elicitor, turn }) =>
    tool({
      inputSchema: z.object({}),
      execute: async (_, { toolCallId }) => {
        const ask = elicitor(toolCallId);
        const city = await ask.text("Where to?");
        const isSure = await ask.confirm("Shall I book it?");
        if (city.outcome !== "accepted" || isSure.outcome !== "accepted") return "Not booked.";
        return turn.runner.step("book", async () => {
          done.push(`booked ${city.value}`);
          return `Booked: ${city.value}, ${isSure.value}`;
        });
      },
    });
  const errors: unknown[] = [];
  const runTurn = createAgentTurn({
    model,
    tools: { weather, book_flight: bookFlight },
    requester: { name: "Demo" },
    onError: (error) => errors.push(error),
  });
  return { runTurn, done, model, errors };
}
